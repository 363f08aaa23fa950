"""Facts told through every form: many of them in one session, written, read back and judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analyzer.model.action import Action
from analyzer.model.session import Event, Message, Session
from analyzer.timeline import build_timeline
from tests.dress.callers import calls
from tests.dress.cells import Cell, cell
from tests.dress.fact import Fact
from tests.dress.forms.forms import FORMS, Form
from tests.dress.recordings import BARE
from tests.dress.texts import PLAIN

_TOGETHER = 40


def by_form(facts: Iterable[Fact], forms: Iterable[Form] = FORMS) -> Iterator[tuple[Form, Cell, Action]]:
    """Every fact in every form, with what the analyzer makes of it there."""
    known = list(facts)
    for form in forms:
        cells = [made for fact in known if (made := _cell(fact, form)) is not None]
        for start in range(0, len(cells), _TOGETHER):
            part = cells[start : start + _TOGETHER]
            for made, action in zip(part, _read_back(part, form), strict=True):
                yield form, made, action


def _cell(fact: Fact, form: Form) -> Cell | None:
    caller = next((caller for caller, _, _ in calls(fact)), None)
    if caller is None:
        return None
    return cell(fact, caller, form.recording, PLAIN) or cell(fact, caller, BARE, PLAIN)


def _read_back(cells: Iterable[Cell], form: Form) -> list[Action]:
    events: list[Event] = [Message("user", "Go on.")]
    for number, made in enumerate(cells, 1):
        events += made.events(number)
    return build_timeline(form.again(Session("told", model="example-1", events=events))).actions
