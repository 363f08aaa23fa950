"""What a check that passed proves."""

from __future__ import annotations

from analyzer.timeline.verification.proof import Proof, proof_of, written_by
from tests.build import run, timeline, write
from tests.sessions import Written, parts_of
from tests.tables import table


@table("proof")
def test_proof(parts: Written, task: str, proof: Proof) -> None:
    actions = timeline(*parts_of(parts)).actions
    assert proof_of(actions[-1], written_by(actions), task) is proof


@table("a_test_that_may_fail_counts")
def test_a_test_that_may_fail_counts(content: str, printed: str) -> None:
    made = timeline(write("test_pier.py", content), run("python test_pier.py", printed)).actions
    assert proof_of(made[-1], written_by(made)) is Proof.OWN
