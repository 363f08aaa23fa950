"""A case study as one HTML page: what its document says, headed by pictures of the plan and of the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from analyzer.model.case_study import CaseStudy, CaseStudyIndex
from analyzer.report import case_study
from analyzer.report.case_study_context import context_of, plan_rows
from analyzer.report.html.document import beginning, written
from analyzer.report.html.page import page
from analyzer.report.picture.plan import WORDS, legend_mark, plan_picture
from analyzer.report.picture.svg import element
from analyzer.report.picture.thumbnail import code_of
from analyzer.report.safe import clip

_PARTS = ("thumbnail", "document")
_LONGEST_FIX = 200


def render(study: CaseStudy, templates: Path | None = None, template: Path | None = None) -> str:
    """The page, ending in a newline. `templates` and `template` are as for `analyzer.report.case_study.render`: the
    users' own shape the document here, too."""
    document = written(case_study.render(study, templates, template))
    progress = context_of(study)["progress"]
    title = document.title or study.scenario.title
    runs = _runs(study, progress)
    states = {cell["state"] for line in progress for cell in line["cells"]}
    signs = [(legend_mark(state), word) for state, word in WORDS.items() if state in states]
    shown = {"document": document, "title": title, "runs": runs, "plan": _plan(study, progress, runs), "legend": signs}
    return page(f"Case study: {title}", "case_study.html.j2", shown, parts=_PARTS)


def render_index(index: CaseStudyIndex, templates: Path | None = None) -> str:
    """The page that lists the case studies of a folder, ending in a newline."""
    document = written(case_study.render_index(index, templates))
    title = document.title or "Case studies"
    shown = {"document": document, "title": title, "runs": [], "plan": None, "legend": []}
    return page(title, "case_study.html.j2", shown, parts=_PARTS)


def _plan(study: CaseStudy, progress: Sequence[Mapping[str, Any]], runs: Sequence[Mapping[str, Any]]) -> Markup | None:
    """The picture of the plan, or None without one."""
    if not progress:
        return None
    tools = {str(row["step"]): str(row["tool"]) for row in plan_rows(study.scenario.plan)}
    names = [str(cell["name"]) for cell in progress[0]["cells"]]
    steps = [f"{name}  {tools.get(name) or tools.get(f'step_{name}', '')}" for name in names]
    shown = [{**line, **run} for line, run in zip(progress, runs, strict=True)]
    wide, narrow = (
        element("div", plan_picture(steps, shown, wide=wide), class_="wide" if wide else "narrow")
        for wide in (True, False)
    )
    return wide + narrow


def _fixes(study: CaseStudy) -> dict[int, str]:
    """What was changed after each run that failed, in a line, where somebody says so or the next run is free of it."""
    found = {}
    for place, failing in enumerate(study.cascade, 1):
        said = study.notes.get(f"failure-{place}.solution") or failing.solution or next(iter(failing.commits), "")
        if said:
            found[failing.run] = clip(" ".join(beginning(said).split()), _LONGEST_FIX)
        elif failing.gone is not None:
            found[failing.run] = "fixed; what was changed isn't recorded" if failing.gone else "not fixed"
    return found


def _runs(study: CaseStudy, progress: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The runs at a glance."""
    reached = {line["run"]: f"{line['done']} of {line['of']}" for line in progress}
    fixes = _fixes(study)
    failed = {failing.run: failing.title for failing in study.cascade}
    return [
        {
            "number": run.number,
            "name": run.name,
            "succeeded": run.succeeded,
            "code": code_of(run.post_mortem.timeline, run.post_mortem.findings),
            "actions": run.post_mortem.session.actions,
            "reached": reached.get(run.number, ""),
            "failure": failed.get(run.number, ""),
            "fix": fixes.get(run.number, ""),
        }
        for run in study.runs
    ]
