"""What edits leave behind: definitions that are gone while code uses them."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, edit, findings, read, run, write

SHAPES = "def area(w):\n    return w * w\n\n\ndef edge(w):\n    return 4 * w\n"
REPORT = "from shapes import area\n\nprint(area(3))\n"
READ = [read("shapes.py", SHAPES), read("report.py", REPORT)]
CUT = edit("shapes.py", "def area(w):\n    return w * w\n\n\n", "")


def damage(*parts: Part, task: str | None = None) -> list[Finding]:
    return findings(*parts, detector="edit-damage", task=task)


REMOVED = [
    pytest.param([*READ, CUT], "`report.py:1`", [2, 3], id="imported-elsewhere"),
    pytest.param(
        [read("shapes.py", SHAPES + "\n\ndef both(w):\n    return area(w) + edge(w)\n"), CUT],
        "`shapes.py:6`",
        [1, 2],
        id="called-in-the-same-file",
    ),
    pytest.param(
        [
            read("shapes.py", SHAPES),
            read("report.py", "import shapes\n\nprint(shapes.area(3))\n"),
            CUT,
            run("pytest tests/test_edge.py", "1 failed", 1),
        ],
        "`report.py:3`",
        [2, 3],
        id="by-the-module",
    ),
]


@pytest.mark.parametrize(("parts", "where", "steps"), REMOVED)
def test_a_definition_that_is_still_used(parts: list[Part], where: str, steps: list[int]) -> None:
    (found,) = damage(*parts)
    assert (found.kind, found.severity, found.steps) == ("removed-in-use", "medium", steps)
    assert f"took `area` out of `shapes.py`, and {where} still uses it at the end" in found.title
    assert found.evidence[0].quote == "def area(w):"


def test_what_one_step_took_out_is_one_finding() -> None:
    used = read("report.py", "from shapes import area, edge\n\nprint(area(3), edge(3))\n")
    (found,) = damage(READ[0], used, edit("shapes.py", SHAPES, "def hull(w):\n    return w\n"))
    assert found.title == (
        "Step 3 took `area` and `edge` out of `shapes.py`, and `report.py:1` still uses `area` at the end"
    )


FINE = [
    pytest.param(
        [read("report.py", REPORT), edit("shapes.py", "def area(w):\n    return w", "def area(w):\n    return 1 * w")],
        id="a-line-around-the-change",
    ),
    pytest.param(
        [
            read("report.py", REPORT),
            call("read", {"path": "shapes.py", "offset": 40, "limit": 2}, "    40\tx = 1\n    41\ty = 2\n"),
            edit("shapes.py", "def area(w):", "def area(w, h=1):"),
        ],
        id="another-signature-above-what-was-shown",
    ),
    pytest.param([*READ, CUT, run("pytest -q", "3 passed in 0.1s")], id="tests-passed"),
    pytest.param([*READ, CUT, run("git checkout shapes.py")], id="taken-back"),
    pytest.param([*READ, CUT, write("areas.py", "def area(w):\n    return w * w\n")], id="moved"),
    pytest.param([*READ, CUT, edit("report.py", REPORT, "print(9)\n")], id="the-use-is-gone-as-well"),
    pytest.param([read("shapes.py", SHAPES), CUT], id="nothing-uses-it"),
    pytest.param(
        [read("shapes.py", SHAPES), read("report.py", "from rooms import area\n\nprint(area(3))\n"), CUT],
        id="one-of-that-name-from-elsewhere",
    ),
    pytest.param(
        [read("shapes.py", SHAPES), read("report.py", "# the area of shapes\nprint('area')\n"), CUT], id="only-the-word"
    ),
    pytest.param(
        [read("shapes.py", SHAPES + "\n\ndef both(area):\n    return area(1)\n"), CUT], id="a-parameter-of-that-name"
    ),
    pytest.param([*READ, run("python tidy.py shapes.py", "")], id="nobody-knows-what-a-script-did"),
    pytest.param([*READ, edit("shapes.py", "def area(w):", "def area(w, h=1):")], id="another-signature"),
]


@pytest.mark.parametrize("parts", FINE)
def test_no_definition_is_missed(parts: list[Part]) -> None:
    assert damage(*parts) == []
