"""What to do about a claim of success, by the check that ran on what is delivered, or that a step had shown.

The file of tests for a changed file, where a step of the session showed it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.clip import clip, clip_path
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import plain
from analyzer.timeline.delivery import Delivery

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


def name_of(action: Action) -> str:
    """What a person would call the command or call by."""
    return clip((action.operation.command or "").strip() or f"{action.tool} {action.operation.target}".strip(), 200)


def suggest_check(delivery: Delivery, actions: Sequence[Action]) -> str:
    """The tests of what was changed, where the session showed which these are, else the last check that ran in it;
    empty where there's neither."""
    found = test_file_of([change.file for change in delivery.files], actions)
    if found is not None:
        return f"Run {code(clip_path(found[0], 80))}, which step {found[1]} showed, after the last edit."
    ran = [action for action in actions if action.kind is Kind.TEST and action.operation.command]
    return f"Run {code(clip(name_of(ran[-1]), 80))} (step {ran[-1].step}) again after the last edit." if ran else ""
