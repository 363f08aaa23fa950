"""Names without a definition."""

from __future__ import annotations

from analyzer.workspace.symbols import orphans
from tests.build import Part, edit, read, run, write
from tests.workspace.states import history

SHAPES = "def area(w):\n    return w * w\n\n\ndef edge(w):\n    return 4 * w\n"
REPORT = "from shapes import area\n\nprint(area(3))\n"


def _orphans(*parts: Part) -> list[tuple[str, str, int, list[int | None]]]:
    return [
        (entry.name, entry.path, entry.step, [use.line for use in entry.uses]) for entry in orphans(history(*parts))
    ]


CUT = edit("shapes.py", "def area(w):\n    return w * w\n\n\n", "")


def test_a_function_that_other_shown_code_still_uses() -> None:
    assert _orphans(read("shapes.py", SHAPES), read("report.py", REPORT), CUT) == [("area", "shapes.py", 3, [1, 3])]


def test_a_function_that_nothing_uses() -> None:
    assert _orphans(read("shapes.py", SHAPES), read("report.py", "from shapes import edge\n"), CUT) == []


def test_a_function_that_moved() -> None:
    moved = write("areas.py", "def area(w):\n    return w * w\n")
    assert _orphans(read("shapes.py", SHAPES), read("report.py", REPORT), CUT, moved) == []


def test_a_function_that_came_back() -> None:
    assert _orphans(read("shapes.py", SHAPES), read("report.py", REPORT), CUT, run("git checkout shapes.py")) == []


def test_a_rename_that_forgot_a_caller() -> None:
    renamed = edit("shapes.py", "def area(w):", "def square_area(w):")
    assert _orphans(read("shapes.py", SHAPES), read("report.py", REPORT), renamed) == [("area", "shapes.py", 3, [1, 3])]


def test_a_file_that_was_removed_with_what_it_defined() -> None:
    made = _orphans(read("shapes.py", SHAPES), read("report.py", REPORT), run("rm shapes.py"))
    assert [(name, lines) for name, _, _, lines in made] == [("area", [1, 3])]


def test_other_languages() -> None:
    source = "export function area(w: number) {\n  return w * w;\n}\nexport const edge = 4;\n"
    cut = edit("shapes.ts", "export function area(w: number) {\n  return w * w;\n}\n", "")
    used = read("report.ts", "import { area } from './shapes';\nconsole.log(area(3));\n")
    assert [name for name, *_ in _orphans(read("shapes.ts", source), used, cut)] == ["area"]
