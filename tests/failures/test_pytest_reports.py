"""pytest's report in its styles, whole and cut, as pytest 9 and 6 print it."""

from __future__ import annotations

import pytest

from analyzer.failures.runners.pytest import parse, recognises
from analyzer.failures.runners.pytest_trace import section_trace
from analyzer.failures.traces import StackTrace
from tests.failures.recorded import OUTPUTS, outputs
from tests.tables import table

CURVE = "tests/test_curve.py::"
NAMES = [
    CURVE + name
    for name in (
        "test_rejects_too_few",
        "test_height_at_noon",
        "test_forecast_of_several_lines",
        "test_berths_left",
        "test_mooring_twice",
        "test_unknown_berth",
        "test_log_book",
        "TestShips::test_names_are_kept",
        "TestShips::test_must_raise",
        "TestShips::test_gives_up",
    )
]
ERRORS = [
    ("ValueError", "need at least 4 stations, got 3"),
    ("AssertionError", "noon is high water"),
    ("ValueError", "need at least 4 stations, got 3"),
    ("AssertionError", "assert ['east', 'south'] == ['east', 'west']"),
    ("tides.harbour.BerthTaken", "berth 'north' is taken by Petrel"),
    ("KeyError", "'quay 7'"),
    ("RuntimeError", "the log book can't be read"),
    ("AssertionError", "assert {'name': 'Petrel', 'crew': 3} == {'name': 'Petrel', 'crew': 4}"),
    ("Failed", "DID NOT RAISE BerthTaken"),
    ("Failed", "the pilot never came"),
]


def kinds(found: list[StackTrace]) -> list[tuple[str | None, str]]:
    return [(trace.type, trace.message) for trace in found]


@pytest.mark.parametrize("style", ["long", "short", "line", "no_traceback"])
def test_failing_tests_and_counts_in_every_style(style: str) -> None:
    result = parse(outputs()[f"pytest/{style}"].text)
    assert result.failed
    assert result.failing_tests == NAMES
    assert result.counts == {"failed": 10, "passed": 1}


@pytest.mark.parametrize("style", ["long", "short", "line"])
def test_types_and_messages_in_every_style(style: str) -> None:
    assert kinds(parse(outputs()[f"pytest/{style}"].text).traces) == ERRORS


def test_native_style() -> None:
    result = parse(outputs()["pytest/native"].text)
    cause = "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    assert kinds(result.traces) == [ERRORS[2], (ERRORS[6][0], f"{ERRORS[6][1]}; caused by {cause}")]
    assert [frame.function for frame in result.traces[0].frames[-4:]] == [
        "test_forecast_of_several_lines",
        "forecast",
        "fitted",
        "__init__",
    ]


def test_without_tracebacks_the_closing_list_tells_the_first_error() -> None:
    assert kinds(parse(outputs()["pytest/no_traceback"].text).traces) == ERRORS[:1]


@pytest.mark.parametrize("name", ["one_long", "one_verbose", "stop_at_first", "old_long"])
def test_frames_show_the_code_and_the_guard_above_a_raise(name: str) -> None:
    test, implementation = parse(outputs()[f"pytest/{name}"].text).traces[0].frames
    assert (test.file, test.line, test.function) == ("tests/test_curve.py", 12, "test_rejects_too_few")
    assert (test.code, test.guard) == ("curve = Curve(degree=3, stations=[0, 2, 4])", None)
    assert (implementation.file, implementation.line, implementation.function) == ("tides/curve.py", 8, "__init__")
    assert implementation.code == 'raise ValueError( f"need at least {needed} stations, got {len(stations)}" )'
    assert implementation.guard == "if len(stations) < needed, needed = degree + 1"


def test_a_marked_statement_goes_on_over_its_lines() -> None:
    first = parse(outputs()["pytest/long"].text).traces[2].frames[0]
    assert first.code == "value = forecast( [1, 2, 3], )"


def test_short_style_shows_one_line_of_code_per_frame() -> None:
    frames = parse(outputs()["pytest/short"].text).traces[2].frames
    assert [(frame.line, frame.function, frame.code) for frame in frames] == [
        (22, "test_forecast_of_several_lines", "value = forecast("),
        (31, "forecast", "return fitted("),
        (20, "fitted", "return Curve(degree, stations=readings)"),
        (8, "__init__", "raise ValueError("),
    ]


def test_line_style_shows_the_place_only() -> None:
    trace = parse(outputs()["pytest/old_line"].text).traces[0]
    assert [(frame.file, frame.line) for frame in trace.frames] == [("/home/dev/tides/tides/curve.py", 8)]


ODD = [
    ("ExceptionGroup", "two leaks (2 sub-exceptions)"),
    ("test_odd.Adrift", ""),
    ("RuntimeError", "first line"),
    ("KeyError", "'south'"),
    ("TypeError", "object of type 'int' has no len()"),
    ("AssertionError", "assert 'low water\\nhigh water\\n' == 'low water\\nslack water\\n'"),
    ("RecursionError", "maximum recursion depth exceeded"),
    ("json.decoder.JSONDecodeError", "Expecting value: line 1 column 4 (char 3)"),
    ("LookupError", "no such fathom"),
    ("AssertionError", "assert 2 > 3"),
    ("TimeoutError", "the swimmer is late"),
]


@pytest.mark.parametrize("style", ["odd", "odd_short"])
def test_groups_chains_and_messages_of_several_lines(style: str) -> None:
    assert kinds(parse(outputs()[f"pytest/{style}"].text).traces) == ODD


def test_of_a_chain_only_the_last_part_has_frames() -> None:
    chained = parse(outputs()["pytest/odd"].text).traces[8]
    assert [frame.line for frame in chained.frames] == [53]


@pytest.mark.parametrize("name", ["ids", "ids_long", "pass_then_fail"])
def test_parametrised_ids_may_hold_anything(name: str) -> None:
    assert parse(outputs()[f"pytest/{name}"].text).failing_tests == [
        "tests/test_ids.py::test_berth[two words]",
        "tests/test_ids.py::test_berth[a[0] - b[1]]",
        "tests/test_ids.py::test_berth[x::y]",
        "tests/test_ids.py::test_berth[tests/e.py]",
    ]


@table("ids_in_the_closing_list")
def test_ids_in_the_closing_list(line: str, test: str) -> None:
    assert parse(f"{line}\n1 failed in 0.01s\n").failing_tests == [test]


@pytest.mark.parametrize("name", ["fixtures", "fixtures_short"])
def test_fixtures_that_raise_at_setup_and_teardown(name: str) -> None:
    result = parse(outputs()[f"pytest/{name}"].text)
    assert result.counts == {"passed": 1, "errors": 2}
    assert kinds(result.traces) == [
        ("ConnectionError", "no answer on channel 16"),
        ("RuntimeError", "the anchor is stuck"),
    ]
    assert result.traces[0].frames[-1].function == "radio"


def test_a_fixture_that_does_not_exist() -> None:
    [trace] = parse(outputs()["pytest/fixture_name"].text).traces
    assert (trace.type, trace.message) == ("FixtureLookupError", "fixture 'ancor' not found")
    assert [(frame.file, frame.line) for frame in trace.frames] == [("/home/dev/tides/odd/test_fixture_name.py", 1)]


def test_files_that_can_not_be_collected() -> None:
    result = parse(outputs()["pytest/collection"].text)
    assert result.failing_tests == ["broken/test_import.py", "broken/test_missing.py", "broken/test_syntax.py"]
    assert kinds(result.traces) == [
        ("ModuleNotFoundError", "No module named 'tides.moon'"),
        ("ModuleNotFoundError", "No module named 'sextant'"),
        ("SyntaxError", "expected ':'"),
    ]
    assert result.traces[0].frames[-1].code == "from tides.moon import phase"


def test_a_conftest_that_can_not_be_imported() -> None:
    result = parse(outputs()["pytest/conftest"].text)
    assert result.failed
    assert [(trace.type, trace.frames[-1].file) for trace in result.traces] == [
        ("ModuleNotFoundError", "conf/conftest.py")
    ]


def test_an_error_of_pytest_itself() -> None:
    [trace] = parse(outputs()["pytest/internal_error"].text).traces
    assert (trace.type, trace.frames[-1].function) == ("RuntimeError", "pytest_collection_modifyitems")


def test_a_doctest() -> None:
    [trace] = parse(outputs()["pytest/doctest"].text).traces
    assert (trace.type, trace.frames[-1].line) == ("DocTestFailure", 4)


@pytest.mark.parametrize(
    "name", ["passing", "passing_quiet", "passing_noisy", "passing_log_cli", "passing_warnings", "nothing_ran"]
)
def test_passing_runs(name: str) -> None:
    text = outputs()[f"pytest/{name}"].text
    assert recognises(text) or name == "nothing_ran"
    assert not parse(text).failed


def test_the_last_run_counts() -> None:
    passed, failed = parse(outputs()["pytest/fail_then_pass"].text), parse(outputs()["pytest/pass_then_fail"].text)
    assert (passed.failed, passed.counts, passed.failing_tests) == (False, {"passed": 2, "skipped": 1}, [])
    assert (failed.failed, failed.counts) == (True, {"failed": 4, "passed": 1})


def test_a_summary_inside_a_failing_test_does_not_hide_the_failure() -> None:
    text = outputs()["pytest/one_long"].text.replace("\nself = ", "\n1 passed in 0.01s\nself = ")
    result = parse(text)
    assert result.failed
    assert result.failing_tests == NAMES[:1]


@table("closing_lines")
def test_closing_lines(summary: str, counts: dict[str, int]) -> None:
    result = parse(f"F\n{summary}\n")
    assert result.failed
    assert result.counts == counts


def test_verbose_progress_names_tests_where_nothing_else_does() -> None:
    text = outputs()["pytest/verbose_progress"].text
    progress = text[: text.index("short test summary")]
    assert parse(progress).failing_tests == parse(text).failing_tests


def test_a_report_without_its_head_shows_the_trace_that_is_left() -> None:
    text = outputs()["pytest/one_long"].text
    result = parse(text[text.index("self = <") :])
    assert kinds(result.traces) == ERRORS[:1]
    assert result.failing_tests == NAMES[:1]


@pytest.mark.parametrize(
    "body", ["", "\n", "> \n", "E   \n", "E\n", ">       x\nE       y", "a.py:1: \n", "a.py:1: Error", "file x, line 3"]
)
def test_fragments_of_a_section_are_harmless(body: str) -> None:
    section_trace(body)


@pytest.mark.parametrize("path", sorted((OUTPUTS / "pytest").glob("*.txt")), ids=lambda path: path.stem)
def test_any_cut_of_a_report_can_be_read(path: object) -> None:
    text = outputs()[f"pytest/{getattr(path, 'stem', '')}"].text
    for start in range(0, len(text), max(1, len(text) // 40)):
        parse(text[start:])
        parse(text[:start])
