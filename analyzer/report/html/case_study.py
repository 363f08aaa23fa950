"""A case study as one HTML page: what its document says, headed by pictures of the plan and of the runs.

The document is written as Markdown, by our templates or the users' own. What a link may lead to is what markdown-it
lets through: nothing that runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markdown_it.token import Token
from markupsafe import Markup

from analyzer.model.case_study import CaseStudy, CaseStudyIndex
from analyzer.model.struct import Struct
from analyzer.report import case_study
from analyzer.report.case_study_context import context_of, plan_rows
from analyzer.report.html.page import page
from analyzer.report.html.written import document_parser
from analyzer.report.picture.plan import WORDS, legend_mark, plan_picture
from analyzer.report.picture.svg import element
from analyzer.report.picture.thumbnail import code_of
from analyzer.report.safe import clip, visible


class Written(Struct, frozen=True):
    """A document taken apart: `title` is its first heading, empty where it has none; `lead` what comes before the
    first section, `body` the sections, and `sections` the ids and titles of these."""

    title: str
    lead: Markup
    body: Markup
    sections: Sequence[tuple[str, str]]


def written(markdown: str) -> Written:
    """The parts of a document in Markdown as HTML. Headings have ids made of their words, tables are in regions that
    scroll by themselves."""
    parser = document_parser()
    tokens = parser.parse(visible(markdown))
    title, tokens = _title(tokens)
    sections = _name(tokens)
    first = next((position for position, token in enumerate(tokens) if token.type == "heading_open"), len(tokens))
    lead, body = (Markup(parser.renderer.render(part, parser.options, {})) for part in (tokens[:first], tokens[first:]))
    return Written(title, lead, body, sections)


def beginning(markdown: str) -> str:
    """The words of a document's first paragraph, list item or heading, without marks."""
    parser = document_parser()
    return next((_text(token) for token in parser.parse(visible(markdown)) if token.type == "inline"), "")


def _title(tokens: list[Token]) -> tuple[str, list[Token]]:
    """The text of the heading that the document begins with, and what follows it."""
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return _text(tokens[1]), tokens[3:]
    return "", tokens


def _name(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Give every heading an id and every table the name of its section; the sections of the second level
    are returned."""
    taken: dict[str, int] = {}
    sections = []
    under = ""
    for position, token in enumerate(tokens):
        if token.type == "table_open":
            token.meta["label"] = f"Table: {under}" if under else "Table"
        if token.type != "heading_open":
            continue
        under = _text(tokens[position + 1])
        name = re.sub(r"[^a-z0-9]+", "-", under.lower()).strip("-")[:60] or "part"
        taken[name] = taken.get(name, 0) + 1
        token.attrSet("id", name if taken[name] == 1 else f"{name}-{taken[name]}")
        if token.tag == "h2":
            sections.append((str(token.attrGet("id")), under))
    return sections


def _text(inline: Token) -> str:
    return "".join(
        child.content if child.type in ("text", "code_inline") else " " if child.type == "softbreak" else ""
        for child in inline.children or []
    )


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
    wide = element("div", plan_picture(steps, shown), class_="wide")
    return wide + element("div", plan_picture(steps, shown, wide=False), class_="narrow")


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
