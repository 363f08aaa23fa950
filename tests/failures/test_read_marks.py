"""Results that the format marks, that are empty, and that are cut, coloured or end their lines in another way."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Mark, Status, StatusSource
from tests.failures.recorded import failure_of, outputs, shell
from tests.tables import table


@table("what_the_format_marks_is_believed")
def test_what_the_format_marks_is_believed(mark: Mark, text: str | None, kind: K, error: str) -> None:
    verdict = shell("python -m pytest", text, mark=mark)
    assert (verdict.status, verdict.source) == (Status.ERROR, StatusSource.RECORDED)
    failure = failure_of(verdict)
    assert (failure.kind, failure.type, failure.recorded) == (kind, error, True)
    assert failure.message


@pytest.mark.parametrize("mark", [None, Mark.TIMEOUT])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Command timed out after 30 seconds. Running in background.\nLog file: a.log", id="one line"),
        pytest.param("listening\nCommand timed out after 30 s.\nIt continues in the background.", id="the next line"),
        pytest.param("The command timed out after 2 min and was moved to the background (id 7).", id="moved"),
    ],
)
def test_a_command_that_runs_on_has_no_verdict_yet(text: str, mark: Mark | None) -> None:
    verdict = shell("./pier --serve", text, mark=mark)
    assert (verdict.status, verdict.failure) == (Status.UNKNOWN, None)


@pytest.mark.parametrize("mark", [None, Mark.TIMEOUT])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Command timed out after 30 seconds", id="nothing about it"),
        pytest.param("Command timed out after 30 seconds. It was running in the background and was killed.", id="over"),
        pytest.param("Command timed out after 30 seconds. Try running in the background.", id="advice"),
        pytest.param("The tide runs in the background\nchart\nCommand timed out after 30 seconds", id="its own words"),
    ],
)
def test_a_command_that_a_limit_ended_failed(text: str, mark: Mark | None) -> None:
    assert failure_of(shell("./pier --serve", text, mark=mark)).kind is K.TIMEOUT


def test_no_result_is_no_verdict() -> None:
    assert shell("python -m pytest", None).status is Status.UNKNOWN


@pytest.mark.parametrize(("exit_code", "status"), [(None, Status.UNKNOWN), (0, Status.OK), (3, Status.ERROR)])
def test_an_empty_result_is_as_good_as_its_exit_code(exit_code: int | None, status: Status) -> None:
    verdict = shell("./deploy.sh", "", exit_code)
    assert verdict.status is status
    if verdict.failure is not None:
        assert (verdict.failure.type, verdict.failure.message) == ("exit 3", "deploy.sh: exit code 3")


@pytest.mark.parametrize(
    "name", ["pytest/long", "pytest/short", "unittest/failing", "python/plain", "go/failing", "git/pathspec"]
)
def test_line_ends_do_not_matter(name: str) -> None:
    output = outputs()[name]
    plain, dos = shell(output.command, output.text), shell(output.command, output.text.replace("\n", "\r\n"))
    assert plain.failure == dos.failure


@pytest.mark.parametrize(("coloured", "plain"), [("jest/colour", "jest/failing"), ("tsc/pretty", "tsc/failing")])
def test_colours_do_not_matter(coloured: str, plain: str) -> None:
    one, other = outputs()[coloured], outputs()[plain]
    first, second = failure_of(shell(one.command, one.text)), failure_of(shell(other.command, other.text))
    assert (first.kind, first.type, first.runner) == (second.kind, second.type, second.runner)


def _head_cut(text: str) -> str:
    return "... [1200 chars elided] ...\n" + text[len(text) // 2 :]


def _tail_cut(text: str) -> str:
    return text[: len(text) // 2] + "\n... [1200 chars elided] ..."


def _middle_cut(text: str) -> str:
    return text[: len(text) // 4] + "\n... [1200 chars elided] ...\n" + text[-len(text) // 4 :]


@pytest.mark.parametrize("cut", [_head_cut, _tail_cut, _middle_cut])
@pytest.mark.parametrize(
    "name", ["pytest/long", "pytest/short", "pytest/line", "unittest/failing_verbose", "pytest/ids_long"]
)
def test_a_cut_report_still_shows_that_tests_failed(name: str, cut: object) -> None:
    assert callable(cut)
    output = outputs()[name]
    failure = failure_of(shell(output.command, cut(output.text), output.exit_code))
    assert failure.kind in (K.TEST, K.EXCEPTION)
    assert failure.type not in (None, "exit 1")
    assert "elided" not in failure.message
