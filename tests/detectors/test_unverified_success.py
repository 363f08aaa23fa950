"""Claims of success, and what they rest on."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Ending
from tests.build import Part, call, edit, read, run, says, submit, user, write
from tests.detectors.unverified import CHANGE, CLAIM, FAILS, HANDED_BACK, PASSES, QUIET, unverified

ENDED = """ERROR: sails
Traceback (most recent call last):
  File "{file}", line 3, in <module>
    import canvas
ModuleNotFoundError: No module named 'canvas'

======================== 12 passed, 1 error in 0.40s ========================"""


UNREACHED = """=================================== FAILURES ===================================
tests/test_harbour.py:9:
harbour/net.py:12: in sync
    sock.connect((host, port))
E   {error}

harbour/net.py:12: {error}
=========================== short test summary info ============================
FAILED tests/test_harbour.py::test_sync - {error}
{more}========================= {count} failed, 8 passed in 0.40s ========================="""


REFUSED = "ConnectionRefusedError: [Errno 111] Connection refused"


SERVES = run("python -m http.server", f"Serving HTTP on 0.0.0.0 port 8000\n{QUIET}", None)


@pytest.mark.parametrize(
    ("parts", "kind", "steps"),
    [
        pytest.param([CHANGE, FAILS, CLAIM], "failed-check", [1, 2], id="the last test failed"),
        pytest.param([CHANGE, PASSES, FAILS, CLAIM], "failed-check", [1, 3], id="passed, then failed"),
        pytest.param([CHANGE, FAILS, submit("Done.")], "failed-check", [1, 2, 3], id="handed in after a failing test"),
        pytest.param(
            [
                CHANGE,
                run(
                    "python use.py",
                    'Traceback (most recent call last):\n  File "use.py", line 1, in <module>\n    x\nNameError: x',
                    1,
                ),
                CLAIM,
            ],
            "failed-check",
            [1, 2],
            id="the last script failed",
        ),
        pytest.param(
            [CHANGE, run("javac A.java", "bash: javac: command not found", 127), submit()],
            "no-check",
            [1, 3],
            id="the check couldn't run",
        ),
        pytest.param([CHANGE, SERVES, CLAIM], "no-check", [1, 2], id="a server that was still running"),
        pytest.param([CHANGE, HANDED_BACK, CLAIM], "no-check", [1, 2], id="tests that were still running"),
        pytest.param(
            [write("shapes.py", "def area(n):\n    raise NotImplementedError\n"), CLAIM],
            "placeholder",
            [1],
            id="a placeholder",
        ),
        pytest.param([CHANGE, CLAIM], "no-check", [1], id="nothing ran"),
        pytest.param(
            [edit("shapes.py", "a", "b", "1: 4 passed\n2: b\nEdited."), CLAIM], "no-check", [1], id="a shown line"
        ),
        pytest.param(
            [edit("shapes.py", "a", "b", "Edited.\n\n0 passed. 0 failed."), CLAIM], "no-check", [1], id="none ran"
        ),
        pytest.param(
            [edit("shapes.py", "a", "b", "Edited.\n\nRunning 4 tests:\n\n3 passed. 1 failed.", is_error=True), CLAIM],
            "failed-check",
            [1],
            id="a tool that edits ran tests and one failed",
        ),
        pytest.param(
            [CHANGE, run("pytest", ENDED.format(file="shapes.py"), 1), CLAIM],
            "failed-check",
            [1, 2],
            id="what was delivered asks for a module that isn't there",
        ),
        pytest.param(
            [
                CHANGE,
                run(
                    "pytest",
                    ENDED.format(file="tests/test_sails.py").replace(
                        "ModuleNotFoundError: No module named 'canvas'", "KeyError: 'canvas'"
                    ),
                    1,
                ),
                CLAIM,
            ],
            "failed-check",
            [1, 2],
            id="an error in a test that nothing is missing for",
        ),
        pytest.param(
            [
                CHANGE,
                run(
                    "pytest",
                    UNREACHED.format(error=REFUSED, count=2, more="FAILED tests/test_b.py::b - KeyError: 'b'\n"),
                    1,
                ),
                CLAIM,
            ],
            "failed-check",
            [1, 2],
            id="a service that isn't there, and an error besides",
        ),
        pytest.param(
            [
                edit("harbour/net.py", "a", "b"),
                run("pytest", UNREACHED.format(error=REFUSED, count=1, more=""), 1),
                CLAIM,
            ],
            "failed-check",
            [1, 2],
            id="a service that what was delivered asks for",
        ),
        pytest.param([PASSES, CHANGE, submit()], "no-check", [2, 3], id="it ran before the edit only"),
        pytest.param(
            [CHANGE, PASSES, edit("shapes.py", "b", "c"), CLAIM], "no-check", [3], id="another edit after the check"
        ),
        pytest.param(
            [CHANGE, run("git diff", "+b"), read("shapes.py"), CLAIM], "no-check", [1, 3], id="looking is no check"
        ),
        pytest.param([CHANGE, run("git add -A", ""), submit()], "no-check", [1, 3], id="git is no check"),
        pytest.param([run("sed -i s/a/b/ shapes.py", ""), submit()], "no-check", [1, 2], id="edited with sed"),
        pytest.param(
            [run("cat > shapes.py <<E\nx\nE", ""), submit()], "no-check", [1, 2], id="written with a here-document"
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int]) -> None:
    (found,) = unverified(*parts)
    assert found.kind == kind
    assert found.steps == steps
    assert found.first_step <= found.last_step == found.steps[-1]
    assert all(entry.quote for entry in found.evidence)


@pytest.mark.parametrize(
    ("parts", "header"),
    [
        pytest.param([CHANGE, PASSES, CLAIM], {}, id="the last test passed"),
        pytest.param([CHANGE, PASSES, SERVES, CLAIM], {}, id="a server after the tests"),
        pytest.param(
            [CHANGE, HANDED_BACK, call("read_output", {}, "4 passed in 0.10s"), CLAIM],
            {},
            id="the rest of a run was read",
        ),
        pytest.param(
            [CHANGE, run("pytest", ENDED.format(file="tests/test_sails.py"), 1), CLAIM],
            {},
            id="a test elsewhere lacks a module",
        ),
        pytest.param(
            [CHANGE, run("pytest", UNREACHED.format(error=REFUSED, count=1, more=""), 1), CLAIM],
            {},
            id="a service that a test elsewhere asks for isn't there",
        ),
        pytest.param(
            [edit("shapes.py", "a", "b", "Edited.\n\nRunning 4 tests:\n\n4 passed. 0 failed. 0 errors."), CLAIM],
            {},
            id="a tool that edits ran tests, too",
        ),
        pytest.param(
            [CHANGE, FAILS, edit("shapes.py", "b", "c"), PASSES, submit("Done.")], {}, id="failed, then mended"
        ),
        pytest.param([CHANGE, run("python use.py", "16.0", 0), CLAIM], {}, id="a script ran"),
        pytest.param(
            [CHANGE, run("mypy shapes.py", "Success: no issues found", 0), CLAIM], {}, id="a type checker ran"
        ),
        pytest.param(
            [run("sed -i s/a/b/ shapes.py && pytest", "4 passed in 0.1s", 0), CLAIM], {}, id="edit and test in one line"
        ),
        pytest.param([CHANGE, FAILS, says("The test still fails; I could not fix it.")], {}, id="says that it failed"),
        pytest.param([CHANGE, FAILS, submit("I was unable to fix it.")], {}, id="hands in and says that it failed"),
        pytest.param([CHANGE, FAILS], {}, id="claims nothing"),
        pytest.param([CHANGE, FAILS, says("Next I'll look at the edge.")], {}, id="announces more work"),
        pytest.param([CHANGE, FAILS, CLAIM, user("No, it isn't.")], {}, id="the user has the last word"),
        pytest.param([edit("README.md", "a", "b"), submit()], {}, id="only a document changed"),
        pytest.param([edit("config.yaml", "a", "b"), CLAIM], {}, id="only configuration changed"),
        pytest.param([read("shapes.py"), CLAIM], {}, id="nothing changed"),
        pytest.param(
            [edit("shapes.py", "a", "b", "String to replace not found in file.", is_error=True), submit()],
            {},
            id="the only edit was refused",
        ),
        pytest.param([CHANGE, FAILS, CLAIM], {"ending": Ending.LIMIT}, id="a limit ended it"),
        pytest.param([CHANGE, FAILS, CLAIM], {"ending": Ending.CRASHED}, id="a crash ended it"),
        pytest.param([CHANGE, FAILS, CLAIM], {"ending": Ending.CANCELLED}, id="the user ended it"),
        pytest.param([write("notes.txt", "x"), submit()], {}, id="a text was written"),
        pytest.param([CLAIM], {}, id="no action at all"),
        pytest.param([], {}, id="nothing"),
    ],
)
def test_does_not_fire(parts: list[Part], header: dict[str, Any]) -> None:
    assert [found.title for found in unverified(*parts, **header)] == []


@pytest.mark.parametrize(
    ("parts", "task", "kind"),
    [
        pytest.param(
            [write("repro.py", "x"), run("python repro.py", "16.0", 0), CLAIM],
            "Fix it.",
            "only-scratch-files",
            id="only a reproduction was written",
        ),
        pytest.param(
            [write("repro.py", "print(tide.level)"), run("python repro.py", "16.0", 0), CLAIM],
            "`tide.level` is wrong. Fix it.",
            "only-scratch-files",
            id="a reproduction that uses what the task names",
        ),
        pytest.param(
            [run("python use.py", "16.0", 0), CHANGE, run("python use.py", "16.0", 0), CLAIM],
            "Fix it.",
            "check-proves-nothing",
            id="prints what it printed before",
        ),
    ],
)
def test_checks_that_prove_nothing(parts: list[Part], task: str, kind: str) -> None:
    assert [found.kind for found in unverified(*parts, task=task)] == [kind]


def test_a_check_that_speaks_against_nothing_is_not_denied() -> None:
    refused = run("python use.py 0", "use.py: 0: no such area", 1)
    accepted = run("ls", "use.py", said="It fails as expected for zero.")
    assert unverified(CHANGE, refused, accepted, CLAIM) == []


def test_a_task_that_wants_tests_is_done_by_tests() -> None:
    parts: list[Part] = [write("tests/test_area.py", "x"), run("pytest", "4 passed in 0.1s", 0), CLAIM]
    assert unverified(*parts, task="Add tests for area().") == []


def test_entries_of_the_harness_shift_nothing() -> None:
    entry = call("note", {}, "x", harness=True)
    assert unverified(entry, entry, CHANGE, PASSES, CLAIM) == []
    assert [found.kind for found in unverified(entry, entry, CHANGE, CLAIM)] == ["no-check"]


def test_a_change_of_a_sub_agent_is_at_no_step_of_the_main_lane() -> None:
    theirs = [*(run("ls", lane="agent-1") for _ in range(3)), write("shapes.py", "def area(n:\n", lane="agent-1")]
    assert unverified(run("ls"), theirs, CLAIM) == []
