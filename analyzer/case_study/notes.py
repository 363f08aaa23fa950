"""What a person writes into a case study: a YAML file beside the scenario, which survives every new writing of the
document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BeforeValidator, create_model

from analyzer.case_study.yaml_file import read_yaml
from analyzer.model.case_study import CaseStudy, Failing
from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import Written
from analyzer.model.struct import Struct, field

PARTS = ("symptom", "root_cause", "solution")
"""What may be written about one failure."""
_FAILURE = re.compile(r"failure-[1-9]\d{0,3}")
_UNPRINTABLE = re.compile("[^\\t\\n\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


class FailureNote(Struct, frozen=True):
    """What was written about one failure. `run` is the name of the run that it's about; without one the number in the
    key counts."""

    number: int
    run: str | None = None
    parts: Mapping[str, str] = field(default_factory=dict)


class Notes(Struct, frozen=True):
    """What a notes file says. `sections` has the texts by key, `failures` what was written about the failures."""

    sections: Mapping[str, str] = field(default_factory=dict)
    failures: Sequence[FailureNote] = ()


def _prose(value: Any) -> str:
    """A text, or the points of a list as Markdown."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(entry, str | int | float) for entry in value):
        return "\n".join(f"- {' '.join(str(entry).split())}" for entry in value)
    if isinstance(value, dict | list):
        raise ValueError("must be a text, or a list of texts")
    return str(value).strip()


_Prose = Annotated[str, BeforeValidator(_prose)]


class _Failure(Written):
    run: str | None = None
    symptom: _Prose = ""
    root_cause: _Prose = ""
    solution: _Prose = ""


class Sections(Written):
    """The keys at the top level, but for `failure-N`."""

    overview: _Prose = ""
    scenario: _Prose = ""
    result: _Prose = ""
    lessons: _Prose = ""
    author: _Prose = ""
    date: _Prose = ""


def load_notes(path: Path) -> Notes:
    """Read a notes file. Keys without a value count as not written yet. Raises `AnalyzerError` for a file that can't be
    read, an unknown key or a value that is no text."""
    try:
        file = read_yaml(path)
    except AnalyzerError as error:
        if error.what == "is empty.":
            return Notes()
        raise
    keys = [key for key in file.value if _FAILURE.fullmatch(key)] if isinstance(file.value, dict) else []
    failures: Any = dict.fromkeys(keys, (_Failure | None, None))
    written = file.checked(create_model("Notes", __base__=Sections, **failures))
    found = {key: text for key in Sections.model_fields if (text := getattr(written, key))}
    notes = []
    for key in keys:
        note = getattr(written, key) or _Failure()
        parts = {part: text for part in PARTS if (text := getattr(note, part))}
        notes.append(FailureNote(int(key.removeprefix("failure-")), note.run, parts))
    return Notes(found, notes)


def placed(notes: Notes, cascade: Sequence[Failing], names: Mapping[int, str]) -> tuple[dict[str, str], list[str]]:
    """The notes by the sections of a document, and what has no place in it, in words. `names` are those of the runs by
    number.

    A note that names its run is put to that run's failure, whatever number the failure has by now.
    """
    found = dict(notes.sections)
    astray: list[str] = []
    of_run = {names[failing.run]: number for number, failing in enumerate(cascade, 1)}
    for note in notes.failures:
        number = note.number if note.run is None else of_run.get(note.run, 0)
        if 1 <= number <= len(cascade):
            found.update({f"failure-{number}.{part}": text for part, text in note.parts.items()})
        elif note.parts:
            about = f"run {note.run}" if note.run is not None else "such a number"
            astray.append(f"failure-{note.number}: the document has no failure for {about}, so this note isn't shown.")
    return found, astray


def template(study: CaseStudy) -> str:
    """An empty notes file for a case study, in which comments say what the document has of itself; what was written
    already is kept."""
    names = {run.number: run.name for run in study.runs}
    lessons = "; ".join(lesson.text for lesson in study.lessons[:3])

    def sections(**comments: str) -> Iterator[str]:
        for key, comment in comments.items():
            yield from _entry(key, study.notes.get(key), comment)

    replaces = "symptom, root_cause, solution, lessons"
    lines = [
        f"# Notes for the case study. What is written here replaces what the program says ({replaces}),",
        "# or precedes it (overview, scenario, result). Texts are Markdown. Empty keys change nothing.",
        *sections(
            author="Who wrote the document.",
            date="The document's date.",
            overview="What the benchmark is, and why it matters.",
            scenario="What a reader should know before reading the prompt and the plan.",
        ),
    ]
    for number, failing in enumerate(study.cascade, 1):
        run = yaml.safe_dump(names[failing.run], allow_unicode=False, width=10_000, default_style='"').strip()
        lines += ["", f"# {_comment(failing.title)}", f"failure-{number}:", f"  run: {run}"]
        quote = failing.symptom[0].quote if failing.symptom else ""
        for part, comment in zip(PARTS, (quote, failing.root_cause, failing.solution or "not recorded"), strict=True):
            lines += _entry(part, study.notes.get(f"failure-{number}.{part}"), comment, "  ")
    result = study.summary[-1] if study.summary else "How it ended."
    return "\n".join([*lines, *sections(result=result, lessons=lessons or "What was learned.")]) + "\n"


def _entry(key: str, written: str | None, comment: str, indent: str = "") -> list[str]:
    above = [""] if not indent else []
    if written:
        dumped = yaml.safe_dump({key: written}, allow_unicode=True, width=100, default_style=None).rstrip("\n")
        return [*above, *(f"{indent}{line}" if line else "" for line in dumped.split("\n"))]
    return [*above, f"{indent}# {_comment(comment)}", f"{indent}{key}:"]


def _comment(text: str) -> str:
    line = " ".join(_UNPRINTABLE.sub("", text).split())
    return line if len(line) <= 160 else f"{line[:159].rstrip()}…"
