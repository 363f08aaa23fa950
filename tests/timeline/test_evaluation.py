"""The log of an evaluation's own tests."""

from __future__ import annotations

from analyzer.model.session import EvaluationLog
from analyzer.redaction import redact_session
from tests.build import says, session
from tests.redaction.made_up import letters


def test_its_secrets_are_replaced() -> None:
    value = letters(24)
    log = session(says("Done."), evaluation=EvaluationLog("tests.log", f"DB_PASSWORD={value}\n4 passed in 0.1s"))
    redact_session(log)
    assert log.evaluation is not None
    assert value not in log.evaluation.text
