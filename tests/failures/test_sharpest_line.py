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
    ],
)
def test_the_line(text: str, said: str) -> None:
    assert sharpest_line(text, "run it") == said
