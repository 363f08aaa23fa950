"""A case study as Markdown, by our templates or the users' own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from analyzer.model.case_study import CASE_STUDY_VERSION, CaseStudy, CaseStudyIndex, Check, PlanRow, Run
from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import AnyOrder, Argument, OneOf, PlanEntry, PlanStep, Scenario, TextCheck
from analyzer.model.words import MAIN_LANE
from analyzer.report import safe
from analyzer.report.environment import templates_directory, users_environment
from analyzer.report.figures import plural
from analyzer.report.markdown import tidy

FOLDER = "markdown/case_study"
"""Where the templates of case studies are, below the folder of all templates."""
DOCUMENT = f"{FOLDER}/document.md.j2"
INDEX = f"{FOLDER}/index.md.j2"
_BLOCK = re.compile(r"^( {0,3})(#{1,6}(?=\s|$)|[>|~`]|[-+*=](?=[\s\-+*=]|$)|\d{1,9}[.)](?=\s|$))", re.MULTILINE)
"""What would begin a heading, a list, a quotation, a table or a fence at the beginning of a line."""
_MARKS = {"done": "#", "otherwise": "+", "failed": "x", "": "."}
_DEVIATIONS = (("wrong-result", "wrong result"), ("wrong-arguments", "other arguments"), ("reordered", "out of order"))
_WORDS = {"done": "done", "otherwise": "done otherwise", "failed": "**failed**", "": "-"}


def render(study: CaseStudy, templates: Path | None = None, template: Path | None = None) -> str:
    """The document, ending in a newline.

    The templates in the folder `templates` take the place of ours of the same name; `template` is a file to use for the whole document. What
    templates get is `context_of(study)`. Raises `AnalyzerError` for a template that isn't there or can't be used.
    """
    return _rendered(DOCUMENT, context_of(study), templates, template)


def render_index(index: CaseStudyIndex, templates: Path | None = None) -> str:
    """The page that lists the case studies of a folder, ending in a newline. `templates` is as for `render`."""
    return _rendered(INDEX, {"index": index.model_dump(mode="json"), "version": CASE_STUDY_VERSION}, templates, None)


def context_of(study: CaseStudy) -> dict[str, Any]:
    """What templates get: `study` as `-f json` prints it, and what tables and the picture are made of: `plan`, `progress`, `picture`, `byline`,
    `criteria` and `checks`;
    `version` is that of all of it."""
    progress = _progress(study)
    return {
        "version": CASE_STUDY_VERSION,
        "study": study.model_dump(mode="json"),
        "plan": plan_rows(study.scenario.plan),
        "progress": progress,
        "picture": _picture(progress),
        "byline": _byline(study),
        "criteria": criteria(study.scenario),
        "checks": check_rows(study.runs[-1].checks),
    }


def own_templates() -> dict[str, str]:
    """The templates of case studies that users may replace, by their names, with their texts."""
    top = templates_directory()
    return {file.relative_to(top).as_posix(): file.read_text(encoding="utf-8") for file in sorted((top / FOLDER).glob("*.j2"))}


def _rendered(name: str, context: Mapping[str, Any], templates: Path | None, template: Path | None) -> str:
    for place, kind in ((templates, "folder"), (template, "file")):
        if place is not None and not (place.is_dir() if kind == "folder" else place.is_file()):
            raise AnalyzerError(f"there is no such {kind} of templates.", where=str(place), hint="`analyze-session templates --eject DIR` writes ours into DIR.")
    folders = [*([template.resolve().parent] if template is not None else []), *([templates] if templates is not None else [])]
    environment = _environment(tuple(folders))
    try:
        return tidy(safe.visible(environment.get_template(template.name if template is not None else name).render(**context)))
    except (jinja2.TemplateError, RecursionError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, UnicodeDecodeError) as error:
        if not folders:
            raise
        raise _complaint(error, template or templates) from error


@cache
def _environment(folders: tuple[Path, ...]) -> jinja2.Environment:
    """The environment for these folders. Templates that change are compiled anew."""
    made = users_environment(folders)
    made.filters.update(quotation=quotation, written=written, commit=_commit, tool_at=_tool_at, target=quote)
    made.globals.update(plural=plural)
    return made


def _complaint(error: Exception, place: Path | None) -> AnalyzerError:
    """What is wrong with a template, and where."""
    where, line = str(place), None
    if isinstance(error, jinja2.TemplateSyntaxError):
        where, line = error.filename or error.name or where, error.lineno
    elif isinstance(error, jinja2.TemplateNotFound):
        return AnalyzerError(f"there is no template {error.name!r}.", where=where, hint="Ours are listed by `analyze-session templates`.")
    elif isinstance(error, UnicodeDecodeError):
        return AnalyzerError("a template is no UTF-8 text.", where=where)
    else:
        trace = error.__traceback__
        while trace is not None:
            # Jinja rewrites the frames of a trace, so that those of templates have the template's file and line.
            if trace.tb_frame.f_code.co_filename.endswith(".j2") or trace.tb_frame.f_globals.get("__jinja_template__") is not None:
                where, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
    what = "templates include each other without end" if isinstance(error, RecursionError) else str(error).rstrip(".") or type(error).__name__
    return AnalyzerError(f"{what}.", where=f"{where}:{line}" if line else where, hint="What templates get is described in docs/case-studies.md; `-f json` prints it.")


def plan_rows(plan: Sequence[PlanEntry]) -> list[dict[str, Any]]:
    """The steps of a plan for a table: `step` (its id), `name`, `tool`, `arguments` (each with `name`, `text` and `is_value`), `when` it needn't be done or not in this
    order, `note`, and whether it `has_reference` to another step's result."""
    rows: list[dict[str, Any]] = []

    def add(step: PlanStep, when: str) -> None:
        number = len(rows) + 1
        arguments = [{"name": name, "text": _argument(value), "is_value": not isinstance(value, TextCheck)} for name, value in step.arguments.items()]
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

    for entry in plan:
        if isinstance(entry, AnyOrder):
            for step in entry.any_order:
                add(step, "in any order with its neighbours")
        elif isinstance(entry, OneOf):
            for number, way in enumerate(entry.one_of, 1):
                for step in way:
                    add(step, f"way {number} of {len(entry.one_of)}")
        else:
            add(entry, "")
    return rows


def _argument(value: Argument) -> str:
    """An argument's value as people write it, or what a check wants of it in words."""
    if isinstance(value, TextCheck):
        return check_in_words(value)
    if isinstance(value, str):
        return f'"{value}"' if not value.startswith("$result.") or " " in value else value
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return str(value)
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def check_in_words(check: TextCheck) -> str:
    """What a text check wants, with what it names as code."""
    parts = [f"is {safe.code(check.equals, 80)}"] if check.equals is not None else []
    parts += [f"{word} {', '.join(safe.code(part, 80) for part in texts)}" for word, texts in (("contains", check.contains), ("lacks", check.lacks)) if texts]
    if check.matches is not None:
        parts.append(f"matches {safe.code(check.matches, 80)}")
    if check.lines is not None:
        parts.append(f"has {plural(check.lines, 'line')} or more")
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else "anything"


def criteria(scenario: Scenario) -> list[str]:
    """When a run counts as a success, in words, one condition per line."""
    success = scenario.success
    lines = [f"{safe.code(check.path, 120)} is written{'' if (words := check_in_words(check)) == 'anything' else f', {words}'}." for check in success.files]
    if success.final_answer is not None:
        lines.append(f"The final answer {check_in_words(success.final_answer)}.")
    if success.exit_status is not None:
        lines.append(f"The agent's command exits with {success.exit_status}.")
    if success.recorded is not None:
        lines.append(f"The log records it as {success.recorded}.")
    if success.no_finding_above is not None:
        lines.append(f"No finding is worse than {success.no_finding_above}.")
    return lines


def check_rows(checks: Sequence[Check]) -> list[dict[str, Any]]:
    """The checks for a table: those of one file that the same action shows are one row, with the first one's quote. Each has `what`, `passed` and `evidence`."""
    rows: list[dict[str, Any]] = []
    for check in checks:
        evidence = check.evidence.model_dump() if check.evidence is not None else None
        last = rows[-1] if rows else None
        head, _, rest = check.what.partition(" ")
        if last is not None and evidence is not None and last["passed"] == check.passed and last["evidence"] is not None and last["evidence"]["step"] == evidence["step"] and last["what"].startswith(f"{head} ") and rest:
            last["what"] += f", {rest}"
        else:
            rows.append({"what": check.what, "passed": check.passed, "evidence": evidence})
    return rows


def _progress(study: CaseStudy) -> list[dict[str, Any]]:
    """One line per run: its `cells` for the steps of the plan, how many were `done`, and the `result` in a few words. Empty without a plan."""
    if any(run.conformance is None for run in study.runs):
        return []
    failed = {failing.run: failing.title for failing in study.cascade}
    # Of alternatives, a run has the rows of the way that it went.
    passed = {row.step for run in study.runs if run.conformance is not None for row in run.conformance.rows}
    names = [name for row in plan_rows(study.scenario.plan) if (name := row["step"]) in passed]
    lines = []
    for run in study.runs:
        rows = {row.step: row for row in run.conformance.rows} if run.conformance is not None else {}
        cells = []
        for name in names:
            state = _state(rows[name]) if name in rows else ""
            action = rows[name].action if name in rows else None
            cells.append({"name": name.removeprefix("step_"), "state": state, "mark": _MARKS[state], "word": _word(rows.get(name), state), "action": action})
        done = sum(row.done for row in rows.values())
        lines.append({"run": run.number, "name": run.name, "cells": cells, "done": done, "of": len(rows), "result": _result(run), "failure": failed.get(run.number)})
    return lines if names else []


def _state(row: PlanRow) -> str:
    if row.done:
        return "done" if row.conforms else "otherwise"
    return "failed" if row.attempts else ""


def _word(row: PlanRow | None, state: str) -> str:
    """What became of a step, in a word or two."""
    if state != "otherwise" or row is None:
        return _WORDS[state]
    return next((word for deviation, word in _DEVIATIONS if deviation in row.deviations), _WORDS[state])


def _result(run: Run) -> str:
    return "not known" if run.succeeded is None else "succeeded" if run.succeeded else "**failed**"


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
    scenario = study.scenario
    system = f"System: {scenario.system.name}{f' {scenario.system.version}' if scenario.system.version else ''}" if scenario.system is not None else ""
    return [part for part in (system, plural(len(study.runs), "run"), scenario.date or "", scenario.author or "") if part]


def quotation(text: object) -> str:
    """Somebody's words as a quotation in which nothing is markup; more than a few lines as a fenced block."""
    body = safe.visible(str(text)).strip()
    if body.count("\n") > 3 or len(body) > 3_000:
        return safe.fence(body, "text", 20_000)
    return "\n".join(f"> {_BLOCK.sub(_escaped, safe.prose(line))}".rstrip() for line in body.split("\n"))


def _escaped(found: re.Match[str]) -> str:
    space, mark = found.groups()
    return f"{space}{mark[:-1]}\\{mark[-1]}" if mark[0].isdigit() else f"{space}\\{mark}"


def written(text: object) -> str:
    """What a person wrote for the document: Markdown that stays as it is, but for control characters. What begins a list or has several
    paragraphs begins a paragraph of its own."""
    body = safe.visible(str(text)).strip()
    return f"\n\n{body}" if "\n\n" in body or _BLOCK.match(body) else body


def _commit(line: str) -> str:
    """A commit's short hash and its subject."""
    short, _, subject = line.partition(" ")
    return f"{safe.code(short)} {safe.prose(subject)}" if re.fullmatch(r"[0-9a-f]{4,64}", short) else safe.prose(line)


def _tool_at(timeline: Sequence[Mapping[str, Any]], step: int) -> str:
    """The tool of an action of the main lane."""
    return next((str(row["tool"]) for row in timeline if row["step"] == step and row["lane"] == MAIN_LANE), "")
