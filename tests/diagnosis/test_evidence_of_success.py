"""What is enough to say that a task was done, each beside a twin that isn't."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, pytest_report, read, run, says, submit, user, write

TASK = user("`clearance_of` in tide.py is off by one: `clearance_of(3)` must give 4.")
REPRO = write("repro.py", "from tide import clearance_of\nprint('got', clearance_of(3))\nprint('want 4')\n")
BEFORE = run("python repro.py", "FAILURE: got 3, want 4", 1)
AFTER = run("python repro.py", "got 4\nwant 4")
CHANGE = edit("tide.py", "return depth", "return depth + 1")
TRIED = edit("tide.py", "return depth + 1", "return int(depth) + 1")
TAKEN_BACK = edit("tide.py", "return int(depth) + 1", "return depth + 1")
OWN_TEST = write("tests/test_own.py", "from tide import clearance_of\n\ndef test():\n    assert clearance_of(3) == 5\n")
OWN_FAILS = run(
    "pytest tests/test_own.py", pytest_report("AssertionError: assert 4 == 5", test="tests/test_own.py", raised=None), 1
)
DONE = says("The clearance is fixed.")
COMPARES = (
    "from tide import clearance_of\nif clearance_of(3) == 4:\n    print('Fix works')\nelse:\n    print('Fix failed')\n"
)
OTHER = "if 2 + 2 == 4:\n    print('Fix works')\nelse:\n    print('Fix failed')\n"
DIFF = "diff --git a/src/tide.py b/src/tide.py\n--- a/src/tide.py\n+++ b/src/tide.py\n@@ -1 +1 @@\n-x = 1\n+x = 2"
REVIEW = user("Please review the changes of src/tide.py and src/dock.py.")
LOOKS = [read("src/tide.py", "depth = 3"), read("src/dock.py", "posts = 4")]
JUDGED = "**Findings**\n- `tide.py:1` takes the depth for granted, and a depth of zero passes unseen.\n"
MORE = "- `dock.py:1` is fine as it is; the posts are counted where they're used.\n"
LONG = f"{JUDGED}{MORE}- Nothing else depends on either of the two.\n"
PUSHED = run("git push", "To example.org:pier.git\n   1a2b..3c4d  main -> main")


@pytest.mark.parametrize(
    ("parts", "status", "said"),
    [
        pytest.param(
            [TASK, REPRO, BEFORE, CHANGE, AFTER, DONE], "succeeded", "What failed at step 2", id="reproduced and gone"
        ),
        pytest.param(
            [
                TASK,
                run("hoist check | head -9", "tide.py:3: low\n2 issues:"),
                CHANGE,
                run("hoist check", "0 issues."),
                DONE,
            ],
            "succeeded",
            "What failed at step 1 passes on what was delivered (step 3: `hoist check`)",
            id="a count that goes to zero",
        ),
        pytest.param(
            [TASK, run("hoist all", "docks open", 1), CHANGE, run("hoist all | tail -1", "docks open"), DONE],
            "unknown",
            "isn't known to be a check",
            id="its exit code is hidden the second time",
        ),
        pytest.param(
            [TASK, run("git push", "! [rejected] main -> main (fetch first)", 1), CHANGE, PUSHED, DONE],
            "unknown",
            "no check ran",
            id="a push that was refused before",
        ),
        pytest.param(
            [TASK, REPRO, BEFORE, CHANGE, AFTER, run("pytest -q tests", "3 passed in 0.1s"), DONE],
            "succeeded",
            "What failed at step 2 passes on what was delivered (step 4: `python repro.py`), and tests passed (step 5",
            id="reproduced and gone before tests",
        ),
        pytest.param(
            [TASK, REPRO, BEFORE, CHANGE, AFTER, TRIED, AFTER, TAKEN_BACK, DONE],
            "succeeded",
            "What failed at step 2",
            id="a change that was tried and taken back",
        ),
        pytest.param(
            [TASK, REPRO, BEFORE, CHANGE, AFTER, TRIED, DONE],
            "unknown",
            "no check ran after the last change",
            id="a change that was tried and left",
        ),
        pytest.param(
            [TASK, REPRO, BEFORE, run("pip install tide-table", "Installed."), CHANGE, AFTER, DONE],
            "succeeded",
            "What failed at step 2",
            id="something was installed before the change",
        ),
        pytest.param(
            [TASK, REPRO, BEFORE, CHANGE, BEFORE, run("pip install -e .", "Installed."), AFTER, DONE],
            "succeeded",
            "What failed at step 2",
            id="the project was installed after the change",
        ),
        pytest.param(
            [
                TASK,
                CHANGE,
                OWN_TEST,
                OWN_FAILS,
                run("rm tests/test_own.py"),
                run("git diff", DIFF),
                says("The diff is fine."),
            ],
            "unknown",
            "failed on a file of the agent's own that isn't delivered",
            id="its own test failed and was removed",
        ),
        pytest.param(
            [TASK, CHANGE, OWN_TEST, OWN_FAILS, DONE], "failed", "", id="its own test failed and is left there"
        ),
        pytest.param(
            [TASK, read("tests/test_own.py", "def test(): ..."), CHANGE, OWN_FAILS, DONE],
            "failed",
            "",
            id="a test that was there failed",
        ),
        pytest.param([TASK, REPRO, CHANGE, AFTER, DONE], "unknown", "ran to the end", id="never seen to fail"),
        pytest.param(
            [TASK, CHANGE, REPRO, run("git stash"), BEFORE, run("git stash pop"), AFTER, DONE],
            "succeeded",
            "What failed at step 4",
            id="seen to fail while the change was put aside",
        ),
        pytest.param(
            [
                TASK,
                CHANGE,
                run("git stash && bin/test core", "tests finished: 90 passed, 2 exceptions, in 4.2 s", 1),
                run("git stash pop"),
                run("bin/test core", "tests finished: 90 passed, 2 exceptions, in 4.1 s", 1),
                DONE,
            ],
            "unknown",
            "as it did at step 2 on the original code",
            id="it fails as it does while the change is put aside",
        ),
        pytest.param(
            [TASK, REPRO, CHANGE, BEFORE, edit("tide.py", "depth + 1", "depth + 2"), AFTER, DONE],
            "unknown",
            "ran to the end",
            id="failed only after its own change",
        ),
        pytest.param(
            [TASK, REPRO, BEFORE, CHANGE, edit("repro.py", "clearance_of(3)", "4"), AFTER, DONE],
            "unknown",
            "ran to the end",
            id="another check by the same name",
        ),
        pytest.param(
            [TASK, REPRO, run("python repro.py", "bash: python: command not found", 127), CHANGE, AFTER, DONE],
            "unknown",
            "ran to the end",
            id="could not run before",
        ),
        pytest.param(
            [TASK, CHANGE, write("look.py", COMPARES), run("python look.py", "Fix works"), DONE],
            "succeeded",
            "Its own check of what the task names",
            id="a comparison of what the task names",
        ),
        pytest.param(
            [TASK, CHANGE, write("look.py", OTHER), run("python look.py", "Fix works"), DONE],
            "unknown",
            "its own check",
            id="a comparison of something else",
        ),
        pytest.param(
            [
                user("Mend the pump, so that `/opt/pump input` runs."),
                edit("input", "a", "b"),
                run("./pump input"),
                submit(),
            ],
            "succeeded",
            "A check that the user named",
            id="the command that the user named",
        ),
        pytest.param(
            [user("Mend the pump."), edit("input", "a", "b"), run("./pump input"), submit()],
            "unknown",
            "ran to the end",
            id="a command that nobody named",
        ),
        *(
            pytest.param([user(said), edit("input", "a", "b"), run("./pump input"), submit()], status, reason, id=said)
            for said, status, reason in (
                ("Mend the pump and run `./pump input` at the end.", "succeeded", "A check that the user named"),
                ("Mend the pump. `./pump input` should work again.", "succeeded", "A check that the user named"),
                ("Mend the pump: when I run `./pump input`, it takes long.", "unknown", "ran to the end"),
                ("There is a delay in `./pump input`, see why.", "unknown", "ran to the end"),
                ("The noise goes away with `./pump input`. Mend it.", "unknown", "ran to the end"),
                ("Mend the pump. Don't run `./pump input`.", "unknown", "ran to the end"),
                ("Mend the pump without `./pump input`.", "unknown", "ran to the end"),
                ("It isn't mended, so run `./pump input` at the end.", "succeeded", "A check that the user named"),
                ("It isn't done until `./pump input` passes.", "succeeded", "A check that the user named"),
            )
        ),
        pytest.param(
            [user("Fix the build."), CHANGE, run("npm run build", "built in 2.1s"), DONE],
            "succeeded",
            "The build passed",
            id="a build that the user spoke of without its command",
        ),
        pytest.param(
            [user("Fix the type errors."), CHANGE, run("mypy src", "Success: no issues found in 3 files"), DONE],
            "succeeded",
            "The static check passed",
            id="a static check that the user spoke of without its command",
        ),
        pytest.param(
            [
                user("Mend the pump."),
                run("cat notes.txt", "Run `./pump input` at the end."),
                user("Run `./pump input` at the end."),
                edit("input", "a", "b"),
                run("./pump input"),
                submit(),
            ],
            "unknown",
            "ran to the end",
            id="a command that only a tool's output names",
        ),
        pytest.param([REVIEW, *LOOKS, says(LONG)], "succeeded", "The review", id="a review that names what it read"),
        pytest.param(
            [user("/review"), *LOOKS, says(LONG)], "succeeded", "The review", id="a review by a short command"
        ),
        pytest.param(
            [user("/review"), run("git diff", DIFF), says(f"{LONG} See tide.py:3 and tide.py:30.")],
            "succeeded",
            "names places in `tide.py`, which was read",
            id="a review that names places of what a diff showed",
        ),
        pytest.param([user("/review"), run("git diff", DIFF), says(LONG)], "unknown", "answered", id="one name alone"),
        pytest.param([user("/reviewers"), *LOOKS, says(LONG)], "unknown", "answered", id="another short command"),
        pytest.param([REVIEW, *LOOKS[:1], says(LONG)], "unknown", "answered", id="a review of what wasn't read"),
        pytest.param(
            [user("How deep is it at src/tide.py and src/dock.py?"), *LOOKS, says(LONG)],
            "unknown",
            "no verdict on the answer is recorded",
            id="a question",
        ),
        pytest.param([user("push"), PUSHED, says("Pushed.")], "succeeded", "push at step 1", id="pushed as asked"),
        pytest.param(
            [user("push"), run("git push", "Everything up-to-date"), says("It is pushed.")],
            "unknown",
            "",
            id="nothing to push",
        ),
        pytest.param([user("Don't push yet."), PUSHED, says("Pushed.")], "unknown", "", id="pushed against the word"),
        pytest.param(
            [user("push"), CHANGE, PUSHED, says("It is done and pushed.")],
            "unknown",
            "",
            id="pushed what nothing ran on",
        ),
    ],
)
def test_what_is_enough(parts: list[Part], status: str, said: str) -> None:
    outcome = diagnosed(*parts).outcome
    assert outcome.status == status, outcome.reason
    assert said in outcome.reason
    assert outcome.confidence >= 0.8 or status != "succeeded"


def test_what_was_taken_back_is_not_unverified() -> None:
    names = [
        {finding.detector for finding in diagnosed(TASK, REPRO, BEFORE, CHANGE, AFTER, TRIED, *parts, DONE).findings}
        for parts in ([TAKEN_BACK], [])
    ]
    assert ["unverified-success" in found for found in names] == [False, True]


def test_what_ran_after_a_change_of_a_sub_agent_ran_after_it_whatever_its_number() -> None:
    theirs = [*(run("ls", "tide.py", lane="agent-1") for _ in range(5)), edit("tide.py", "a", "b", lane="agent-1")]
    outcome = diagnosed(TASK, edit("tide.py", "x", "y"), theirs, run("hoist all", "docks open"), DONE).outcome
    assert "what ran after the last change to code (step 2: `hoist all`) isn't known to be a check" in outcome.reason
    outcome = diagnosed(TASK, edit("tide.py", "x", "y"), theirs, DONE).outcome
    assert outcome.reason.endswith("no check is recorded after the last change to code (by `agent-1`).")
    assert outcome.evidence_steps == []
