"""Whether a commit that the user asked for was made, by what the results say of it."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.operations import went
from tests.build import Part, call, diagnosed, edit, run, says, timeline, user
from tests.sessions import Written, parts_of
from tests.tables import table

MADE = "[pier 4f1c2aa9] Mend the pier\n 1 file changed, 2 insertions(+)"
HOOK = "black....................Failed\n- hook id: black\n- files were modified by this hook\n"
COMMIT = "git commit -am 'Mend the pier'"


@table("a_commit_is_made_where_its_result_shows_it")
def test_a_commit_is_made_where_its_result_shows_it(part: Written) -> None:
    assert went("commit", timeline(parts_of(part)).actions[0])


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(run(COMMIT, HOOK, 1), id="a hook"),
        pytest.param(run(COMMIT, HOOK, None), id="a hook without a code"),
        pytest.param(run(f"{COMMIT} | tail -5", HOOK), id="a hook behind a pipe"),
        pytest.param(run(f"{COMMIT} || true", HOOK), id="a hook behind a masked code"),
        pytest.param(run(f"{COMMIT}; git log -1 --oneline", f"{HOOK}1d2e3f40 Launch"), id="a log of an older one"),
        pytest.param(run(COMMIT, "husky - pre-commit hook exited with code 1 (error)", None), id="another hook"),
        pytest.param(run(f"{COMMIT} | cat", "fatal: unable to auto-detect email address"), id="refused"),
        pytest.param(call("exec", {"argv": ["git", "commit", "-am", "x"]}, HOOK), id="a list of words"),
    ],
)
def test_a_commit_is_not_made_where_its_result_says_so(part: Part) -> None:
    assert went("commit", timeline(part).actions[0]) is False


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(run(COMMIT, "nothing to commit, working tree clean", 1), id="nothing left"),
        pytest.param(run("git commit -qam x", "", None), id="quiet, without a code"),
        pytest.param(run("git commit -qam x; true", ""), id="quiet, with another one's code"),
        pytest.param(run("cat log.txt", MADE), id="a file that shows one"),
        pytest.param(run("git log -1", MADE), id="a log"),
        pytest.param(run("git commit-tree 4f1c2aa9", ""), id="a longer verb"),
        pytest.param(run("git commit --dry-run", MADE.replace("[", "(")), id="only tried"),
        pytest.param(call("commit_transaction", {}, "failed", is_error=True), id="another kind of commit"),
        pytest.param(call("list_commits", {}, "failed", is_error=True), id="a tool that looks"),
    ],
)
def test_what_no_result_says(part: Part) -> None:
    assert went("commit", timeline(part).actions[0]) is None


FAILED = "The commit, which the user asked for last, failed at step 3; no later step shows it done."
WORK: list[Part] = [
    user("Mend the pier in pier.py."),
    edit("pier.py", "return 1", "return 2"),
    run("pytest -q", "4 passed in 0.1s"),
]
NOTHING = "On branch pier\nnothing to commit, working tree clean"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param([run(f"{COMMIT} | tail -5", HOOK)], FAILED, id="a hook behind a pipe"),
        pytest.param([run(f"{COMMIT} | cat", HOOK), run("./ship.sh", MADE)], "", id="made by a script"),
        pytest.param([run(f"{COMMIT} | cat", HOOK), run("git -C . commit -am x", MADE)], "", id="made by other words"),
        pytest.param([run(COMMIT, MADE), run(COMMIT, NOTHING, 1)], "", id="nothing left behind a commit"),
    ],
)
def test_the_outcome_of_a_commit_that_was_asked_for(parts: list[Part], reason: str) -> None:
    made = diagnosed(*WORK, user("Please commit."), *parts, says("That is all."))
    assert made.outcome.reason == reason or not reason
    assert made.outcome.status == ("unknown" if reason else "succeeded")


@table("a_part_of_what_was_asked_for_is_done")
def test_a_part_of_what_was_asked_for_is_done(asked: str, parts: Written, words: str) -> None:
    assert diagnosed(*WORK, user(asked), *parts_of(parts), says("I changed it.")).outcome.words == words
