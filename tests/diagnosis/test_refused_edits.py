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


PYTHON = "def level(gauge):\n    return gauge + %d\n"


def by_range(path: str, text: str, count: int = 4) -> list[Part]:
    return [
        call("edit", {"path": path, "start": 1, "end": 1, "text": text % number}, SYNTAX, said=f"Try {number}.")
        for number in range(count)
    ]


def test_the_explanation_of_a_refusal_fits_it() -> None:
    made = diagnosed(*by_range("repro.py", PYTHON))
    assert "The replaced range and the new text don't fit together" in (made.diagnosis.root_cause or "")
    (loop,) = (finding for finding in made.findings if finding.detector == "loops")
    assert any("Widen the range" in advice for advice in loop.advice)
    assert "Never changed the range" in str(made.diagnosis)


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

    assert tool_changes(*by_range("repro.py", PYTHON)) == ["edit: show the lines with the refusal"]
    assert tool_changes(*shows) == []


HEIGHTS = [
    "def heights(quay):",
    "    return sorted(",
    "        quay.at(hour)",
    "        for hour in DAY",
    "    )",
    "",
    "DAY = ()",
]
NEW = ["    return list(", "        quay.at(hour, unit)", "        for hour in DAY", "    )"]


def refused(lines: list[str], first: int, last: int, form: str = "{0}:{1}", new: list[str] = NEW) -> Part:
    """An edit of a range of lines that a checker refuses, with the file as it would look."""
    would = [*lines[: first - 1], *new, *lines[last:]]
    shown = "\n".join(form.format(number, line) for number, line in enumerate(would, 1))
    answer = f"{SYNTAX}\n\nIt would look like this:\n{shown}"
    return call("edit", {"path": "quay.py", "start": first, "end": last, "text": "\n".join(new)}, answer, is_error=True)


@pytest.mark.parametrize("form", ["{0}:{1}", "{0}: {1}", "{0}\t{1}", "{0:>6}→{1}", "{0} | {1}"])
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        pytest.param(
            (2, 4),
            "The last line of the new text, `)`, is line 5 of the file already: the range 2-4 ends one line too early",
            id="ends too early",
        ),
        pytest.param(
            (3, 5),
            "The first line of the new text, `return list(`, is line 2 of the file already: the range 3-5 begins one "
            "line too late",
            id="begins too late",
        ),
    ],
)
def test_a_range_that_leaves_a_line_of_the_new_text_is_said_to(form: str, part: tuple[int, int], reason: str) -> None:
    lines = [line.replace("sorted", "list") for line in HEIGHTS]
    made = diagnosed(*[refused(lines, *part, form)] * 4)
    (group,) = made.failure_groups
    assert group.provenance is not None
    assert (group.provenance.kind, group.provenance.reason) == ("own-edit", reason)


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(refused(HEIGHTS, 2, 5), id="the whole statement"),
        pytest.param(refused(HEIGHTS, 2, 4, "{1}"), id="lines without numbers"),
        pytest.param(
            refused([*HEIGHTS[:4], "        )", *HEIGHTS[5:]], 2, 4), id="the next line is indented otherwise"
        ),
        pytest.param(
            refused(["a = 1", "b = 2", "b = 2"], 1, 2, new=["a = 3", "b = 2"]), id="a statement that may come twice"
        ),
    ],
)
def test_a_range_that_fits_is_not_blamed(part: Part) -> None:
    made = diagnosed(*[part] * 4)
    assert "one line too" not in made.model_dump_json()
