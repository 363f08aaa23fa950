"""Every text of a public model is redacted, also what nobody declared."""

from __future__ import annotations

from analyzer.model.finding import Cost, Finding
from analyzer.model.words import Category, Severity
from analyzer.redaction.models import redact_model


def test_a_payload_that_nobody_here_knows_is_redacted() -> None:
    secret = "sk-ant-" + "api03-" + "Zq7" * 31
    made = Finding(
        detector="somebody-elses",
        category=Category.ERROR,
        kind="x",
        severity=Severity.LOW,
        confidence=1.0,
        title="Title.",
        first_step=1,
        last_step=1,
        steps=[1],
        detectable_at=1,
        cost=Cost(actions=1),
        details={"type": "somebody-elses", "said": f"the key is {secret}"},
    )
    redacted = redact_model(made)
    assert secret not in redacted.model_dump_json()
    assert redacted.model_dump()["details"].keys() == {"type", "said"}
