"""What became of a result that a later call was to get.

A reference is `$result.step_3` in a value of the plan, or `$result.ID`, with a way into JSON behind it where only a
part is meant: `$result.step_1.items[0].name`. What the call really got is compared with what the step really returned
in this run. White space, quotes and the escapes of JSON don't count, nor do line numbers that a tool puts in front, nor
what wraps a text (a fence, an object whose `content` it is).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.text.names import WORD
from analyzer.text.plain import plain
from analyzer.timeline.calls.arguments import read_value

if TYPE_CHECKING:
    from analyzer.model.case_study import Passing

REFERENCE = late(r"\$\{?result\.(?P<name>[A-Za-z_][\w-]*)(?P<way>(?:\.[A-Za-z_]\w*|\[\d{1,6}\])*)\}?")
_PART = late(r"\.(?P<key>\w+)|\[(?P<index>\d+)\]")
_NUMBERED = late(r"^[ \t]{0,8}\d{1,7}(?:\t|→|\| ?|: )", re.MULTILINE)
_WRAPPER = late(r"\s*(?:```\w*|<[^<>\n]{1,80}>|[^\n]{0,120}:)\s*")
_WRAPPING = ("content", "result", "output", "text", "data", "value", "stdout", "response", "answer")
_UNREPLACED = late(
    r"\s*(?:\{\{[^{}\n]{1,80}\}\}|\$\{[^{}\n]{1,80}\}|\$[A-Za-z_][\w.\[\]]{2,80}|#E\d{1,3}"
    r"|<(?:result|output|step)\b[^<>\n]{0,60}>)\s*"
)
"""An argument that is nothing but a reference, in whatever way planners write it."""
_PIECE = late(r"[\w.-]+")
_NOTHING = frozenset({"", "none", "null", "nil", "undefined", "[]", "{}", "n/a", "nan", "...", "tbd", "todo", "empty"})
_LONGEST = 400_000
"""Characters of a result and of an argument that are compared."""
_LONG = 200
"""Characters of a result that are no chance wherever they turn up."""
_SHORT = 8
"""A shorter result is looked for as a word of its own."""
_LEAST = 0.05
"""Share of a result below which what is left of it may be chance."""


class Passed(Struct, frozen=True):
    """What became of a result, and how much of it arrived (0 to 1), where that can be said."""

    passed: Passing
    share: float | None = None


def references_in(value: Any) -> list[str]:
    """The names of the steps that a value of the plan refers to, each once."""
    return list(dict.fromkeys(found["name"] for text in _texts(value) for found in REFERENCE.finditer(text)))


def passing(template: Any, given: Any, results: dict[str, str | None], name: str) -> Passed:
    """What became of the result of the step `name` in an argument.

    `template` is what the plan wants there, `given` what the call has (None for nothing), `results` what the steps
    returned.
    """
    ways = [found["way"] for text in _texts(template) for found in REFERENCE.finditer(text) if found["name"] == name]
    result = results.get(name)
    source = part_of(plain(result[:_LONGEST]), ways[0] if ways else "") if result is not None else None
    if given is None:
        return Passed("lost", 0.0)
    text = as_text(given)[:_LONGEST]
    named = next((found for found in REFERENCE.finditer(text) if found["name"] == name), None)
    if named is not None and (source is None or named[0] not in source):
        return Passed("not-substituted", 0.0)
    if _UNREPLACED.fullmatch(text) is not None and text.strip() not in (source or ""):
        return Passed("not-substituted", 0.0)
    if source is None or not folded(source):
        return Passed("unknown")
    if source in ("null", "[]", "{}") and folded(text).casefold() not in _NOTHING:
        return Passed("empty")
    share = max(_share(candidate, text) for candidate in _candidates(source))
    if share >= 1:
        return Passed("passed-on", 1.0)
    if _replaced_by_nothing(template, text, name):
        return Passed("lost", 0.0)
    if share >= _LEAST and (share >= 0.5 or share * len(source) >= _LONG or _mostly_of(source, template, text)):
        return Passed("cut", round(share, 3))
    if share < _LEAST and _empty(template, text):
        return Passed("lost", 0.0)
    return Passed("changed", round(share, 3))


def _replaced_by_nothing(template: Any, text: str, name: str) -> bool:
    """Whether nothing, or a word for nothing, stands where the references to a step were, all the rest being as
    planned."""
    for entry in _texts(template):
        parts = REFERENCE.split(entry)
        # Between two literals, `split` gives the groups of the reference: its name and its way.
        names = parts[1::3]
        if name not in names:
            continue
        literals = [re.escape(folded(part)) for part in parts[0::3]]
        found = re.fullmatch(r"\s*(.*?)\s*".join(literals), folded(text), re.DOTALL)
        if found is not None:
            given = [value for value, owner in zip(found.groups(), names, strict=True) if owner == name]
            return all(value.strip(" '").casefold() in _NOTHING for value in given)
    return False


def part_of(result: str, way: str) -> str | None:
    """The part of a JSON result that `way` leads to, as text; the whole for an empty way; None where it leads
    nowhere."""
    if not way:
        return result
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return None
    for found in _PART.finditer(way):
        try:
            value = value[found["key"]] if found["key"] is not None else value[int(found["index"])]
        except (KeyError, IndexError, TypeError):
            return None
    return as_text(value)


@lru_cache(maxsize=1024)
def literal_parts(template: str) -> tuple[str, ...]:
    """What a text of the plan has around its references, folded."""
    return tuple(part for text in REFERENCE.sub("\0", template).split("\0") if (part := folded(text)))


def has_in_order(text: str, parts: Sequence[str]) -> bool:
    """Whether all parts occur in a folded text, one after the other."""
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def folded(text: str) -> str:
    """A text with its white space run together and without the quotes around it; all quotes are one kind."""
    if "\\" in text:
        text = text.replace("\\n", "\n").replace("\\t", " ").replace('\\"', '"')
    line = " ".join(text.replace('"', "'").replace("`", "'").split())
    begin, end = 0, len(line)
    while end - begin > 1 and line[begin] == line[end - 1] == "'":
        begin, end = begin + 1, end - 1
        while begin < end and line[begin] == " ":
            begin += 1
        while begin < end and line[end - 1] == " ":
            end -= 1
    return line[begin:end]


def as_text(value: Any) -> str:
    """A value as a call holds it, as text: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value of the plan; of a check those that an argument must hold."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)
    elif value is not None and not isinstance(value, int | float):
        # Only a case study has checks; the models of scenarios take long to import.
        from analyzer.model.scenario import TextCheck

        if isinstance(value, TextCheck):
            yield from _texts([*value.contains, value.equals])


def _candidates(source: str) -> Iterator[str]:
    """The result, and what it wraps: any of these passed on is all of it passed on."""
    yield source
    lines = source.strip().split("\n")
    while len(lines) > 1 and _WRAPPER.fullmatch(lines[0]):
        lines = lines[1:]
    while len(lines) > 1 and _WRAPPER.fullmatch(lines[-1]):
        lines = lines[:-1]
    yield "\n".join(lines)
    if _NUMBERED.match(lines[0]):
        yield _NUMBERED.sub("", "\n".join(lines))
    if source.lstrip()[:1] == "{":
        value = read_value(source)
        wraps = value if isinstance(value, dict) else {}
        yield from (as_text(wraps[key]) for key in _WRAPPING if wraps.get(key) not in (None, "", [], {}))


def _share(source: str, given: str) -> float:
    """How much of a result is in an argument, from 0 to 1."""
    wanted, text = folded(source), folded(given)
    if not wanted:
        return 0.0
    if wanted in text if len(wanted) >= _SHORT else re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", text):
        return 1.0
    if len(wanted) < _SHORT:
        return 0.0
    ends = _prefix(wanted, text) + _prefix(wanted[::-1], text[::-1])
    lines, leaves = [line for raw in source.split("\n") if (line := folded(raw))], _leaves(source)
    parts = _of(lines, text) if len(lines) > 1 else 0.0, _of(leaves, text) if leaves else 0.0
    return max(min(ends / len(wanted), 0.999), *parts)


def _prefix(wanted: str, text: str) -> int:
    """How many characters of the beginning of `wanted` are somewhere in `text`; 0 for less than a few words."""
    low, high = 0, len(wanted)
    while low < high:
        half = (low + high + 1) // 2
        low, high = (half, high) if wanted[:half] in text else (low, half - 1)
    return low if low >= 12 or low * 2 >= len(wanted) else 0


def _of(parts: list[str], text: str) -> float:
    """The share of the parts that occur whole in a text, weighed by their length."""
    words = {word for found in _PIECE.findall(text) for word in (found, found.strip(".-"))}
    found = sum(len(part) for part in parts if (part in words if _PIECE.fullmatch(part) else part in text))
    return found / sum(map(len, parts))


def _leaves(source: str) -> list[str]:
    """The texts and numbers in a result that is a JSON list or object; empty for any other."""
    if source.lstrip()[:1] not in ("[", "{"):
        return []
    try:
        return [part for leaf in _flat(json.loads(source)) if (part := folded(leaf))]
    except (ValueError, RecursionError):
        return []


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _flat(entry)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _mostly_of(source: str, template: Any, text: str) -> bool:
    """Whether most of what replaces a result is its own words."""
    around = {word for entry in _texts(template) for part in literal_parts(entry) for word in WORD.findall(part)}
    words = [word for word in WORD.findall(text) if word not in around]
    own = set(WORD.findall(source))
    return 2 * sum(1 for word in words if word in own) >= len(words)


def _empty(template: Any, text: str) -> bool:
    """Whether nothing replaces the result: the text is empty, or only what the plan has around the
    reference."""
    rest = folded(text)
    parts = [part for entry in _texts(template) for part in literal_parts(entry)]
    for part in parts:
        at = rest.find(part)
        if at < 0:
            # Other words with nothing of the result in them: the request without its data.
            return len(rest) <= 3 * sum(map(len, parts))
        rest = rest[:at] + " " + rest[at + len(part) :]
    return rest.strip(" '\".:;,-()").casefold() in _NOTHING
