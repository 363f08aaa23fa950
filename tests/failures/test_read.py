"""Whether a step failed, and how: commands whose output and exit code were recorded from the tools themselves."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status, StatusSource
from tests.failures.recorded import OUTPUTS, failure_of, outputs, shell

FAILING = [
    pytest.param("pytest/long", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest"),
    pytest.param("pytest/short", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest-short"),
    pytest.param("pytest/line", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest-line"),
    pytest.param("pytest/native", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest-native"),
    pytest.param(
        "pytest/no_traceback", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest-no-traceback"
    ),
    pytest.param("pytest/old_long", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest-6"),
    pytest.param("pytest/colour", K.EXCEPTION, "ValueError", "need at least 4 stations, got 3", id="pytest-in-colour"),
    pytest.param("pytest/piped", K.TEST, "Failed", "DID NOT RAISE BerthTaken", id="pytest-behind-tail-exits-0"),
    pytest.param("pytest/ids", K.TEST, "AssertionError", "assert False", id="pytest-assertion"),
    pytest.param(
        "pytest/fixtures", K.EXCEPTION, "ConnectionError", "no answer on channel 16", id="pytest-fixture-raises"
    ),
    pytest.param(
        "pytest/fixture_name", K.EXCEPTION, "FixtureLookupError", "fixture 'ancor' not found", id="pytest-no-fixture"
    ),
    pytest.param(
        "pytest/collection",
        K.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        "No module named 'tides.moon'",
        id="pytest-collection",
    ),
    pytest.param(
        "pytest/conftest",
        K.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        "No module named 'barometer'",
        id="pytest-conftest",
    ),
    pytest.param("pytest/doctest", K.TEST, "DocTestFailure", "", id="pytest-doctest"),
    pytest.param("pytest/internal_error", K.EXCEPTION, "RuntimeError", "the hook broke", id="pytest-internal-error"),
    pytest.param("pytest/no_such_file", K.USAGE, "UsageError", "file or directory not found", id="pytest-no-such-file"),
    pytest.param("pytest/no_such_test", K.USAGE, "UsageError", "not found: ", id="pytest-no-such-test"),
    pytest.param(
        "pytest/usage", K.USAGE, "UsageError", "unrecognized arguments: --no-such-flag", id="pytest-unknown-flag"
    ),
    pytest.param("pytest/pass_then_fail", K.TEST, "AssertionError", "assert False", id="pytest-second-run-fails"),
    pytest.param("unittest/failing", K.EXCEPTION, "ValueError", "need at least 4 stations, got 2", id="unittest"),
    pytest.param(
        "unittest/no_module",
        K.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        "plain_tests.test_none",
        id="unittest-no-module",
    ),
    pytest.param(
        "django/failing",
        K.EXCEPTION,
        "django.core.exceptions.FieldError",
        "Cannot resolve keyword 'captain'",
        id="django",
    ),
    pytest.param("django/usage", K.USAGE, "UsageError", "Unknown command: 'nothing'", id="django-unknown-command"),
    pytest.param("jest/failing", K.TEST, "AssertionError", "expect(received).toEqual(expected)", id="jest"),
    pytest.param("jest/colour", K.TEST, "AssertionError", "expect(received).toEqual(expected)", id="jest-in-colour"),
    pytest.param(
        "jest/broken", K.MISSING_DEPENDENCY, "Error", "Cannot find module './quay'", id="jest-suite-does-not-load"
    ),
    pytest.param("mocha/failing", K.TEST, "AssertionError", "1 == 2", id="mocha"),
    pytest.param("node/test_failing", K.TEST, "AssertionError", "Expected values to be strictly equal", id="node-test"),
    pytest.param("go/assertion", K.TEST, "TestFailure", "fathoms(8) = 4, want 5", id="go-test"),
    pytest.param("go/failing", K.TEST, "TestFailure", "fathoms(8) = 4, want 5", id="go-test-panics"),
    pytest.param("go/build_failed", K.COMPILE, "CompileError", "undefined: Fathom", id="go-test-does-not-build"),
    pytest.param("go/vet", K.COMPILE, "CompileError", "declared and not used: depth", id="go-build"),
    pytest.param("go/panic", K.EXCEPTION, "panic", "index out of range [3] with length 0", id="go-panic"),
    pytest.param("cargo/failing", K.EXCEPTION, "panic", "no negative depth: -1", id="cargo-test"),
    pytest.param(
        "cargo/failing_piped", K.EXCEPTION, "panic", "no negative depth: -1", id="cargo-test-behind-tail-exits-0"
    ),
    pytest.param("cargo/build", K.COMPILE, "CompileError", "cannot divide `i64` by `&str`", id="cargo-build"),
    pytest.param("rustc/bad", K.COMPILE, "CompileError", "mismatched types", id="rustc"),
    pytest.param("rustc/panic", K.EXCEPTION, "panic", "the len is 0 but the index is 3", id="rust-panic"),
    pytest.param(
        "maven/failing", K.EXCEPTION, "java.lang.IllegalArgumentException", "no crew for size 0", id="maven-test"
    ),
    pytest.param("maven/compile", K.COMPILE, "CompileError", "String cannot be converted to int", id="maven-compile"),
    pytest.param(
        "javac/bad", K.COMPILE, "CompileError", "incompatible types: String cannot be converted to int", id="javac"
    ),
    pytest.param(
        "javac/run",
        K.EXCEPTION,
        "java.lang.IndexOutOfBoundsException",
        "Index 7 out of bounds for length 0",
        id="java-exception",
    ),
    pytest.param("gcc/bad", K.COMPILE, "CompileError", "expected ‘;’ before ‘return’", id="gcc"),
    pytest.param("gcc/header", K.COMPILE, "CompileError", "nowhere.h: No such file or directory", id="gcc-header"),
    pytest.param("gcc/link", K.COMPILE, "CompileError", "undefined reference to `depth'", id="gcc-link"),
    pytest.param("gcc/cpp", K.COMPILE, "CompileError", "has no member named ‘push’", id="g++"),
    pytest.param("gcc/make", K.COMPILE, "CompileError", "expected ‘;’ before ‘return’", id="make"),
    pytest.param("gcc/assert", K.TEST, "Assertion", "Assertion `depth > 4' failed", id="c-assertion"),
    pytest.param("gcc/make_no_rule", K.COMPILE, "BuildError", "No rule to make target 'sails'", id="make-no-rule"),
    pytest.param("tsc/failing", K.COMPILE, "CompileError", "TS2322", id="tsc"),
    pytest.param("tsc/pretty", K.COMPILE, "CompileError", "TS2322", id="tsc-in-colour"),
    pytest.param("python/plain", K.EXCEPTION, "ValueError", "need at least 4 stations, got 2", id="python"),
    pytest.param("python/chained", K.EXCEPTION, "KeyError", "'pilot'", id="python-chain"),
    pytest.param(
        "python/group", K.EXCEPTION, "ExceptionGroup", "two leaks (2 sub-exceptions)", id="python-exception-group"
    ),
    pytest.param(
        "python/missing",
        K.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        "No module named 'sextant'",
        id="python-no-module",
    ),
    pytest.param(
        "python/no_name", K.MISSING_DEPENDENCY, "ImportError", "cannot import name 'spline'", id="python-no-name"
    ),
    pytest.param("python/py_compile", K.COMPILE, "SyntaxError", "invalid syntax", id="py_compile"),
    pytest.param(
        "python/bad_indent", K.COMPILE, "IndentationError", "expected an indented block", id="python-indentation"
    ),
    pytest.param(
        "python/imports_broken", K.COMPILE, "SyntaxError", "invalid syntax", id="python-imports-a-broken-file"
    ),
    pytest.param(
        "python/arguments", K.USAGE, "UsageError", "the following arguments are required: --depth", id="argparse"
    ),
    pytest.param("python/no_file", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.py", id="python-no-file"),
    pytest.param("python/from_stdin", K.EXCEPTION, "ZeroDivisionError", "division by zero", id="python-from-stdin"),
    pytest.param("python/thread", K.EXCEPTION, "RuntimeError", "oar lost", id="python-thread-exits-0"),
    pytest.param(
        "python/reports", K.TEST, "CheckFailed", "FAILURE: berth north is taken twice", id="script-says-failure-exits-0"
    ),
    pytest.param("node/plain", K.EXCEPTION, "RangeError", "no berth 7", id="node"),
    pytest.param("node/promise", K.EXCEPTION, "Error", "oar lost", id="node-promise"),
    pytest.param("node/bad", K.COMPILE, "SyntaxError", "Unexpected number", id="node-syntax"),
    pytest.param("node/missing", K.MISSING_DEPENDENCY, "Error", "Cannot find module 'sextant'", id="node-require"),
    pytest.param("node/missing_module", K.MISSING_DEPENDENCY, "Error", "Cannot find module", id="node-import"),
    pytest.param("npm/no_script", K.OTHER, "npmError", 'Missing script: "tide"', id="npm-no-script"),
    pytest.param("npm/no_package", K.OTHER, "npmError", "Could not read package.json", id="npm-no-package"),
    pytest.param("npm/test_fails", K.OTHER, "npmError", "no test specified", id="npm-no-test"),
    pytest.param("git/not_a_repository", K.OTHER, "GitError", "fatal: not a git repository", id="git-fatal"),
    pytest.param("git/bad_revision", K.OTHER, "GitError", "ambiguous argument", id="git-bad-revision"),
    pytest.param("git/push_rejected", K.OTHER, "GitPushRejected", "[rejected]", id="git-push-rejected"),
    pytest.param("git/merge_conflict", K.OTHER, "GitError", "CONFLICT (content)", id="git-conflict"),
    pytest.param("git/pathspec", K.OTHER, "GitError", "pathspec 'nowhere'", id="git-pathspec"),
    pytest.param("git/apply_fails", K.OTHER, "GitError", "patch failed: log.txt:1", id="git-apply"),
    pytest.param(
        "bash/command_not_found", K.COMMAND_NOT_FOUND, "CommandNotFound", "sextant: command not found", id="no-command"
    ),
    pytest.param(
        "bash/command_not_found_piped", K.COMMAND_NOT_FOUND, "CommandNotFound", "sextant", id="no-command-piped-exits-0"
    ),
    pytest.param(
        "bash/sh_not_found", K.COMMAND_NOT_FOUND, "CommandNotFound", "sextant: not found", id="no-command-in-sh"
    ),
    pytest.param("bash/env_nowhere", K.COMMAND_NOT_FOUND, "CommandNotFound", "sextant", id="no-command-for-env"),
    pytest.param("bash/cd_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "/nowhere/at/all", id="cd"),
    pytest.param("bash/cat_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.log", id="cat"),
    pytest.param("bash/ls_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere/", id="ls"),
    pytest.param("bash/sed_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.py", id="sed"),
    pytest.param("bash/head_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.py", id="head"),
    pytest.param("bash/grep_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.py", id="grep-exits-2"),
    pytest.param("bash/find_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere", id="find"),
    pytest.param("bash/diff_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere", id="diff-exits-2"),
    pytest.param("bash/rm_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.py", id="rm"),
    pytest.param("bash/cp_nowhere", K.NOT_FOUND, "NoSuchFileOrDirectory", "nowhere.py", id="cp"),
    pytest.param("bash/grep_bad_pattern", K.USAGE, "UsageError", "Invalid regular expression", id="grep-bad-pattern"),
    pytest.param("bash/unknown_option", K.USAGE, "UsageError", "--colour-of-sea", id="unknown-option"),
    pytest.param("bash/syntax", K.USAGE, "ShellSyntaxError", "syntax error near unexpected token", id="shell-syntax"),
    pytest.param("bash/unterminated", K.USAGE, "ShellSyntaxError", "unexpected EOF", id="shell-quote"),
    pytest.param("bash/unbound", K.USAGE, "UnboundVariable", "DEPTH: unbound variable", id="shell-unbound"),
    pytest.param("bash/permission_denied", K.PERMISSION, "PermissionDenied", "./noexec.sh", id="permission"),
    pytest.param("bash/curl_refused", K.NETWORK, "NetworkError", "Failed to connect to 127.0.0.1", id="curl"),
    pytest.param(
        "bash/curl_no_host",
        K.NETWORK,
        "NameResolution",
        "Could not resolve host: lighthouse.invalid",
        id="curl-no-host",
    ),
    pytest.param("bash/crash_in_script", K.CRASH, "Crash", "Segmentation fault", id="segfault-inside-exits-0"),
    pytest.param("jest/nested", K.TEST, "AssertionError", "expect(received).toEqual(expected)", id="jest-nested"),
    pytest.param("jest/suites", K.TEST, "AssertionError", "expect(received).toEqual(expected)", id="jest-three-files"),
    pytest.param(
        "vitest/failing", K.TEST, "AssertionError", "expected { berth: 2 } to deeply equal { berth: 3 }", id="vitest"
    ),
    pytest.param("vitest/colour", K.EXCEPTION, "RangeError", "no berth 7", id="vitest-in-colour"),
    pytest.param("vitest/broken", K.MISSING_DEPENDENCY, "Error", "Cannot find module './pier'", id="vitest-no-module"),
    pytest.param("vitest/stray", K.EXCEPTION, "Error", "anchor lost", id="vitest-unhandled-rejection"),
    pytest.param("mocha/nested", K.EXCEPTION, "RangeError", "no berth 7", id="mocha-nested"),
    pytest.param("mocha/dot", K.EXCEPTION, "RangeError", "no berth 7", id="mocha-dots"),
    pytest.param("mocha/colour", K.EXCEPTION, "RangeError", "no berth 7", id="mocha-in-colour"),
    pytest.param("mocha/broken", K.MISSING_DEPENDENCY, "Error", "Cannot find module './nowhere'", id="mocha-no-module"),
    pytest.param(
        "node/test_nested", K.TEST, "AssertionError", "Expected values to be strictly deep-equal", id="node-test-nested"
    ),
    pytest.param(
        "node/test_spec", K.TEST, "AssertionError", "Expected values to be strictly deep-equal", id="node-test-spec"
    ),
    pytest.param("ruby/plain", K.EXCEPTION, "RangeError", "no berth 7", id="ruby"),
    pytest.param("ruby/nil", K.EXCEPTION, "NoMethodError", "undefined method `draught'", id="ruby-nil"),
    pytest.param("ruby/caused", K.EXCEPTION, "RangeError", "no berth 7", id="ruby-cause"),
    pytest.param(
        "ruby/missing", K.MISSING_DEPENDENCY, "LoadError", "cannot load such file -- sextant", id="ruby-no-library"
    ),
    pytest.param("ruby/bad", K.COMPILE, "SyntaxError", "unexpected integer literal", id="ruby-syntax"),
    pytest.param("rspec/failing", K.EXCEPTION, "RangeError", "no berth 7", id="rspec"),
    pytest.param(
        "rspec/broken", K.MISSING_DEPENDENCY, "LoadError", "cannot load such file -- sextant", id="rspec-does-not-load"
    ),
    pytest.param("minitest/failing", K.EXCEPTION, "RangeError", "no berth 7", id="minitest"),
    pytest.param("minitest/verbose", K.EXCEPTION, "RangeError", "no berth 7", id="minitest-verbose"),
    pytest.param("php/plain", K.EXCEPTION, "RangeException", "no berth 7", id="php"),
    pytest.param("php/logged", K.EXCEPTION, "RangeException", "no berth 7", id="php-logged"),
    pytest.param("php/caused", K.EXCEPTION, "LogicException", "cannot sail", id="php-chain"),
    pytest.param("php/bad", K.COMPILE, "SyntaxError", 'unexpected token "{"', id="php-syntax"),
    pytest.param(
        "php/missing", K.MISSING_DEPENDENCY, "Error", "Failed opening required 'sextant.php'", id="php-require"
    ),
    pytest.param("php/undefined", K.EXCEPTION, "Error", "Call to undefined function null_crew()", id="php-undefined"),
    pytest.param("phpunit/failing", K.EXCEPTION, "RangeException", "no berth 7", id="phpunit"),
    pytest.param(
        "bash/script", K.COMMAND_NOT_FOUND, "CommandNotFound", "sextant: command not found", id="no-command-in-a-script"
    ),
    pytest.param(
        "bash/xtrace", K.COMMAND_NOT_FOUND, "CommandNotFound", "sextant: command not found", id="no-command-traced"
    ),
    pytest.param(
        "bash/bad_substitution", K.USAGE, "ShellError", "${berth.x}: bad substitution", id="shell-bad-substitution"
    ),
    pytest.param("bash/tar_broken", K.USAGE, "InvalidInput", "not in gzip format", id="tar"),
]
"""Outputs that show a failure, whether the log has the exit code or not."""

FAILING_BY_EXIT_CODE = [
    pytest.param("pytest/nothing_ran", K.TEST, "TestFailure", "3 deselected", id="pytest-nothing-selected"),
    pytest.param("eslint/failing", K.LINT, "LintError", "'x' is assigned a value but never used", id="eslint"),
    pytest.param("mypy/failing", K.LINT, "LintError", "Incompatible return value type", id="mypy"),
    pytest.param("ruff/concise", K.LINT, "LintError", "F401", id="ruff"),
    pytest.param("gcc/crash", K.CRASH, "Crash", "segmentation fault", id="segfault"),
    pytest.param("gcc/abort", K.CRASH, "Crash", "aborted", id="abort"),
    pytest.param("bash/kill_self", K.CRASH, "Crash", "killed", id="killed"),
    pytest.param("bash/timeout", K.TIMEOUT, "Timeout", "timeout", id="timeout"),
    pytest.param("bash/mkdir_exists", K.OTHER, "SystemError", "File exists", id="mkdir"),
    pytest.param("bash/jq_broken", K.USAGE, "InvalidInput", "parse error", id="jq"),
    pytest.param("git/nothing_to_commit", K.OTHER, "exit 1", "nothing to commit", id="git-nothing-to-commit"),
    pytest.param("git/patch_hunk", K.EDIT_REFUSED, "PatchFailed", "Hunk #1 FAILED", id="patch"),
    pytest.param("javac/no_class", K.OTHER, "Error", "Could not find or load main class Nowhere", id="java-no-class"),
    pytest.param("bash/needs", K.OTHER, "exit 1", "HARBOUR: no harbour is set", id="shell-parameter-missing"),
    pytest.param("bash/xtrace_fails", K.OTHER, "exit 1", "error: only a rehearsal", id="traced-script-stops"),
    pytest.param("python/leaves", K.OTHER, "exit 1", "cannot reach the harbour", id="sys-exit"),
]
"""Outputs that don't say by themselves that something failed; the exit code does."""

FINE = [
    "pytest/passing",
    "pytest/passing_quiet",
    "pytest/passing_noisy",
    "pytest/passing_log_cli",
    "pytest/passing_warnings",
    "pytest/fail_then_pass",
    "unittest/passing",
    "unittest/passing_verbose",
    "unittest/fail_then_pass",
    "django/passing",
    "jest/passing",
    "mocha/passing",
    "node/test_passing",
    "go/passing",
    "cargo/passing",
    "maven/passing",
    "tsc/passing",
    "vitest/passing",
    "rspec/passing",
    "minitest/passing",
    "phpunit/passing",
    "ruff/passing",
    "gcc/warn",
    "python/reports_none",
    "git/log_of_errors",
    "git/grep_none",
    "bash/grep_nothing",
    "bash/grep_finds",
    "bash/grep_log",
    "bash/diff_differs",
    "bash/test_false",
    "bash/which_none",
    "bash/cat_log",
    "bash/cat_source",
    "bash/tail_log",
    "bash/ls_logs",
    "bash/success_prints_error",
]
"""Outputs of commands that did what they should, though many of them speak of errors."""


def test_every_recorded_output_is_listed() -> None:
    files = {str(path.relative_to(OUTPUTS).with_suffix("").as_posix()) for path in OUTPUTS.rglob("*.txt")}
    assert set(outputs()) == files


@pytest.mark.parametrize(("name", "kind", "error", "says"), FAILING)
def test_failure_is_seen_without_an_exit_code(name: str, kind: K, error: str, says: str) -> None:
    verdict = shell(outputs()[name].command, outputs()[name].text)
    assert (verdict.status, verdict.source) == (Status.ERROR, StatusSource.INFERRED)
    failure = failure_of(verdict)
    assert (failure.kind, failure.type, failure.recorded) == (kind, error, False)
    assert says in failure.message


@pytest.mark.parametrize(("name", "kind", "error", "says"), [*FAILING, *FAILING_BY_EXIT_CODE])
def test_failure_is_seen_with_its_exit_code(name: str, kind: K, error: str, says: str) -> None:
    output = outputs()[name]
    verdict = shell(output.command, output.text, output.exit_code)
    assert verdict.status is Status.ERROR
    assert verdict.source is (StatusSource.RECORDED if output.exit_code else StatusSource.INFERRED)
    failure = failure_of(verdict)
    assert (failure.kind, failure.type, failure.recorded) == (kind, error, output.exit_code != 0)
    assert says in failure.message


def test_a_traced_command_is_no_message() -> None:
    output = outputs()["bash/xtrace_fails"]
    assert failure_of(shell(output.command, output.text, output.exit_code)).message == "error: only a rehearsal"


@pytest.mark.parametrize("with_code", [True, False], ids=["recorded", "unrecorded"])
@pytest.mark.parametrize("name", FINE)
def test_nothing_failed(name: str, with_code: bool) -> None:
    output = outputs()[name]
    verdict = shell(output.command, output.text, output.exit_code if with_code else None)
    assert verdict.failure is None
    silent = not output.text.strip() and not with_code and name == "tsc/passing"
    assert verdict.status is (Status.UNKNOWN if silent else Status.OK)
