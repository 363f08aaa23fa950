"""Which names a rejected call gave in the place of others, and how to say it.

What several calls that were rejected one after the other tried: names and values, and which of them should have
passed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from analyzer.failures.rejections import ArgumentError
from analyzer.model.struct import Struct
from analyzer.text.markdown import code
from analyzer.text.names import name_set

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


def swapped_names(missing: list[str], unexpected: list[str], strange: list[str]) -> tuple[str, str] | None:
    """The name that was given and the one that was wanted in its place: near names, or names for the same thing."""
    for wanted in missing:
        for given in (*unexpected, *strange):
            same_role = any({wanted.lower(), given.lower()} <= role for role in _ROLES)
            near = SequenceMatcher(None, wanted.lower(), given.lower()).ratio() >= 0.6 or wanted.lower().endswith(
                f"_{given.lower()}"
            )
            if (
                given != wanted
                and given not in missing
                and (same_role or near or (len(missing) == 1 and unexpected == [given]))
            ):
                return given, wanted
    return None


def fault(missing: list[str], unexpected: list[str], wrong: list[str], swapped: tuple[str, str] | None) -> str:
    """How a call was wrong, as a part of a sentence."""
    if swapped:
        return f"with {swapped[0]} where it wants {swapped[1]}"
    if missing:
        return f"without {', '.join(missing[:3])}"
    if unexpected:
        return f"with {', '.join(unexpected[:3])}, which it doesn't accept,"
    return (
        f"with a value of {', '.join(wrong[:3])} that it doesn't accept,"
        if wrong
        else "with arguments that it doesn't accept"
    )


def advice(
    tool: str,
    missing: list[str],
    unexpected: list[str],
    wrong: list[str],
    swapped: tuple[str, str] | None,
    tried: list[str],
) -> str:
    """What to do about calls that were rejected because of such names or values."""
    if tried:
        names = " and ".join(code(name) for name in tried[:3])
        return (
            f"Give the input of {code(tool)} one name in its description, its schema and its validation: a call with "
            f"{names} was rejected with the same message, so no call can be right."
        )
    if swapped:
        return (
            f"Call {code(tool)} with {code(swapped[1])} in place of {code(swapped[0])}; say so in the tool's "
            "description if the agent keeps mixing them up."
        )
    if missing:
        return (
            f"Give {code(tool)} its required {', '.join(code(name) for name in missing[:3])} in the same call; after "
            "a rejection, read the message before calling again."
        )
    if unexpected:
        return (
            f"Leave {', '.join(code(name) for name in unexpected[:3])} out of calls of {code(tool)}, or look up "
            "what replaced them."
        )
    named = f" of {', '.join(code(name) for name in wrong[:3])}" if wrong else ""
    return f"Read the schema of {code(tool)} once and correct the value{named} before calling it again."


_MOST = 12


class Attempt(Struct, frozen=True):
    """One rejected call: its step, the arguments that the rejection speaks of, and what it says of them."""

    step: int
    arguments: Mapping[str, Any]
    said: ArgumentError


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
        found += [name for name in wanted if name in said.missing or (seen and _phantoms(attempt))]
        found += [value for name in said.wrong if name in given and (value := text(given[name])) in said.allowed]
    return _ordered(found)


def phantoms(attempts: Sequence[Attempt]) -> list[str]:
    """The names that a rejection complains of although its call doesn't give them."""
    if not _are_seen(attempts):
        return []
    return _ordered(name for attempt in attempts for name in _phantoms(attempt))


def _are_seen(attempts: Sequence[Attempt]) -> bool:
    """Whether the arguments that the rejections speak of are those that the calls show."""
    return any(name in attempt.arguments for attempt in attempts for name in attempt.said.unexpected)


def _phantoms(attempt: Attempt) -> list[str]:
    return [name for name in attempt.said.unexpected if attempt.arguments and name not in attempt.arguments]


def text(value: Any) -> str:
    """A value as a message would have it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _ordered(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(str(name)[:80] for name in names))[:_MOST]
