"""Which step a failure is laid to: the last that wrote the place, and the program that rejects a word."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.provenance import Provenances
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from tests.build import Part, diagnosed, edit, read, run, says, timeline, traceback, write

GAUGE = "def level(raw):\n    if raw:\n        return raw\n    elif raw is None:\n        return 0\n"
UNPARSED = (
    'Traceback (most recent call last):\n  File "/w/cli.py", line 1, in <module>\n    import gauge\n'
    '  File "/w/gauge.py", line 5\n    elif raw is None or raw == "":\n    ^\nSyntaxError: invalid syntax'
)


def first(*parts: Part) -> Provenance | None:
    made = timeline(*parts, task="Fix it.")
    return Provenances(made).of(made.groups[0])


@pytest.mark.parametrize(
    ("trace", "parts"),
    [
        pytest.param("    print(raw)\n", [], id="put-in-right-above"),
        pytest.param("    print(raw)\n", [run("sed -n 4,5p gauge.py", "    print(raw)")], id="looked-at-since"),
    ],
)
def test_the_last_step_that_wrote_the_place_or_the_line_above_it(trace: str, parts: list[Part]) -> None:
    found = first(
        write("/w/gauge.py", GAUGE),
        edit("/w/gauge.py", "elif raw is None:", 'elif raw is None or raw == "":'),
        run("cat notes.txt", "none"),
        edit("/w/gauge.py", '    elif raw is None or raw == "":', f'{trace}    elif raw is None or raw == "":'),
        *parts,
        run("python cli.py", UNPARSED, 1),
    )
    assert found is not None
    assert (found.introduced_at, found.quote) == (4, "print(raw)")
    assert found.reason == ("The parser stops at `/w/gauge.py:5`; `print(raw)` was written by the agent at step 4")


def test_the_line_itself_where_it_was_written_last() -> None:
    found = first(
        write("/w/gauge.py", GAUGE.replace("    elif", "    print(raw)\n    elif")),
        edit("/w/gauge.py", "elif raw is None:", 'elif raw is None or raw == "":'),
        run("python cli.py", UNPARSED, 1),
    )
    assert found is not None
    assert found.introduced_at == 2
    assert "was written by the agent at step 2" in found.reason


REJECTED = "error: unrecognized subcommand 'hare'\n\nUsage: fetcher [OPTIONS] <COMMAND>"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([], id="never-run-alone"),
        pytest.param([run("hare test", "hare: command not found", 127)], id="not-there"),
        pytest.param([run("echo hare", "hare")], id="only-named"),
    ],
)
def test_a_word_that_nothing_knows(parts: list[Part]) -> None:
    found = first(run("fetcher hare test", REJECTED, 2), *parts)
    assert found is None or found.kind is not ProvenanceKind.DIFFERENT_CALL


@pytest.mark.parametrize(
    ("command", "file"),
    [
        pytest.param('python -c "import csv; csv.reader(1)"', "<string>", id="on-the-command-line"),
        pytest.param("python - <<'EOF'\nimport csv\ncsv.reader(1)\nEOF", "<stdin>", id="on-standard-input"),
    ],
)
def test_code_of_the_call_itself_was_not_there_before(command: str, file: str) -> None:
    error = traceback("TypeError: argument 1 must be an iterator", (file, 1, "<module>", ""))
    made = timeline(run(command, error, 1), edit("gauge.py", "a", "b"), run("pytest", "1 passed"), task="Fix it.")
    assert Provenances(made).of(made.groups[0]) is None


def test_a_linter_that_names_something_else_does_not_speak_of_the_line() -> None:
    said = 'foo.py:1:0: C0104: Disallowed name "foo" (disallowed-name)'
    blamed = first(write("foo.py", "foo = 1\n"), run("pylint foo.py", said, 4))
    assert blamed is not None
    assert blamed.introduced_at == 1
    other = first(write("foo.py", "print('x')\n"), run("pylint foo.py", said, 4))
    assert other is None or other.kind is not ProvenanceKind.OWN_EDIT


def test_no_check_is_said_to_be_missing_where_trials_failed() -> None:
    lint = 'trial.py:1:0: C0104: Disallowed name "foo" (disallowed-name)'
    made = diagnosed(
        read("/w/rules.py", "NAMES = ['bar']\n"),
        edit("/w/rules.py", "['bar']", "['foo']"),
        write("/w/trial.py", "foo = 1\n"),
        run("pylint trial.py", lint, 4),
        run("rm trial.py"),
        says("I've added the name."),
        environment={"working directory": "/w"},
    )
    assert "no check" not in made.outcome.reason
    assert made.outcome.status == "unknown"
    assert made.outcome.reason == (
        'The last check (step 4: LintError: C0104: Disallowed name "foo" (disallowed-name)) failed on a file of the '
        "agent's own that isn't delivered."
    )
