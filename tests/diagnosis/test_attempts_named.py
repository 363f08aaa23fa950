"""What the page says of attempts and of simple rules holds against what the record and the replay show."""

from __future__ import annotations

import pytest

from analyzer.report.lead import guard_line
from tests.build import Part, diagnosed, edit, pytest_report, read, run
from tests.sessions import Written, parts_of
from tests.tables import table

ERROR = "ValueError: a pier needs three posts"


def red(command: str = "python -m pytest tests") -> Part:
    return run(command, pytest_report(ERROR), 1)


def edit_test(*texts: str, path: str = "pier.py") -> list[Part]:
    return [part for text in texts for part in (edit(path, "posts = 2", text), red())]


ONE_TOOL = [part for text in "abcde" for part in (run(f"sed -i s/x/{text}/ pier.py"), red("pytest"))]
IN_A_ROW = [*(red() for _ in range(5))]
EARLIER = [*(run("git status", "On branch main") for _ in range(3)), read("a.md"), *edit_test(*"abcdefg")]


@pytest.mark.parametrize("parts", [ONE_TOOL, IN_A_ROW, EARLIER], ids=["one tool", "in a row", "an earlier loop"])
def test_what_is_said_of_rules_that_stop_loops_is_what_their_replay_shows(parts: list[Part]) -> None:
    found = diagnosed(*parts)
    line, policies = guard_line(found), found.early_stop.policies
    stopping = [row.at_step for row in policies if row.saves is not None and row.at_step is not None]
    assert line.startswith(f"Of {len(policies)} common guard rules replayed on it, {len(stopping)} would have stopped")
    assert f"at step {min(stopping)} at the earliest" in line
    assert ("false alarm" in line) is any(row.false_alarm for row in policies)


@table("attempts_are_called_what_they_are")
def test_attempts_are_called_what_they_are(parts: Written, title: str) -> None:
    titles = [reason.title for reason in diagnosed(*parts_of(parts)).diagnosis.reasons]
    assert title in titles
    assert len([entry for entry in titles if entry in TITLES]) == 1


TITLES = ("No other hypothesis tried", "Every attempt in the same file", "Different attempts, the same result")


READS: list[Part] = [read(f"{name}.md", name * 30) for name in "abcdefg"]
ROUNDS = edit_test(*"abcd")


def test_a_rule_that_fires_on_good_work_is_counted() -> None:
    assert guard_line(diagnosed(*READS, *ROUNDS)).endswith("; 1 would have raised a false alarm.")


@pytest.mark.parametrize("parts", [ROUNDS, ONE_TOOL, IN_A_ROW], ids=["rounds", "one tool", "in a row"])
def test_a_rule_that_fires_in_the_loop_alone_is_not(parts: list[Part]) -> None:
    assert "false alarm" not in guard_line(diagnosed(*parts))
