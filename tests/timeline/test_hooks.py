"""Checks in the hooks of commits and pushes, and what can't be a check at all."""

from __future__ import annotations

import pytest

from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import in_hooks, passed_hooks
from analyzer.timeline.verification.proof import Proof
from analyzer.timeline.verification.proofs import Proofs
from tests.build import Part, edit, run, timeline
from tests.tables import table

ROWS = "Lint.........................Passed\nTest.........................Passed\n"
COMMITTED = "[main 4f1c2aa] Row\n 1 file changed, 2 insertions(+)"
FIX = edit("oars.py", "a = 1", "a = 2")


@table("hooks")
def test_hooks(command: str, result: str, names: tuple[str, ...]) -> None:
    assert passed_hooks(timeline(run(command, result)).actions[0]) == names


def test_a_line_that_also_runs_something_else_is_no_hook() -> None:
    assert not in_hooks(timeline(run("pytest && git commit -m Row", COMMITTED)).actions[0])


def proof_of_last(*parts: Part) -> Proof:
    made = timeline(*parts)
    return Proofs(made, Delivery(made)).of(made.actions[-1])


@pytest.mark.parametrize(
    ("parts", "proof"),
    [
        pytest.param([FIX, run("git commit -m Row", ROWS + COMMITTED)], Proof.TESTED, id="tests in a hook"),
        pytest.param(
            [FIX, run("git commit -m Row", "Lint......Passed\n" + COMMITTED)], Proof.BUILT, id="a linter in a hook"
        ),
        pytest.param([FIX, run("git commit -m Row", COMMITTED)], Proof.NOTHING, id="a commit"),
        pytest.param(
            [run("git push", "! [rejected] main -> main (fetch first)", 1), FIX, run("git push", "")],
            Proof.NOTHING,
            id="a push that went through at last",
        ),
        pytest.param(
            [
                run("curl https://tide.org/a", "curl: (6) Could not resolve host", 6),
                FIX,
                run("curl https://tide.org/a"),
            ],
            Proof.NOTHING,
            id="a download",
        ),
        pytest.param(
            [run("npm install", "npm ERR! code 1", 1), FIX, run("npm install", "")], Proof.NOTHING, id="an installation"
        ),
        pytest.param(
            [
                run("curl -f http://localhost:80/oars", "curl: (22) The requested URL returned error: 500", 22),
                FIX,
                run("curl -f http://localhost:80/oars", "[]"),
            ],
            Proof.TURNED,
            id="a request to what is being worked on",
        ),
        pytest.param(
            [run("oars list", "Traceback (most recent call last):\nKeyError: 'a'", 1), FIX, run("oars list", "a")],
            Proof.TURNED,
            id="the program itself",
        ),
    ],
)
def test_what_a_call_proves(parts: list[Part], proof: Proof) -> None:
    assert proof_of_last(*parts) is proof
