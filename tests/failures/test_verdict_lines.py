"""The line in which a tool counts what it found, or a task runner says that a task failed, behind a pipe as well."""

from __future__ import annotations

import pytest

from analyzer.failures.tallies import tally_of
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, shell

FAILED = [
    pytest.param(
        "mise run lint | head -200",
        "[lint:quay] quay.zig:67:2: tide is unused\n[lint:quay] 3 issues:\n[lint:quay] * unused: 3\nFinished in 1.80s\n"
        "[lint:quay] ERROR task failed",
        "[lint:quay] 3 issues:",
        id="a label before each line",
    ),
    pytest.param(
        "hoist dock 2>&1 | tail -3", "loading\n[dock] ERROR task failed", "[dock] ERROR task failed", id="no count"
    ),
    pytest.param(
        "tidelint src | head",
        "src/low.tide:4:1 unused\n\n✖ 2 problems (2 errors, 0 warnings)",
        "✖ 2 problems (2 errors, 0 warnings)",
        id="a mark",
    ),
    pytest.param("pilot check | tail -2", "checked 14 charts\nFound 1 error.", "Found 1 error.", id="one error"),
    pytest.param(
        "pilot audit | tail -1",
        "found 3 vulnerabilities (1 low, 2 high)",
        "found 3 vulnerabilities (1 low, 2 high)",
        id="an audit",
    ),
    pytest.param(
        "pnpm run chart | tail -2",
        "> chart\n ELIFECYCLE  Command failed with exit code 2.",
        "ELIFECYCLE  Command failed with exit code 2.",
        id="a task of a package",
    ),
    pytest.param(
        "bun chart | cat",
        'error: script "chart" exited with code 1',
        'error: script "chart" exited with code 1',
        id="a script",
    ),
    pytest.param("hoist all | tail", "ok dock\nTask 'quay:chart' failed", "Task 'quay:chart' failed", id="by its name"),
]
FINE = [
    pytest.param("mise run lint", "[lint:quay] 0 issues.\n[lint] Finished in 4.3ms", id="no issue"),
    pytest.param(
        "mise run lint | tail", "[lint:quay] 0 issues.\n[lint] Finished in 4.3ms", id="no issue behind a pipe"
    ),
    pytest.param("tidelint src | head", "✖ 5 problems (0 errors, 5 warnings)", id="only warnings"),
    pytest.param("tidelint src | head", "4 warnings", id="a count of warnings"),
    pytest.param(
        "npm install | tail -2",
        "added 40 packages\n3 vulnerabilities (1 low, 2 high)",
        id="what an installation remarks on",
    ),
    pytest.param("tracker list | tail -1", "12 issues", id="an answer"),
    pytest.param("gh run view 7 | tail -1", "Job lint failed", id="what ran somewhere else"),
    pytest.param("lint a; lint --fix a; lint a", "a.tide:1:1 unused\n1 issue.\n0 issues.", id="none in the end"),
    pytest.param("hoist dock | tail -1", "0 tasks failed", id="none failed"),
    pytest.param("hoist dock | tail -1", "Command failed with exit code 0", id="code 0"),
    pytest.param("cat lint.log", "3 issues:\nERROR task failed", id="a log that is shown"),
    pytest.param("pilot check", "Found 1 error.", id="the exit code is its own"),
    pytest.param("hoist dock | tail -1", "Task 'chart' failed to start at first, started now", id="not about the end"),
]


@pytest.mark.parametrize(("command", "text", "message"), FAILED)
def test_the_line_is_a_verdict(command: str, text: str, message: str) -> None:
    verdict = shell(command, text, 0)
    assert verdict.status is Status.ERROR
    assert failure_of(verdict).message == message


@pytest.mark.parametrize(("command", "text"), FINE)
def test_what_only_looks_so(command: str, text: str) -> None:
    assert shell(command, text, 0).status is Status.OK


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0 issues.", False),
        ("No problems found", False),
        ("found 0 vulnerabilities", False),
        ("[a] 2 issues\n[b] 0 issues", True),
        ("Found 7 errors in 3 files.", True),
        ("3 errors, 2 warnings", True),
    ],
)
def test_counts(text: str, found: bool) -> None:
    tally = tally_of(text)
    assert tally is not None
    assert tally.found is found


@pytest.mark.parametrize("text", ["", "done", "it has 3 issues open", "3 issues were opened by pilots", "issue 3"])
def test_no_count(text: str) -> None:
    assert tally_of(text) is None
