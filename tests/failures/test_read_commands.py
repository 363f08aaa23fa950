"""Shell commands whose output only looks like a failure, or only looks fine."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, outputs, shell

TRACE = """Traceback (most recent call last):
  File "/srv/tides/pilot.py", line 4, in call
    raise ConnectionError("no answer")
ConnectionError: no answer
"""
DENIED = """Traceback (most recent call last):
  File "/srv/tides/log.py", line 3, in <module>
    open("/var/log/tides.log", "w")
PermissionError: [Errno 13] Permission denied: '/var/log/tides.log'
"""
NOTICE = """Error processing line 1 of /opt/venv/lib/python3.11/site-packages/tides-nspkg.pth:

  Traceback (most recent call last):
    File "<frozen site>", line 206, in addpackage
    File "<string>", line 1, in <module>
  ModuleNotFoundError: No module named 'tides_hook'

Remainder of file ignored
"""
"""What Python's `site` says of a broken `.pth` file before it runs the program all the same."""
NPM_DENIED = """npm ERR! code EACCES
npm ERR! syscall mkdir
npm ERR! path /usr/local/lib/node_modules/sextant
npm ERR! errno -13
npm ERR! Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules/sextant'
"""

FAILING = [
    pytest.param(
        "python -m pytest -q; sextant",
        "2 passed in 0.01s\nbash: line 1: sextant: command not found\n",
        127,
        K.COMMAND_NOT_FOUND,
        id="command-after-a-passing-run",
    ),
    pytest.param(
        "make test",
        "sh: 1: vitest: not found\nmake: *** [Makefile:3: test] Error 127\n",
        2,
        K.COMMAND_NOT_FOUND,
        id="command-inside-a-makefile",
    ),
    pytest.param(
        "./run.sh",
        "./run.sh: line 3: sextant: command not found\n",
        127,
        K.COMMAND_NOT_FOUND,
        id="command-inside-a-script",
    ),
    pytest.param(
        "python pilot.py; grep -c water out.txt",
        TRACE + "0\n",
        1,
        K.EXCEPTION,
        id="crash-before-a-search-without-matches",
    ),
    pytest.param("python pilot.py | tee out.txt", TRACE, 0, K.EXCEPTION, id="crash-behind-a-pipe"),
    pytest.param("python pilot.py; echo done", TRACE + "done\n", 0, K.EXCEPTION, id="crash-before-echo"),
    pytest.param(
        "cd /srv/tides && python pilot.py",
        "start\n" + TRACE,
        0,
        K.EXCEPTION,
        id="trace-at-the-end-of-a-run-that-exits-0",
    ),
    pytest.param(
        "timeout 30 python pilot.py",
        "start\nCommand timed out after 30 seconds",
        None,
        K.TIMEOUT,
        id="timeout-on-the-last-line",
    ),
    pytest.param(
        "python pilot.py", "EXECUTION TIMED OUT BECAUSE OF NO OUTPUT", None, K.TIMEOUT, id="timeout-at-the-start"
    ),
    pytest.param(
        "cd nowhere; ls", "bash: cd: nowhere: No such file or directory\ncharts\n", 0, K.NOT_FOUND, id="cd-that-exits-0"
    ),
    pytest.param(
        "cat nowhere.txt | head -3",
        "cat: nowhere.txt: No such file or directory\n",
        0,
        K.NOT_FOUND,
        id="cat-behind-a-pipe",
    ),
    pytest.param("python check.py", "checking 3 berths\n✗ FAIL: berth north\n", 0, K.TEST, id="script-prints-a-cross"),
    pytest.param("node check.js", "Test FAILED: no berth\n", 0, K.TEST, id="node-script-prints-failed"),
    pytest.param("python check.py", "Failed: 2\nPassed: 3\n", 0, K.TEST, id="script-counts-failures"),
    pytest.param("make check", "running\nPassed: 89, Failed: 1\n", 0, K.TEST, id="own-summary"),
    pytest.param(
        "python tides.py",
        "opening\nAn error occurred: no such table: berths\n",
        0,
        K.EXCEPTION,
        id="script-prints-the-error-it-caught",
    ),
    pytest.param(
        "python tides.py",
        "An unexpected error occurred while saving: FOREIGN KEY constraint failed\n",
        0,
        K.EXCEPTION,
        id="script-prints-a-failed-constraint",
    ),
    pytest.param(
        "sqlite3 tides.db 'select * from berths' | head -3",
        "Error: in prepare, no such table: berths\n",
        None,
        K.OTHER,
        id="sqlite-without-the-table",
    ),
    pytest.param(
        "sqlite3 tides.db < fill.sql",
        "Runtime error near line 3: FOREIGN KEY constraint failed (19)\n",
        None,
        K.OTHER,
        id="sqlite-failed-constraint",
    ),
    pytest.param(
        "psql -f fill.sql",
        'psql:fill.sql:4: ERROR:  relation "berths" does not exist\n',
        None,
        K.OTHER,
        id="psql-without-the-table",
    ),
    pytest.param(
        "mysql tides < fill.sql",
        "ERROR 1146 (42S02) at line 2: Table 'tides.berths' doesn't exist\n",
        None,
        K.OTHER,
        id="mysql-without-the-table",
    ),
    pytest.param(
        "git push",
        (
            "remote: Permission to quay/tides.git denied to ann.\nfatal: unable to access "
            "'https://example.org/quay/': The requested URL returned error: 403\n"
        ),
        128,
        K.OTHER,
        id="git-forbidden",
    ),
    pytest.param(
        "npm install",
        "npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://example.org/sextant - Not found\n",
        1,
        K.MISSING_DEPENDENCY,
        id="npm-404",
    ),
    pytest.param(
        "mkdir /srv/x",
        "mkdir: cannot create directory '/srv/x': Permission denied\n",
        1,
        K.PERMISSION,
        id="mkdir-permission",
    ),
    pytest.param(
        "npm test && npm run lint",
        (
            "TAP version 13\nok 1 - moors\n1..1\n# pass 1\n# fail 0\n\n/home/dev/q/a.js\n  1:7  error  'x' is never "
            "used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
        ),
        1,
        K.LINT,
        id="lint-after-passing-tests",
    ),
    pytest.param(
        "gh api repos/quay/tides",
        "gh: Bad credentials (HTTP 401)\nTry authenticating with: gh auth login\n",
        1,
        K.PERMISSION,
        id="http-401",
    ),
    pytest.param(
        "rg tide nowhere",
        "rg: nowhere: IO error for operation on nowhere: No such file or directory (os error 2)\n",
        2,
        K.NOT_FOUND,
        id="os-error-2",
    ),
    pytest.param(
        "curl https://example.org/api",
        '{"message":"API rate limit exceeded for 10.0.0.1."}',
        None,
        K.NETWORK,
        id="rate-limit",
    ),
    pytest.param(
        "tides status",
        "error: unknown subcommand: `status`\nusage: tides <command>\n",
        2,
        K.USAGE,
        id="unknown-subcommand",
    ),
    pytest.param(
        "pip install tides",
        "error: externally-managed-environment\n\n× This environment is externally managed\n",
        1,
        K.PERMISSION,
        id="externally-managed",
    ),
    pytest.param(
        "npm i sextant",
        "npm error code E404\nnpm error 404 Not Found - GET https://example.org/sextant\n",
        1,
        K.MISSING_DEPENDENCY,
        id="npm-error-404",
    ),
    pytest.param(
        "node pilot.js",
        (
            "pilot server error: Error: listen EADDRINUSE: address already in use :::8765\n    at Server.setup "
            "(node:net:1463:16)\n    at listen (node:net:1511:12)\n"
        ),
        None,
        K.EXCEPTION,
        id="error-behind-a-logger-s-words",
    ),
    pytest.param("bun run lint", 'error: Script not found "lint"\n', 1, K.USAGE, id="script-that-package-json-lacks"),
    pytest.param("find . -name *.py", "find: paths must precede expression: `b.py'\n", 1, K.USAGE, id="find-usage"),
    pytest.param(
        "python3 -m pytest -q",
        "/usr/bin/python3: No module named pytest\n",
        1,
        K.MISSING_DEPENDENCY,
        id="pytest-is-not-installed",
    ),
    pytest.param(
        "cd pier && python -m pytest 2>&1 | tail -5",
        "python: No module named pytest\n",
        0,
        K.MISSING_DEPENDENCY,
        id="pytest-is-not-installed-behind-a-pipe",
    ),
    pytest.param(
        "make test",
        "python -m pytest\n/opt/venv/bin/python3.11: No module named pytest\nmake: *** [Makefile:3: test] Error 1\n",
        2,
        K.MISSING_DEPENDENCY,
        id="pytest-is-not-installed-for-make",
    ),
    pytest.param(
        "python -m unittest tides.test",
        (
            "/usr/bin/python3: Error while finding module specification for 'tides.test' (ModuleNotFoundError: No "
            "module named 'tides')\n"
        ),
        1,
        K.MISSING_DEPENDENCY,
        id="package-of-a-module-that-is-run",
    ),
    pytest.param(
        "python chart.py",
        (
            'Traceback (most recent call last):\n  File "/srv/tides/chart.py", line 1, in <module>\n    import '
            "cv2\nImportError: libGL.so.1: cannot open shared object file: No such file or directory\n"
        ),
        1,
        K.MISSING_DEPENDENCY,
        id="library-that-an-import-needs",
    ),
    pytest.param(
        "python chart.py",
        (
            'Traceback (most recent call last):\n  File "/srv/tides/chart.py", line 1, in <module>\n    '
            'CDLL("libcairo.so.2")\nOSError: libcairo.so.2: cannot open shared object file: No such file or '
            "directory\n"
        ),
        1,
        K.MISSING_DEPENDENCY,
        id="library-that-is-loaded",
    ),
    pytest.param(
        "python chart.py 2>&1 | tail -1",
        "ImportError: libGL.so.1: cannot open shared object file: No such file or directory\n",
        0,
        K.MISSING_DEPENDENCY,
        id="library-in-the-last-line",
    ),
    pytest.param(
        "bin/tides",
        (
            "bin/tides: error while loading shared libraries: libGL.so.1: cannot open shared object file: No such "
            "file or directory\n"
        ),
        127,
        K.MISSING_DEPENDENCY,
        id="library-that-a-program-needs",
    ),
    pytest.param("npm install -g sextant", NPM_DENIED, 243, K.PERMISSION, id="npm-permission"),
    pytest.param("npm i -g sextant", NPM_DENIED.replace("ERR!", "error"), 243, K.PERMISSION, id="npm-error-permission"),
    pytest.param(
        "npm i -g sextant 2>&1 | head -2",
        "npm ERR! code EACCES\nnpm ERR! syscall mkdir\n",
        0,
        K.PERMISSION,
        id="npm-permission-cut",
    ),
    pytest.param("python log.py", DENIED, 1, K.PERMISSION, id="python-permission"),
    pytest.param(
        "node log.js",
        (
            "node:fs:601\n  handleErrorFromBinding(ctx);\n  ^\n\nError: EACCES: permission denied, open "
            "'/var/log/tides.log'\n    at Object.openSync (node:fs:601:3)\n    at log (/srv/tides/log.js:3:4)\n"
        ),
        1,
        K.PERMISSION,
        id="node-permission",
    ),
    pytest.param(
        "python pilot.py",
        TRACE.replace("ConnectionError: no answer", "PermissionError: only the pilot may"),
        1,
        K.EXCEPTION,
        id="permission-that-the-program-itself-refuses",
    ),
    pytest.param("python log.py", NOTICE + DENIED, 1, K.PERMISSION, id="after-a-notice-about-a-pth-file"),
    pytest.param(
        "python pilot.py", NOTICE + "the quay is closed\n", 1, K.OTHER, id="exit-code-after-a-notice-about-a-pth-file"
    ),
    pytest.param(
        "python pilot.py",
        NOTICE.replace("\nRemainder of file ignored\n", ""),
        None,
        K.MISSING_DEPENDENCY,
        id="trace-that-is-no-notice",
    ),
    pytest.param("bin/tides", "Segmentation fault (core dumped)\n", 139, K.CRASH, id="segfault-with-text"),
]


@pytest.mark.parametrize(("command", "text", "exit_code", "kind"), FAILING)
def test_it_failed(command: str, text: str, exit_code: int | None, kind: K) -> None:
    assert failure_of(shell(command, text, exit_code)).kind is kind


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


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        pytest.param(
            "python -m pytest", "/usr/bin/python3: No module named pytest\n", "No module named pytest", id="module"
        ),
        pytest.param(
            "npm i -g sextant",
            NPM_DENIED,
            "Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules/sextant'",
            id="npm",
        ),
        pytest.param("python pilot.py", NOTICE + "the quay is closed\n", "the quay is closed", id="notice"),
    ],
)
def test_the_telling_part_is_the_message(command: str, text: str, message: str) -> None:
    assert failure_of(shell(command, text, 1)).message == message


def test_a_timeout_tells_which_command_it_was() -> None:
    one = failure_of(shell("python pilot.py", "Command timed out after 30 seconds"))
    other = failure_of(shell("make all", "Command timed out after 30 seconds"))
    assert one.subject != other.subject


def test_an_exit_code_in_front_of_the_output_is_no_message() -> None:
    assert failure_of(shell("./deploy.sh", "Exit code 3\nthe quay is closed", 3)).message == "the quay is closed"


@pytest.mark.parametrize("name", ["pytest/long", "cargo/failing", "jest/failing", "unittest/failing"])
def test_a_long_result_is_read_at_both_ends(name: str) -> None:
    output = outputs()[name]
    text = "waiting for the tide\n" * 40_000 + output.text
    assert (
        failure_of(shell(output.command, text, output.exit_code)).runner
        == failure_of(shell(output.command, output.text)).runner
    )


def test_failing_tests_and_counts_are_kept() -> None:
    failure = failure_of(shell("python -m pytest", outputs()["pytest/ids"].text))
    assert failure.counts == {"failed": 4, "passed": 1}
    assert failure.failing_tests[1] == "tests/test_ids.py::test_berth[a[0] - b[1]]"
    assert (failure.runner, failure.language) == ("pytest", "python")


SHARPEST = [
    pytest.param(
        "rg -U 'a\\nb' src",
        (
            'rg: the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode\nWhen multiline '
            "mode is enabled, new line characters can be matched.\n"
        ),
        2,
        'rg: the literal "\\n" is not allowed in a regex',
        id="what-the-program-says",
    ),
    pytest.param(
        "echo '--- error log'; false",
        "--- error log\nthe tide is out\n",
        1,
        "the tide is out",
        id="not-what-the-command-prints",
    ),
    pytest.param(
        "tides sync",
        '{"message": "Not found"}\ntides: pier 7 is closed (HTTP 404)\n',
        1,
        "tides: pier 7 is closed (HTTP 404)",
        id="not-the-body",
    ),
    pytest.param(
        "tides sync",
        "Warning: could not parse line 3\nthe pier could not be reached\nTry tides --help for an error list\n",
        1,
        "the pier could not be reached",
        id="neither-warnings-nor-hints",
    ),
    pytest.param("tides sync", "the pier sank\n 145 │ throw new Error(low)\n", 1, "the pier sank", id="no-source-line"),
]


@pytest.mark.parametrize(("command", "text", "exit_code", "message"), SHARPEST)
def test_the_line_that_says_most(command: str, text: str, exit_code: int, message: str) -> None:
    assert failure_of(shell(command, text, exit_code)).message == message


def test_pydantic_names_the_field() -> None:
    text = (
        'Traceback (most recent call last):\n  File "pay.py", line 3, in <module>\n    '
        "Payment()\npydantic_core._pydantic_core.ValidationError: 1 validation error for Payment\npayment_id\n  "
        "Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit "
        "https://example.org/v/missing\n"
    )
    assert "payment_id: Field required" in failure_of(shell("python pay.py", text, 1)).message
