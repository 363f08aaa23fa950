"""Formatters and fixers that say that they rewrote files."""

from __future__ import annotations

import pytest

from tests.build import edit, run
from tests.workspace.states import checks_of_the_last_state, history

FIX = edit("oars.py", "a = 1", "a = 2")
TESTED = run("pytest -q", "3 passed in 0.10s")


@pytest.mark.parametrize(
    ("command", "result"),
    [
        pytest.param("bun run lint:fix", "$ biome check --write\nChecked 9 files in 1ms. Fixed 1 file.", id="a task"),
        pytest.param("ruff check --fix .", "Found 3 errors (3 fixed, 0 remaining).", id="errors fixed"),
        pytest.param("make format", "reformatted oars.py\n\nAll done!\n1 file reformatted.", id="reformatted"),
        pytest.param("isort .", "Fixing /w/oars.py", id="imports sorted"),
        pytest.param("rubocop -a", "4 files inspected, 2 offenses detected, 2 offenses corrected", id="corrected"),
        pytest.param("pre-commit run -a", "black....Failed\n- files were modified by this hook", id="by a hook"),
    ],
)
def test_a_check_before_a_fixer_is_none_of_what_was_delivered(command: str, result: str) -> None:
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result))) == []
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result), TESTED))[-1] == 4


@pytest.mark.parametrize(
    ("command", "result"),
    [
        pytest.param("bun run lint", "Checked 9 files in 1ms. No fixes applied.", id="nothing fixed"),
        pytest.param("black --check .", "would reformat oars.py\n1 file would be reformatted.", id="would"),
        pytest.param("black .", "4 files left unchanged.", id="unchanged"),
        pytest.param("ruff check .", "Found 2 errors.\n[*] 2 fixable with the `--fix` option.", id="could"),
        pytest.param("cat CHANGES", "Fixed 3 errors", id="a file that is shown"),
        pytest.param("git log -2", "commit 1a2b\n    Fixed 2 issues", id="a message in the history"),
        pytest.param("git commit -m Row", "[main 1a2b3c4] Fixed 2 issues", id="a message"),
        pytest.param("pytest -q", "0 errors fixed\n3 passed", id="zero"),
    ],
)
def test_what_rewrites_nothing_leaves_the_checked_state(command: str, result: str) -> None:
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result)))[:1] == [2]
