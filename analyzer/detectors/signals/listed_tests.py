"""The file of tests for a changed file, where a step of the session showed it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from analyzer.model.action import Action
from analyzer.text.late import late
from analyzer.text.plain import plain

_PATH = late(r"(?:[\w.@+-]+/){1,16}[\w.@+-]+\.\w{1,5}\b")
_NAME = late(r"(?:test_(?P<a>\w+)|(?P<b>\w+?)_(?:test|spec)|(?P<c>\w+?)\.(?:test|spec)|(?P<d>\w+?)Tests?)\.\w{1,5}")
_MOST = 60_000
_SHORTEST = 4


def test_file_of(paths: Sequence[str], actions: Sequence[Action]) -> tuple[str, int] | None:
    """The only file of tests that results show and that is named after one of the changed files, or after the folder
    that it's in, with the first step that shows it; None where there are several or none."""
    names = {part.lower() for path in paths for part in _names(path) if len(part) >= _SHORTEST}
    found: dict[str, int] = {}
    for action in actions:
        if action.failure is not None or not action.result:
            continue
        for shown in dict.fromkeys(_PATH.findall(plain(action.result)[:_MOST])):
            match = _NAME.fullmatch(shown.rsplit("/", 1)[-1])
            tested = next((part for part in match.groups() if part), "") if match is not None else ""
            if tested.lower() in names:
                found.setdefault(re.sub(r"^(?:\./|[ab]/)", "", shown), action.step)
    ends = [path for path in found if not any(other != path and path.endswith(f"/{other}") for other in found)]
    return (ends[0], found[ends[0]]) if len(ends) == 1 else None


def _names(path: str) -> tuple[str, str]:
    pure = PurePosixPath(path)
    return pure.stem, pure.parent.name
