"""Every text of a public model is redacted, also what nobody declared."""

from __future__ import annotations

from analyzer.redaction.models import redact_model
from tests.detectors.test_details import finding


def test_a_payload_that_nobody_here_knows_is_redacted() -> None:
    secret = "sk-ant-" + "api03-" + "Zq7" * 31
    made = finding({"type": "somebody-elses", "said": f"the key is {secret}"})
    redacted = redact_model(made)
    assert secret not in redacted.model_dump_json()
    assert redacted.model_dump()["details"].keys() == {"type", "said"}
