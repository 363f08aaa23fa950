"""Whole sessions told in other forms: the same statuses, failures, findings, outcome and root cause.

What a form has no place for is named here with the reason; what differs beyond that is a ratchet, to be tightened.
"""

from __future__ import annotations

from functools import cache

import pytest

from analyzer.model.session import Session, ToolResult
from analyzer.model.words import Status
from tests.dress.forms.forms import FORMS, Form
from tests.dress.stories import stories
from tests.dress.whole import Whole, whole

WELL = frozenset({"succeeded"})
BADLY = frozenset({"failed", "crashed", "stuck", "abandoned"})
DIFFERING = {"chat with flags": 1, "OpenAI chat": 3, "Anthropic messages": 2, "Claude Code": 2, "Codex": 3, "OTLP": 1}
"""Sessions that today differ for no good reason, by form."""
BY_NAME = {form.name: form for form in FORMS}
OPPOSITE_STEPS = {"OpenAI chat": 7, "Claude Code": 2, "Codex": 7}
"""Steps that today fail in one form and go well in another."""


@cache
def again(form: str, name: str) -> Whole:
    """What is said of a session as another form tells it."""
    return whole(BY_NAME[form].again(stories()[name]))


@pytest.fixture(scope="module")
def known() -> dict[str, Whole]:
    return {name: whole(session) for name, session in stories().items()}


def unexplained(session: Session, form: Form, first: Whole, other: Whole) -> set[str]:
    """The parts that differ without a reason that lies in the form."""
    parts = set(first.differences(other))
    if form.keeps_all:
        return parts
    if session.ending is not None and not {first.outcome, other.outcome} & WELL:
        parts.discard("outcome")  # the form doesn't say how it ended, so that less is known
    typed = any(isinstance(event, ToolResult) and event.error_type for event in session.events)
    if typed and [failure[:2] for failure in first.failures] == [failure[:2] for failure in other.failures]:
        parts -= {"failures", "root_cause"}  # the form doesn't hold the log's own word for the error
    return parts


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_session_is_judged_alike_in_every_form(form: Form, known: dict[str, Whole]) -> None:
    differing, opposite = {}, 0
    for name, session in stories().items():
        other = again(form.name, name)
        opposite += len(known[name].opposite(other))
        if parts := unexplained(session, form, known[name], other):
            differing[name] = sorted(parts)
    assert len(differing) <= DIFFERING.get(form.name, 0), differing
    assert opposite <= OPPOSITE_STEPS.get(form.name, 0)


@pytest.mark.slow
def test_another_form_may_say_less_but_no_more(known: dict[str, Whole]) -> None:
    for name in stories():
        for form in FORMS:
            assert not again(form.name, name).findings - known[name].findings, (name, form.name)


@pytest.mark.parametrize(
    ("name", "detector"),
    [
        ("one error again and again", "identical-error"),
        ("one call again and again", "loops"),
        ("sample bspline_clamping", "wrong-file"),
    ],
)
def test_the_stories_hold_what_they_are_meant_for(name: str, detector: str, known: dict[str, Whole]) -> None:
    assert detector in {finding[0] for finding in known[name].findings}


def test_a_calm_story_has_no_failure(known: dict[str, Whole]) -> None:
    assert set(known["calm"].statuses) <= {Status.OK, Status.UNKNOWN}
    assert known["calm"].failures == ()


@pytest.mark.parametrize(
    ("name", "steps"),
    [("a background test that fails", [2]), ("a background test that passes", []), ("verdicts in own words", [1, 3])],
)
def test_what_came_later_and_own_words_decide(name: str, steps: list[int], known: dict[str, Whole]) -> None:
    assert [failure[0] for failure in known[name].failures] == steps
    ended = WELL if not steps else BADLY
    assert known[name].outcome in ended
