"""The Jinja environment for HTML: everything is escaped, and nothing in a text can steer the reader's eye or
terminal."""

from __future__ import annotations

from functools import cache

import jinja2
from markupsafe import Markup

from analyzer.report import figures, safe
from analyzer.report.environment import templates_directory
from analyzer.report.html import prose
from analyzer.report.picture.thumbnail import svg_of


@cache
def environment() -> jinja2.Environment:
    """The environment for our own HTML templates. Undefined names are errors; whatever is not `Markup` is freed of
    control characters and escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_directory() / "html", encoding="utf-8"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        prose=prose.prose,
        thumbnail=svg_of,
        unlinked=prose.unlinked,
        clip=safe.clip,
        duration=safe.duration,
        number=safe.number,
        clock=safe.clock,
        steps=safe.steps,
        percent=figures.percent,
        names=figures.names,
        outcome=figures.outcome,
        phrase=figures.phrase,
    )
    made.globals.update(plural=figures.plural, days=figures.days)
    return made


def _shown(value: object) -> object:
    return safe.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
