"""What a commit is said to hold beside what the session changed."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, read, run, says, user, write

TASK = user("Repair the tide table in tide.py, and commit it.")
SEEN, CHANGED = read("/p/tide.py", "x = 1\n"), edit("/p/tide.py", "x = 1", "x = 2")
MADE = "[main 1a2b3c4] Repair the tide table\n 2 files changed, 3 insertions(+), 1 deletion(-)\n"
NEW = f"{MADE} create mode 100644 art/gull.svg\n"
COMMIT = run("git commit -m 'Repair the tide table'", NEW)
ALSO = "The commit of step 3 holds 2 files: it also takes in `art/gull.svg`, which no edit before it had written."


def said(*parts: Part) -> list[str]:
    statements = diagnosed(TASK, SEEN, CHANGED, *parts, says("Committed.")).diagnosis.lead
    return [one.text for one in statements if one.part == "delivered" and one.text.startswith("The commit of step")]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        pytest.param([COMMIT], ALSO, id="put up before the session"),
        pytest.param(
            [run("cd /p && git commit -qam tide && git log -1", NEW)], ALSO, id="in a line of several commands"
        ),
        pytest.param(
            [run("git -C /p commit -F message.txt", f"lint........Passed\n{NEW}")], ALSO, id="behind the rows of a hook"
        ),
        pytest.param(
            [run("git add -A"), COMMIT], ALSO.replace("step 3", "step 4"), id="everything was put up without a look"
        ),
        pytest.param(
            [run("git commit -m x", NEW.replace("art/gull.svg\n", "art/gull.svg\n create mode 100755 art/tern.sh\n"))],
            ALSO.replace("`art/gull.svg`", "`art/gull.svg` and `art/tern.sh`"),
            id="two files",
        ),
    ],
)
def test_a_commit_that_takes_in_another_file(parts: list[Part], text: str) -> None:
    assert said(*parts) == [text]


FIRST = NEW.replace("main", "main (root-commit)")
MANY = MADE + "".join(f" create mode 100644 art/gull{number}.svg\n" for number in range(9))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("git commit -m x", MADE)], id="no new file"),
        pytest.param([write("/p/art/gull.svg", "<svg/>"), COMMIT], id="the agent wrote it"),
        pytest.param([run("cp /a/gull.svg art/gull.svg"), COMMIT], id="a command names it"),
        pytest.param([run("draw > art/gull.svg"), COMMIT], id="a command writes it"),
        pytest.param([run("git stash pop"), COMMIT], id="it came back from a stash"),
        pytest.param([run("git commit --amend --no-edit", NEW)], id="with what an earlier commit held"),
        pytest.param([run("git commit -m x", FIRST)], id="the first commit"),
        pytest.param([run("git commit -m x", MANY)], id="many at once"),
        pytest.param([run("git commit -m x", NEW.replace("art/gull.svg", "package-lock.json"))], id="a lock file"),
        pytest.param([run("git log --stat", NEW)], id="a log of commits"),
        pytest.param([run("git commit -m x", "error: nothing to commit", 1)], id="a commit that failed"),
        pytest.param([run("cat notes.txt", NEW)], id="a file that shows one"),
    ],
)
def test_a_commit_of_what_the_session_made(parts: list[Part]) -> None:
    assert said(*parts) == []
