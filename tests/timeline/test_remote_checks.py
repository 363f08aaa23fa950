"""Runs of checks on a server as checks of what was pushed."""

from __future__ import annotations

import json

import pytest

from tests.build import Part, call, diagnosed, edit, read, run, says, user

TASK = user("Repair the tide table in tide.py, and push it.")
SEEN, CHANGED = read("/p/tide.py", "x = 1\n"), edit("/p/tide.py", "x = 1", "x = 2")
COMMIT = run("git commit -am tide", "[main 1a2b3c4] tide\n 1 file changed")
PUSH = run("git push origin main", "To example.org:p.git\n   9f8e7d6..1a2b3c4  main -> main")
READY = [COMMIT, PUSH]
WATCH = "gh run watch 123456789 --exit-status"
LINT, TEST = "✓ Lint in 11s (ID 81)\n  ✓ Set up job\n", "✓ Test in 1m5s (ID 82)\n  ✓ Run tests\n"
GREEN = f"Refreshing run status every 3 seconds.\n* Test (ID 82)\n✓ main CI · 123456789\n\nJOBS\n{LINT}{TEST}"
TABBED = "lint\tpass\t11s\thttps://example.org/1\nunit tests\tpass\t1m5s\thttps://example.org/2\ndocs\tskipping\t0\t\n"
GITLAB = "(success) • 00m 11s\tcheck\t\tlint\n(success) • 01m 05s\tcheck\t\ttests\n\nPipeline state: success\n"
STARTED = run(WATCH, "* Test (ID 82)\nThe command is still running.", None)


def data(head: str) -> str:
    jobs = [{"name": "tests", "status": "completed", "conclusion": "success", "headSha": head}]
    return json.dumps(jobs)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        pytest.param([*READY, run(WATCH, GREEN)], "`Test` and `Lint`", id="watched to its end"),
        pytest.param(
            [*READY, STARTED, call("write_stdin", {"session_id": 7, "chars": ""}, GREEN, exit_code=0)],
            "`Test` and `Lint`",
            id="handed back, and waited for",
        ),
        pytest.param([*READY, run("gh pr checks --watch", TABBED)], "`lint` and `unit tests`", id="a table with tabs"),
        pytest.param([*READY, run("glab ci status --live", GITLAB)], "`lint` and `tests`", id="another server"),
        pytest.param(
            [
                run("git add -A && git commit -m t && git push", "[main 1a2b3c4] t\n   9f8e7d6..1a2b3c4  main -> main"),
                run(WATCH, GREEN),
            ],
            "`Test` and `Lint`",
            id="committed and pushed in one line",
        ),
        pytest.param(
            [*READY, run("gh run list --json name,conclusion,headSha", data("1a2b3c4d5e6f"))], "`tests`", id="as data"
        ),
        pytest.param(
            [*READY, run(WATCH, GREEN.replace("✓ Lint", "X Lint") + LINT + TEST)], "`Test` and `Lint`", id="run again"
        ),
    ],
)
def test_jobs_that_passed_on_what_was_pushed(parts: list[Part], said: str) -> None:
    made = diagnosed(TASK, SEEN, CHANGED, *parts, says("Pushed, and green."))
    assert (str(made.outcome.status), str(made.outcome.basis)) == ("succeeded", "checks")
    assert f"The remote checks {said} passed on what was delivered" in made.outcome.reason.replace(
        "check `", "checks `"
    )


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run(WATCH, GREEN)], id="nothing was pushed"),
        pytest.param([PUSH, run(WATCH, GREEN)], id="nothing was committed"),
        pytest.param([*READY, edit("/p/tide.py", "x = 2", "x = 3"), run(WATCH, GREEN)], id="changed since"),
        pytest.param(
            [COMMIT, edit("/p/tide.py", "x = 2", "x = 3"), PUSH, run(WATCH, GREEN)], id="changed after the commit"
        ),
        pytest.param(
            [run("gh run list", "123456789\tqueued\tmain"), *READY, run(WATCH, GREEN)], id="a run from before the push"
        ),
        pytest.param([*READY, run(WATCH, GREEN.replace("✓ Test", "X Test"))], id="a job failed"),
        pytest.param([*READY, run(WATCH, GREEN.replace("✓ Test in 1m5s", "* Test"))], id="a job still runs"),
        pytest.param([*READY, run(WATCH, GREEN, 1)], id="the exit code says that it failed"),
        pytest.param([*READY, run("gh pr checks", TABBED.replace("pass", "pending"))], id="pending"),
        pytest.param([*READY, run("gh pr checks", TABBED.replace("pass", "skipping"))], id="all left out"),
        pytest.param([*READY, run("gh run list --json name", data("5555555"))], id="a run of another commit"),
        pytest.param([*READY, run("cat checks.txt", TABBED)], id="a file"),
        pytest.param(
            [COMMIT, run("git push", "! [rejected] main -> main", 1), run(WATCH, GREEN)], id="the push was rejected"
        ),
        pytest.param([COMMIT, run("git push", "Everything up-to-date"), run(WATCH, GREEN)], id="nothing to push"),
        pytest.param([*READY, run(WATCH, "Run CI (123456789) has already completed.")], id="no job is listed"),
    ],
)
def test_what_says_nothing_of_what_was_delivered(parts: list[Part]) -> None:
    made = diagnosed(TASK, SEEN, CHANGED, *parts, says("Pushed, and green."))
    assert "remote check" not in made.outcome.reason
