"""Shell commands whose output only looks like a failure, or only looks fine."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, shell

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


def test_a_search_at_the_end_of_a_chain_answers_for_itself_only() -> None:
    chain = "gh auth status && git config --get user.email"
    assert shell(chain, "gh: HTTP 401: Bad credentials", 1).status is Status.ERROR
    assert shell(chain, "logged in as skipper", 1).status is Status.OK


def test_a_label_before_every_line_is_not_a_part_of_the_output() -> None:
    report = "  1) Failure:\nQuayTest#test_depth [test/quay_test.rb:8]:\nExpected: 3\n  Actual: 2\n\n"
    report += "3 runs, 3 assertions, 1 failures, 0 errors, 0 skips\n"
    labelled = "".join(f"[quay] {line}\n" for line in report.splitlines())
    found = failure_of(shell("./run", labelled))
    assert (found.type, found.message) == ("Minitest::Assertion", "Expected: 3 Actual: 2")
