"""The pages of the reproduced papers, as trees of blocks that a page can show without parsing HTML.

The Markdown files and figures come from docs/papers; wheels contain a copy. They are read on first use, and
requests choose among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Response
from markdown_it import MarkdownIt
from markdown_it.token import Token

from sudokulab._internal.suggestions import unknown_name
from sudokulab.papers.folder import pages_folder
from sudokulab.web.problems import RESPONSES, ProblemError

__all__ = ["blocks_of", "router"]

router = APIRouter(prefix="/api/papers", tags=["papers"], responses=RESPONSES)

Block = dict[str, object]
Span = dict[str, str | bool]
Name = Annotated[str, Path(max_length=100)]

_INDEX = "README"
_FIGURES = "figures"
_SUMMARY = re.compile(r"<details>\s*<summary>(.*?)</summary>", re.DOTALL)


@router.get("")
def list_papers() -> dict[str, object]:
    """List the reproduced papers, with the index page: their claims and verdicts."""
    papers = [{"key": key, "title": _title(text)} for key, text in _pages().items() if key != _INDEX]
    return {"papers": papers, "blocks": blocks_of(_pages()[_INDEX])}


@router.get("/{key}")
def show_paper(key: Name) -> dict[str, object]:
    """Return the page of a paper as blocks: headings, paragraphs, lists, tables, figures and code."""
    pages = _pages()
    if key not in pages or key == _INDEX:
        raise ProblemError(HTTPStatus.NOT_FOUND, unknown_name("paper", key, [name for name in pages if name != _INDEX]))
    return {"key": key, "title": _title(pages[key]), "blocks": blocks_of(pages[key])}


@router.get("/figures/{name}", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def show_figure(name: Name) -> Response:
    """Return a figure of a page as SVG."""
    figures = _figures()
    if name not in figures:
        raise ProblemError(HTTPStatus.NOT_FOUND, unknown_name("figure", name, figures))
    return Response(figures[name], media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@cache
def _pages() -> dict[str, str]:
    """Return the Markdown text of each page, the index first."""
    texts = {
        file.name.removesuffix(".md"): file.read_text(encoding="utf-8")
        for file in pages_folder().iterdir()
        if file.name.endswith(".md")
    }
    return dict(sorted(texts.items(), key=lambda item: (item[0] != _INDEX, item[0] == "all-solvers", item[0])))


@cache
def _figures() -> dict[str, bytes]:
    figures = pages_folder() / _FIGURES
    return {file.name: file.read_bytes() for file in figures.iterdir() if file.name.endswith(".svg")}


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def blocks_of(text: str) -> list[Block]:
    """Return Markdown as blocks.

    A block has a ``type``: *heading* (with ``level`` and ``id``), *paragraph*, *list* (``items``), *table*
    (``columns``, ``rows``), *figure* (``name``, ``caption``), *code* (``text``) or *details* (``summary``, ``blocks``).
    Text is a list of spans, each with ``text`` and perhaps ``strong``, ``emphasis``, ``code``, or a link: ``paper`` (a
    key), ``anchor`` (the id of a heading) or ``href``.

    Examples
    --------
    >>> blocks_of("# One *two*")
    [{'type': 'heading', 'level': 1, 'id': 'one-two', 'spans': [{'text': 'One '}, {'text': 'two', 'emphasis': True}]}]
    """
    return list(_blocks(MarkdownIt("commonmark").enable("table").parse(text)))


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = _end(tokens, place)
        inside = tokens[place + 1 : end]
        match token.type:
            case "heading_open":
                spans = _spans(inside[0])
                yield {"type": "heading", "level": int(token.tag[1]), "id": _slug(spans), "spans": spans}
            case "paragraph_open":
                yield _figure(inside[0]) or {"type": "paragraph", "spans": _spans(inside[0])}
            case "bullet_list_open" | "ordered_list_open":
                items = [_spans(one) for one in inside if one.type == "inline"]
                yield {"type": "list", "is_ordered": token.type.startswith("ordered"), "items": items}
            case "table_open":
                yield _table(inside)
            case "fence" | "code_block":
                yield {"type": "code", "text": token.content}
            case "html_block" if summary := _SUMMARY.match(token.content):
                end = next((at for at in range(place, len(tokens)) if "</details>" in tokens[at].content), len(tokens))
                yield {"type": "details", "summary": summary[1], "blocks": list(_blocks(tokens[place + 1 : end]))}
            case _:  # block quotes and rules do not occur; their content does no harm
                yield from _blocks(inside)
        place = end + 1


def _end(tokens: Sequence[Token], start: int) -> int:
    """Return the place of the token that closes the one at `start`."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += tokens[place].nesting
        if depth == 0:
            return place
    return len(tokens)


def _figure(inline: Token) -> Block | None:
    """Return the only image of a paragraph as a figure."""
    children = inline.children or []
    if len(children) != 1 or children[0].type != "image":
        return None
    name = str(children[0].attrs.get("src", "")).removeprefix(f"{_FIGURES}/")
    return {"type": "figure", "name": name, "caption": children[0].content}


def _table(tokens: Sequence[Token]) -> Block:
    rows: list[list[list[Span]]] = []
    is_number: list[bool] = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "th_open":
            is_number.append("right" in str(token.attrs.get("style", "")))
        if token.type in ("th_open", "td_open") and following is not None:
            rows[-1].append(_spans(following))
    return {"type": "table", "columns": rows[0], "rows": rows[1:], "is_number": is_number}


def _spans(inline: Token) -> list[Span]:
    style: Span = {}
    spans: list[Span] = []
    for token in inline.children or []:
        match token.type:
            case "strong_open" | "em_open":
                style["strong" if token.tag == "strong" else "emphasis"] = True
            case "strong_close" | "em_close":
                style.pop("strong" if token.tag == "strong" else "emphasis", None)
            case "link_open":
                style |= _link(str(token.attrs.get("href", "")))
            case "link_close":
                for key in ("paper", "anchor", "href"):
                    style.pop(key, None)
            case "code_inline":
                spans.append({"text": token.content, "code": True, **style})
            case "softbreak":
                spans.append({"text": " ", **style})
            case "hardbreak":
                spans.append({"text": "\n"})
            case "html_inline":
                spans.append({"text": "\n" if token.content.startswith("<br") else token.content})
            case _:
                if token.content:
                    spans.append({"text": token.content, **style})
    return spans


def _link(address: str) -> dict[str, str]:
    """Return where a link leads: to another paper, to a heading, or elsewhere on the web."""
    page, _, anchor = address.partition("#")
    if address.startswith(("https://", "http://")):
        return {"href": address}
    key = page.removesuffix(".md")
    return ({"paper": key} if key in _pages() else {}) | ({"anchor": anchor} if anchor else {})


def _slug(spans: Sequence[Span]) -> str:
    return "-".join("".join(str(span["text"]) for span in spans).lower().split())
