"""What a harness says of a call's arguments: which are missing, unknown or wrong.

Every harness words it in its own way, and some pass on what a validator printed (JSON Schema, pydantic, zod, serde).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from analyzer.model.action import Action
from analyzer.model.words import Kind, Mark
from analyzer.text.late import late

_NAME = r"[`'\"‘“]?(?P<name>[A-Za-z_][\w.\[\]-]{0,60})[`'\"’”]?"
_QUOTED = r"[`'\"‘“](?P<name>[A-Za-z_][\w.\[\]-]{0,60})[`'\"’”]"
_WORD = r"(?:parameter|argument|property|field|key|input|option)"
_MISSING = tuple(
    late(expression, re.IGNORECASE | re.MULTILINE)
    for expression in (
        rf"\brequired {_WORD}s?:? {_QUOTED}",
        rf"\bmissing (?:a |the )?(?:required )?{_WORD}s?(?: value)?(?: for)?:? {_NAME}(?=[\s,.;)\]}}\"'`]|$)",
        rf"\b{_WORD} {_QUOTED} is (?:required|missing)\b",
        rf"{_QUOTED} is a required property\b",
        rf"^{_NAME}\n[ \t]{{1,8}}(?:Field required|Missing required argument)\b",
        rf"{_QUOTED}\s{{0,20}}\]?,?\s{{0,20}}\"message\":\s?\"(?:Required|[^\"\n]{{0,60}}received undefined)",
        rf"^[ \t]{{0,8}}{_NAME}: (?:Field )?required\b",
        rf"\bmissing required \w{{1,20}} for (?:function|tool) ['\"`][^'\"`\n]{{1,80}}['\"`]: [\[{{]{_QUOTED}",
        rf"\brequired {_WORD}\(s\) missing: {_NAME}",
    )
)
_UNEXPECTED = tuple(
    late(expression, re.IGNORECASE | re.MULTILINE)
    for expression in (
        (
            rf"\b(?:unexpected|unknown|unrecogni[sz]ed|unsupported|extra|additional) {_WORD}s?(?:\(s\))?(?: in "
            rf"object)?:? {_QUOTED}"
        ),
        rf"\bunexpected {_WORD}(?:\(s\):)? {_NAME}(?= in (?:tool|function) call\b|$)",
        rf"\b{_WORD} {_NAME} is not in the tool's input schema\b",
        rf"\({_QUOTED}(?:, ['\"]\w{{1,60}}['\"]){{0,8}} (?:was|were) unexpected\)",
        rf"^{_NAME}\n[ \t]{{1,8}}(?:Extra inputs are not permitted|Unexpected keyword argument)\b",
    )
)
_WRONG = tuple(
    late(expression, re.IGNORECASE | re.MULTILINE)
    for expression in (
        (
            rf"\b{_WORD} {_QUOTED} (?:type is expected as|must be (?:of type|an? )|should be (?:of type|an? )|has "
            r"(?:an )?invalid type)"
        ),
        rf"^{_NAME}\n[ \t]{{1,8}}Input should be\b",
        rf"\binvalid {_QUOTED}(?: parameter)?:(?! [^\n]{{0,300}}No replacement was performed)",
        (
            rf"\"expected\":\s?\"\w{{1,30}}\",\s{{0,20}}\"received\":\s?\"(?!undefined)"
            rf"\w{{1,30}}\",\s{{0,20}}\"path\":\s?\[\s{{0,20}}{_QUOTED}"
        ),
        r"\b(?P<name>path) must be absolute\b",
        r"\bparams/(?P<name>\w{1,60}) must be\b",
    )
)
_GENERAL = late(
    r"\bInputValidationError\b|\b\d{1,3} validation errors? (?:for|parsing) \w|\b(?:called with|were given) "
    r"invalid arguments\b|^(?:error: ?)?invalid (?:arguments?|parameters?)\b|\binvalid (?:arguments?|parameters?"
    r"|input) (?:for|to) (?:the )?(?:tool|function)\b|\binvalid tool (?:arguments?|parameters?|input)\b"
    r"|\b(?:arguments?|parameters?|input) (?:do(?:es)? not|don't|doesn't|did not) match (?:the )?(?:\w+ )"
    r"?schema\b|\bschema validation (?:failed|error)|\bMCP error -32602\b"
    r"|\bfailed to parse (?:the )?(?:tool |function )?(?:call )?arguments\b|\bmust NOT have additional "
    r"properties\b|\binput to the tool was invalid\b|\barguments? (?:is|are) not valid JSON\b",
    re.IGNORECASE,
)
_START = late(
    (
        r"\s{0,20}(?:[\[{(<]\s{0,10})?[\"']?(?:tool_use_error|error|[\w.]{0,60}(?:Error|Exception)\b|failed to parse"
        r"|missing |invalid |required |unexpected |the (?:required )?parameter|your input)"
    ),
    re.IGNORECASE,
)
"""How an answer that is an error begins, where the log doesn't say that it is one."""
_HARNESS = late(
    (
        r"\s{0,20}(?:<tool_use_error>)?(?:error: ?)?(?:InputValidationError\b|failed to parse (?:function |tool )"
        r"?(?:call )?arguments\b|MCP error -32602\b)"
    ),
    re.IGNORECASE,
)
"""How only a harness begins: a shell's own programs don't say this."""
_MORE = late(r"(?:,? (?:or|and) |, ?| ?[|/] ?)[`'\"‘“](?P<name>[A-Za-z_][\w.-]{0,60})[`'\"’”]")
"""What may follow a quoted name: another one that would do, or that is missing as well."""
_GIVEN = late(r"\bgiven:[ \t]*([^\n]{1,300})")
_TOOL_KEYS = ("tool", "tool_name", "function", "action", "name")
_FILLERS = frozenset({"for", "is", "in", "the", "a", "of", "function", "tool", "error", "value"})
_MOST_STEPS = 12
MOST_NAMES = 40
"""So many names of arguments are looked at."""


@dataclass(frozen=True)
class ArgumentError:
    """What a message says about the arguments: the names that are missing, unknown and wrong. All empty where it names
    none."""

    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    alternatives: bool = False
    """Whether one of the missing names would do."""

    @property
    def specific(self) -> bool:
        """Whether it names an argument."""
        return bool(self.missing or self.unexpected or self.wrong)


def argument_error_of(action: Action) -> ArgumentError | None:
    """What the answer says about the call's arguments; None where it isn't a rejection of them."""
    rejected = action.mark is Mark.REJECTED
    answer = (action.result or "")[:2_000]
    if action.mark not in (None, Mark.REJECTED):
        return None
    if (
        (action.operation.command is not None or action.kind is Kind.TEST)
        and not rejected
        and not _HARNESS.match(answer)
    ):
        return None
    if not rejected and action.failure is None and not (len(action.result or "") < 1_000 and _START.match(answer)):
        return None
    if (
        action.kind in (Kind.READ, Kind.SEARCH)
        and not rejected
        and (len(action.result or "") > 1_500 or action.failure is None)
    ):
        return None
    missing, unexpected, wrong = (tuple(_names_in(rows, answer)) for rows in (_MISSING, _UNEXPECTED, _WRONG))
    if not (missing or unexpected or wrong) and not _GENERAL.search(answer):
        return None
    alternatives = len(missing) > 1 and any(" or " in joint[0] or "|" in joint[0] for joint in _MORE.finditer(answer))
    return ArgumentError(missing, unexpected, wrong, alternatives)


def given_in_vain(action: Action, argument_error: ArgumentError) -> list[str]:
    """The names that the answer misses although it lists them itself among what was given."""
    listed = _GIVEN.findall((action.result or "")[-4_000:])
    return [
        name
        for name in argument_error.missing
        if any(re.search(rf"(?<!\bof )\b{re.escape(name)}\b", line) for line in listed)
    ]


def inner_tool(action: Action) -> str | None:
    """The tool that the answer speaks of where the call hands over a plan, with calls of other tools in it; None where
    it names none or several."""
    if not isinstance(action.arguments, Mapping):
        return None
    answer, named, level = (
        (action.result or "")[:2_000],
        set[str](),
        [value for value in action.arguments.values() if isinstance(value, list)],
    )
    for _ in range(2):
        deeper: list[Any] = []
        for entry in (entry for value in level for entry in value[:_MOST_STEPS]):
            if not isinstance(entry, Mapping):
                continue
            named.update(
                value
                for key in _TOOL_KEYS
                if isinstance(value := entry.get(key), str) and 2 < len(value) <= 80 and " " not in value
            )
            deeper.extend(value for value in entry.values() if isinstance(value, list))
        level = deeper
    found = [name for name in named if name != action.tool and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", answer)]
    return found[0] if len(found) == 1 else None


def _names_in(rows: Iterable[re.Pattern[str]], answer: str) -> list[str]:
    groups: dict[str, list[str]] = {}
    for row in rows:
        for found in row.finditer(answer):
            names, end = [found["name"]], found.end()
            while rows is _MISSING and (more := _MORE.match(answer, end)):
                names.append(more["name"])
                end = more.end()
            names = [name.rsplit(".", 1)[-1].strip("[]") for name in names]
            if len(names) > len(groups.get(names[0], ())):
                groups[names[0]] = names
    ordered = dict.fromkeys(name for first in sorted(groups) for name in groups[first])
    return [name for name in list(ordered)[:10] if name.lower() not in _FILLERS]


def names_of(arguments: Mapping[str, Any] | str) -> list[str]:
    """The names that a call gives, those inside of its values after them."""
    names: list[str] = []
    level: list[Any] = [arguments]
    for _ in range(4):
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, Mapping):
                names.extend(str(name)[:80] for name in list(value)[:20])
                deeper.extend(list(value.values())[:20])
            elif isinstance(value, list):
                deeper.extend(value[:_MOST_STEPS])
        level = deeper[:MOST_NAMES]
    return list(dict.fromkeys(names))[:MOST_NAMES]
