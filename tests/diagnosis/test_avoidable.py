"""Which steps could have been saved: none whose change is in what the session left, unless that fails as before."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.diagnosis.alarms import avoidable
from tests.build import Part, edit, read, run, timeline, traceback, write

SOURCE = "import math\n\n\ndef low(at):\n    return LOW[at]\n\n\ndef high(at):\n    return HIGH[at]\n"
SHOWN = read("/w/tide.py", SOURCE)


def check(error: str = "", script: str = "check") -> Part:
    raised = traceback(error, (f"/w/{script}.py", 3, "<module>", "low(1)")) if error else "0.4"
    return run(f"python {script}.py", raised, 1 if error else 0)


KEY, NAME = "KeyError: 'low'", "NameError: name 'asin' is not defined"
FAILS, UNNAMED, WORKS = check(KEY), check(NAME), check()
ONE = edit("/w/tide.py", "return LOW[at]", "return LOW.get(at)")
TWO = edit("/w/tide.py", "return HIGH[at]", "return HIGH.get(at)")
IMPORT = edit("/w/tide.py", "import math", "import math\nfrom cmath import asin")
ONE_BACK = edit("/w/tide.py", "return LOW.get(at)", "return LOW[at]")
ELSEWHERE = check("ValueError: dry", "other")

CASES = [
    pytest.param([FAILS, ONE, FAILS], [2, 3, 4], id="an-edit-that-leaves-the-failure-at-the-end"),
    pytest.param([FAILS, ONE, FAILS, ONE_BACK, TWO, WORKS], [2, 3, 4], id="an-edit-in-vain-that-is-taken-back"),
    pytest.param(
        [FAILS, write("/w/try.py", "print(1)\n"), FAILS, run("rm /w/try.py", ""), ONE, WORKS],
        [2, 3, 4],
        id="a-file-in-vain-that-is-removed",
    ),
    pytest.param(
        [FAILS, ONE, FAILS, edit("/w/tide.py", "return LOW.get(at)", "return LOW.get(at, 0)"), WORKS],
        [2, 3, 4],
        id="an-edit-in-vain-that-is-replaced-by-another",
    ),
    # Twins that are no loss.
    pytest.param([FAILS, ONE, FAILS, TWO, WORKS], [2, 4], id="an-edit-that-is-delivered-with-one-that-helps"),
    pytest.param([FAILS, write("/w/table.py", "LOW = {}\n"), FAILS, ONE, WORKS], [2, 4], id="a-file-that-is-delivered"),
    pytest.param(
        [FAILS, ONE, UNNAMED, IMPORT, FAILS], [2, 4, 6], id="an-edit-that-removes-the-failure-of-the-run-before"
    ),
    pytest.param([FAILS, ONE, WORKS, TWO, FAILS], [2, 6], id="an-edit-between-a-pass-and-a-failure"),
    pytest.param([ELSEWHERE, FAILS, ONE, WORKS, ELSEWHERE], [2, 3, 6], id="an-edit-whose-check-passes"),
]


@pytest.mark.parametrize(("parts", "steps"), CASES)
def test_what_could_have_been_saved(parts: list[Part], steps: list[int]) -> None:
    made = timeline(SHOWN, *parts, task="Fix it.", environment={"working directory": "/w"})
    assert avoidable(made.lane(), detect(made), made.history) == steps
