"""What a person writes into a case study."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.case_study.notes import Notes, load_notes, template
from analyzer.case_study.study import astray
from analyzer.model.errors import AnalyzerError
from analyzer.report.case_study import render
from tests.case_study.loaded import study
from tests.case_study.story import PLAN, ask, first_three, good_run, run_2, run_3
from tests.report.hostile import PAYLOADS
from tests.tables import table

FIXED = PLAN + "fixes: [{after_run: 1, text: Change one.}, {after_run: 2, text: Change two.}]\n"
WRITTEN = """
author: The plugin team
date: 2026-02-01
overview: Why it **matters**.
failure-1:
  symptom: It stopped at step 4.
  root_cause: The method was forgotten.
  solution: |
    The method takes `prompt`.

    A test compares both.
result: All twelve are there.
lessons:
  - Look at both sides.
  - Run it again.
"""


def notes(tmp_path: Path, text: str) -> Notes:
    file = tmp_path / "notes.yaml"
    file.write_text(text, encoding="utf-8")
    return load_notes(file)


def test_notes_stand_in_the_document_as_they_were_written(tmp_path: Path) -> None:
    page = render(study(FIXED, run_2(), run_3(), good_run(), notes=notes(tmp_path, WRITTEN)))
    for text in (
        "2026-02-01 · The plugin team",
        "Why it **matters**.",
        "**Symptom.** It stopped at step 4.",
        "**Root cause.** The method was forgotten.",
        "**Solution.**\n\nThe method takes `prompt`.\n\nA test compares both.",
        "All twelve are there.",
        "- Look at both sides.\n- Run it again.",
    ):
        assert text in page
    assert "Change one." not in page
    assert "Change two." in page
    assert "To be written by a person" not in page


def test_without_notes_the_page_says_what_a_person_should_write() -> None:
    page = render(study(PLAN, run_2(), good_run(), telling="cascade"))
    marked = [line for line in page.split("\n") if line.startswith("> **To be written by a person:**")]
    assert [line.partition("key `")[2].rstrip("`.)") for line in marked] == [
        "overview",
        "failure-1: {solution: ...}",
        "lessons",
    ]
    assert "What was changed before run 2 isn't recorded. What would help:" in page


def test_notes_go_with_their_run_when_the_cascade_changes(tmp_path: Path) -> None:
    written = notes(tmp_path, "failure-1: {run: run-2, root_cause: It is the planner.}\n")
    found = study(FIXED, run_2(), run_3(), good_run(), notes=written)
    assert found.notes == {"failure-2.root_cause": "It is the planner."}


def test_notes_without_a_place_are_reported(tmp_path: Path) -> None:
    written = notes(tmp_path, "failure-7: {solution: x}\nfailure-1: {run: gone, solution: y}\n")
    found = study(FIXED, run_2(), good_run(), good_run(), notes=written)
    assert found.notes == {}
    assert [line.partition(":")[0] for line in astray(found, written)] == ["failure-7", "failure-1"]


@table("what_is_wrong_is_said_with_its_line")
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(AnalyzerError) as raised:
        notes(tmp_path, text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "text", ["", "# nothing yet\n", "overview:\nfailure-1:\n  solution:\nlessons:\n", "failure-1:\n"]
)
def test_empty_notes_change_nothing(tmp_path: Path, text: str) -> None:
    runs = run_2(), good_run()
    assert study(FIXED.replace("after_run: 2", "after_run: 1"), *runs, notes=notes(tmp_path, text)) == study(
        FIXED.replace("after_run: 2", "after_run: 1"), *runs
    )


def test_notes_that_arent_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="No such file"):
        load_notes(tmp_path / "none.yaml")


def test_the_empty_notes_file_has_the_sections_and_is_valid(tmp_path: Path) -> None:
    found = study(FIXED, run_2(), run_3(), good_run())
    text = template(found)
    assert [line.partition(":")[0] for line in text.split("\n") if line and line[0] not in "# "] == [
        "author",
        "date",
        "overview",
        "scenario",
        "failure-1",
        "failure-2",
        "result",
        "lessons",
    ]
    empty = notes(tmp_path, text)
    assert study(FIXED, run_2(), run_3(), good_run(), notes=empty) == found


def test_what_was_written_survives_in_a_new_notes_file(tmp_path: Path) -> None:
    before = study(FIXED, run_2(), run_3(), good_run(), notes=notes(tmp_path, WRITTEN))
    after = study(FIXED, run_2(), run_3(), good_run(), notes=notes(tmp_path, template(before)))
    assert after.notes == before.notes


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_no_text_of_a_session_breaks_the_notes_file(tmp_path: Path, text: str) -> None:
    run = [
        *first_three(),
        ask(f"Error {text}: LLMTool.execute() got an unexpected keyword argument 'prompt' {text}", is_error=True),
    ]
    found = study(FIXED.replace("after_run: 2", "after_run: 1"), run, good_run())
    read = notes(tmp_path, template(found))
    assert read.sections == {}
    assert [(note.number, note.run, dict(note.parts)) for note in read.failures] == [(1, "run-1", {})]
