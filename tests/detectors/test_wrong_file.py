"""The cause is in the test, and the agent edits something else."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding
from analyzer.model.session import Event
from tests.build import Part, edit, findings, pytest_report, read, run, traceback, write

Call = tuple[Event, ...]


def compiled(message: str, file: str = "area_test.go", line: int = 12) -> str:
    return f"# example.com/shapes\n./{file}:{line}:7: {message}\nFAIL\texample.com/shapes [build failed]\nFAIL\n"


def parsed(file: str = "/w/tests/test_shapes.py") -> str:
    return f"  File \"{file}\", line 21\n    corners = [0, 1\n              ^\nSyntaxError: '[' was never closed\n"


NEEDS_FOUR = pytest_report(
    "ValueError: Need at least 4 corners for a quad",
    test_line=21,
    test_code="shape = Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError(f'Need at least {n} corners for a quad')"),
)
REFUSAL = pytest_report(
    "ValueError: unsupported unit",
    test_code="area = area_of(size, unit)",
    raised=("shapes.py", 49, "raise ValueError('unsupported unit')"),
)
ASSERTION = pytest_report("AssertionError: assert 3 == 4", test_code="assert area(2) == 4", raised=None)
FROM_CODE = pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]"))


def wrong_files(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="wrong-file", **header)


def rounds(report: str, count: int = 3, path: str = "shapes.py", command: str = "pytest") -> list[Part]:
    return [[edit(path, f"side = {n}", f"side = {n} + 1"), run(command, report, 1)] for n in range(count)]


def script_rounds(error: str) -> list[Part]:
    return [write("repro.py", "area_of(4, None)"), rounds(error, command="python repro.py", path="units.py")]


BREAKS = traceback(
    "TypeError: 'NoneType' object is not callable",
    ("repro.py", 1, "<module>", "area_of(4, None)"),
    ("shapes.py", 49, "area_of", "reader = UnitReader(text)"),
)
REFUSES = traceback(
    "TypeError: unit must be a text",
    ("repro.py", 1, "<module>", "area_of(4, None)"),
    ("shapes.py", 49, "area_of", "raise TypeError('unit must be a text')"),
)


@pytest.mark.parametrize(
    ("parts", "fault", "edited"),
    [
        pytest.param(
            rounds(NEEDS_FOUR), "tests/test_shapes.py", ["shapes.py"], id="the literal in the test is too short"
        ),
        pytest.param(
            rounds(
                pytest_report(
                    "FileNotFoundError: [Errno 2] No such file or directory: 'shapes.csv'",
                    test_code="open('shapes.csv')",
                    raised=None,
                )
            ),
            "tests/test_shapes.py",
            ["shapes.py"],
            id="raised by the test's own code",
        ),
        pytest.param(rounds(REFUSAL), "tests/test_shapes.py", ["shapes.py"], id="a refusal that no edit changes"),
        pytest.param(
            [rounds(NEEDS_FOUR, 2), rounds(NEEDS_FOUR, 2, "corners.py")],
            "tests/test_shapes.py",
            ["shapes.py", "corners.py"],
            id="two other files",
        ),
        pytest.param(
            [rounds(NEEDS_FOUR, 2), read("tests/test_shapes.py"), rounds(NEEDS_FOUR, 1)],
            "tests/test_shapes.py",
            ["shapes.py"],
            id="the test was read but not edited",
        ),
        pytest.param(rounds(parsed()), "/w/tests/test_shapes.py", ["shapes.py"], id="a test that doesn't parse"),
        pytest.param(
            rounds(
                compiled("syntax error: unexpected }, expected expression"), path="area.go", command="go test ./..."
            ),
            "area_test.go",
            ["area.go"],
            id="a compiled test that doesn't parse",
        ),
        pytest.param(
            [
                write("repro.py", "Quad(corners=[0, 1, 2])"),
                rounds(
                    traceback(
                        "ValueError: Need at least 4 corners",
                        ("repro.py", 1, "<module>", "Quad(corners=[0, 1, 2])"),
                        ("shapes.py", 49, "__init__", "raise ValueError"),
                    ),
                    command="python repro.py",
                ),
            ],
            "repro.py",
            ["shapes.py"],
            id="a script that the agent wrote",
        ),
        pytest.param(script_rounds(REFUSES), "repro.py", ["units.py"], id="code that refuses what a script passes"),
        pytest.param(
            [rounds(REFUSAL), run("pip install unit-table==2.1", "Installed."), run("pytest", REFUSAL, 1)],
            "tests/test_shapes.py",
            ["shapes.py"],
            id="an installation that changed nothing",
        ),
        pytest.param(
            [run("pytest", REFUSAL, 1), rounds(REFUSAL, 2)],
            "tests/test_shapes.py",
            ["shapes.py"],
            id="one error before the first edit",
        ),
    ],
)
def test_fires(parts: list[Part], fault: str, edited: list[str]) -> None:
    (found,) = wrong_files(*parts)
    assert found.fault is not None
    assert found.fault.file == fault
    assert found.edited_instead == edited
    assert found.detectable_at == found.steps[2]
    assert found.first_step == found.steps[0]
    assert all(entry.quote for entry in found.evidence)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(rounds(ASSERTION), id="a failing assertion about the result"),
        pytest.param(rounds(FROM_CODE), id="the implementation's own mistake"),
        pytest.param(rounds(NEEDS_FOUR, 2), id="twice only"),
        pytest.param([run("pytest", NEEDS_FOUR, 1) for _ in range(4)], id="no edit at all"),
        pytest.param(
            [[read("shapes.py", f"text {n}"), run("pytest", NEEDS_FOUR, 1)] for n in range(4)], id="only reads"
        ),
        pytest.param(
            [rounds(NEEDS_FOUR, 2), edit("tests/test_shapes.py", "[0, 1]", "[0, 1, 2]"), rounds(NEEDS_FOUR, 1)],
            id="the test was edited",
        ),
        pytest.param(
            [rounds(NEEDS_FOUR, 2), edit("/w/tests/test_shapes.py", "[0, 1]", "[0, 1, 2]"), rounds(NEEDS_FOUR, 1)],
            id="the test was edited by another name",
        ),
        pytest.param(
            [rounds(NEEDS_FOUR, 2), edit("tests/conftest.py", "[0, 1]", "[0, 1, 2]"), rounds(NEEDS_FOUR, 1)],
            id="its fixture was edited",
        ),
        pytest.param(
            [
                rounds(NEEDS_FOUR, 1),
                [
                    edit("shapes.py", "a", "b", "String to replace not found in file.", is_error=True),
                    run("pytest", NEEDS_FOUR, 1),
                ]
                * 2,
            ],
            id="no edit was accepted",
        ),
        pytest.param(
            [edit("shapes.py", "a", "b"), [run("pytest", NEEDS_FOUR, 1)] * 3, edit("shapes.py", "a", "b")],
            id="edits before and after only",
        ),
        pytest.param(
            rounds(pytest_report("AttributeError: 'Shape' object has no attribute 'area'", raised=None)),
            id="a method that isn't there yet",
        ),
        pytest.param(
            rounds(pytest_report("TypeError: make_shape() takes 0 positional arguments but 1 was given", raised=None)),
            id="an argument that isn't taken yet",
        ),
        pytest.param(
            [
                write("repro.py", "Quad(corners=[0, 1, 2])"),
                [
                    [
                        edit("/w/repro.py", f"side = {n}", "side = 0"),
                        run(
                            "python repro.py",
                            traceback(
                                "ValueError: Need at least 4 corners",
                                ("repro.py", 1, "<module>", "Quad(corners=[0, 1, 2])"),
                                ("shapes.py", 49, "__init__", "raise ValueError"),
                            ),
                            1,
                        ),
                    ]
                    for n in range(4)
                ],
            ],
            id="the script itself is edited",
        ),
        *(
            pytest.param(rounds(compiled(message, file), path=edited, command="go test ./..."), id=name)
            for message, file, edited, name in (
                ("undefined: Area", "area_test.go", "area.go", "a test that names what isn't there yet"),
                ("too many arguments in call to Area", "area_test.go", "area.go", "a test that calls it otherwise"),
                ("cannot use 3 (untyped int constant) as string value", "area_test.go", "area.go", "another type"),
                ("undefined: Area", "area.go", "area_test.go", "code that the tests' edits can't mend"),
            )
        ),
        pytest.param(script_rounds(BREAKS), id="code that breaks without refusing anything"),
        pytest.param(
            [rounds(REFUSAL), run("pip install unit-table==2.1", "Installed."), run("pytest", "3 passed in 0.1s")],
            id="an installation made it pass",
        ),
        pytest.param(
            [[run("pytest", REFUSAL, 1)] * 3, edit("shapes.py", "a", "b"), run("pytest", REFUSAL, 1)],
            id="most errors came before the first edit",
        ),
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in wrong_files(*parts)] == []


def test_a_single_edit_is_not_called_every_edit() -> None:
    parts: list[Part] = [run("pytest", NEEDS_FOUR, 1), edit("shapes.py", "a", "b"), [run("pytest", NEEDS_FOUR, 1)] * 2]
    (found,) = wrong_files(*parts)
    assert found.title == "The cause is in tests/test_shapes.py:21, but the only edit went to shapes.py"


def test_it_quotes_the_line_of_the_test_and_the_refusal() -> None:
    (found,) = wrong_files(rounds(NEEDS_FOUR))
    quotes = [entry.quote for entry in found.evidence]
    assert "shape = Quad(corners=[0, 1, 2])" in quotes
    assert quotes[-1] == "ValueError: Need at least 4 corners for a quad"
    assert found.fault is not None
    assert (found.fault.line, found.fault.code, found.fault.step) == (21, "shape = Quad(corners=[0, 1, 2])", 2)


def test_it_is_surer_with_a_literal_than_without() -> None:
    (literal,), (refusal,) = wrong_files(rounds(NEEDS_FOUR)), wrong_files(rounds(REFUSAL))
    assert literal.confidence > refusal.confidence


def test_where_a_parser_stops_is_not_called_the_line_at_fault() -> None:
    (found,) = wrong_files(rounds(parsed()))
    assert found.title == "The cause is in /w/tests/test_shapes.py, but every edit went to shapes.py"
    assert found.fault is not None
    assert (found.fault.line, found.fault.code) == (None, None)
    assert found.advice[0] == "Read /w/tests/test_shapes.py from line 21 upwards: it doesn't parse."
