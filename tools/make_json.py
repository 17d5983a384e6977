"""Write docs/reference/json.md, the page of all JSON, from the tables of the commands: python -m tools.make_json."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sudokulab.cli.schema import COMMANDS, OBJECTS, VERSION, Fields

__all__ = ["TARGET", "json_page"]

TARGET = Path(__file__).parent.parent / "docs" / "reference" / "json.md"

_BEGIN = f"""# JSON

Some commands print JSON with `--json`. `solve -o answers.jsonl` writes the same objects to a file.

```sh
sudokulab solve famous --json | head -1
sudokulab rate famous --scale se --json --fields id,er
```

- `solve`, `check`, `rate`, `hint`, `explain`, `canonical` and `techniques --find` print one object per line. The other
  commands print a single object.
- An object always has all fields of its table. `null` means unknown, or not applicable. `--fields` chooses fields and
  their order. Without it, `solve` adds the other members of objects that it has read.
- The first field is `version`, now {VERSION}. Within a version, fields can be added, but none is removed or changes its
  type or meaning.
- The tab-separated output of `check` and `rate` has the same fields except `version`.
- A candidate is a list of a cell and a digit, such as `["r1c2", 3]`.

With `--keep-going`, an unreadable puzzle has an object with the status (of `hint` and `explain`, the ending)
`unreadable` and an `error`.
"""


def json_page() -> str:
    inner = ["## Objects inside others\n", *_sections("### ", OBJECTS)]
    return "\n".join([_BEGIN, *_sections("## ", COMMANDS, "`{}`"), *inner]).rstrip() + "\n"


def _sections(level: str, tables: dict[str, Fields], title: str = "{}") -> Iterator[str]:
    names: dict[int, list[str]] = {}
    for name, fields in tables.items():
        names.setdefault(id(fields), []).append(title.format(name))
    for fields in {id(fields): fields for fields in tables.values()}.values():
        yield f"{level}{' and '.join(names[id(fields)])}\n"
        yield "| field | type | meaning |\n| --- | --- | --- |"
        yield from (f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in fields.items())
        yield ""


if __name__ == "__main__":
    TARGET.write_text(json_page(), encoding="utf-8")
