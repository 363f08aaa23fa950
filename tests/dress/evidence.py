"""What is known of the recorded outputs (`tests/data/outputs`) beyond their exit codes."""

from __future__ import annotations

AGAINST_CODE = frozenset(
    {
        # An exit code of 1 is the answer of a search or a comparison.
        *("bash/diff_differs", "bash/grep_nothing", "bash/test_false", "bash/which_none", "git/grep_none"),
        # Behind a pipe or a list, the exit code of 0 is another program's.
        *("bash/command_not_found_piped", "bash/crash_in_script", "cargo/failing_piped", "gtest/tail", "java/deep"),
        *("maven/tail", "pytest/piped"),
        # It exits with 0, and its last word is that something is wrong.
        "python/reports",
    }
)
"""Outputs whose exit code says the opposite of what happened."""

SILENT = frozenset(
    {
        *("bash/needs", "bash/xtrace_fails", "git/nothing_to_commit", "python/leaves", "npm/test_fails"),
        "pytest/nothing_ran",
    }
)
"""Outputs whose text alone says neither that something failed nor that all is well."""

NO_VERDICT = frozenset(
    {
        # A program that says what it caught and goes on: whether the step failed is a matter of taste.
        *("java/caught", "java/thread", "mono/caught", "node/caught", "php/caught", "python/caught", "python/logged"),
        *("python/thread", "ruby/caught", "rustc/thread", "sanitizers/undefined"),
        # One run fails, the next one passes.
        *("cargo/fail_then_pass", "go/test_fail_then_pass", "pytest/fail_then_pass", "unittest/fail_then_pass"),
    }
)
"""Outputs on which careful engineers disagree."""

SHOWN = {
    "bash/cat_log": "logs/error.log",
    "bash/cat_source": "src/exceptions.py",
    "bash/grep_finds": "raise",
    "bash/grep_log": "not found",
    "bash/grep_nothing": "sextant",
    "bash/ls_logs": "logs",
    "bash/tail_log": "logs/error.log",
    "git/grep_none": "nowhere",
    "git/log_of_errors": "HEAD",
}
"""Outputs that show the content of something, with the file or pattern that was asked for."""

_COUNTED = r"\b[1-9]\d* (?:failed|failing|failures?|errors?|tests? failed|examples?, [1-9]\d* failures?)\b"
_ALL_WELL = r"\b[1-9]\d* (?:passed|passing)\b"

EVIDENCE = {
    "pytest": rf"^E  +\w*(?:Error|Exception)\b|^(?:FAILED|ERROR) \S+|{_COUNTED}|{_ALL_WELL}",
    "unittest": r"^FAILED \((?:failures|errors)=|^\w*Error: |^OK$",
    "django": r"^FAILED \((?:failures|errors)=|^\w*Error: |^OK$",
    "doctest": r"\*\*\*Test Failed\*\*\*",
    "bun": r"^\s*[1-9]\d* fail$|^error: |^\s*0 fail$",
    "jest": r"^Tests: .*[1-9]\d* (?:failed|passed), |^Test Suites: [1-9]\d* failed|^ *● ",
    "vitest": r"Tests +(?:[1-9]\d* failed|[1-9]\d* passed)|^ *FAIL  |^\w*Error: ",
    "mocha": r"[1-9]\d* (?:failing|passing)|^ *\w*Error(?: \[\w+\])?: ",
    "node": r"^\w*Error(?: \[\w+\])?: |^# fail [1-9]|^ℹ fail [1-9]|^not ok |^# fail 0",
    "go": r"^(?:--- )?FAIL\b|^panic: |^ok  |^PASS$|^fatal error: |\.go:\d+:\d+: ",
    "cargo": r"^test result: |^error(?:\[E\d+\])?: |panicked at ",
    "rustc": r"^error(?:\[E\d+\])?: |panicked at ",
    "maven": r"Tests run: .*(?:Failures|Errors): [1-9]|BUILD (?:FAILURE|SUCCESS)|^\[ERROR\] ",
    "gradle": r"^BUILD (?:FAILED|SUCCESSFUL)|^[^\n]*\bFAILED$|[1-9]\d* tests? completed, [1-9]\d* failed",
    "rspec": r"^\d+ examples?, (?:[1-9]\d* failures?|0 failures$)|^rspec \./|error occurred outside of examples",
    "minitest": r"^\d+ runs, \d+ assertions, ",
    "phpunit": r"^Tests: .*(?:Failures|Errors): [1-9]|^OK \(",
    "ctest": r"% tests passed, ",
    "gtest": r"^\[  (?:FAILED|PASSED)  \] ",
    "python": r"^\w*(?:Error|Exception|Group)\b(?:: |$)",
    "java": r"^(?:Caused by: |Exception in thread )",
    "ruby": r"\(\w*Error\)",
    "php": r"Fatal error: ",
    "mypy": r": error: |^Found [1-9]\d* error",
    "gcc": r": (?:fatal )?error: |^make: \*\*\* ",
    "tsc": r"\berror\b.{0,9} ?TS\d+: ",
}
"""What is enough to know how it went, where the rest was cut away: by output, else by its folder."""
