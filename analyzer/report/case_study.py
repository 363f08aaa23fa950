"""A case study as Markdown, by our templates or the users' own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from traceback import walk_tb
from typing import Any
from urllib.parse import quote

import jinja2

from analyzer.model.case_study import CASE_STUDY_VERSION, CaseStudy, CaseStudyIndex
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import MAIN_LANE
from analyzer.report import safe
from analyzer.report.case_study_context import context_of
from analyzer.report.environment import templates_directory, users_environment
from analyzer.report.figures import plural
from analyzer.text.late import late

FOLDER = "markdown/case_study"
"""Where the templates of case studies are, below the folder of all templates."""
DOCUMENT = f"{FOLDER}/document.md.j2"
INDEX = f"{FOLDER}/index.md.j2"
_BLOCK = late(r"^( {0,3})(#{1,6}(?=\s|$)|[>|~`]|[-+*=](?=[\s\-+*=]|$)|\d{1,9}[.)](?=\s|$))", re.MULTILINE)
"""What would begin a heading, a list, a quotation, a table or a fence at the beginning of a line."""
_FAULTS = (jinja2.TemplateError, RecursionError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
"""What a template of the users' own may raise."""


def render(study: CaseStudy, templates: Path | None = None, template: Path | None = None) -> str:
    """The document, ending in a newline.

    The templates in the folder `templates` take the place of ours of the same name; `template` is a file to use for the
    whole document. What templates get is `context_of(study)`. Raises `AnalyzerError` for a template that isn't there or
    can't be used.
    """
    return _rendered(DOCUMENT, context_of(study), templates, template)


def render_index(index: CaseStudyIndex, templates: Path | None = None) -> str:
    """The page that lists the case studies of a folder, ending in a newline. `templates` is as for `render`."""
    return _rendered(INDEX, {"index": index.model_dump(), "version": CASE_STUDY_VERSION}, templates, None)


def own_templates() -> dict[str, str]:
    """The templates of case studies that users may replace, by their names, with their texts."""
    top = templates_directory()
    return {
        file.relative_to(top).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted((top / FOLDER).glob("*.j2"))
    }


def _rendered(name: str, context: Mapping[str, Any], templates: Path | None, template: Path | None) -> str:
    for place, kind in ((templates, "folder"), (template, "file")):
        if place is not None and not (place.is_dir() if kind == "folder" else place.is_file()):
            raise AnalyzerError(
                f"there is no such {kind} of templates.",
                where=str(place),
                hint="`analyze-session templates --eject DIR` writes ours into DIR.",
            )
    places = (template.resolve().parent if template is not None else None, templates)
    folders = tuple(place for place in places if place is not None)
    try:
        made = _environment(folders).get_template(template.name if template is not None else name)
        return safe.tidy(safe.visible(made.render(**context)))
    except _FAULTS as error:
        if not folders:
            raise
        raise _template_error(error, template or templates) from error


@cache
def _environment(folders: tuple[Path, ...]) -> jinja2.Environment:
    """The environment for these folders. Templates that change are recompiled."""
    made = users_environment(folders)
    made.filters.update(
        quotation=quotation,
        written=written,
        commit=_commit,
        tool_at=lambda rows, step: next(
            (row["tool"] for row in rows if (row["step"], row["lane"]) == (step, MAIN_LANE)), ""
        ),
        target=quote,
    )
    made.globals.update(plural=plural)
    return made


def _template_error(error: Exception, place: Path | None) -> AnalyzerError:
    """What is wrong with a template, and where."""
    where, line = str(place), None
    if isinstance(error, jinja2.TemplateSyntaxError):
        where, line = error.filename or error.name or where, error.lineno
    elif isinstance(error, jinja2.TemplateNotFound):
        return AnalyzerError(
            f"there is no template {error.name!r}.", where=where, hint="Ours are listed by `analyze-session templates`."
        )
    elif isinstance(error, UnicodeDecodeError):
        return AnalyzerError("a template is no UTF-8 text.", where=where)
    else:
        # Jinja rewrites the frames of a trace, so that those of templates have the template's file and line.
        for frame, at in walk_tb(error.__traceback__):
            if frame.f_code.co_filename.endswith(".j2") or "__jinja_template__" in frame.f_globals:
                where, line = frame.f_code.co_filename, at
    what = str(error).rstrip(".") or type(error).__name__
    if isinstance(error, RecursionError):
        what = "templates include each other without end"
    return AnalyzerError(
        f"{what}.",
        where=f"{where}:{line}" if line else where,
        hint="What templates get is described in docs/case-studies.md; `-f json` prints it.",
    )


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
    """What a person wrote for the document: Markdown that stays as it is, but for control characters. What begins a
    list or has several paragraphs begins a paragraph of its own."""
    body = safe.visible(str(text)).strip()
    return f"\n\n{body}" if "\n\n" in body or _BLOCK.match(body) else body


def _commit(line: str) -> str:
    """A commit's short hash and its subject."""
    short, _, subject = line.partition(" ")
    return f"{safe.code(short)} {safe.prose(subject)}" if re.fullmatch(r"[0-9a-f]{4,64}", short) else safe.prose(line)
