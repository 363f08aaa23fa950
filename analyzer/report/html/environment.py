"""The Jinja environment for HTML: everything is escaped, and nothing in a text can steer the reader's eye or
terminal."""

from __future__ import annotations

from functools import cache

import jinja2
from markupsafe import Markup

from analyzer.report import safe
from analyzer.report.environment import FILTERS, GLOBALS, templates_directory
from analyzer.report.html import prose
from analyzer.report.kept_templates import kept_templates
from analyzer.report.picture.thumbnail import svg_of


@cache
def environment() -> jinja2.Environment:
    """The environment for our own HTML templates. Undefined names are errors; whatever is not `Markup` is freed of
    control characters and escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_directory() / "html", encoding="utf-8"),
        bytecode_cache=kept_templates(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS, prose=prose.prose, thumbnail=svg_of, unlinked=prose.unlinked, clip=safe.clip)
    made.globals.update(GLOBALS)
    return made


def _shown(value: object) -> object:
    return safe.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
