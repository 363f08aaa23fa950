"""Whether code refused its input on purpose, and who supplied what it refused."""

from __future__ import annotations

import pytest

from analyzer.failures.refusal import refuses, supplier_of, telling_values
from analyzer.model.failure import CodeLine, Failure, Frame
from analyzer.model.words import FailureKind, FrameRole
from tests.tables import table

TEST = Frame("tests/test_berth.py", 30, "test_berth", FrameRole.TEST, "berth = assign(ship(), 3)")
FACTORY = Frame("tests/factories.py", 6, "ship", FrameRole.TEST, 'return Ship("IMO9074728")')
READS = Frame("tests/test_berth.py", 12, "setUp", FrameRole.TEST, 'self.ships = load(DATA / "spring.csv")')
HARBOUR = Frame("harbour/assign.py", 14, "assign", FrameRole.PROJECT, "return Berth(ship.number, depth)")
CHECK = Frame("harbour/berth.py", 9, "__init__", FrameRole.PROJECT, 'raise BerthError(f"bad check digit in {number}")')
UNSHOWN = Frame("harbour/berth.py", 9, "__init__", FrameRole.PROJECT)
HELPER = Frame("harbour/Ships.java", 20, "ship", FrameRole.PROJECT)
SLIP = Frame("harbour/berth.py", 12, "__init__", FrameRole.PROJECT, "self.depth = depths[number]")
LIBRARY = Frame("/usr/lib/python3.11/json/decoder.py", 355, "raw_decode", FrameRole.STDLIB, "raise JSONDecodeError(m)")


def failure(
    *frames: Frame,
    error: str = "BerthError",
    message: str = "bad check digit",
    kind: FailureKind = FailureKind.EXCEPTION,
) -> Failure:
    return Failure(kind, error, message, frames=frames)


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(failure(TEST, CHECK), id="raises on purpose"),
        pytest.param(failure(TEST, CHECK, error="KeyError"), id="raises on purpose, whatever the class"),
        pytest.param(failure(TEST, UNSHOWN), id="a class of the project's own, the line not shown"),
        pytest.param(failure(TEST, SLIP, error="ValueError"), id="a library refuses a value"),
        pytest.param(
            failure(TEST, UNSHOWN, error="java.lang.IllegalArgumentException"), id="by its class, with a package"
        ),
        pytest.param(failure(TEST, HARBOUR, LIBRARY, error="json.decoder.JSONDecodeError"), id="deep in a library"),
    ],
)
def test_refuses(entry: Failure) -> None:
    assert refuses(entry)


@table("refuses_nothing")
def test_refuses_nothing(entry: Failure) -> None:
    assert not refuses(entry)


BERTH, BOTH = ("harbour/berth.py",), ("harbour/berth.py", "harbour/assign.py")
SUPPLIED = [
    pytest.param(failure(TEST, CHECK), (), BERTH, 1, (), "tests/test_berth.py", 0.8, id="a direct call"),
    pytest.param(failure(TEST, FACTORY, CHECK), (), BERTH, 1, (), "tests/factories.py", 0.8, id="through a factory"),
    pytest.param(
        failure(TEST, FACTORY, HARBOUR, CHECK, message="bad check digit in IMO9074728"),
        (),
        BERTH,
        1,
        (),
        "tests/factories.py",
        0.75,
        id="the refused value stands in the factory",
    ),
    pytest.param(
        failure(TEST, HARBOUR, CHECK, message="bad check digit in IMO9074728"),
        (CodeLine("tests/data/ships.csv", 4, "IMO9074728,3", 5),),
        BERTH,
        1,
        (),
        "tests/data/ships.csv",
        0.75,
        id="the refused value stands in a data file",
    ),
    pytest.param(
        failure(TEST, HARBOUR, CHECK), (), BOTH, 3, (), "tests/test_berth.py", 0.6, id="three edits of it all"
    ),
    pytest.param(
        failure(READS, HARBOUR, CHECK), (), BOTH, 3, (), "spring.csv", 0.6, id="a data file that the test reads"
    ),
    pytest.param(
        failure(TEST, HELPER, CHECK), (), BERTH, 3, (HELPER.file,), HELPER.file, 0.6, id="a helper that nobody opened"
    ),
]


@pytest.mark.parametrize(("entry", "test_code", "edited", "survived", "unread", "file", "sure"), SUPPLIED)
def test_the_supplier(
    entry: Failure,
    test_code: tuple[CodeLine, ...],
    edited: tuple[str, ...],
    survived: int,
    unread: tuple[str, ...],
    file: str,
    sure: float,
) -> None:
    found = supplier_of(entry, test_code, edited, survived, unread)
    assert found is not None
    assert (found.place.file, found.confidence) == (file, sure)


@pytest.mark.parametrize(
    ("entry", "edited", "survived", "unread"),
    [
        pytest.param(failure(TEST, HARBOUR, CHECK), BOTH, 2, (), id="two edits, and code of the project in between"),
        pytest.param(failure(TEST, HARBOUR, CHECK), BERTH, 4, (), id="the code in between was never edited"),
        pytest.param(
            failure(TEST, CHECK), ("harbour/tides.py",), 4, (), id="only files outside of the trace were edited"
        ),
        pytest.param(failure(HARBOUR, CHECK), BOTH, 4, (), id="no test in the trace"),
        pytest.param(failure(HELPER, CHECK), BERTH, 4, (HELPER.file,), id="an unknown file, and no test before it"),
        pytest.param(failure(HARBOUR, TEST), BOTH, 4, (), id="raised in the test itself"),
    ],
)
def test_no_supplier(entry: Failure, edited: tuple[str, ...], survived: int, unread: tuple[str, ...]) -> None:
    assert supplier_of(entry, (), edited, survived, unread) is None


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("unknown unit 'fathoms'", ["fathoms"]),
        ("needs 2 limits, got 14", ["14"]),
        ("check digits of DE98370400440532013000 do not match", ["DE98370400440532013000"]),
        ("2023-02-29 is no day", ["2023-02-29"]),
        ("too few values", []),
        ("line 3 of 4", []),
    ],
)
def test_telling_values(message: str, values: list[str]) -> None:
    assert telling_values(message) == values
