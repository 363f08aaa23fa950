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
    pytest.param(
        "pnpm build 2>&1 | tail -4",
        ". build:low: Failed\n\u2009ERR_RUN_FIRST_FAIL\u2009 tide@1.0.0 build:low: `chart low`\nExit status 1\n"
        "\u2009ELIFECYCLE\u2009 Command failed with exit code 1.",
        ". build:low: Failed",
        id="a step of several, with thin spaces",
    ),
    pytest.param(
        "pnpm build | tail -2",
        "build:low: Failed\nbuild:high: Done",
        "build:low: Failed",
        id="another step ended well",
    ),
    pytest.param(
        "berth hooks run | tail -3",
        "moor-lint................Passed\nbuoys....................Failed\n- exit code: 1",
        "buoys....................Failed",
        id="a row of a list",
    ),
    pytest.param(
        "pnpm exec sextant | tail -3",
        'undefined\n ERR_EXEC_FIRST_FAIL  Command "sextant" not found\n\nDid you mean "pnpm test"?',
        'ERR_EXEC_FIRST_FAIL  Command "sextant" not found',
        id="an error with a name",
    ),
    pytest.param(
        "sextant run low.test.ts | tail -4",
        "No test files found, exiting with code 1\n\nfilter: low.test.ts\nexclude: **/old/**",
        "No test files found, exiting with code 1",
        id="nothing was there to run",
    ),
    pytest.param(
        "hoist flow | tail -1",
        "Error: Process completed with exit code 3.",
        "Error: Process completed with exit code 3.",
        id="a step of a flow",
    ),
    pytest.param(
        "yarn chart || true",
        "chart.tide: missing buoy in the bay\nerror Command failed with exit code 1.",
        "chart.tide: missing buoy in the bay",
        id="why, above the code",
    ),
    pytest.param(
        "hoist dock; echo", "mooring\nExit status 4", "Exit status 4", id="a status alone, the line ends in an echo"
    ),
    pytest.param(
        "keel | tail -1", "keel: build stopped: plank missing.", "keel: build stopped: plank missing.", id="stopped"
    ),
    pytest.param(
        "turn build | tail -1",
        "ERROR  run failed: command exited (2)",
        "ERROR  run failed: command exited (2)",
        id="run",
    ),
    pytest.param(
        "rudder dock | tail -2",
        "rudder aborted!\nno berth is free in dock 3",
        "no berth is free in dock 3",
        id="aborted",
    ),
    pytest.param(
        "nets | tail -1",
        "nets > Command mend failed with exit code 1",
        "nets > Command mend failed with exit code 1",
        id="a label with an arrow",
    ),
    pytest.param("envs | tail -1", "py311: FAIL code 2 (3.1s)", "py311: FAIL code 2 (3.1s)", id="an environment"),
    pytest.param(
        "python3 soundings.py", "north: 12/12\n31/38 DEPTHS FAILED", "31/38 DEPTHS FAILED", id="k of n failed"
    ),
    pytest.param("./soundings", "8 of 10 tests passed", "8 of 10 tests passed", id="k of n passed"),
    pytest.param("deno run moor.ts", "Passed 3 out of 7\nbye", "Passed 3 out of 7", id="passed k out of n"),
    pytest.param("node moor.mjs", "SUMMARY: NOT OK", "SUMMARY: NOT OK", id="a verdict in words"),
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
    pytest.param("pnpm build | tail -2", "build:low: Failed\nbuild:low: Done", id="the same step ended well"),
    pytest.param("hooks | tail -2", "buoys....Failed\nagain\nbuoys....Passed", id="the same row passed"),
    pytest.param("harbour ls | tail -2", "lighthouse: Failed\nbuoy: Lit", id="the state of a thing"),
    pytest.param("harbour status | head", "Status: Failed", id="a state"),
    pytest.param("stopwatch hoist | tail -1", "Exit status: 0", id="status 0"),
    pytest.param("hoist | tail -1", "Process completed with exit code 0.", id="completed with 0"),
    pytest.param("grep -c low tides; echo exit status $?", "0\nexit status 1", id="the line prints the code itself"),
    pytest.param("cat hoist.log | tail -2", "Exit status 1\nbuild: Failed", id="a log that is shown at its end"),
    pytest.param("hoist a | tail -1", "12 charts, 0 builds failed", id="no build failed"),
    pytest.param("hoist a | tail -1", "The last build failed 3 days ago, this one is fine", id="an earlier build"),
    pytest.param("hoist codes | tail -2", "ERR_LOW_TIDE\nERR_NO_BERTH", id="names of errors alone"),
    pytest.param("gh run view 7 --log | tail -1", "build: Failed", id="a run elsewhere"),
    pytest.param("hoist a || true", "cleaning finished with 2 warnings", id="finished with warnings"),
    pytest.param(
        "hoist a | tail -8",
        "Exit status 1\nagain with less sail\n1\n2\n3\n4\n5\nall moored",
        id="far above the end",
    ),
    pytest.param("./soundings", "10 of 10 tests passed", id="all of n passed"),
    pytest.param("./soundings", "0 of 10 tests failed", id="none of n failed"),
    pytest.param("./soundings", "8/10 passed, 2 skipped", id="the rest was skipped"),
    pytest.param("./soundings", "[8/10] test passed", id="how far it is"),
    pytest.param("wipe tide.bin", "wipe: tide.bin: pass 3/4 (random)...", id="a pass over something"),
    pytest.param("python3 rate.py", "accuracy 85/100 correct", id="a score"),
    pytest.param("cat soundings.log", "31/38 DEPTHS FAILED", id="a share that is shown"),
    pytest.param("./soundings", "depth 3/8, failed ropes: none", id="the words are about something else"),
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
