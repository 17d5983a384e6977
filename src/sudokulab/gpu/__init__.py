"""9×9 puzzles in bulk on a GPU with CUDA, through CuPy (extra ``gpu``).

`solve_array`, `count_array`, `is_unique_array`, `generate_array` and `sudokulab.learn.Verifier` use this package for
arrays on a GPU, or if ``device="cuda"`` is passed. Importing it needs neither CuPy nor a GPU.

The search is in ``engine.cu``, and ``scoring.cu`` checks its solutions with code that it does not share. CuPy compiles
both on first use and keeps the results in its cache.
"""
