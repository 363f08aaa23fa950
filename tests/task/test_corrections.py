"""Which sentences of a user correct the agent, and which only look like it."""

from __future__ import annotations

from analyzer.task import CorrectionKind, corrections_of
from tests.tables import table


@table("corrects")
def test_corrects(text: str, kind: CorrectionKind) -> None:
    (found, *_) = corrections_of(text)
    assert (found.kind, found.quote in text) == (kind, True)


def test_what_is_wanted_instead() -> None:
    (found,) = corrections_of("No: use `pnpm`, not npm.")
    assert (found.wanted, found.unwanted) == ("pnpm", "npm")


@table("does_not_correct")
def test_does_not_correct(text: str) -> None:
    assert list(corrections_of(text)) == []


def test_a_no_may_be_an_answer() -> None:
    assert list(corrections_of("no, pnpm", answers=True)) == []


def test_a_long_report_is_a_new_task() -> None:
    assert list(corrections_of("It still fails. " + "The table ends in June. " * 400)) == []
