"""Planted repetition is found in every form in which a session can be told, and what only looks like it isn't."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.model.session import Session
from analyzer.model.words import Category, Severity
from analyzer.timeline import build_timeline
from tests.drawn import THOROUGH
from tests.dress import trades
from tests.dress.forms.forms import FORMS, MORE_FORMS, Form
from tests.dress.repetition import HARMLESS, PLANTED, planted

SEEDS = {form.name: range(1, 3) if THOROUGH else (1 + number % 2,) for number, form in enumerate(FORMS)}
"""Each form is told with one of two seeds in the ordinary run, with both in the thorough one."""
SINGLY = frozenset({"Anthropic messages", "Claude Code", "Codex", "OTLP", "Gemini CLI", "OpenHands SDK"})
"""Forms that are told call by call here, so that nobody can know which calls were sent together."""


def goes_round(session: Session) -> bool:
    """Whether a loop is found in a session."""
    return any(
        finding.category is Category.LOOP and finding.severity is not Severity.INFO
        for finding in detect(build_timeline(session), select=["loops"])
    )


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_planted_repetition_is_found(form: Form) -> None:
    missed = {
        f"{name} ({seed})"
        for name, story in PLANTED.items()
        for seed in SEEDS[form.name]
        if not goes_round(form.again(planted(story, seed)))
    }
    assert not missed


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_harmless_twins_are_left_alone(form: Form) -> None:
    false = {
        f"{name} ({seed})"
        for name, story in HARMLESS.items()
        if form.name not in SINGLY or name != "calls of one message"
        for seed in SEEDS[form.name]
        if goes_round(form.again(planted(story, seed)))
    }
    assert not false


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_so_it_is_in_other_trades(form: Form) -> None:
    seed = 3 + FORMS.index(form)
    missed = {name for name, story in trades.PLANTED.items() if not goes_round(form.again(planted(story, seed)))}
    false = {name for name, story in trades.HARMLESS.items() if goes_round(form.again(planted(story, seed)))}
    assert (missed, false) == (set(), set())


@pytest.mark.parametrize("form", MORE_FORMS, ids=lambda form: form.name)
def test_so_it_is_in_more_forms(form: Form) -> None:
    missed = {name for name, story in PLANTED.items() if not goes_round(form.again(planted(story, 1)))}
    twins = {name: story for name, story in HARMLESS.items() if name != "calls of one message"}
    false = {name for name, story in twins.items() if goes_round(form.again(planted(story, 1)))}
    assert (missed, false) == (set(), set())
