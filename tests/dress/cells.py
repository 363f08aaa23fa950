"""One fact in one dress, what the analyzer says of it, and how that compares with what is true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from analyzer.model.action import Action
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Status
from analyzer.timeline import build_timeline
from tests.dress.callers import FUNCTIONS, READERS, SHELLS, Caller, calls
from tests.dress.fact import Fact, Label
from tests.dress.recordings import BARE, RECORDINGS, Recording
from tests.dress.texts import PLAIN, TEXTS, TextDress


class Verdict(StrEnum):
    """How what the analyzer says compares with what is true."""

    EQUAL = "equal"
    WEAKER = "weaker"
    OPPOSITE = "opposite"


_ALLOWED = {
    Label.FAILED: {Status.ERROR},
    Label.OK: {Status.OK},
    Label.HARMLESS: {Status.OK, Status.UNKNOWN},
    Label.UNKNOWN: {Status.UNKNOWN},
}
_CONTRARY = {Label.FAILED: Status.OK, Label.OK: Status.ERROR, Label.HARMLESS: Status.ERROR}


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact, called by somebody, recorded in some way, written down in some way; `label` is what is true of it."""

    fact: Fact
    caller: Caller
    recording: Recording
    dress: TextDress
    text: str
    label: Label

    def events(self, number: int = 1) -> tuple[ToolCall, ToolResult]:
        """The call and its result."""
        made = self.caller.call(self.fact)
        assert made is not None
        code, flag = self.recording.recorded(self.fact)
        ident = f"call-{number}"
        return ToolCall(ident, *made), ToolResult(ident, self.text, flag, code)

    def action(self) -> Action:
        """What the analyzer makes of it."""
        session = Session("dress", events=[Message("user", "Go on."), *self.events()])
        return build_timeline(session).actions[0]

    def compare(self, action: Action) -> Verdict:
        """How the analyzer's status compares with the label."""
        if action.status in _ALLOWED[self.label]:
            return Verdict.EQUAL
        if self.label is Label.UNKNOWN and self.fact.label is Label.FAILED and action.status is Status.ERROR:
            return Verdict.EQUAL  # more than could be asked for, and true
        return Verdict.OPPOSITE if action.status is _CONTRARY.get(self.label) else Verdict.WEAKER


def cell(fact: Fact, caller: Caller, recording: Recording, dress: TextDress) -> Cell | None:
    """The cell, or None where there is none such or nobody could say what is true of it."""
    text = dress.put_on(fact)
    if text is None or caller.call(fact) is None or not recording.fits(fact):
        return None
    if recording.exit_code and (dress.tells_code or caller in READERS or not _agrees(fact, caller)):
        return None
    label = _label(fact, caller, recording, dress, text)
    return None if label is None else Cell(fact, caller, recording, dress, text, label)


def _agrees(fact: Fact, caller: Caller) -> bool:
    """Whether an exit code against the text still says what it says: the call must show what hides it."""
    return caller.tells_command or fact.exit_code is None or (fact.exit_code != 0) == (fact.label is Label.FAILED)


def _label(fact: Fact, caller: Caller, recording: Recording, dress: TextDress, text: str) -> Label | None:
    if dress.tells_code:
        if not _agrees(fact, caller) or (fact.exit_code == 0 and fact.label is Label.FAILED):
            return None
        return Label.OK if fact.label is Label.HARMLESS else fact.label
    label = recording.label(fact)
    if dress.cuts and not (recording.exit_code or recording.flag) and label in (Label.FAILED, Label.OK):
        if fact.holds_evidence(text):
            return label
        return Label.HARMLESS if label is Label.OK else None
    return label


def by_caller(facts: Iterable[Fact]) -> Iterator[Cell]:
    """Every fact as printed, called by everybody, recorded in every way."""
    for fact in facts:
        for caller, _, _ in calls(fact):
            for recording in RECORDINGS:
                made = cell(fact, caller, recording, PLAIN)
                if made is not None:
                    yield made


def by_text(facts: Iterable[Fact], *, callers: int = 3) -> Iterator[Cell]:
    """Every fact in every dress of its text, called by the first `callers` who can."""
    for fact in facts:
        able = [caller for caller, _, _ in calls(fact)]
        for dress in TEXTS[1:]:
            for caller in _spread(able, callers):
                made = cell(fact, caller, BARE, dress)
                if made is not None:
                    yield made


def _spread(callers: list[Caller], count: int) -> list[Caller]:
    """So many of them, from the first to the last."""
    if len(callers) <= count:
        return callers
    return [callers[index * (len(callers) - 1) // (count - 1)] for index in range(count)]


def reference(fact: Fact) -> Cell | None:
    """The fact as a plain shell or a plain function brings it, with all that can be recorded."""
    for caller in (SHELLS[0], FUNCTIONS[0]):
        for recording in reversed(RECORDINGS[:4]):
            made = cell(fact, caller, recording, PLAIN)
            if made is not None:
                return made
    return None
