"""YAML that a person wrote: read by the core schema of YAML 1.2, with the line of everything in it.

The core schema knows no dates, no `yes` and `no`, no octal numbers and no numbers to the base of 60, so that `date:
2026-01-31`, `version: 1.10` and `on: x` are what they look like. Numbers keep the digits that were written, for the
fields that want a text. PyYAML parses; what it resolves by itself is the schema of YAML 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from analyzer.case_study.yaml_problems import problem_of
from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct, field

_Model = TypeVar("_Model", bound=BaseModel)
_MOST_VALUES = 100_000
_DEEPEST = 60
_DEEPEST_TEXT = 2 * _DEEPEST
"""A mapping in a list opens two blocks."""

Place = tuple[str | int, ...]
"""The way to a value: keys and positions."""


class _TooDeepError(Exception):
    """Brackets or indentation within each other beyond what anybody writes."""


class _CoreSchema(yaml.SafeLoader):
    """A loader that knows which plain scalars are numbers, booleans or nothing; everything else is text. Digits behind
    a zero are an id or a date, no number.

    It raises `_TooDeepError` as soon as the text is nested too deeply: PyYAML looks at all open brackets again with
    each token, and takes seconds for a few kilobytes of them.
    """

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 - PyYAML's name for a table of the class

    def fetch_flow_collection_start(self, TokenClass: Any) -> None:  # noqa: N803 - PyYAML's name
        """Take in an opening bracket."""
        if self.flow_level >= _DEEPEST_TEXT:
            raise _TooDeepError
        super().fetch_flow_collection_start(TokenClass)

    def add_indent(self, column: int) -> bool:
        """Begin a block within the one that's open."""
        if len(self.indents) >= _DEEPEST_TEXT:
            raise _TooDeepError
        return bool(super().add_indent(column))


for _tag, _pattern, _first in (
    ("null", r"(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*|(?=[eE])))(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
):
    _CoreSchema.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


class _AsWritten:
    """A number that shows itself as it was written."""

    text: str

    def __str__(self) -> str:
        return self.text


class _Int(_AsWritten, int): ...


class _Float(_AsWritten, float): ...


class YamlFile(Struct, frozen=True):
    """The value of a YAML file, with the line (from 1) of each key or item."""

    path: str
    value: Any
    lines: Mapping[Place, int] = field(default_factory=dict)

    def line(self, place: Sequence[str | int]) -> int:
        """The line of a key or item, or of the nearest one around it."""
        way = tuple(place)
        while way and way not in self.lines:
            way = way[:-1]
        return self.lines.get(way, 1)

    def where(self, place: Sequence[str | int]) -> str:
        """The file and the line, as errors name them."""
        return f"{self.path}:{self.line(place)}"

    def checked(self, model: type[_Model]) -> _Model:
        """The value as `model`; `AnalyzerError` names the line of what is wrong, with a suggestion for a key that was
        probably mistyped."""
        if not isinstance(self.value, dict):
            hint = f"It begins with: {next(iter(model.model_fields))}: ..."
            raise AnalyzerError("must be a mapping of keys and values.", where=self.where(()), hint=hint)
        try:
            return model.model_validate(self.value)
        except ValidationError as error:
            raise problem_of(self, model, error) from None


def read_yaml(path: Path | str) -> YamlFile:
    """The file at `path`. Raises `AnalyzerError` for one that can't be read, is no UTF-8 or no YAML, or gives a key
    twice."""
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise AnalyzerError(f"can't be read: {error.strerror or error}.", where=name) from None
    if len(data) > 4_000_000:
        raise AnalyzerError(f"is too large for a hand-written file: {len(data)} bytes.", where=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 text: {error.reason} at byte {error.start}."
        raise AnalyzerError(what, where=name, hint="Save it as UTF-8.") from None
    return parse_yaml(text, name)


def parse_yaml(text: str, path: str) -> YamlFile:
    """As `read_yaml`, for a text that came from `path`."""
    try:
        node = yaml.compose(text, Loader=_CoreSchema)
    except (RecursionError, _TooDeepError):
        raise AnalyzerError("is nested too deeply.", where=path) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark is not None else path
        problem = (error.problem or error.context or "can't be parsed").rstrip(".")
        raise AnalyzerError(f"is not valid YAML: {problem}.", where=where, hint=_yaml_hint(problem)) from None
    except yaml.YAMLError as error:
        raise AnalyzerError(f"is not valid YAML: {' '.join(str(error).split())}.", where=path) from None
    if node is None:
        raise AnalyzerError("is empty.", where=path)
    reader = _Reader(path)
    return YamlFile(path, reader.value(node, ()), reader.lines)


class _Reader:
    def __init__(self, path: str) -> None:
        self._path = path
        self._count = 0
        self.lines: dict[Place, int] = {}

    def value(self, node: yaml.Node, place: Place) -> Any:
        self._count += 1
        if self._count > _MOST_VALUES or len(place) > _DEEPEST:
            hint = "Aliases (*name) may refer to themselves endlessly."
            raise AnalyzerError("has too many or too deeply nested values.", where=self._at(node), hint=hint)
        self.lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*place, position)) for position, item in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            return _scalar(node)
        made: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise AnalyzerError("has a key that isn't text.", where=self._at(key))
            if key.value in made:
                hint = f"It was first given at line {self.lines[*place, key.value]}."
                raise AnalyzerError(f"gives the key {key.value!r} twice.", where=self._at(key), hint=hint)
            self.lines[*place, key.value] = key.start_mark.line + 1
            made[key.value] = self.value(value, (*place, key.value))
        return made

    def _at(self, node: yaml.Node) -> str:
        return f"{self._path}:{node.start_mark.line + 1}"


def _scalar(node: yaml.Node) -> Any:
    text = str(node.value)
    if not isinstance(node, yaml.ScalarNode) or node.style is not None or len(text) > 30:
        return text
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool" if text.casefold() in ("true", "false"):
            return text.casefold() == "true"
        case "int" | "float" as kind:
            try:
                number: _Int | _Float = _Int(text) if kind == "int" else _Float(text)
            except ValueError:  # an explicit tag in front of something else
                return text
            number.text = text
            return number
    return text


def _yaml_hint(problem: str) -> str:
    if "mapping values are not allowed" in problem:
        return "Text with a colon and a space in it needs quotes."
    if "cannot start any token" in problem:
        return "Indent with spaces, never with tabs, and quote text that begins with a special character."
    if "but got '['" in problem or "but got '{'" in problem or "or '}'" in problem or "or ']'" in problem:
        return "Inside { } and [ ], text with brackets, braces or commas needs quotes."
    if "block" in problem or "expected" in problem:
        return "Check the indentation of this line and the one before it."
    return "Quote text with special characters, or put it after `key: |` on lines of its own."
