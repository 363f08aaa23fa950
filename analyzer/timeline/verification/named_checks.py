"""Commands that the task says to run, or that have to work."""

from __future__ import annotations

import re

from analyzer.model.action import Action
from analyzer.text.late import late

_SHORTEST_COMMAND = 6
_SENTENCE = 100
"""Characters around a command that say what it's named for."""
_FOLDER = late(r"[`'\"(]{0,4}(?:[\w.~-]{0,60}/){0,8}$")
"""What stands directly before a program's name."""
_TO_RUN = late(
    r"\b(?:run|running|execute|call|use|with|via|by|so that|such that|make sure|ensure|verify|check|confirm|test|must"
    r"|should|until|expect)\b[^.!?]{0,60}$|(?:^|[.!?:;>])\W{0,6}$",
    re.IGNORECASE,
)
_TO_WORK = late(
    r"[`'\"]{0,3} (?:must|should|has to|needs? to|to|will) (?:\w+ )?(?:pass|succeed|run|work|print|exit|return|be)\b"
)
_DENIED = late(
    r"(?:\b(?:not|never|without|instead of|rather than|no need to|avoid|skip|stop)\b|n['’]t\b)"
    r"(?![^.!?\n]{0,60}\b(?:until|unless)\b)[^.!?,;:\n]{0,60}$",
    re.IGNORECASE,
)
"""What says that a command isn't to be run."""
_SHOWN = late(
    r"\b(?:when(?:ever)?|if|after|while|once|because|since|I|we|you)\b[^.!?]{0,60}$"
    r"|\b(?:slow|delay|hangs?|fails?|failed|crash\w*|broken|gone|goes away|disappear\w*|takes)\b[^.!?]{0,40}$",
    re.IGNORECASE,
)


def named_by_user(action: Action, task: str) -> bool:
    """Whether the task says to run this very command, wherever the program stands, or that it has to work; a command by
    which it only shows what is wrong, or that isn't to be run, proves nothing."""
    said = " ".join(task.split())
    for entry in action.operation.commands:
        words = " ".join([entry.program.rsplit("/", 1)[-1], *entry.args])
        if len(words) < _SHORTEST_COMMAND or " " not in words:
            continue
        start = said.find(words)
        while start >= 0:
            before = _FOLDER.sub("", said[max(0, start - _SENTENCE) : start])
            after = said[start + len(words) :][:_SENTENCE]
            told = _SHOWN.search(before) is None and _DENIED.search(before) is None
            if told and (_TO_RUN.search(before) or _TO_WORK.match(after)):
                return True
            start = said.find(words, start + 1)
    return False
