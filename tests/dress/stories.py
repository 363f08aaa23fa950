"""Whole sessions to be told again and again: our samples, and short ones in which one thing happens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from analyzer.api import load
from analyzer.model.session import Session
from tests.build import Part, call, edit, pytest_report, read, run, says, session, traceback, user, write

ROOT = Path(__file__).resolve().parents[2]
_PASSED = "============================== 4 passed in 0.10s ==============================="
_REFUSED = "ValueError: a pier needs three posts"


@cache
def stories() -> dict[str, Session]:
    """Every session by its name; those of files have one lane and no compaction."""
    files = sorted([*(ROOT / "sample_sessions").glob("*.json"), *(ROOT / "sample_sessions").glob("*/*.json")])
    made: dict[str, Session] = {}
    for path in files:
        made[f"sample {path.relative_to(ROOT / 'sample_sessions').with_suffix('')}"] = load(path).sessions[0].session
    for name, tell in _MADE_UP.items():
        made[name] = session(*tell(), id=name.replace(" ", "-"), agent="reference-agent")
    return made


def _fixed() -> list[Part]:
    """A failing test, one edit, a passing test."""
    return [
        user("Make the tests of shapes.py pass."),
        run("python -m pytest tests", pytest_report(), 1),
        read("shapes.py", 'def make_shape(sides):\n    if sides < 5:\n        raise ValueError("boom")\n'),
        edit("shapes.py", "if sides < 5:", "if sides < 3:"),
        run("python -m pytest tests", _PASSED),
        says("The tests pass now."),
    ]


def _identical_error() -> list[Part]:
    """The same failing test after every edit of the implementation, and no end."""
    rounds: list[Part] = []
    for number in range(5):
        rounds.append(edit("pier.py", f"posts = {number}", f"posts = {number + 1}"))
        rounds.append(
            run(
                "python -m pytest tests/test_pier.py",
                pytest_report(
                    _REFUSED,
                    test="tests/test_pier.py",
                    function="test_pier",
                    test_code="pier = Pier(posts=[1, 2])",
                    raised=("pier.py", 18, 'raise ValueError("a pier needs three posts")'),
                ),
                1,
            )
        )
    return [user("Make test_pier pass. Edit pier.py."), read("pier.py", "posts = 0\n"), *rounds]


def _same_call() -> list[Part]:
    """The same command with the same answer, again and again."""
    return [
        user("Find out where the crane is configured."),
        *(run("ls config", "crane.yaml\n") for _ in range(6)),
        says("I can't find it."),
    ]


def _traceback_then_fix() -> list[Part]:
    """A script that ends in a traceback, a corrected line, and a run that goes well."""
    error = traceback("KeyError: 'depth'", ("/home/dev/quay/load.py", 7, "<module>", "print(row['depth'])"))
    return [
        user("load.py crashes; please fix it."),
        run("python load.py", error, 1),
        edit("load.py", "row['depth']", "row['Depth']"),
        run("python load.py", "4.2\n"),
        says("Fixed: the column is called Depth."),
    ]


def _compile_errors() -> list[Part]:
    """Compiler errors that get fewer until the build is through."""
    first = "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
    second = "src/b.ts(9,1): error TS2304: Cannot find name 'rope'.\n"
    return [
        user("Make the build work."),
        run("npx tsc --noEmit", first + second, 2),
        edit("src/a.ts", "'3'", "3"),
        run("npx tsc --noEmit", second, 2),
        edit("src/b.ts", "rope", "ropes"),
        run("npx tsc --noEmit", ""),
        says("It builds."),
    ]


def _refused_edits() -> list[Part]:
    """An edit whose text isn't in the file, three times over."""
    refusal = "String to replace not found in file.\nString: knots = 3"
    return [
        user("Set knots to 4 in tide.py."),
        *(edit("tide.py", "knots = 3", "knots = 4", refusal, is_error=True) for _ in range(3)),
        read("tide.py", "KNOTS = 3\n"),
        edit("tide.py", "KNOTS = 3", "KNOTS = 4"),
        says("Done."),
    ]


def _functions() -> list[Part]:
    """Functions without any flag: one answers with an error twice, then the booking goes through."""
    return [
        user("Book a room for Friday at ten."),
        call("find_room", {"day": "friday"}, '{"rooms": ["north", "south"]}'),
        call("book_room", {"room": "north", "hour": "ten"}, "Error: hour must be an integer, got 'ten'"),
        call("book_room", {"room": "north", "hour": 25}, "Error: hour must be between 0 and 23"),
        call("book_room", {"room": "north", "hour": 10}, '{"booked": true, "error": null}'),
        says("The room north is booked for ten."),
    ]


def _calm() -> list[Part]:
    """A file written and its tests passed."""
    return [
        user("Write area.py with tests."),
        write("area.py", "def area(a, b):\n    return a * b\n"),
        write("tests/test_area.py", "from area import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n"),
        run("python -m pytest tests", _PASSED),
        says("Both files are written, and the tests pass."),
    ]


def _background(later: str) -> Callable[[], list[Part]]:
    """Tests that are started in the background, and a poll that brings what they printed."""
    return lambda: [
        user("Lower the posts in pier.py and run the tests (npm test)."),
        edit("pier.ts", "posts = 4", "posts = 3"),
        run("npm test", "<command started in background with shellId: t1>", None),
        call("read_shell", {"shellId": "t1"}, later),
        says("The posts are lowered, and all 14 tests pass."),
    ]


def _own_words() -> list[Part]:
    """Verdicts that a script and a function give in their own words, and that no exit code tells."""
    return [
        user("Mend tide.py, then run python3 soundings.py."),
        call("fetch_tide", {"port": "north"}, '{"status": "error", "error": "no gauge at north (404)"}'),
        edit("tide.py", "depth = 2", "depth = 3"),
        run("python3 soundings.py", "north: 12/12\n31/38 DEPTHS FAILED"),
        says("Done, all soundings pass."),
    ]


_MADE_UP: dict[str, Callable[[], list[Part]]] = {
    "fixed in one go": _fixed,
    "one error again and again": _identical_error,
    "one call again and again": _same_call,
    "a traceback and its fix": _traceback_then_fix,
    "compiler errors": _compile_errors,
    "refused edits": _refused_edits,
    "functions": _functions,
    "calm": _calm,
    "a background test that fails": _background(" Tests  1 failed | 13 passed (14)"),
    "a background test that passes": _background(" Tests  14 passed (14)"),
    "verdicts in own words": _own_words,
}
