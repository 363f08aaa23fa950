"""Which earlier step an action repeats."""

from __future__ import annotations

import pytest

from analyzer.model.words import Repeat
from tests.build import edit, pytest_report, run, timeline
from tests.sessions import Written, parts_of
from tests.tables import table

FAILS = pytest_report("ValueError: bad tide")


@table("repeats")
def test_repeats(parts: Written, repeated: list[int | None]) -> None:
    assert [action.repeats_step for action in timeline(*parts_of(parts)).actions] == repeated


@table("does_not_repeat")
def test_does_not_repeat(parts: Written) -> None:
    assert {action.repeats_step for action in timeline(*parts_of(parts)).actions} <= {None}


@table("says_how")
def test_says_how(parts: Written, how: Repeat) -> None:
    assert timeline(*parts_of(parts)).actions[-1].repeats_as is how


def test_an_edit_that_was_applied_does_not_repeat_the_failure_of_another() -> None:
    parts = [
        edit("a.py", "x", "y", f"Applied.\n{FAILS}", is_error=True),
        edit("a.py", "y", "z", f"Applied.\n{FAILS}", is_error=True),
    ]
    assert timeline(*parts).actions[-1].repeats_step is None


LISTED = "tide.py\nmoon.py\nsea.py"
WRITTEN_OTHERWISE = [
    pytest.param(["grep -rn 'low tide' src", 'grep -rn "low tide" src 2>&1'], LISTED, 1, id="quoted-and-redirected"),
    pytest.param(["python -m tide.report", "python3 -m tide.report"], LISTED, 1, id="another-interpreter"),
    pytest.param(["bash -c 'ls -l src'", "ls -l src"], LISTED, 1, id="in-a-shell"),
    pytest.param(["ls -l /w/src", "ls -l src"], LISTED, 1, id="a-path-from-the-directory-at-hand"),
    pytest.param(["ls -l src", "ls -l lib"], LISTED, None, id="another-folder"),
    pytest.param(["tide --low 3", "tide --high 3"], LISTED, None, id="another-option"),
    pytest.param(["bash -c 'tide --low'", "tide --low"], "", None, id="nothing-printed"),
]


@pytest.mark.parametrize(("lines", "printed", "repeated"), WRITTEN_OTHERWISE)
def test_a_command_written_otherwise(lines: list[str], printed: str, repeated: int | None) -> None:
    made = timeline(*(run(line, printed) for line in lines), environment={"working directory": "/w"})
    assert made.actions[-1].repeats_step == repeated


def test_a_command_written_otherwise_on_another_state_or_with_another_answer_is_no_repeat() -> None:
    first, again = "ls -l 'src' && tide", 'ls -l "src" ; tide'
    assert timeline(run(first, LISTED), run(again, LISTED + "\nsun.py")).actions[-1].repeats_step is None
    changed = timeline(run(first, LISTED), edit("a.py", "x", "y"), run(again, LISTED))
    assert changed.actions[-1].repeats_step is None
