"""Shell commands whose output only looks like a failure, or only looks fine."""

from __future__ import annotations

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, shell
from tests.tables import table


@table("failing")
def test_it_failed(command: str, text: str, exit_code: int | None, kind: K) -> None:
    assert failure_of(shell(command, text, exit_code)).kind is kind


def test_a_search_at_the_end_of_a_chain_answers_for_itself_only() -> None:
    chain = "gh auth status && git config --get user.email"
    assert shell(chain, "gh: HTTP 401: Bad credentials", 1).status is Status.ERROR
    assert shell(chain, "logged in as skipper", 1).status is Status.OK


def test_a_label_before_every_line_is_not_a_part_of_the_output() -> None:
    report = "  1) Failure:\nQuayTest#test_depth [test/quay_test.rb:8]:\nExpected: 3\n  Actual: 2\n\n"
    report += "3 runs, 3 assertions, 1 failures, 0 errors, 0 skips\n"
    labelled = "".join(f"[quay] {line}\n" for line in report.splitlines())
    found = failure_of(shell("./run", labelled))
    assert (found.type, found.message) == ("Minitest::Assertion", "Expected: 3 Actual: 2")


@table("fine")
def test_it_did_not_fail(command: str, text: str, exit_code: int | None) -> None:
    verdict = shell(command, text, exit_code)
    assert verdict.failure is None
    assert verdict.status is Status.OK
