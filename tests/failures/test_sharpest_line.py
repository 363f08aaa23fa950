"""Of a failure that no reader knows, the line that says most about it."""

from __future__ import annotations

import pytest

from analyzer.failures.messages.search import sharpest_line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "No version is set for command gauge\nConsider one of these in your settings:\ngauge 3.1\ngauge 3.0",
            "No version is set for command gauge",
            id="what there is none of",
        ),
        pytest.param(
            "2026-03-27 10:49:41 INFO gate opened id=test-partial-failure\ntide table missing\n"
            "2026-03-27 10:49:42 INFO gate closed",
            "tide table missing",
            id="between lines of a log",
        ),
        pytest.param("level=info msg=failed-gates-0\n[DEBUG] error counter = 0", "", id="lines of a log alone"),
        pytest.param("INFORMATION is missing", "INFORMATION is missing", id="a word that begins alike"),
        pytest.param("building\nfatal: no berth", "fatal: no berth", id="a fatal one"),
        pytest.param(
            "The command failed with exit code: 1\n > quay\n x Failed to start it\nError: listen EADDRINUSE: :::3000",
            "Error: listen EADDRINUSE: :::3000",
            id="an error of the system by its name",
        ),
        pytest.param(
            "mooring failed\nTideError: no berth", "TideError: no berth", id="an error of a program by its name"
        ),
        pytest.param(
            "make: *** pier-2: No such file or directory.  Stop.\n\nExit code 2",
            "make: *** pier-2: No such file or directory.  Stop.",
            id="what make itself can't do",
        ),
        pytest.param(
            "pier.c:3: error: no oars\nmake: *** [pier.o] Error 1\nExit code 2",
            "pier.c:3: error: no oars",
            id="make says that a command failed",
        ),
        pytest.param("[ERROR] process failed\nexit status: 2", "[ERROR] process failed", id="a wrapper and a trailer"),
        pytest.param("Exit code 2", "Exit code 2", id="a trailer alone"),
        pytest.param("one\ntwo", "two", id="the last where none says it"),
        pytest.param(
            "No berth is there for this ship.\nUse 'berth --list' to see all berths\nand 'berth --book' to have one.",
            "No berth is there for this ship.",
            id="before a hint of two lines",
        ),
        pytest.param("Use a map.\nthe berth is closed", "the berth is closed", id="behind a hint that has ended"),
        pytest.param(
            'undefined\nERR_EXEC  Command "sextant" not found\nDid you mean "sextants"?',
            'ERR_EXEC  Command "sextant" not found',
            id="a sentence before a value",
        ),
        pytest.param("undefined", "undefined", id="a value alone"),
        pytest.param(
            "RUN v4\nNo chart files found, exiting with code 1\nfilter: low\nexclude: **/old/**",
            "No chart files found, exiting with code 1",
            id="before what it was configured with",
        ),
        pytest.param(
            "No reef errors found\nthe berth is closed", "the berth is closed", id="what there is fortunately none of"
        ),
        pytest.param(
            "[pilot] Unknown flag '--deep' passed to call.\nIf you mean an argument, write deep=1.\n"
            "Run 'pilot --help'.\n\n(Command exited with code 1)",
            "[pilot] Unknown flag '--deep' passed to call.",
            id="before the code in brackets",
        ),
        pytest.param("12 checks passed\nberth taken", "berth taken", id="what passed"),
        pytest.param(
            "Warning: the sail is old\nmoored\nthe mast is gone", "the mast is gone", id="a warning of something else"
        ),
        pytest.param(
            "Warning: chart 4 does not exist\nerror: no oars", "error: no oars", id="an error beats a warning"
        ),
    ],
)
def test_the_line(text: str, said: str) -> None:
    assert sharpest_line(text, "run it") == said
