"""Whether the answer to a call rejects its arguments, what the rejected calls gave, and which names and values several
of them tried one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from analyzer.failures.rejections import ArgumentError, rejection_in
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Mark
from analyzer.text.late import late
from analyzer.text.names import name_set

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
_ROLES = (
    name_set("path file filename file_name file_path filepath target_file absolute_path uri notebook_path"),
    name_set("old_str old_string oldtext old_text old search find before target"),
    name_set("new_str new_string newtext new_text new replace replacement after"),
    name_set("command cmd commands script commandline code"),
    name_set("query pattern q regex search_term search term"),
    name_set("content contents text file_text body message"),
    name_set("url uri link href address"),
    name_set("directory dir folder path cwd workdir"),
)
_MOST_STEPS = _MOST_TRIED = 12
MOST_NAMES = 40
"""So many names of arguments are looked at."""


def argument_error_of(action: Action) -> ArgumentError | None:
    """What the answer says about the call's arguments; None where it isn't a rejection of them."""
    if action.mark not in (None, Mark.REJECTED):
        return None
    result, failed = action.result or "", action.failure is not None
    answer = result[:2_000]
    if action.mark is None:
        in_shell = action.operation.command is not None or action.kind is Kind.TEST
        if in_shell and not _HARNESS.match(answer):
            return None
        if not failed and not (len(result) < 1_000 and _START.match(answer)):
            return None
        if action.kind in (Kind.READ, Kind.SEARCH) and (len(result) > 1_500 or not failed):
            return None
    found = rejection_in(answer)
    if found is None or (found.loose and not set(found.unexpected) & set(names_of(action.arguments))):
        return None
    # A value may be well formed, and only name a thing that isn't there.
    faulty = found.missing or found.unexpected or found.allowed or found.takes
    return None if found.wrong and not faulty and _ABSENT.search(answer) is not None else found


def given_in_vain(action: Action, argument_error: ArgumentError) -> list[str]:
    """The names that the answer misses although it lists them itself among what was given."""
    listed = _GIVEN.findall((action.result or "")[-4_000:])
    return [
        name
        for name in argument_error.missing
        if any(re.search(rf"(?<!\bof )\b{re.escape(name)}\b", line) for line in listed)
    ]


def _planned(action: Action) -> Iterator[Mapping[str, Any]]:
    """The steps of a plan that a call hands over, and those inside of them."""
    level: list[Any] = [action.arguments] if isinstance(action.arguments, Mapping) else []
    for _ in range(2):
        lists = [value for entry in level for value in entry.values() if isinstance(value, list)]
        level = [entry for value in lists for entry in value[:_MOST_STEPS] if isinstance(entry, Mapping)]
        yield from level


def inner_tool(action: Action) -> str | None:
    """The tool that the answer speaks of where the call hands over a plan, with calls of other tools in it; None where
    it names none or several."""
    answer = (action.result or "")[:2_000]
    named = {
        value
        for entry in _planned(action)
        for key in _TOOL_KEYS
        if isinstance(value := entry.get(key), str) and 2 < len(value) <= 80 and " " not in value
    }
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
    if tool is None:
        return action.arguments if isinstance(action.arguments, Mapping) else {}
    step = next((entry for entry in _planned(action) if any(entry.get(key) == tool for key in _TOOL_KEYS)), {})
    return next((value for value in step.values() if isinstance(value, Mapping)), {})


def swapped_names(missing: list[str], unexpected: list[str], strange: list[str]) -> tuple[str, str] | None:
    """The name that was given and the one that was wanted in its place: near names, or names for the same thing."""
    for wanted in missing:
        for given in (*unexpected, *strange):
            one, other = wanted.lower(), given.lower()
            same_role = any({one, other} <= role for role in _ROLES)
            near = SequenceMatcher(None, one, other).ratio() >= 0.6 or one.endswith(f"_{other}")
            alone = len(missing) == 1 and unexpected == [given]
            if given != wanted and given not in missing and (same_role or near or alone):
                return given, wanted
    return None


class Attempt(Struct, frozen=True):
    """One rejected call: its step, the arguments that the rejection speaks of, and what it says of them."""

    step: int
    arguments: Mapping[str, Any]
    said: ArgumentError

    @property
    def phantoms(self) -> list[str]:
        """The names that the rejection complains of although the call doesn't give them."""
        return [name for name in self.said.unexpected if self.arguments and name not in self.arguments]


def names_tried(attempts: Sequence[Attempt]) -> list[str]:
    """The names that the attempts gave in turn for what was rejected; those that the rejections speak of where only one
    shape was tried."""
    shapes = [set(map(str, attempt.arguments)) for attempt in attempts if attempt.arguments]
    if not shapes:
        return []
    common = set.intersection(*shapes)
    varied = _ordered(name for attempt in attempts for name in attempt.arguments if name not in common)
    spoken = {name for attempt in attempts for name in attempt.said.unexpected}
    return varied or _ordered(name for attempt in attempts for name in attempt.arguments if name in spoken)


def values_tried(attempts: Sequence[Attempt]) -> list[str]:
    """The values that the attempts gave in turn for what the rejections call wrong."""
    return _ordered(
        text(attempt.arguments[name])
        for attempt in attempts
        for name in attempt.said.wrong
        if name in attempt.arguments
    )


def in_vain(attempts: Sequence[Attempt]) -> list[str]:
    """The names and values that a rejected call gave as the rejection wants them, and that didn't help."""
    found = []
    tried, seen = set(names_tried(attempts)), _are_seen(attempts)
    for attempt in attempts:
        said, given = attempt.said, attempt.arguments
        wanted = [name for name in (*said.missing, *said.takes) if name in given and name in tried]
        found += [name for name in wanted if name in said.missing or (seen and attempt.phantoms)]
        found += [value for name in said.wrong if name in given and (value := text(given[name])) in said.allowed]
    return _ordered(found)


def phantoms(attempts: Sequence[Attempt]) -> list[str]:
    """The names that a rejection complains of although its call doesn't give them."""
    return _ordered(name for attempt in attempts for name in attempt.phantoms) if _are_seen(attempts) else []


def _are_seen(attempts: Sequence[Attempt]) -> bool:
    """Whether the arguments that the rejections speak of are those that the calls show."""
    return any(name in attempt.arguments for attempt in attempts for name in attempt.said.unexpected)


def text(value: Any) -> str:
    """A value as a message would have it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _ordered(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(str(name)[:80] for name in names))[:_MOST_TRIED]
