"""What a session delivered is worked out once for all detectors, and once for all parts of the diagnosis."""

from __future__ import annotations

from analyzer.detectors.engine.facts import Facts
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from tests.build import edit, run, timeline

PARTS = (edit("pier.py", "x = 1", "x = 2"), run("pytest tests/test_pier.py", "1 passed in 0.1s"))


def test_all_detectors_look_at_one_delivery() -> None:
    made = timeline(*PARTS)
    facts = Facts(made)
    assert facts.delivery is facts.delivery
    assert facts.proofs is facts.proofs
    assert facts.delivery.on_delivered(made.actions[1])
    assert Facts(made).delivery is not facts.delivery


def test_all_ends_of_a_case_look_at_one_delivery() -> None:
    case = Case(timeline(*PARTS), [])
    assert End(case).delivery is End(case).delivery
    assert End(case).proofs is End(case).proofs
    assert [change.file for change in case.delivery.files] == ["pier.py"]
