"""Runs whose result says no more than that there was nothing to do."""

from __future__ import annotations

import pytest

from analyzer.timeline.verification.idle_runs import did_nothing
from analyzer.timeline.verification.proof import Proof, proof_of
from tests.build import Part, run, timeline, write


@pytest.mark.parametrize(
    ("command", "result"),
    [
        pytest.param(
            "pnpm --filter @tide/pier build", 'None of the selected packages has a "build" script', id="script"
        ),
        pytest.param("pnpm --filter pier build", "No projects matched the filters in /w", id="project"),
        pytest.param("npx eslint piers/", "No files matching the pattern 'piers/' were found.", id="pattern"),
        pytest.param("tsc -p empty", "error: No inputs were found in config file.", id="inputs"),
        pytest.param("make", "make: Nothing to be done for 'all'.", id="nothing to be done"),
        pytest.param("make test", "make: 'test' is up to date.", id="a folder that is called like the target"),
        pytest.param("npx prettier --check 'a/**'", "> w@1.0.0 fmt\n\nNo files to check", id="behind a banner"),
        pytest.param(
            "ruff check old", "warning: No Python files found under the given path(s)\nAll checks passed!", id="linter"
        ),
        pytest.param("bun run build", "$ turbo build\nNo tasks were executed as part of this run.", id="tasks"),
    ],
)
def test_a_run_that_did_nothing_proves_nothing(command: str, result: str) -> None:
    action = timeline(run(command, result)).actions[0]
    assert did_nothing(action) in result.splitlines()
    assert proof_of(action, {}, f"Then run {command}.") is Proof.NOTHING


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("npx eslint .", "No issues found")], id="a linter that is content"),
        pytest.param([run("npx tsc --noEmit", "No type errors found in 12 files")], id="a type check that is content"),
        pytest.param([run("npx biome check", "Checked 12 files in 9ms. No fixes applied.")], id="files were checked"),
        pytest.param([run("make", "cc -c pier.c\ncc -o pier pier.o\nmake: 'docs' is up to date.")], id="one target"),
        pytest.param([run("cargo build", "   Finished dev [unoptimized] target(s) in 0.1s")], id="built"),
        pytest.param([run("npm run build", "built\n" * 8 + "No files found")], id="a long output"),
        pytest.param(
            [write("find.py", "print('No files found')"), run("python find.py", "No files found")],
            id="what a script prints",
        ),
        pytest.param([run("rg pier", "No files were searched")], id="a search"),
        pytest.param([run("npm run build", "")], id="silence"),
    ],
)
def test_what_told_something_did_something(parts: list[Part]) -> None:
    assert did_nothing(timeline(*parts).actions[-1]) is None
