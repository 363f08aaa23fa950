"""The line in which a tool counts what it found, or a task runner says that a task failed, behind a pipe as well."""

from __future__ import annotations

import pytest

from analyzer.failures.readers.verdicts import tally_of
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, shell
from tests.tables import table


@table("failed")
def test_the_line_is_a_verdict(command: str, text: str, message: str) -> None:
    verdict = shell(command, text, 0)
    assert verdict.status is Status.ERROR
    assert failure_of(verdict).message == message


@table("fine")
def test_what_only_looks_so(command: str, text: str) -> None:
    assert shell(command, text, 0).status is Status.OK


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0 issues.", False),
        ("No problems found", False),
        ("found 0 vulnerabilities", False),
        ("[a] 2 issues\n[b] 0 issues", True),
        ("Found 7 errors in 3 files.", True),
        ("3 errors, 2 warnings", True),
    ],
)
def test_counts(text: str, found: bool) -> None:
    tally = tally_of(text)
    assert tally is not None
    assert tally.found is found


@pytest.mark.parametrize("text", ["", "done", "it has 3 issues open", "3 issues were opened by pilots", "issue 3"])
def test_no_count(text: str) -> None:
    assert tally_of(text) is None
