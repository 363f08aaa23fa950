"""Checks in the hooks of commits and pushes, and what can't be a check at all."""

from __future__ import annotations

from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import in_hooks, passed_hooks
from analyzer.timeline.verification.proof import Proof
from analyzer.timeline.verification.proofs import Proofs
from tests.build import Part, run, timeline
from tests.sessions import Written, parts_of
from tests.tables import table

COMMITTED = "[main 4f1c2aa] Row\n 1 file changed, 2 insertions(+)"


@table("hooks")
def test_hooks(command: str, result: str, names: tuple[str, ...]) -> None:
    assert passed_hooks(timeline(run(command, result)).actions[0]) == names


def test_a_line_that_also_runs_something_else_is_no_hook() -> None:
    assert not in_hooks(timeline(run("pytest && git commit -m Row", COMMITTED)).actions[0])


def proof_of_last(*parts: Part) -> Proof:
    made = timeline(*parts)
    return Proofs(made, Delivery(made)).of(made.actions[-1])


@table("what_a_call_proves")
def test_what_a_call_proves(parts: Written, proof: Proof) -> None:
    assert proof_of_last(*parts_of(parts)) is proof
