"""Runs as they are after loading, without files."""

from __future__ import annotations

from typing import Any

from analyzer.case_study.notes import Notes
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.study import Telling, case_study
from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.case_study import CaseStudy
from tests.build import Part, timeline
from tests.case_study.story import scenario


def loaded(name: str, *parts: Part, **header: Any) -> LoadedRun:
    made = timeline(*parts, id=name, **header)
    return LoadedRun(name, f"{name}.json", made, post_mortem(made, detect(made)))


def study(
    text: str, *runs: list[Part], notes: Notes | None = None, telling: Telling = "auto", **header: Any
) -> CaseStudy:
    """The case study of runs called `run-1`, `run-2` ... of the scenario `text`."""
    return case_study(
        scenario(text),
        [loaded(f"run-{number}", *run, **header) for number, run in enumerate(runs, 1)],
        notes,
        telling=telling,
    )
