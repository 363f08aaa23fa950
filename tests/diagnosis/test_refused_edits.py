"""What is said of edits that their tool refuses fits the reason of the refusal."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import PostMortem
from tests.build import Part, call, diagnosed, edit, run, traceback, write

SYNTAX = "Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent"


def advice(made: PostMortem) -> str:
    diagnosis = made.diagnosis
    ideas = (f"{idea.title}: {idea.why} {idea.change}" for idea in diagnosis.improvements)
    return " ".join([*diagnosis.step_back, *(f"{way.title}: {way.text}" for way in diagnosis.approaches), *ideas])


def test_of_a_whole_text_that_a_checker_refuses_nothing_is_said_about_ranges() -> None:
    said = advice(diagnosed(*(write("tides.py", f"x = {n}\n  y", SYNTAX, is_error=True) for n in range(4))))
    assert "Which line of the new text of `tides.py`" in said
    assert "range" not in said
    assert "larger" not in said
    assert "to be replaced" not in said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("File has not been read yet. Read it first before writing to it.", "Which step read `tides.py` before"),
        ("File has been modified since read", "What changed `tides.py` after it was last read?"),
    ],
)
def test_a_file_that_must_be_read_first_is_to_be_read(answer: str, words: str) -> None:
    said = advice(diagnosed(*(edit("tides.py", f"x{n}", "y", answer, is_error=True) for n in range(4))))
    assert words in said
    assert "larger" not in said


def test_the_advice_on_an_error_that_comes_back_names_no_file_whose_edits_were_refused() -> None:
    failing = traceback("KeyError: 'heron'", ("tides.py", 7, "level", "return levels[name]"))
    refused = edit("piers.py", "c", "d", "String to replace not found in file.", is_error=True)
    rounds: list[Part] = [
        [
            edit("tides.py", f"a{n}", "b"),
            *([refused] if n == 1 else []),
            run("python tides.py", failing, 1),
        ]
        for n in range(4)
    ]
    said = advice(diagnosed(*rounds))
    assert "tides.py" in said
    assert "piers.py" not in said


JAVA = "import org.tide.Gauge;\n\npublic class GaugeTest {\n    int level = %d;\n}\n"
PYTHON = "def level(gauge):\n    return gauge + %d\n"


def by_range(path: str, text: str, count: int = 4) -> list[Part]:
    return [
        call("edit", {"path": path, "start": 1, "end": 1, "text": text % number}, SYNTAX, said=f"Try {number}.")
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("parts", "reason", "range_in_doubt"),
    [
        pytest.param(by_range("repro.py", JAVA), "The text is Java, and the file's name announces Python", False),
        pytest.param(by_range("repro.py", PYTHON), "The replaced range and the new text don't fit together", True),
        pytest.param(by_range("Repro.java", PYTHON), "The text is Python, and the file's name announces Java", False),
    ],
    ids=["Java into a Python file", "Python into a Python file", "Python into a Java file"],
)
def test_the_explanation_of_a_refusal_fits_it(parts: list[Part], reason: str, range_in_doubt: bool) -> None:
    made = diagnosed(*parts)
    assert reason in (made.diagnosis.root_cause or "")
    (loop,) = (finding for finding in made.findings if finding.detector == "loops")
    assert any("Widen the range" in advice for advice in loop.advice) is range_in_doubt
    assert ("Never changed the range" in str(made.diagnosis)) is range_in_doubt


def test_the_variants_are_those_of_the_refused_edits() -> None:
    parts: list[Part] = [*by_range("repro.py", PYTHON, 1) * 4]
    assert "rejected the same edit" in (diagnosed(*parts).diagnosis.root_cause or "")


def tool_changes(*parts: Part) -> list[str]:
    return [idea.title for idea in diagnosed(*parts).diagnosis.improvements if idea.where == "tool"]


def test_what_the_tool_should_say_fits_the_refusal() -> None:
    shows = [
        call("edit", {"path": "repro.py", "start": 1, "end": 1, "text": PYTHON % n}, f"{SYNTAX}\n\n1:{PYTHON % n}")
        for n in range(4)
    ]

    assert tool_changes(*by_range("repro.py", JAVA)) == ["edit: name the language that it checks"]
    assert tool_changes(*by_range("repro.py", PYTHON)) == ["edit: show the lines with the refusal"]
    assert tool_changes(*shows) == []
