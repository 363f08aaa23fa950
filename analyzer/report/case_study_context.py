"""What the documents of a case study show besides the study itself: the plan, the progress and the checks as rows, the
criteria in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.model.case_study import CASE_STUDY_VERSION, CaseStudy, Check, PlanRow
from analyzer.model.scenario import AnyOrder, Argument, OneOf, PlanEntry, PlanStep, Scenario, TextCheck
from analyzer.report import safe
from analyzer.report.figures import plural

_MARKS = {"done": "#", "otherwise": "+", "failed": "x", "": "."}
_DEVIATIONS = (("wrong-result", "wrong result"), ("wrong-arguments", "other arguments"), ("reordered", "out of order"))
_WORDS = {"done": "done", "otherwise": "done otherwise", "failed": "**failed**", "": "-"}


def context_of(study: CaseStudy) -> dict[str, Any]:
    """What templates get: `study` as `-f json` prints it, and what tables and the picture are made of: `plan`,
    `progress`, `picture`, `byline`, `criteria` and `checks`;
    `version` is that of all of it."""
    progress = _progress(study)
    return {
        "version": CASE_STUDY_VERSION,
        "study": study.model_dump(),
        "plan": plan_rows(study.scenario.plan),
        "progress": progress,
        "picture": _picture(progress),
        "byline": _byline(study),
        "criteria": criteria(study.scenario),
        "checks": check_rows(study.runs[-1].checks),
    }


def plan_rows(plan: Sequence[PlanEntry]) -> list[dict[str, Any]]:
    """The steps of a plan for a table: `step` (its id), `name`, `tool`, `arguments` (each with `name`, `text` and
    `is_value`), `when` it needn't be done or not in this order, `note`, and whether it `has_reference` to another
    step's result."""
    rows: list[dict[str, Any]] = []
    for number, (step, when) in enumerate(_steps(plan), 1):
        arguments = [
            {"name": name, "text": _argument(value), "is_value": not isinstance(value, TextCheck)}
            for name, value in step.arguments.items()
        ]
        rows.append(
            {
                "step": step.id or f"step_{number}",
                "name": step.id or str(number),
                "tool": step.tool if isinstance(step.tool, str) else " or ".join(step.tool),
                "arguments": arguments,
                "when": ", ".join(filter(None, ("optional" if step.optional else "", when))),
                "note": step.note,
                "has_reference": any("$result." in str(argument["text"]) for argument in arguments),
            }
        )

    return rows


def _steps(plan: Sequence[PlanEntry]) -> Iterator[tuple[PlanStep, str]]:
    """The steps of a plan, each with what is said of its order."""
    for entry in plan:
        if isinstance(entry, AnyOrder):
            yield from ((step, "in any order with its neighbours") for step in entry.any_order)
        elif isinstance(entry, OneOf):
            ways = ((f"way {number} of {len(entry.one_of)}", way) for number, way in enumerate(entry.one_of, 1))
            yield from ((step, when) for when, way in ways for step in way)
        else:
            yield entry, ""


def _argument(value: Argument) -> str:
    """An argument's value as people write it, or what a check wants of it in words."""
    if isinstance(value, TextCheck):
        return check_in_words(value)
    if isinstance(value, str):
        return f'"{value}"' if not value.startswith("$result.") or " " in value else value
    return str(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)


def check_in_words(check: TextCheck) -> str:
    """What a text check wants, with what it names as code."""
    parts = [f"is {safe.code(check.equals, 80)}"] if check.equals is not None else []
    parts += [
        f"{word} {', '.join(safe.code(part, 80) for part in texts)}"
        for word, texts in (("contains", check.contains), ("lacks", check.lacks))
        if texts
    ]
    if check.matches is not None:
        parts.append(f"matches {safe.code(check.matches, 80)}")
    if check.lines is not None:
        parts.append(f"has {plural(check.lines, 'line')} or more")
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else "anything"


def criteria(scenario: Scenario) -> list[str]:
    """When a run counts as a success, in words, one condition per line."""
    success = scenario.success
    lines = []
    for check in success.files:
        words = check_in_words(check)
        lines.append(f"{safe.code(check.path, 120)} is written{'' if words == 'anything' else f', {words}'}.")
    if success.final_answer is not None:
        lines.append(f"The final answer {check_in_words(success.final_answer)}.")
    if success.recorded is not None:
        lines.append(f"The log records it as {success.recorded}.")
    if success.no_finding_above is not None:
        lines.append(f"No finding is worse than {success.no_finding_above}.")
    return lines


def check_rows(checks: Sequence[Check]) -> list[dict[str, Any]]:
    """The checks for a table: those of one file that the same action shows are one row, with the first one's quote.
    Each has `what`, `passed` and `evidence`."""
    rows: list[dict[str, Any]] = []
    for check in checks:
        evidence = check.evidence.model_dump() if check.evidence is not None else None
        last = rows[-1] if rows else None
        head, _, rest = check.what.partition(" ")
        alike = last is not None and last["passed"] == check.passed and last["what"].startswith(f"{head} ")
        if last and alike and rest and evidence and last["evidence"] and last["evidence"]["step"] == evidence["step"]:
            last["what"] += f", {rest}"
        else:
            rows.append({"what": check.what, "passed": check.passed, "evidence": evidence})
    return rows


def _progress(study: CaseStudy) -> list[dict[str, Any]]:
    """One line per run: its `cells` for the steps of the plan, how many were `done`, and the `result` in a few words.
    Empty without a plan."""
    if any(run.conformance is None for run in study.runs):
        return []
    failed = {failing.run: failing.title for failing in study.cascade}
    # Of alternatives, a run has the rows of the way that it went.
    passed = {row.step for run in study.runs for row in run.rows}
    names = [name for row in plan_rows(study.scenario.plan) if (name := row["step"]) in passed]
    lines = []
    for run in study.runs:
        rows = {row.step: row for row in run.rows}
        lines.append(
            {
                "run": run.number,
                "name": run.name,
                "cells": [_cell(name, rows.get(name)) for name in names],
                "done": sum(row.done for row in rows.values()),
                "of": len(rows),
                "result": {True: "succeeded", False: "**failed**", None: "not known"}[run.succeeded],
                "failure": failed.get(run.number),
            }
        )
    return lines if names else []


def _cell(name: str, row: PlanRow | None) -> dict[str, Any]:
    """What became of a step, also in a word or two."""
    state, action = "", None
    if row is not None:
        state = ("done" if row.conforms else "otherwise") if row.done else "failed" if row.attempts else ""
        action = row.action
    word = _WORDS[state]
    if row is not None and state == "otherwise":
        word = next((said for deviation, said in _DEVIATIONS if deviation in row.deviations), word)
    return {
        "name": name.removeprefix("step_"),
        "state": state,
        "mark": _MARKS[state],
        "word": word,
        "action": action,
    }


def _picture(progress: Sequence[Mapping[str, Any]]) -> str:
    """The progress of all runs as text: one row per run, one mark per step."""
    width = max((len(str(line["run"])) for line in progress), default=1)
    rows = []
    for line in progress:
        marks = " ".join(cell["mark"] for cell in line["cells"])
        ended = line["failure"] or line["result"].strip("*")
        rows.append(f"run {line['run']:>{width}}  {marks}  {line['done']} of {line['of']}  {safe.clip(ended, 100)}")
    return "\n".join(rows)


def _byline(study: CaseStudy) -> list[str]:
    scenario, system = study.scenario, study.scenario.system
    named = " ".join(filter(None, (f"System: {system.name}", system.version))) if system is not None else ""
    return list(filter(None, (named, plural(len(study.runs), "run"), scenario.date, scenario.author)))
