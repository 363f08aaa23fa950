"""What brought the cause of a failure in: the step, the line, the kind, and silence where nothing shows it."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.provenance import Provenances
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from tests.build import Part, edit, pytest_report, read, run, timeline, traceback, write

DATES = "def parse_date(text):\n    return text.split('-')\n\n\ndef year(text):\n    return parse_date(text)[0]\n"


def of_first(*parts: Part, task: str = "Fix it.") -> Provenance | None:
    made = timeline(*parts, task=task)
    return Provenances(made).of(made.groups[0])


def of_last(*parts: Part, task: str = "Fix it.") -> Provenance | None:
    made = timeline(*parts, task=task)
    return Provenances(made).of(made.groups[-1])


def brought_in(*parts: Part, task: str = "Fix it.") -> Provenance:
    found = of_last(*parts, task=task)
    assert found is not None
    return found


def missing_import(name: str = "parse_date") -> str:
    return traceback(
        f"ImportError: cannot import name '{name}' from 'dates' (/w/dates.py)",
        ("/w/cli.py", 1, "<module>", f"from dates import {name}"),
    )


def test_a_definition_that_is_still_there_was_not_removed() -> None:
    found = of_last(
        write("/w/dates.py", DATES),
        edit("/w/dates.py", "return parse_date(text)[0]", "return text[:4]"),
        run("python cli.py", missing_import(), 1),
    )
    assert found is None or found.introduced_at is None


def raised_at(line: str, error: str = "KeyError: 'unit'") -> str:
    return traceback(error, ("/w/cli.py", 3, "<module>", "area(1)"), ("/w/shapes.py", 9, "area", line))


def test_the_failing_line_is_the_agents_own() -> None:
    found = brought_in(
        read("/w/shapes.py", "def area(side):\n    return side * side\n"),
        edit("/w/shapes.py", "return side * side", "return side * UNITS['unit']"),
        run("python cli.py", raised_at("return side * UNITS['unit']"), 1),
    )
    assert (found.kind, found.introduced_at, found.line) == (ProvenanceKind.OWN_EDIT, 2, 9)
    assert found.quote == "return side * UNITS['unit']"


def test_a_line_that_was_there_before_is_not_the_agents() -> None:
    found = of_last(
        read("/w/shapes.py", "def area(side):\n    return side * side\n"),
        edit("/w/shapes.py", "def area(side):", "def area(side, unit=1):"),
        run("python cli.py", raised_at("return side * side"), 1),
    )
    assert found is None


def test_a_module_that_no_step_installs() -> None:
    trace = traceback("ModuleNotFoundError: No module named 'yaml'", ("/w/conf.py", 1, "<module>", "import yaml"))
    found = brought_in(run("python conf.py", trace, 1))
    assert found.kind is ProvenanceKind.ENVIRONMENT
    assert found.reason == "The module `yaml` isn't installed, and nothing before this step shows its installation"


def test_a_refused_edit_looks_for_a_line_that_nothing_had_shown() -> None:
    refused = "String to replace not found in file.\nString: retries = MAX_RETRIES"
    found = brought_in(
        read("/w/a.py", "limit = 10\nrows = 3\n"),
        edit("/w/a.py", "retries = MAX_RETRIES", "retries = 1", refused, is_error=True),
    )
    assert (found.kind, found.introduced_at) == (ProvenanceKind.INVENTED, 2)
    assert found.quote == "retries = MAX_RETRIES"


@pytest.mark.parametrize(("shown", "invented"), [("src/server.py", True), ("src/handlers.py", False)])
def test_a_path_that_nothing_had_shown(shown: str, invented: bool) -> None:
    found = of_last(
        run("ls src", shown), run("cat lib/handlers.py", "cat: lib/handlers.py: No such file or directory", 1)
    )
    assert (found is not None and found.kind is ProvenanceKind.INVENTED) == invented


def test_a_call_that_differs_in_one_word_from_one_that_worked() -> None:
    found = brought_in(
        run("deploy push web --region eu-west-1", "done"),
        run("deploy push web --region eu-vest-1", "error: the region is not served", 2),
    )
    assert found.kind is ProvenanceKind.DIFFERENT_CALL
    assert "the one at step 1, which worked, only in one word: `eu-vest-1` instead of `eu-west-1`" in found.reason


def test_a_call_in_another_folder_is_none_that_worked() -> None:
    missing = run("bun run lint", 'error: Script not found "lint"', 1)
    assert of_last(run("bun run lint:fix", "done"), run("cd web && ls", "a.ts"), missing) is None


def test_the_only_change_since_the_check_passed() -> None:
    report = pytest_report("AssertionError: assert 9 == 4", test_code="assert area(2) == 4", raised=None)
    found = brought_in(
        read("/w/shapes.py", "def area(side):\n    return side * side\n"),
        run("pytest", "1 passed in 0.01s"),
        edit("/w/shapes.py", "return side * side", "return side + 7"),
        run("pytest", report, 1),
    )
    assert (found.kind, found.introduced_at, found.quote) == (ProvenanceKind.OWN_EDIT, 3, "return side + 7")


def test_a_failure_of_untouched_code() -> None:
    report = pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]"))
    found = of_first(run("pytest", report, 1), edit("shapes.py", "a", "b"), run("pytest", report, 1))
    assert found is not None
    assert found.kind is ProvenanceKind.BASELINE
    assert found.reason == "The failure showed at step 1, before any file of the project had been changed"


def test_a_test_that_calls_another_signature_says_nothing_of_who_is_right() -> None:
    report = "./ledger_test.go:9:12: not enough arguments in call to Post\nFAIL\texample.com/ledger [build failed]\n"
    found = of_last(read("ledger.go", "func Post() {}\n"), run("go test ./...", report, 1))
    assert found is None or found.kind is not ProvenanceKind.TEST_CODE


def test_a_file_that_the_agent_made_is_no_change_of_the_project() -> None:
    report = pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]"))
    found = of_first(write("repro.py", "x = 1\n"), run("pytest", report, 1), edit("shapes.py", "a", "b"))
    assert found is not None
    assert found.reason == "The failure showed at step 2, before any file of the project had been changed"


def test_nothing_is_said_where_nothing_shows_it() -> None:
    report = pytest_report("AssertionError: assert 3 == 4", test_code="assert area(2) == 4", raised=None)
    assert of_last(write("/w/shapes.py", "def area(side): return 3\n"), run("pytest", report, 1)) is None


def test_a_look_for_what_may_be_there_and_a_line_that_lacks_its_end_are_not_made_up() -> None:
    missing = "cat: .git/gc.log: No such file or directory"
    probe = of_last(run("cat .git/gc.log 2>/dev/null || ls", missing, 1))
    assert probe is None or probe.kind is not ProvenanceKind.INVENTED
    assert brought_in(run("cat .git/gc.log", missing, 1)).kind is ProvenanceKind.INVENTED
    refused = "Error: String to replace not found in file."
    shown = read("tide.py", "return high_water(harbour, day)  # see the table")
    short = of_last(
        shown, edit("tide.py", "return high_water(harbour, day)  # see the tab.", "x", refused, is_error=True)
    )
    assert short is None or short.kind is not ProvenanceKind.INVENTED
