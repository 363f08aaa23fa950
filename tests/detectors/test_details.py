"""What a finding knows as data survives JSON, also where nobody knows its type."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Cost, Finding, LostInput, Payload, RejectedArguments
from analyzer.model.words import Category, Severity
from tests.build import call, findings
from tests.examples.untested_deploy import Deployment


def finding(details: Payload | dict[str, str] | None) -> Finding:
    return Finding(
        detector="somebody-elses",
        category=Category.TOOL,
        kind="kind",
        severity=Severity.LOW,
        confidence=0.5,
        title="Title.",
        first_step=1,
        last_step=1,
        steps=[1],
        detectable_at=1,
        cost=Cost(actions=1),
        details=details,
    )


@pytest.mark.parametrize(
    "details",
    [None, LostInput(source=1, answered_at=2), RejectedArguments(tool="t", missing=["a"], alternatives=True)],
    ids=lambda value: type(value).__name__,
)
def test_known_details_come_back_as_they_were(details: Payload | None) -> None:
    made = finding(details)
    assert Finding.model_validate_json(made.model_dump_json()) == made


def test_details_of_others_are_written_whole_and_kept_where_they_are_unknown() -> None:
    text = finding(Deployment(failed_tests=3)).model_dump_json()
    again = Finding.model_validate_json(text)
    assert again.details == {"type": "untested-deploy", "failed_tests": 3}
    assert again.model_dump_json() == text


def test_what_rejections_name_is_data() -> None:
    answer = "InputValidationError: missing required argument 'path'; unexpected argument 'file'\n  given: path, file"
    (found,) = findings(
        [call("open", {"file": f"{n}.txt", "path": ""}, answer, is_error=True) for n in range(3)],
        detector="argument-validation-loop",
    )
    assert found.details == RejectedArguments(
        tool="open", unexpected=["file"], missing=["path"], given_in_vain=["path"], tried=["file"]
    )
