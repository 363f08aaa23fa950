"""Whether the answer to a call rejects its arguments, and what the rejected calls gave."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from analyzer.failures.rejections import ArgumentError, rejection_in
from analyzer.model.action import Action
from analyzer.model.words import Kind, Mark
from analyzer.text.late import late

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
_ABSENT = late(
    r"\b(?:(?:path|file|directory|folder|page|record|resource|id)\b[^\n]{0,300} (?:does not|doesn't) exist"
    r"|no such (?:file|directory|path|page|record)|(?:file|path|directory|page|record) not found)\b",
    re.IGNORECASE,
)
"""What an answer says of a thing that a well-formed value names."""
_GIVEN = late(r"\bgiven:[ \t]*([^\n]{1,300})")
_TOOL_KEYS = ("tool", "tool_name", "function", "action", "name")
_MOST_STEPS = 12
MOST_NAMES = 40
"""So many names of arguments are looked at."""


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
    found = rejection_in(answer)
    if found is not None and found.loose and not set(found.unexpected) & set(names_of(action.arguments)):
        return None
    if found is not None and _only_absent(found, answer):
        return None
    return found


def _only_absent(found: ArgumentError, answer: str) -> bool:
    """Whether a value is well formed, and only names a thing that isn't there."""
    faulty = found.missing or found.unexpected or found.allowed or found.takes
    return bool(found.wrong) and not faulty and _ABSENT.search(answer) is not None


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


def names_of(arguments: Mapping[str, Any] | str) -> list[str]:
    """The names that a call gives, those inside of its values after them."""
    names: list[str] = []
    level: list[Any] = [arguments]
    for _ in range(4):
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                names.extend(str(name)[:80] for name in list(value)[:20])
                deeper.extend(list(value.values())[:20])
            elif isinstance(value, list):
                deeper.extend(value[:_MOST_STEPS])
        level = deeper[:MOST_NAMES]
    return list(dict.fromkeys(names))[:MOST_NAMES]


def arguments_of(action: Action, tool: str | None) -> Mapping[str, Any]:
    """The arguments that a rejection speaks of: the call's own, or those of the step of its plan that calls `tool`."""
    if not isinstance(action.arguments, Mapping):
        return {}
    if tool is None:
        return action.arguments
    level = [value for value in action.arguments.values() if isinstance(value, list)]
    for _ in range(2):
        deeper: list[Any] = []
        for entry in (entry for value in level for entry in value[:_MOST_STEPS]):
            if not isinstance(entry, Mapping):
                continue
            if any(entry.get(key) == tool for key in _TOOL_KEYS):
                return next((value for value in entry.values() if isinstance(value, Mapping)), {})
            deeper.extend(value for value in entry.values() if isinstance(value, list))
        level = deeper
    return {}
