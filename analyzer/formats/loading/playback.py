"""Files that hold what was to be done, to be played back, and nothing of what came back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.jsontext import NotJson, loads
from analyzer.text.late import late

_DOES = late(r"(?i:action|action_?input|command|cmd|keystrokes?|gesture)\Z")
"""Keys under which records say what is to be done."""
_SORTS = ("type", "event", "kind", "name")
_GESTURE = late(
    r"(?i:(?:double|right)?_?click|dblclick|fill|press|key_?(?:press|down|up)?|goto|navigate|scroll|tap|swipe|hover"
    r"|drag|type|check|select(?:_?option)?|change|move|set_?viewport)\Z"
)
"""What such records call themselves."""
_CAME_BACK = late(
    r"(?i:result|output|observ|respon|repl(?:y|ies)|answer|state|frame|reward|score|status|outcome|success|error|fail"
    r"|exit|return|content|messages?\b|completion|prompt|thought|reason|log\b|title|description)"
)
"""What keys are called under which something stands that came back, was said, or describes."""
_BESIDE = late(
    r"(?i:(?:\w*_)?id|index|step|number|seq(?:uence)?|time(?:stamp)?|ts|date|delay|duration|offset|type|event|kind|name"
    r"|version|url|href|target|selectors?|element|xpath|x|y|dx|dy|button|key|keys|value|text|modifiers?|width|height"
    r"|args|arguments|params|parameters)\Z"
)
"""What else such a record may say: which one it is, when and where it's done, and with what."""
_FEWEST, _DEEPEST, _MOST = 3, 3, 200_000
_LONGEST_LINE = 1 << 16


def inputs_only(document: Document) -> str | None:
    """The key under which all records of a file say what is to be done, where none holds anything that came back; None
    for any other file."""
    values = _values(document)
    first = list(islice(values, _FEWEST))
    found = None
    for count, value in enumerate(chain(first, values)):
        key = _input_of(value) if isinstance(value, Mapping) else None
        if key is None or len(first) < _FEWEST or count >= _MOST:
            return None
        found = found or key
    return found


def _values(document: Document) -> Iterator[Any]:
    """The records: of a list, of the only list of an object, or of JSON lines."""
    value = document.value
    if isinstance(value, Mapping):
        lists = [inner for inner in value.values() if isinstance(inner, list) and inner]
        value = lists[0] if len(lists) == 1 else None
    if value is not MISSING:
        yield from value if isinstance(value, list) else ()
        return
    for line in document.content.lines(_LONGEST_LINE):
        if line is None:
            yield None
        elif line.strip():
            try:
                yield loads(line)
            except NotJson:
                yield None


def _input_of(record: Mapping[str, Any]) -> str | None:
    """Under which key a record says what is to be done; None where it says nothing of the kind, or something else."""
    does, sort = None, _sort_of(record)
    for path, value in _pairs(record, "", 0):
        if value in (None, ""):
            continue
        name = path.rsplit(".", 1)[-1]
        if _CAME_BACK.search(name) is not None:
            return None
        within = does is not None and path.startswith(f"{does}.")
        if does is None and _DOES.match(name) is not None:
            does = path
        elif not (within or isinstance(value, Mapping) or _BESIDE.match(name) is not None):
            return None
    return does or sort


def _sort_of(record: Mapping[str, Any]) -> str | None:
    return next((key for key in _SORTS if isinstance(record.get(key), str) and _GESTURE.match(record[key])), None)


def _pairs(value: Mapping[str, Any], path: str, depth: int) -> Iterable[tuple[str, Any]]:
    """The keys of a record with their values, those inside of others by their whole path."""
    for key, inner in value.items():
        place = f"{path}.{key}" if path else str(key)
        yield place, inner
        if isinstance(inner, Mapping) and depth < _DEEPEST:
            yield from _pairs(inner, place, depth + 1)
