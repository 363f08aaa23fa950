"""Checks that the user listed, of which one never ran."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, findings, run, says, user

TASK = "Mend the oars.\n\n## Verification\n1. `npm test`\n2. `npm run lint`\n3. `npm run dev` - look at the page\n"
FIX = edit("src/oars.ts", "a = 1", "a = 2")
TEST = run("npm test", "9 passing")
LINT = run("npm run lint", "ok")
DONE = says("All checks pass. All done: the oars are mended.")


def unticked(*parts: Part, task: str = TASK) -> list[tuple[str, str]]:
    found = findings(*parts, detector="unticked-check", task=task)
    return [(str(one.severity), one.title.partition("but ")[2]) for one in found]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        pytest.param(
            [FIX, TEST, LINT, DONE],
            "`npm run dev` never ran, which is one of the 3 checks that the user listed",
            id="one",
        ),
        pytest.param(
            [FIX, TEST, DONE],
            "`npm run lint` and `npm run dev` never ran, which are 2 of the 3 checks that the user listed",
            id="two",
        ),
        pytest.param(
            [
                FIX,
                TEST,
                LINT,
                DONE,
                user("commit"),
                run("git commit -am Row", "[main 4f1c2aa] Row"),
                says("Committed."),
            ],
            "`npm run dev` never ran, which is one of the 3 checks that the user listed",
            id="with another turn behind",
        ),
        pytest.param(
            [FIX, TEST, LINT, run("ls /dev/null", "/dev/null"), DONE],
            "`npm run dev` never ran, which is one of the 3 checks that the user listed",
            id="a path with the same word",
        ),
    ],
)
def test_a_check_that_never_ran(parts: list[Part], words: str) -> None:
    assert unticked(*parts) == [("medium", words)]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([FIX, TEST, LINT, run("npm run dev", "ready"), DONE], id="all of them ran"),
        pytest.param([FIX, TEST, LINT, run("cd web && pnpm dev &", "ready"), DONE], id="by another package manager"),
        pytest.param([FIX, TEST, LINT, run("npm run dev:web", "ready"), DONE], id="a variant of the task"),
        pytest.param([FIX, TEST, LINT, call("browser_navigate", {"url": "http://localhost:80"}), DONE], id="a browser"),
        pytest.param(
            [FIX, TEST, LINT, call("start_server", {"line": "npm run dev"}, "ready"), DONE], id="another tool"
        ),
        pytest.param(
            [FIX, TEST, LINT, call("bash", {"command": "npm run dev"}, "ready", lane="helper"), DONE], id="lane"
        ),
        pytest.param(
            [FIX, TEST, LINT, says("All done. I couldn't look at the page, since there is no browser.")],
            id="it says so",
        ),
        pytest.param([FIX, TEST, LINT, says("All done. Next, start npm run dev and have a look.")], id="handed on"),
        pytest.param([FIX, TEST, LINT, says("The tests and the linter are content.")], id="nothing claimed"),
        pytest.param([FIX, DONE], id="none of them ran, which is another matter"),
        pytest.param([FIX, TEST, LINT, DONE, user("Looks good, I checked the page.")], id="the user saw to it"),
        pytest.param([FIX, TEST, LINT, user("You can skip `npm run dev`."), DONE], id="taken back"),
    ],
)
def test_what_is_ticked_off(parts: list[Part]) -> None:
    assert unticked(*parts) == []


@pytest.mark.parametrize(
    "task",
    [
        pytest.param("Mend the oars and run `npm test`.", id="no list"),
        pytest.param(TASK.replace("3. `npm run dev` - look", "3. look"), id="an item without a command"),
        pytest.param(TASK.replace("3. ", "3. optional: "), id="an optional item"),
    ],
)
def test_lists_that_are_done(task: str) -> None:
    assert unticked(FIX, TEST, LINT, DONE, task=task) == []


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param([FIX, LINT, DONE], "1 of the 3 checks that the user listed passed", id="one of three"),
        pytest.param(
            [FIX, run("npm run lint", "ok"), run("npm run types", "ok"), DONE], "1 of the 3 checks", id="another task"
        ),
    ],
)
def test_the_outcome_says_how_many_of_how_many(parts: list[Part], reason: str) -> None:
    made = diagnosed(user(TASK + "Run `npm run lint` at last."), *parts, task=TASK + "Run `npm run lint` at last.")
    assert reason in made.outcome.reason
