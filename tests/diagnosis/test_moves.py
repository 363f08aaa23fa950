"""What a step does to the files against earlier steps."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.rows import moves_of
from analyzer.model.diagnosis import MoveKind as M
from tests.build import Part, edit, read, run, timeline, traceback, write

SOURCE = "import os\n\n\ndef low(at):\n    return LOW[at]\n\n\ndef high(at):\n    return HIGH[at]\n"
SHOWN = read("/w/tide.py", SOURCE)
CHECK = run("pytest -q", "3 passed in 0.1s")
FAILS = run("python repro.py", traceback("KeyError: 'low'", ("/w/repro.py", 1, "<module>", "low('low')")), 1)
WORKS = run("python repro.py", "0.4")
LOG = "    trace(at)\n    check(at)\n"
PUT = edit("/w/tide.py", "def low(at):\n", "def low(at):\n" + LOG)


def change(old: str = "return LOW[at]", new: str = "return LOW.get(at)", file: str = "/w/tide.py") -> Part:
    return edit(file, old, new)


BACK = change("return LOW.get(at)", "return LOW[at]")
OTHER = change("return HIGH[at]", "return HIGH.get(at)")
OTHER_BACK = change("return HIGH.get(at)", "return HIGH[at]")
ELSEWHERE = edit("/w/moon.py", "one", "two")
IN_ONE, IN_OTHER = (
    edit("/w/tide.py", f"def {name}(at):\n", f"def {name}(at):\n    at = checked(at)\n") for name in ("low", "high")
)
WRITES_IT = write(
    "/w/rewrite.py",
    "lines = []\n"
    "with open('tide.py') as f:\n"
    "    lines = f.readlines()\n"
    "made = []\n"
    "for line in lines:\n"
    "    made.append(line)\n"
    "    if 'def' in line:\n"
    "        made.append('    at = checked(at)')\n"
    "with open('tide.py', 'w') as f:\n"
    "    f.writelines(made)\n",
)
REWRITES = run("python rewrite.py", "")
MAKES_IT = write("/w/make.py", "import gen\nopen('tide.py', 'w').write(gen.text())\n")
GENERATES = run("python make.py", "")
UNNAMED = run(
    "python repro.py", traceback("NameError: name 'LOW' is not defined", ("/w/tide.py", 5, "low", "return LOW[at]")), 1
)
CASES = [
    pytest.param([change(), CHECK, BACK], {4: [(M.TAKES_BACK, 2)]}, id="an-edit-taken-back"),
    pytest.param([change(), CHECK, change("HIGH[at]", "HIGH[0]")], {}, id="an-edit-of-another-line"),
    pytest.param([change(), OTHER, OTHER_BACK], {4: [(M.TAKES_BACK, 3)]}, id="the-second-of-two-edits-taken-back"),
    pytest.param([change(), OTHER, BACK], {4: [(M.TAKES_BACK, 2)]}, id="the-first-of-two-edits-taken-back"),
    pytest.param(
        [change(), OTHER, ELSEWHERE, BACK, OTHER_BACK],
        {5: [(M.TAKES_BACK, 2)], 6: [(M.TAKES_BACK, 3)]},
        id="taken-back-one-after-the-other",
    ),
    pytest.param(
        [change(), OTHER, ELSEWHERE, change("    return LOW.get(at)\n", "    return LOW[at]\n"), OTHER_BACK],
        {5: [(M.TAKES_BACK, 2)], 6: [(M.TAKES_BACK, 3)]},
        id="taken-back-with-more-text-around-it",
    ),
    pytest.param(
        [change(), OTHER, BACK, change()],
        {4: [(M.TAKES_BACK, 2)], 5: [(M.TAKES_BACK, 4)]},
        id="taken-back-and-made-again-beside-another-edit",
    ),
    pytest.param(
        [change(), OTHER, ELSEWHERE, run("git checkout tide.py", "")],
        {5: [(M.FILE_RESTORED, 2)]},
        id="both-edits-of-one-file-taken-back-at-once",
    ),
    pytest.param(
        [IN_ONE, IN_OTHER, edit("/w/tide.py", "    at = checked(at)\n", ""), IN_OTHER],
        {5: [(M.REPEATS_EDIT, 3)]},
        id="a-line-put-in-at-two-places-and-taken-out-of-one",
    ),
    pytest.param(
        [IN_ONE, edit("/w/tide.py", "    at = checked(at)\n", "")],
        {3: [(M.TAKES_BACK, 2)]},
        id="a-line-put-in-at-one-place-and-taken-out",
    ),
    pytest.param(
        [change(), change("at]", "0]"), change("0]", "at]")],
        {4: [(M.TAKES_BACK, 3)]},
        id="short-texts-that-are-taken-back",
    ),
    pytest.param(
        [change("LOW[at]", "LOW[0]"), change("HIGH[at]", "HIGH[0]"), change("def high(0", "def high(at")],
        {},
        id="the-same-words-exchanged-elsewhere",
    ),
    pytest.param([change(), OTHER, change("LOW.get(at)", "LOW[at + 1]")], {}, id="the-same-line-changed-again"),
    pytest.param(
        [change(), change("LOW.get(at)", "LOW.get(0)"), OTHER, BACK],
        {},
        id="the-text-of-an-edit-that-was-changed-since",
    ),
    pytest.param(
        [change(), change("LOW.get(at)", "LOW.get(0)"), OTHER, change("LOW.get(0)", "LOW.get(at)"), BACK],
        {5: [(M.TAKES_BACK, 3)], 6: [(M.TAKES_BACK, 2)]},
        id="two-edits-of-one-text-taken-back-in-turn",
    ),
    pytest.param([run("git checkout tide.py", "")], {}, id="nothing-to-take-back"),
    pytest.param(
        [write("/w/try.py", "print(1)\n"), run("rm /w/try.py", "")],
        {3: [(M.REMOVES_OWN, 2)]},
        id="a-file-of-its-own-removed",
    ),
    pytest.param([run("rm /w/tide.py", "")], {}, id="a-file-of-the-project-removed"),
    pytest.param([PUT, PUT], {3: [(M.STACKS, 2), (M.REPEATS_EDIT, 2)]}, id="the-same-lines-put-in-twice"),
    pytest.param(
        [PUT, edit("/w/tide.py", "def high(at):\n", "def high(at):\n" + LOG)], {}, id="the-same-lines-at-another-place"
    ),
    pytest.param([CHECK, change(), CHECK, BACK], {5: [(M.TAKES_BACK, 3)]}, id="a-change-tried-and-taken-back"),
    pytest.param(
        [CHECK, change(), CHECK, BACK, OTHER],
        {5: [(M.TAKES_BACK, 3)]},
        id="a-change-tried-and-taken-back-for-another-one",
    ),
    pytest.param(
        [CHECK, change(), CHECK, BACK, ELSEWHERE, change()],
        {5: [(M.TAKES_BACK, 3)], 7: [(M.TAKES_BACK, 5)]},
        id="a-change-taken-back-and-made-again",
    ),
    pytest.param(
        [CHECK, WRITES_IT, REWRITES, CHECK, run("git checkout tide.py", ""), REWRITES],
        {6: [(M.TAKES_BACK, 4)], 7: [(M.TAKES_BACK, 6)]},
        id="a-script-taken-back-and-run-again-on-the-same-file",
    ),
    pytest.param(
        [change("import os", "import sys"), WRITES_IT, REWRITES, run("git checkout tide.py", ""), REWRITES],
        {5: [(M.FILE_RESTORED, 2)]},
        id="a-script-taken-back-and-run-again-on-another-content",
    ),
    pytest.param(
        [MAKES_IT, GENERATES, FAILS, change("import os", "import sys"), GENERATES, FAILS],
        {6: [(M.TAKES_BACK, 5)]},
        id="made-anew-with-the-same-failure",
    ),
    pytest.param(
        [MAKES_IT, GENERATES, FAILS, change("import os", "import sys"), GENERATES, UNNAMED],
        {},
        id="made-anew-with-another-failure",
    ),
    pytest.param([CHECK, change(), CHECK], {}, id="a-change-that-stays"),
    pytest.param(
        [change(), CHECK, run("git stash", "Saved"), CHECK, run("git stash pop", "ok")],
        {4: [(M.TAKES_BACK, 2)], 6: [(M.TAKES_BACK, 4)]},
        id="a-control",
    ),
    pytest.param([FAILS, change(), WORKS], {4: [(M.NOW_PASSES, 2)]}, id="failed-before-passes-now"),
    pytest.param([WORKS, change(), WORKS], {}, id="passed-before"),
    pytest.param(
        [change(), FAILS, BACK, change(), WORKS],
        {4: [(M.TAKES_BACK, 2)], 5: [(M.TAKES_BACK, 4)]},
        id="failed-on-changed-code-only",
    ),
]


@pytest.mark.parametrize(("parts", "told"), CASES)
def test_moves(parts: list[Part], told: dict[int, list[tuple[M, int]]]) -> None:
    made = timeline(SHOWN, *parts, task="Fix it.", environment={"working directory": "/w"})
    found = moves_of(Case(made, []))
    assert {step: [(move.kind, move.step) for move in moves] for (_, step), moves in found.items() if moves} == told
