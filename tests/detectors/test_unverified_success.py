"""Claims of success, and what they rest on."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Ending
from tests.build import Part, call, edit, read, run, says, submit, user, write
from tests.detectors.unverified import CHANGE, CLAIM, FAILS, HANDED_BACK, PASSES, QUIET, unverified
from tests.sessions import Written, parts_of
from tests.tables import table

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


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int]) -> None:
    (found,) = unverified(*parts_of(parts))
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


@table("checks_that_prove_nothing")
def test_checks_that_prove_nothing(parts: Written, task: str, kind: str) -> None:
    assert [found.kind for found in unverified(*parts_of(parts), task=task)] == [kind]


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
