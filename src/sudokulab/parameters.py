"""Checked parameters: frozen dataclasses whose errors name the field, its value and its range."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform

from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError

if TYPE_CHECKING:  # importing sudokulab does not define these classes
    from collections.abc import Sequence
    from typing import NotRequired, Protocol, TypedDict

    class Problem(TypedDict):
        """An invalid field, as pydantic describes it."""

        type: str
        loc: tuple[int | str, ...]
        msg: str
        input: object
        ctx: NotRequired[dict[str, object]]
        url: NotRequired[str]

    class Problems(Protocol):
        """An error of pydantic, or of FastAPI."""

        def errors(self) -> Sequence[Problem]:
            """Return the invalid fields."""


__all__ = ["describe_errors", "parameter_schemas", "parameter_values", "parameters", "plain_parameters", "range_of"]

T = TypeVar("T")

_UNBOUNDED = 2**62  # larger bounds only protect the native core from overflow
_BOUNDS = {"minimum": "of at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
_MESSAGES = {"extra_forbidden": "unknown field", "missing": "missing", "too_short": "list at least one"}
_EXPECTED = {
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "int_type": "an integer",
    "int_parsing": "an integer",
    "float_type": "a number",
    "float_parsing": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "greater_than": "a number above {gt:,}",
    "greater_than_equal": "at least {ge:,}",
    "less_than": "below {lt:,}",
    "less_than_equal": "at most {le:,}",
}
"""What pydantic expects, in other words than its own."""
_KINDS = {
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "string": "text",
    "array": "a list",
    "null": "none",
}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def parameters(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with keyword-only fields, checked and converted to their types by pydantic.

    Raises
    ------
    ParameterError
        On construction, if a field is unknown or its value is out of range.
    """
    from pydantic import ConfigDict, ValidationError
    from pydantic.dataclasses import dataclass as checked_dataclass

    made: Any = checked_dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))(cls)
    init: Callable[..., None] = made.__init__

    @wraps(init)
    def checked_init(self: T, *args: object, **kwargs: object) -> None:
        _check_by_name(cls, args)
        try:
            init(self, **kwargs)
        except ValidationError as error:
            raise ParameterError(". ".join(describe_errors(error, cls))) from None

    made.__init__ = checked_init
    return cast(type[T], made)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def plain_parameters(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with keyword-only fields that are not checked, or by its ``__post_init__`` alone.

    This does not import pydantic, which takes several times as long as to solve a puzzle.

    Raises
    ------
    ParameterError
        On construction, if a field is unknown.
    """
    made: Any = dataclass(frozen=True, kw_only=True)(cls)
    init: Callable[..., None] = made.__init__
    names = [field.name for field in fields(made)]

    @wraps(init)
    def named_init(self: T, *args: object, **kwargs: object) -> None:
        _check_by_name(cls, args)
        for name in kwargs:
            if name not in names:
                raise ParameterError(_unknown_parameter(cls, name, names))
        init(self, **kwargs)

    made.__init__ = named_init
    return cast(type[T], made)


def describe_errors(error: Problems, cls: type | None = None) -> list[str]:
    """Return one message per problem: the field, its value, and the allowed values."""
    return [_describe(problem, cls) for problem in error.errors()]


def parameter_values(instance: object) -> dict[str, object]:
    """Return the parameters of an instance by name; empty unless it is a dataclass."""
    return {field.name: getattr(instance, field.name) for field in fields(instance)} if is_dataclass(instance) else {}


def parameter_schemas(cls: type) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each parameter of a class; empty unless it was made by `parameters`."""
    from pydantic import TypeAdapter
    from pydantic.dataclasses import is_pydantic_dataclass

    if not is_pydantic_dataclass(cls):
        return {}
    return dict(TypeAdapter(cls).json_schema().get("properties", {}))


def range_of(schema: dict[str, Any]) -> str:
    """Return the values that a JSON schema allows, in words.

    Examples
    --------
    >>> range_of({"type": "integer", "minimum": 1, "maximum": 1000})
    'an integer from 1 to 1,000'
    >>> range_of({"enum": ["singles", "ac3"]})
    'singles or ac3'
    """
    if "description" in schema:
        return str(schema["description"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(range_of(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    kind = _KINDS.get(schema.get("type", ""), "a value")
    if "minimum" in schema and schema.get("maximum", _UNBOUNDED) < _UNBOUNDED:
        return f"{kind} from {schema['minimum']:,} to {schema['maximum']:,}"
    bounds = [f"{words} {schema[key]:,}" for key, words in _BOUNDS.items() if schema.get(key, _UNBOUNDED) < _UNBOUNDED]
    return f"{kind} {' and '.join(bounds)}" if bounds else kind


def _describe(problem: Problem, cls: type | None) -> str:
    place = ".".join(str(part) for part in problem["loc"])
    name = str(problem["loc"][0]) if problem["loc"] else ""
    schemas = parameter_schemas(cls) if cls else {}
    if problem["type"] in ("unexpected_keyword_argument", "extra_forbidden") and cls:
        return _unknown_parameter(cls, name, schemas)
    message = _MESSAGES.get(problem["type"]) or problem["msg"].removeprefix("Value error, ")
    if problem["type"] in ("value_error", *_MESSAGES) or not (place or problem["type"] in _EXPECTED):
        return f"{place}: {message}" if place and "\n" not in message else message
    plain = _EXPECTED.get(problem["type"], "").format(**problem.get("ctx", {}))
    plain = plain or message.removeprefix("Input should be ")
    allowed = range_of(schemas[name]) if name in schemas else plain
    return f"{place}{': ' if place else ''}{problem['input']!r}; choose {allowed}"


def _unknown_parameter(cls: type, name: str, known: Collection[str]) -> str:
    if not known:
        return f"{_title(cls)} has no parameters; remove {name}"
    return unknown_name(f"parameter of {_title(cls)}", name, known)


def _check_by_name(cls: type, args: tuple[object, ...]) -> None:
    if args:
        raise ParameterError(f"{cls.__name__} takes parameters by name: {cls.__name__}({_example(cls)})")


def _title(cls: type) -> str:
    return getattr(cls, "name", cls.__name__)


def _example(cls: type) -> str:
    first = next(iter(fields(cls)), None)
    return f"{first.name}=…" if first else ""
