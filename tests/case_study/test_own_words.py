"""A system whose checks, references and empty answers are worded in its own way: the causes are found all the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.record.definitions import definitions_in
from analyzer.model.case_study import CaseStudy
from tests.build import Part, call, says
from tests.case_study.loaded import study

SCENARIO = """
title: A kiln load
prompt: Fire the mugs tonight, and note cone and start in load.txt.
plan:
  - tool: look_up_clay
    arguments: {piece: mugs}
  - tool: free_slot
    arguments: {kiln: K2}
  - tool: fire_kiln
    arguments: {cone: $result.step_1.cone, hours: $result.step_1.hours, start: $result.step_2.start}
  - tool: write_note
    arguments: {path: load.txt}
success:
  files:
    - path: load.txt
      contains: ["cone 6", "start 19:30", "9 h"]
"""
TOOLS = definitions_in({"tools": ["fire_kiln(cone, duration, start)", "free_slot(kiln, night)"]})


def clay(**more: Any) -> Part:
    return call("look_up_clay", {"piece": "mugs"}, json.dumps({"cone": 6, "hours": 9} | more))


def slot(start: str | None = "19:30") -> Part:
    return call("free_slot", {"kiln": "K2"}, json.dumps({"kiln": "K2", "start": start}))


def fire(answer: str, **given: Any) -> Part:
    return call("fire_kiln", {"cone": 6, "start": "19:30"} | given, answer)


def note(text: str) -> Part:
    return call("write_note", {"path": "load.txt", "text": text}, json.dumps({"path": "load.txt"}))


def told(*parts: Part) -> CaseStudy:
    return study(SCENARIO, [*parts, says("That's it.")], definitions=tuple(TOOLS))


def cause(*parts: Part) -> tuple[str, str]:
    (failing,) = told(*parts).cascade
    return failing.title, failing.root_cause or ""


def test_rejections_in_own_words_with_both_sides() -> None:
    answer = "fire_kiln does not know '{}' (it has cone, hours, start)"
    tries = [fire(answer.format(name), **{name: 9}) for name in ("duration", "time", "duration", "span")]
    title, text = cause(clay(), slot(), *tries)
    assert title == "Argument-validation loop at step 3"
    assert "Tried in turn: `duration`, `time` and `span`; it says that it takes `cone`, `hours` and `start`" in text


def test_a_reference_of_another_planner_is_not_substituted() -> None:
    title, text = cause(
        clay(), slot(), fire("{}", hours=9, start="{{steps.2.start}}"), note("cone 6 start {{steps.2.start}} 9 h")
    )
    assert title == "The result of step 2 was not substituted on its way to step 3"
    assert "the text `{{steps.2.start}}`" in text


def test_a_value_in_the_place_of_an_empty_answer_was_made_up() -> None:
    title, text = cause(clay(), slot(None), fire("{}", hours=9, start="21:00"), note("cone 6 start 21:00 9 h"))
    assert title == "A value made up for an empty answer of step 2"
    assert "step 3 is called with `start` = `21:00`, which appears nowhere before" in text


@pytest.mark.parametrize("heard", ["21:00", "free from 21:00 on"])
def test_a_value_that_stood_elsewhere_was_not_made_up(heard: str) -> None:
    given = (clay(remark=heard), slot(None), fire("{}", hours=9, start="21:00"), note("cone 6 start 21:00 9 h"))
    assert cause(*given)[0] == "Another value for an empty answer of step 2"


def test_a_run_that_does_it_has_no_cause() -> None:
    assert told(clay(), slot(), fire("{}", hours=9), note("cone 6 start 19:30 9 h")).cascade == []
