"""What is said of edits that their tool refuses fits the reason of the refusal."""

from __future__ import annotations

from analyzer.model.postmortem import PostMortem
from tests.build import Part, call, diagnosed, edit, run, traceback

SYNTAX = "Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent"


def advice(made: PostMortem) -> str:
    diagnosis = made.diagnosis
    ideas = (f"{idea.title}: {idea.why} {idea.change}" for idea in diagnosis.improvements)
    return " ".join([*diagnosis.step_back, *(f"{way.title}: {way.text}" for way in diagnosis.approaches), *ideas])


def test_the_advice_on_an_error_that_comes_back_names_no_file_whose_edits_were_refused() -> None:
    failing = traceback("KeyError: 'heron'", ("tides.py", 7, "level", "return levels[name]"))
    refused = edit("piers.py", "c", "d", "String to replace not found in file.", is_error=True)
    rounds: list[Part] = [
        [edit("tides.py", f"a{n}", "b"), *([refused] if n == 1 else []), run("python tides.py", failing, 1)]
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


def test_the_variants_are_those_of_the_refused_edits() -> None:
    parts: list[Part] = [*by_range("repro.py", PYTHON, 1) * 4]
    assert "rejected the same edit" in (diagnosed(*parts).diagnosis.root_cause or "")


NEW = ["    return list(", "        quay.at(hour, unit)", "        for hour in DAY", "    )"]


def refused(lines: list[str], first: int, last: int, form: str = "{0}:{1}", new: list[str] = NEW) -> Part:
    """An edit of a range of lines that a checker refuses, with the file as it would look."""
    would = [*lines[: first - 1], *new, *lines[last:]]
    shown = "\n".join(form.format(number, line) for number, line in enumerate(would, 1))
    answer = f"{SYNTAX}\n\nIt would look like this:\n{shown}"
    return call("edit", {"path": "quay.py", "start": first, "end": last, "text": "\n".join(new)}, answer, is_error=True)
