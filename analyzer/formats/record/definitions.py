"""The definitions of tools that a record holds, whatever writes it: as the APIs of models take them, as MCP lists them,
and in forms of one's own.

They are known by their shape: an object with a name and a JSON Schema of its arguments, or, under a key that says that
tools follow, with a list of arguments that say of what type they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.fields import bool_or_none, dict_of, json_or_none, list_of, str_or_none
from analyzer.model.definition import Parameter, Scalar, ToolDefinition
from analyzer.model.struct import replace
from analyzer.text.names import name_set

_HOLDERS = expressions_of(__file__)["holders"]
"""The keys under which definitions stand."""
_WORDS = words_of(__file__)
_TYPES = name_set("string integer number boolean array object null")
_OF_EMPTY = name_set("type required additionalProperties description title $schema")
"""The keys of a schema without properties."""
_NAMED = '"name"'
_DEEPEST, _MOST_NODES, _MOST_TOOLS, _MOST_NAMES, _LONGEST = 14, 200_000, 400, 80, 400_000


def definitions_in(value: object, place: str = "") -> list[ToolDefinition]:
    """The definitions within a JSON value, each once, with the way to it behind `place`."""
    found: dict[ToolDefinition, None] = {}
    for entry in _below(value, ""):
        found[replace(entry, place=", ".join(filter(None, (place, entry.place))))] = None
        if len(found) >= _MOST_TOOLS:
            break
    return list(found)


def agreed(definitions: Iterable[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    """One definition per name; none of a name that is defined in two ways, of which nobody can say which held."""
    known: dict[str, ToolDefinition | None] = {}
    for entry in definitions:
        other = known.setdefault(entry.name, entry)
        if other is not None and set(other.parameters) != set(entry.parameters):
            known[entry.name] = None
    return tuple(entry for entry in known.values() if entry is not None)


def _below(value: object, place: str) -> Iterator[ToolDefinition]:
    """Go through a value breadth first: what lies deep is seldom a definition."""
    level: list[tuple[object, str, bool]] = [(value, place, False)]
    nodes = 0
    for _ in range(_DEEPEST):
        deeper: list[tuple[object, str, bool]] = []
        for node, way, held in level:
            nodes += 1
            if nodes > _MOST_NODES:
                return
            if isinstance(node, dict):
                named, text = node.get("key"), dict_of(node.get("value")).get("stringValue")
                if isinstance(text, str) and _holds(named) and len(text) < _LONGEST:
                    deeper.append((json_or_none(text), way, True))
                    continue
                made = _definition(node, way, held=held)
                if made is not None:
                    yield made
                    continue
                for key, inner in node.items():
                    holds, under = _holds(key), f"{way}.{key}" if way else str(key)
                    if isinstance(inner, dict | list):
                        deeper.append((inner, under, holds or key == "function"))
                    elif isinstance(inner, str) and (holds or key in _WORDS["requests"]) and _NAMED in inner[:_LONGEST]:
                        deeper.append((json_or_none(inner), under, holds))
            elif isinstance(node, list):
                deeper.extend((inner, f"{way}[{number}]", held) for number, inner in enumerate(node) if inner)
        level = deeper


def _holds(key: object) -> bool:
    return isinstance(key, str) and len(key) < 60 and _is_holder(key)


@lru_cache(maxsize=2_048)
def _is_holder(key: str) -> bool:
    """Whether definitions stand under a key: records use few of them, again and again."""
    return _HOLDERS.search(key) is not None


def _definition(node: dict[str, Any], place: str, *, held: bool) -> ToolDefinition | None:
    """An object that defines one tool; a call, which has a name and arguments as well, is none."""
    name = str_or_none(node.get("name")) or (str_or_none(node.get("tool")) if held else None)
    if name is None or len(name) > 200 or " " in name:
        return None
    for key in _WORDS["schemas"]:
        schema = node.get(key)
        if isinstance(schema, str) and schema[:1] == "{" and len(schema) < _LONGEST:
            schema = json_or_none(schema)
        if isinstance(schema, dict) and _is_schema(schema):
            return ToolDefinition(name, tuple(_of_schema(schema)), place, frozenset(_inner(schema)))
    if held:
        for key in _WORDS["lists"]:
            entries = list_of(node.get(key))
            if entries and all(isinstance(entry, dict) and "type" in entry for entry in entries):
                listed = [made for entry in entries[:_MOST_NAMES] if (made := _listed(entry)) is not None]
                return ToolDefinition(name, tuple(listed), place) if len(listed) == len(entries) else None
    return None


def _is_schema(schema: Mapping[str, Any]) -> bool:
    if isinstance(schema.get("properties"), dict):
        return True
    kind = schema.get("type")
    return isinstance(kind, str) and _word(kind) == "object" and schema.keys() <= _OF_EMPTY


def _of_schema(schema: Mapping[str, Any]) -> Iterator[Parameter]:
    names = list_of(schema.get("required"))
    for name, given in list(dict_of(schema.get("properties")).items())[:_MOST_NAMES]:
        about = dict_of(given)
        yield Parameter(str(name), _types(about), name in names or about.get("required") is True, _values(about))


def _types(about: Mapping[str, Any]) -> tuple[str, ...]:
    """What a schema takes, in JSON's words; nothing where it can't be said."""
    kind = about.get("type")
    kinds = kind if isinstance(kind, list) else [kind] if kind is not None else []
    for key in ("anyOf", "oneOf"):
        for choice in list_of(about.get(key)):
            inner = _types(dict_of(choice))
            if not inner:
                return ()
            kinds = [*kinds, *inner]
    words = tuple(dict.fromkeys(_word(entry) for entry in kinds if isinstance(entry, str)))
    if not words or not set(words) <= _TYPES or "$ref" in about or "allOf" in about:
        return ()
    return (*words, "null") if about.get("nullable") is True and "null" not in words else words


def _word(kind: str) -> str:
    return str(_WORDS["types"].get(kind.lower(), kind.lower()))


def _values(about: Mapping[str, Any]) -> tuple[Scalar, ...] | None:
    values = about.get("enum")
    if isinstance(values, list) and values and all(isinstance(entry, str | int | float | None) for entry in values):
        return tuple(values[:_MOST_NAMES])
    return None


def _inner(schema: Mapping[str, Any]) -> Iterator[str]:
    """The names of the properties below the first ones."""
    level = [dict_of(schema.get("properties")), dict_of(schema.get("$defs")), dict_of(schema.get("definitions"))]
    nodes = [entry for table in level for entry in table.values()]
    for _ in range(6):
        deeper: list[Any] = []
        for node in nodes[:500]:
            if isinstance(node, dict):
                yield from map(str, dict_of(node.get("properties")))
                deeper.extend(dict_of(node.get("properties")).values())
                deeper.append(node.get("items"))
                deeper.extend(choice for key in ("anyOf", "oneOf", "allOf") for choice in list_of(node.get(key)))
        nodes = deeper


def _listed(entry: Mapping[str, Any]) -> Parameter | None:
    name = str_or_none(entry.get("name"))
    return Parameter(name, _types(entry), bool_or_none(entry.get("required")), _values(entry)) if name else None
