"""What a recorded verdict rests on, where it says less than it seems to."""

from __future__ import annotations

from analyzer.detectors.signals.doubtful_reference import doubtful_reference
from analyzer.diagnosis.end import End
from analyzer.model.words import DeliverableKind, Ending
from analyzer.text.clip import clip
from analyzer.text.markdown import code


def passed_for(end: End) -> str:
    """What a verdict that the task was solved rests on, where the task expects nothing or nothing was delivered; else
    empty."""
    expected = end.session.expected
    answer = expected.answer if expected is not None else None
    if expected is not None and expected.calls == () and not expected.words and answer is None:
        return "; the task expects no call and no words, so that a run which does nothing passes, too"
    if not end.actions or end.deliverable is None or end.deliverable.kind is not DeliverableKind.NOTHING:
        return ""
    if answer is not None and answer.given is not None and answer.given.strip() == answer.wanted.strip():
        return "; no file differs at the end: it rests on the last output, which is the expected one"
    return "; no file differs at the end: it rests on what the calls returned, or on what the log doesn't hold"


def in_doubt(end: End) -> str:
    """Why a verdict that the task wasn't solved is in doubt, as a sentence: the reference is itself an error; else
    empty."""
    if end.session.ending is not Ending.UNSOLVED:
        return ""
    reference = doubtful_reference(end.session, end.actions)
    if reference is None:
        return ""
    shown = code(clip(" ".join(reference.split()), 100))
    return f" The recorded verdict is in doubt: the answer that it expects is itself an error ({shown})."
