"""Commands whose output mentions failures, and that did not fail."""

from __future__ import annotations

from analyzer.model.words import Status
from tests.failures.recorded import shell
from tests.tables import table


@table("fine")
def test_it_did_not_fail(command: str, text: str, exit_code: int | None) -> None:
    verdict = shell(command, text, exit_code)
    assert verdict.failure is None
    assert verdict.status is Status.OK
