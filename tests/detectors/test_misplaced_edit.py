"""An edit by line numbers that lands in another file than the agent says."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, edit, findings, read, run, write

CHECK = "from tide import gauge\nassert gauge.level(3) == 4\nassert gauge.level(0) == 1\nprint('checked')"
OWN = "def level(depth):\n    return depth + 1\n\ndef low(depth):\n    return depth < 1\n"
TRIED = write("try_gauge.py", CHECK)
OPENED = read("src/gauge.py", OWN)


def by_lines(path: str, text: str, said: str, result: str = "The file has been edited.") -> Part:
    return call("edit", {"path": path, "start": 1, "end": 2, "text": text}, result, said=said)


ASIDE = by_lines("src/gauge.py", f"{CHECK}\nimport os", "I'll add the import in `try_gauge.py`.")


def misplaced(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="misplaced-edit", task="Fix level() in src/gauge.py.")


@pytest.mark.parametrize(
    ("parts", "severity", "end"),
    [
        pytest.param([TRIED, OPENED, ASIDE], "high", "and is left there", id="left in"),
        pytest.param(
            [
                by_lines("try_gauge.py", CHECK, "First try.", "Your proposed edit has introduced syntax errors: E999"),
                OPENED,
                ASIDE,
            ],
            "high",
            "and is left there",
            id="the text was refused in the other file",
        ),
        pytest.param(
            [TRIED, OPENED, ASIDE, run("git checkout src/gauge.py", "Updated 1 path from the index")],
            "low",
            "and is taken back later",
            id="taken back",
        ),
    ],
)
def test_fires(parts: list[Part], severity: str, end: str) -> None:
    (found,) = misplaced(*parts)
    assert found.severity == severity
    assert found.title == (
        "The edit that the agent says is for `try_gauge.py` replaces lines 1-2 of `src/gauge.py` "
        f"(step {found.first_step}), {end}"
    )
    assert found.evidence[0].quote == "I'll add the import in `try_gauge.py`."


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(by_lines("try_gauge.py", CHECK, "I'll add the import in `try_gauge.py`."), id="the file it names"),
        pytest.param(
            by_lines("src/gauge.py", CHECK, "Now `gauge.py` gets what is in `try_gauge.py`."), id="both are named"
        ),
        pytest.param(by_lines("src/gauge.py", CHECK, "Let's move the checks from try_gauge here."), id="no file named"),
        pytest.param(
            by_lines("src/gauge.py", "def level(depth):\n    return depth + 2\n    # higher", "`try_gauge.py` failed."),
            id="a text of its own",
        ),
        pytest.param(
            by_lines("src/gauge.py", CHECK, "I'll add the import in `try_gauge.py`.", "Error: no file is open"),
            id="it failed",
        ),
        pytest.param(
            edit("src/gauge.py", "return depth + 1", CHECK, said="I'll add the import in `try_gauge.py`."),
            id="an edit that names what it replaces",
        ),
        pytest.param(
            by_lines("src/gauge.py", CHECK, "I'll add the import in `other_gauge.py`."), id="a file nobody edited"
        ),
        pytest.param(
            by_lines("src/gauge.py", "assert gauge.level(3) == 4", "I'll add it in `try_gauge.py`."), id="one line only"
        ),
    ],
)
def test_does_not_fire(last: Part) -> None:
    assert misplaced(TRIED, OPENED, last) == []


def test_a_text_that_was_in_both_files_may_be_meant_for_either() -> None:
    both = write("src/gauge.py", CHECK)
    assert misplaced(TRIED, both, ASIDE) == []
