"""Commands that destroy something: when that's a loss, and when it's tidying up."""

from __future__ import annotations

import pytest

from analyzer.model.words import Mark
from tests.build import Part, edit, findings, read, run, user
from tests.sessions import Written, parts_of
from tests.tables import table

CHANGE = edit("oars.py", "a = 1", "a = 2")


@table("fires")
def test_fires(parts: Written, kind: str, severity: str, steps: list[int]) -> None:
    (found,) = findings(*parts_of(parts), detector="destructive-command")
    assert (found.kind, found.severity, found.steps, found.detectable_at) == (kind, severity, steps, steps[-1])


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="destructive-command") == []


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([CHANGE, run("git reset --hard", "fatal: not a git repository", 128)], id="it failed"),
        pytest.param(
            [CHANGE, run("git reset --hard", "Denied.", None, mark=Mark.DENIED, is_error=True)], id="it was denied"
        ),
        pytest.param(
            [read("boats/gig.py"), run("rm -rf boats", "rm: cannot remove 'boats': Permission denied", 1)],
            id="no permission",
        ),
    ],
)
def test_an_attempt_is_a_small_matter(parts: list[Part]) -> None:
    (found,) = findings(*parts, detector="destructive-command")
    assert (found.severity, found.steps) == ("low", [2])
    assert "attempted" in found.title


def test_a_command_without_a_result_is_no_loss_where_the_log_records_results() -> None:
    parts = run("git status", "clean"), run("git push --force origin main", None)
    (found,) = findings(*parts, detector="destructive-command")
    assert "no result of it is recorded" in found.title
    assert found.severity == "low"


def test_what_was_only_attempted_can_still_be_lost() -> None:
    parts: list[Part] = [CHANGE, run("git commit -am x", "fatal: no", 128), run("git reset --hard")]
    assert [found.severity for found in findings(*parts, detector="destructive-command")] == ["high"]


def test_names_what_may_go() -> None:
    from analyzer.detectors import detect
    from tests.build import timeline

    made = timeline(read("boats/gig.py"), run("rm -rf boats"))
    assert (
        detect(made, select=["destructive-command"], settings={"destructive-command": {"disposable": ["boats"]}}) == []
    )


@table("a_folder_that_may_be_what_was_to_be_removed")
def test_a_folder_that_may_be_what_was_to_be_removed(asked: str, severity: str) -> None:
    seen = run("find /srv/packages -type f", "/srv/packages/ferry/pier.json")
    parts: list[Part] = [user(asked), read("/srv/packages/ferry/pier.json", "{}"), seen, run("rm -rf /srv/packages")]
    (found,) = findings(*parts, detector="destructive-command", task=asked)
    assert (found.kind, found.severity) == ("deleted", severity)
    assert ("named no folder" in found.title) is (severity == "low")


TASK = "Look at the comments of the review."
OWN = run("git commit -am 'Paint the hull'", "[tide 9be07d13] Paint the hull\n 1 file changed")


def test_a_forced_push_names_what_it_writes_over() -> None:
    forced = run("git push --force origin tide", " + 4f1c2aa9...9be07d13 tide -> tide (forced update)")
    (found,) = findings(forced, detector="destructive-command", task=TASK)
    assert "its last commit was `4f1c2aa9`, which the agent hadn't made" in found.title


def test_a_forced_push_over_the_agents_own_commit_destroys_nothing_of_others() -> None:
    forced = run("git push --force origin tide", " + 9be07d13...1d2e3f40 tide -> tide (forced update)")
    assert findings(OWN, forced, detector="destructive-command", task=TASK) == []
