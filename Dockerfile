# An image with the command `sudokulab`, dask, and the web page. The steps are scripts in docker/, which tests run as well.
#
#     docker build --tag sudokulab .
#     docker run --rm sudokulab solve 1.....3..4.....2

FROM python:3.13-slim AS wheel
RUN apt-get update && apt-get install --yes --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN /source/docker/build-wheel.sh /source /wheels

FROM python:3.13-slim
COPY docker/install.sh docker/check.sh /usr/local/bin/
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels install.sh /wheels /opt/sudokulab
ENV PATH=/opt/sudokulab/bin:$PATH HOME=/tmp
RUN useradd --uid 1000 sudokulab && mkdir /data && chown sudokulab /data
USER sudokulab
WORKDIR /data
RUN check.sh /opt/sudokulab
ENTRYPOINT ["sudokulab"]
