"""The Jinja environment: where templates are found, and the filters that make session text safe to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import SandboxedEnvironment

from analyzer.model.words import SIMULATED_USER
from analyzer.report import figures, safe
from analyzer.report.kept_templates import kept_templates
from analyzer.text import amounts
from analyzer.text.english import one_or_many


def templates_directory() -> Path:
    """The folder with our templates: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"


@cache
def environment() -> jinja2.Environment:
    """The environment for our own Markdown templates. Undefined names are errors."""
    return _equipped(jinja2.Environment(loader=_ours(), bytecode_cache=kept_templates(), **_SYNTAX))


def users_environment(folders: Sequence[Path]) -> jinja2.Environment:
    """An environment in which the templates in `folders`, the first before the others, take the place of ours. Ours are
    also there by names that begin with `ours/`, for templates that extend what they replace. The code in templates runs
    in a sandbox."""
    loader = jinja2.ChoiceLoader(
        [
            *(jinja2.FileSystemLoader(folder, encoding="utf-8") for folder in folders),
            _ours(),
            jinja2.PrefixLoader({"ours": _ours()}),
        ]
    )
    return _equipped(SandboxedEnvironment(loader=loader, **_SYNTAX))


_SYNTAX: dict[str, Any] = {
    "undefined": jinja2.StrictUndefined,
    "autoescape": False,  # Markdown: every value goes through one of the filters below
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}


def _ours() -> jinja2.FileSystemLoader:
    return jinja2.FileSystemLoader(templates_directory(), encoding="utf-8")


FILTERS: dict[str, Callable[..., Any]] = {
    "duration": amounts.duration,
    "time_taken": amounts.time_taken,
    "number": amounts.number,
    "clock": safe.clock,
    "steps": safe.steps,
    "percent": figures.percent,
    "models": figures.models,
    "beside": figures.beside,
    "names": figures.names,
    "outcome": figures.outcome,
    "phrase": figures.phrase,
    "recorded_end": figures.recorded_end,
    "replaced": figures.replaced,
}
"""The filters of every template, in Markdown and in HTML."""
GLOBALS: dict[str, Any] = {
    "plural": figures.plural,
    "one_or_many": one_or_many,
    "days": figures.days,
    "SIMULATED_USER": SIMULATED_USER,
}
"""The functions and names of every template."""


def _equipped(made: jinja2.Environment) -> jinja2.Environment:
    made.filters.update(
        FILTERS,
        code=safe.code,
        prose=safe.prose,
        cell=safe.cell,
        excerpt=safe.excerpt,
        fence=safe.fence,
        rate=figures.rate,
        amount=figures.amount,
        bars=figures.bars,
        tail=figures.tail,
        link=figures.link,
    )
    made.globals.update(GLOBALS)
    return made
