"""Commands whose output mentions failures, and that did not fail."""

from __future__ import annotations

import pytest

from analyzer.model.words import Status
from tests.failures.recorded import shell

TRACE = """Traceback (most recent call last):
  File "/srv/tides/pilot.py", line 4, in call
    raise ConnectionError("no answer")
ConnectionError: no answer
"""
NOTICE = """Error processing line 1 of /opt/venv/lib/python3.11/site-packages/tides-nspkg.pth:

  Traceback (most recent call last):
    File "<frozen site>", line 206, in addpackage
    File "<string>", line 1, in <module>
  ModuleNotFoundError: No module named 'tides_hook'

Remainder of file ignored
"""
"""What Python's `site` says of a broken `.pth` file before it runs the program all the same."""

FINE = [
    pytest.param("cat pilot.log", TRACE, 0, id="log-with-a-trace"),
    pytest.param("cat pilot.log", TRACE, None, id="log-with-a-trace-unrecorded"),
    pytest.param("tail -n 50 pilot.log | grep -v DEBUG", TRACE, 0, id="log-through-grep"),
    pytest.param(
        "cat notes.txt",
        "Request timed out after 30 seconds on Monday\nCommand timed out after 30 s\nall good since\n",
        None,
        id="notes-about-timeouts",
    ),
    pytest.param(
        "grep sextant pilot.log", "bash: line 3: sextant: command not found\n", 0, id="search-for-a-missing-command"
    ),
    pytest.param(
        "grep sextant pilot.log",
        "bash: line 3: sextant: command not found\n",
        None,
        id="search-for-a-missing-command-unrecorded",
    ),
    pytest.param(
        "rg -n 'No such file' src",
        "src/a.py:3:    # cat: x: No such file or directory\n",
        0,
        id="search-for-no-such-file",
    ),
    pytest.param(
        "sed -n 1,40p errors.py",
        "class TideError(Exception):\n    '''FAILED'''\n\nraise ValueError('x')\n",
        None,
        id="sed-shows-source",
    ),
    pytest.param(
        "git diff", "diff --git a/x.py b/x.py\n-raise ValueError('low')\n+raise TypeError('high')\n", 0, id="git-diff"
    ),
    pytest.param("git show HEAD", "commit 1\n\n    fatal: never again\n\n" + TRACE, 0, id="git-show"),
    pytest.param("ls logs", "error.log\nfailed.txt\nTraceback.md\n", None, id="listing-of-files-named-error"),
    pytest.param("find . -name '*error*'", "./error.log\n./src/errors.py\n", None, id="found-files-named-error"),
    pytest.param("grep -q x a || echo none", "none\n", 0, id="search-with-a-fallback"),
    pytest.param("test -f chart.png && echo yes", "", 1, id="test-answers-no"),
    pytest.param("[ -d charts ]", "", 1, id="bracket-answers-no"),
    pytest.param("diff a.txt b.txt", "1c1\n< Error: low\n---\n> Error: high\n", 1, id="diff-finds-differences"),
    pytest.param("git -C /srv/tides --no-pager config user.name", "", 1, id="git-config-that-is-not-set"),
    pytest.param("ls charts/*.png 2>/dev/null", "", 2, id="listing-that-asks-whether-files-exist"),
    pytest.param(
        "gh pr checks 12", "build\tpending\t0\thttps://example.org/1\n", 8, id="checks-that-are-still-running"
    ),
    pytest.param("git diff --exit-code", "diff --git a/x b/x\n-FAILED\n+ok\n", 1, id="git-diff-exit-code"),
    pytest.param(
        "python pilot.py", "try 1\n" + TRACE + "try 2\nconnected\nread 3 stations\nbye\n", 0, id="trace-in-the-middle"
    ),
    pytest.param("python check.py", "12 checked, 0 failures\n", 0, id="0-failures"),
    pytest.param("python check.py", "no errors found\n", 0, id="no-errors-found"),
    pytest.param("python check.py", "Failed: 0\nPassed: 12\n", 0, id="failed-0"),
    pytest.param("python check.py", "FAILED: 0, PASSED: 12\n", 0, id="failed-0-passed-12"),
    pytest.param("python check.py", "error_count: 0\n", 0, id="error-count-0"),
    pytest.param("python check.py", "Errors: none\n", 0, id="errors-none"),
    pytest.param("python check.py", "Error: None\n", 0, id="error-none"),
    pytest.param("python check.py", "error rate: 0.5%\nFailure modes: 3 described\n", 0, id="error-rate"),
    pytest.param("python check.py", "Error handling works\n", 0, id="error-handling"),
    pytest.param("python check.py", "✗ FAIL: first try\n✓ All tests passed\n", 0, id="all-is-well-in-the-end"),
    pytest.param(
        "python pilot.py",
        "An error occurred: no answer\ntry 2\nread 3 stations\n",
        0,
        id="error-that-the-script-deals-with",
    ),
    pytest.param("python pilot.py", "Errors that occurred: none\n", 0, id="errors-that-occurred-none"),
    pytest.param("python pilot.py", "the expected error occurred: too few berths\n", 0, id="error-that-was-expected"),
    pytest.param("cat pilot.log", "An error occurred: no such table: berths\n", 0, id="log-that-is-shown"),
    pytest.param(
        "grep -rn 'no such table' src", "src/db.py:4: no such table: berths\n", None, id="search-for-no-such-table"
    ),
    pytest.param(
        "sqlite3 tides.db .schema", "CREATE TABLE berths (id integer, note text);\n", None, id="sqlite-schema"
    ),
    pytest.param("python pilot.py", "ERROR:root:first try failed\nread 3 stations\n", 0, id="logging-with-a-name"),
    pytest.param("python -c 'print(1)'", "FAILSAFE mode\n", 0, id="word-that-starts-like-fail"),
    pytest.param(
        "make check", "3 failed attempts are stored\nPassed: 89, Failed: 0\n", 0, id="own-summary-without-failures"
    ),
    pytest.param("npm test", "handles 2 failed logins\nall good\n", 0, id="test-titles-with-failed"),
    pytest.param(
        "python -m pytest -q",
        "Failed to connect to lighthouse, retrying\nERROR lighthouse: gone\n..\n2 passed in 0.01s\n",
        None,
        id="passing-run-that-prints-errors",
    ),
    pytest.param(
        "python -m pytest -q -s",
        "FAILED tests/test_old.py::test_a - assert 1 == 2\n.\n1 passed in 0.01s\n",
        None,
        id="passing-run-that-prints-a-failing-one",
    ),
    pytest.param(
        "python -m pytest -q",
        "=== 3 failed, 2 passed in 0.1s ===\n...\n=== 5 passed in 0.1s ===\n",
        None,
        id="last-summary-counts",
    ),
    pytest.param(
        "pip install tides",
        "Collecting tides\nWARNING: error while reading cache\nSuccessfully installed tides-1.0\n",
        0,
        id="pip-warning",
    ),
    pytest.param(
        "curl -s https://example.org/tides", '{"status": "error", "low": 3}\n', 0, id="curl-answer-about-an-error"
    ),
    pytest.param("echo 'Error: none' > notes.txt", "", 0, id="echo-into-a-file"),
    pytest.param("cat > errors.py <<'EOF'\nraise ValueError('Traceback')\nEOF", "", 0, id="here-document"),
    pytest.param(
        "python - <<'EOF'\ntry:\n    int('x')\nexcept ValueError as e:\n    print('Caught:', e)\nEOF",
        "Caught: invalid literal for int()\n",
        0,
        id="caught-in-a-here-document",
    ),
    pytest.param("python pilot.py", NOTICE + "12 tides\n", 0, id="notice-about-a-pth-file"),
    pytest.param("python pilot.py 2>&1 | tail -40", NOTICE, 0, id="nothing-but-a-notice-about-a-pth-file"),
    pytest.param(
        "python pilot.py",
        NOTICE + NOTICE.replace("tides", "quays") + "12 tides\n",
        None,
        id="two-notices-about-pth-files",
    ),
    pytest.param(
        "python -m pytest -q || python -m unittest",
        "python: No module named pytest\n..\nRan 2 tests in 0.1s\n\nOK\n",
        0,
        id="another-runner-where-pytest-is-missing",
    ),
    pytest.param("cat notes.txt", "/usr/bin/python3: No module named pytest\n", 0, id="note-about-a-missing-module"),
]


@pytest.mark.parametrize(("command", "text", "exit_code"), FINE)
def test_it_did_not_fail(command: str, text: str, exit_code: int | None) -> None:
    verdict = shell(command, text, exit_code)
    assert verdict.failure is None
    assert verdict.status is Status.OK
