"""What to do about a failure that outlives the edits, about edits that replace one text by another and are refused, and
about a claim of success that no check bears out, as far as the calls and answers show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from analyzer.model.action import Action, Edit
from analyzer.model.words import FailureKind, FrameRole, Kind
from analyzer.text.clip import clip, clip_path
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import plain
from analyzer.timeline.delivery import Delivery

_MARKED = (
    "Run the same check on the file as it was before the edits: it marks a line without saying what is wrong with it."
)


def advice_on_check(last: Action) -> list[str]:
    """What to do about a failure that outlives the edits: a check that marks a line and gives no message, or a value
    that one frame of a trace hands to another."""
    failure = last.failure
    if failure is None:
        return []
    if failure.kind is FailureKind.LINT and failure.unexplained:
        return [_MARKED]
    if failure.kind not in (FailureKind.EXCEPTION, FailureKind.TEST):
        return []
    own = [frame for frame in failure.frames if frame.role in (FrameRole.TEST, FrameRole.PROJECT)]
    calls = [frame for frame in own if (frame.file, frame.function) != (own[-1].file, own[-1].function)]
    if not calls or (failure.type or "").endswith(("Assertion", "AssertionError")):
        return []
    caller = calls[-1]
    place = f"{clip_path(caller.file, 80)}{f':{caller.line}' if caller.line is not None else ''}"
    first = "When this error comes back, read where the values come from"
    return [f"{first} ({code(place)}), not only the line that raises the error."]


_SEVERAL = late(
    r"\b(?:multiple|several|[2-9]|\d{2,}) (?:occurrences|matches|times)\b|\bnot unique\b|\b(?:be|is|isn['’]t) unique\b|"
    r"\bmore than (?:once|one (?:match|occurrence))\b|\boccurs (?:twice|\d+ times)\b|\bambiguous\b",
    re.IGNORECASE,
)
_MOST_OF_ANSWER = 2_000


def edit_again(refused: Sequence[Action]) -> list[str]:
    """How to make the edit that was refused last; nothing where it doesn't replace a text, or the answer isn't about
    that text."""
    texts = [action for action in refused if _replaced(action)]
    last = texts[-1] if texts else None
    if last is None or last.failure is None:
        return []
    edit = _replaced(last)[0]
    path = code(clip_path(edit.path, 80)) if edit.path else "the file"
    if _SEVERAL.search((last.result or "")[:_MOST_OF_ANSWER]) is not None:
        return [f"Put more of the lines around it into the text to be replaced: {path} has it more than once."]
    if last.failure.type == "EditNoMatch":
        before = edit.before or ""
        if "\\n" in before and "\n" not in before:
            written = "holds `\\n` written out where the file has line breaks"
            return [f"Send real line breaks: the text to be replaced at step {last.step} {written}."]
        return [
            f"Copy the text to be replaced from a fresh read of {path}: it isn't in there as step {last.step} has it."
        ]
    return []


def _replaced(action: Action) -> list[Edit]:
    """The edits of an action that replace one text by another."""
    return [edit for edit in action.operation.edits if edit.before is not None and edit.lines is None]


_PATH = late(r"(?:[\w.@+-]+/){1,16}[\w.@+-]+\.\w{1,5}\b")
_NAME = late(r"(?:test_(?P<a>\w+)|(?P<b>\w+?)_(?:test|spec)|(?P<c>\w+?)\.(?:test|spec)|(?P<d>\w+?)Tests?)\.\w{1,5}")
_MOST = 60_000
_SHORTEST = 4


def suggest_check(delivery: Delivery, actions: Sequence[Action]) -> str:
    """The tests of what was changed, where the session showed which these are: the only file of tests in results that
    is named after one of the changed files, or after the folder that it's in, else the last check that ran. Empty
    where there's neither."""
    changed = [PurePosixPath(change.file) for change in delivery.files]
    names = {name.lower() for path in changed for name in (path.stem, path.parent.name) if len(name) >= _SHORTEST}
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
    if len(ends) == 1:
        return f"Run {code(clip_path(ends[0], 80))}, which step {found[ends[0]]} showed, after the last edit."
    ran = [action for action in actions if action.kind is Kind.TEST and action.operation.command]
    return f"Run {code(clip(name_of(ran[-1]), 80))} (step {ran[-1].step}) again after the last edit." if ran else ""


def name_of(action: Action) -> str:
    """What a person would call the command or call by."""
    return clip((action.operation.command or "").strip() or f"{action.tool} {action.operation.target}".strip(), 200)
