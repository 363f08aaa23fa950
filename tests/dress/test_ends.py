"""Work that was checked is a success in every form of log, whatever followed that left the code as it was."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.postmortem import PostMortem
from analyzer.model.session import Session
from analyzer.model.words import Severity
from analyzer.timeline import build_timeline
from tests.build import Part, edit, pytest_report, run, says, session, user, write
from tests.dress.forms.forms import FORMS, Form

PASSED = "============================== 4 passed in 0.10s ==============================="
CHANGE = edit("shapes.py", "if sides < 5:", "if sides < 3:")
FAILS = run("python -m pytest tests", pytest_report(), 1)
PASSES = run("python -m pytest tests", PASSED)
CLAIM = says("The area is now fixed and all tests pass.")
HARMLESS: dict[str, list[Part]] = {
    "a comparison with the old state": [CHANGE, PASSES, run("git stash"), FAILS, run("git stash pop"), CLAIM],
    "its own scratch file removed": [CHANGE, write("repro.py", "print(1)"), PASSES, run("rm repro.py"), CLAIM],
    "a comment removed after the check": [CHANGE, PASSES, edit("shapes.py", "x = 1\n# look", "x = 1"), CLAIM],
}


def judged(form: Form, name: str, parts: list[Part]) -> PostMortem:
    asked = user("Make the tests of shapes.py pass.")
    again: Session = form.again(session(asked, *parts, id=name.replace(" ", "-"), agent="reference-agent"))
    made = build_timeline(again)
    return post_mortem(made, detect(made))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_twin_is_not_blamed(name: str, form: Form) -> None:
    made = judged(form, name, HARMLESS[name])
    assert made.outcome.status == "succeeded"
    assert made.outcome.confidence >= 0.8
    assert made.outcome.basis == "checks"
    blamed = [
        found.title
        for found in made.findings
        if found.detector == "unverified-success" and found.severity is not Severity.INFO
    ]
    assert blamed == []
