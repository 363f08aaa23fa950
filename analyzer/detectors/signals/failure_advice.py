"""What to do about a failure that keeps coming back, by its words and its kind.

What to do about edits that replace one text by another and are refused, as far as the calls and answers show why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.model.action import Action, Edit
from analyzer.model.words import FailureKind, FrameRole
from analyzer.text.clip import clip_path
from analyzer.text.late import late
from analyzer.text.markdown import code

_ELSEWHERE = (
    "Check that the other side runs and can be reached before calling again, and wait longer before each new try: the "
    "call itself isn't what fails."
)
_ANSWERED = (
    "Read the message: the server answers, and has nothing at this address. Look it up in a list, a search or a link "
    "before the next try."
)
_TURNED_DOWN_CALL = "Change what is sent before calling again: the server can be reached, and turns this call down."
_IN_CODE = "Read the place that the message names, and change what it speaks of before running the same again."
_WHERE_FROM = (
    "After the second identical error, read the frame that passes the values, not only the one that raises the error."
)
_MARKED = (
    "Run the same check on the file as it was before the edits: it marks a line without saying what is wrong with it."
)
_PERMITTED = "Ask for the permission, or take a way that needs none, before calling again."
_NOT_INSTALLED = "Find out what is installed, and go on with that: calling it again doesn't install it."
_BY_KIND = {
    FailureKind.NOT_FOUND: (
        "Read the message: it says what doesn't exist. Look for it another way before calling again."
    ),
    FailureKind.COMMAND_NOT_FOUND: _NOT_INSTALLED,
    FailureKind.MISSING_DEPENDENCY: _NOT_INSTALLED,
    FailureKind.PERMISSION: _PERMITTED,
    FailureKind.DENIED: _PERMITTED,
    FailureKind.INVALID_CALL: "Correct the call by what the message says of it before sending it again.",
    FailureKind.NETWORK: _ELSEWHERE,
    FailureKind.TIMEOUT: "Find out what it waits for (input, another program, more time) before starting it once more.",
    FailureKind.USAGE: "Look up how the program is called (its help, or a call that worked) before calling it again.",
}
"""What to do where nothing more is known."""
_OF_CODE = frozenset(
    {FailureKind.EXCEPTION, FailureKind.TEST, FailureKind.COMPILE, FailureKind.LINT, FailureKind.CRASH}
)
_PLACE = late(r"[\w-]\.\w{1,8}(?::|\(|\", line |, line )\d|\b[Ll]ines? \d|:\d+:\d+")
"""A file or a line in a message."""
_TURNED_DOWN = late(r"(?i)\b4(?:0[0134569]|10|22)\b|not found|forbidden|unauthorized|bad request")
"""What a server says that runs and can be reached."""
_STATUS = late(r"(?i)\b4(?:0[0134569]|10|22)\b|https?://|\bURL\b")
_NOT_THERE = late(r"(?i)\b4(?:04|10)\b|not found")
_OF_USAGE = late(
    r"(?i)\b(?:usage|options?|arguments?|flags?|operands?|switch|parameters?|subcommand|unknown command|synopsis|--help"
    r"|paths? must)\b"
)
"""What a program says of the way in which it's called, rather than of the code that it's given."""
_MOST = 2_000
_NO_LINK = late(
    r"\bE(?:CONNRE(?:SET|FUSED)|TIMEDOUT|HOSTUNREACH|PIPE)\b|(?i:\bsocket hang up|\bconnection (?:was )?reset)"
)
"""What a program says that couldn't talk to another one."""


def advice_on(last: Action) -> list[str]:
    """What to do about the failure of the last of some failing calls; nothing where neither its words nor its kind say
    anything."""
    failure = last.failure
    if failure is None:
        return []
    if failure.kind is FailureKind.LINT and failure.unexplained:
        return [_MARKED]
    if failure.kind in (FailureKind.NETWORK, FailureKind.OTHER) and _TURNED_DOWN.search(failure.headline) is not None:
        if failure.kind is FailureKind.OTHER and _STATUS.search(failure.headline) is None:
            return [_BY_KIND[FailureKind.NOT_FOUND]] if _NOT_THERE.search(failure.headline) else []
        return [_ANSWERED if _NOT_THERE.search(failure.headline) else _TURNED_DOWN_CALL]
    if failure.kind is not FailureKind.COMPILE and _NO_LINK.search(failure.headline):
        return [_ELSEWHERE]
    if failure.kind in _OF_CODE:
        shown = f"{failure.message}\n{last.result or ''}"
        return [_IN_CODE] if failure.frames or failure.failing_tests or _PLACE.search(shown) is not None else []
    if (
        failure.kind is FailureKind.USAGE
        and _OF_USAGE.search(f"{failure.message}\n{last.result or ''}"[:_MOST]) is None
    ):
        return []
    advice = _BY_KIND.get(failure.kind)
    return [advice] if advice is not None else []


def advice_on_check(last: Action) -> list[str]:
    """What to do about a failure that outlives the edits, by its kind; nothing where only its words are known."""
    failure = last.failure
    if failure is None or failure.kind is FailureKind.OTHER:
        return []
    if failure.kind in (FailureKind.EXCEPTION, FailureKind.TEST):
        own = [frame for frame in failure.frames if frame.role in (FrameRole.TEST, FrameRole.PROJECT)]
        handed = len({(frame.file, frame.function) for frame in own}) > 1 and not (failure.type or "").endswith(
            ("Assertion", "AssertionError")
        )
        return [_WHERE_FROM] if handed else []
    return advice_on(last)


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
        return [
            f"Copy the text to be replaced from a fresh read of {path}: it isn't in there as step {last.step} has it."
        ]
    return []


def _replaced(action: Action) -> list[Edit]:
    """The edits of an action that replace one text by another."""
    return [edit for edit in action.operation.edits if edit.before is not None and edit.lines is None]
