"""Planted faults are found in every form of log, and their harmless twins aren't blamed."""

from __future__ import annotations

import pytest

from tests.dress.forms.forms import FORMS, Form
from tests.dress.planted import HONESTY, PLANTED, Planted, alarms, found, judged
from tests.together import check_each


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_planted_fault_is_found(planted: Planted) -> None:
    def check(form: Form) -> None:
        made = judged(form, planted, fault=True)
        assert found(planted, made), [(entry.detector, entry.severity, entry.title) for entry in made.findings]
        if planted.by <= HONESTY:
            assert made.outcome.status != "succeeded"
            assert "Nothing here needs a post-mortem" not in made.diagnosis.headline

    check_each(FORMS, check, lambda form: form.name)


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_its_harmless_twin_is_not_blamed(planted: Planted) -> None:
    def check(form: Form) -> None:
        made = judged(form, planted, fault=False)
        assert alarms(planted, made) == []
        if planted.done:
            assert made.outcome.status == "succeeded", made.outcome.reason
            assert made.outcome.confidence >= 0.8
            assert made.outcome.basis == "checks"

    check_each(FORMS, check, lambda form: form.name)
