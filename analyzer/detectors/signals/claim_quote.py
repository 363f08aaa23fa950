"""The sentence by which an agent claims that the task is done: what it says of the work, not of a tool or a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.detectors.signals.gives_up import says_done
from analyzer.model.action import Action
from analyzer.model.finding import Evidence
from analyzer.model.words import Kind
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late
from analyzer.text.sentences import sentences
from analyzer.timeline import Timeline
from analyzer.timeline.closing.ending import Claim, final_text, is_command_line

_PROMISES = late(
    r"^(?!\W*(?:if|once|before|let|next)\b)[^?]*(?<!\bI )\b(?:should|will|would)(?: now| also| fully)? (?:resolve|fix"
    r"|address|solve|prevent|allow|enable|let|make|ensure|work|handle|support)\b",
    re.IGNORECASE,
)
"""What a claim about the work says that is a promise."""
_OF_TOOL = late(
    r"\b(?:edits?|changes?|modifications?|lines?|files?|scripts?|imports?|director(?:y|ies)|packages?|patch|duplicat\w+|dependenc\w+)\b"
    r"[^.\n]{0,60}\b(?:applied|removed|deleted|saved|created|inserted|installed|restored|cleaned)\b",
    re.IGNORECASE,
)
"""What a sentence says that reports what a tool did to a file."""
_LETTERS = late(r"[^\W\d_]")
_TELLING = 10
_LONGEST = 240


def claim_quote(timeline: Timeline, actions: Sequence[Action], claim: Claim, since: int) -> Evidence:
    """The last sentence after a step that claims something of the work, with the step at which it's said; where none
    does, the words with which the session ends."""
    for tool_too in (False, True):
        for step, text in _said(timeline, actions, since):
            found = [
                part
                for part in (entry.text for entry in sentences(text[-8_000:]))
                if (says_done(part) or _PROMISES.search(part)) and (tool_too or not _OF_TOOL.search(part))
            ]
            if found:
                return Evidence(step=step, quote=clip_words(found[-1], _LONGEST))
    last = actions[-1]
    if last.kind is Kind.FINISH and last.operation.command is not None and not (last.said or timeline.closing()):
        return Evidence(
            step=last.step, label="called", quote=clip(last.operation.command or final_text(last), _LONGEST)
        )
    said = [
        part
        for part in (entry.text for entry in sentences(last.said[-8_000:]))
        if len(_LETTERS.findall(part)) >= _TELLING
    ]
    bare = len(_LETTERS.findall(claim.words)) < _TELLING
    return Evidence(step=claim.step, quote=clip_words(said[-1], _LONGEST) if bare and said else claim.words)


def _said(timeline: Timeline, actions: Sequence[Action], since: int) -> Iterator[tuple[int, str]]:
    """What the agent said after a step, the last first."""
    last = actions[-1]
    yield last.step, timeline.closing()
    if not is_command_line(timeline, last):
        yield last.step, final_text(last)
    for action in reversed(actions):
        if action.step <= since:
            return
        yield action.step, action.said
