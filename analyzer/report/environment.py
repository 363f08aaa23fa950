"""The Jinja environment: where templates are found, and the filters that make session text safe to show."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

from analyzer.report import figures, safe


def templates_directory() -> Path:
    """The folder with our templates: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"


@cache
def environment() -> jinja2.Environment:
    """The environment for Markdown templates. Undefined names are errors."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_directory(), encoding="utf-8"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # Markdown: every value goes through one of the filters below
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        code=safe.code,
        prose=safe.prose,
        cell=safe.cell,
        excerpt=safe.excerpt,
        fence=safe.fence,
        duration=safe.duration,
        number=safe.number,
        clock=safe.clock,
        steps=safe.steps,
    )
    made.filters.update(
        percent=figures.percent,
        rate=figures.rate,
        amount=figures.amount,
        names=figures.names,
        bars=figures.bars,
        tail=figures.tail,
        link=figures.link,
        outcome=figures.outcome,
        phrase=figures.phrase,
    )
    made.globals.update(plural=figures.plural, days=figures.days)
    return made
