"""The Jinja environment: where templates are found and their byte code kept, and the filters that make session text
safe to show."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from jinja2.sandbox import SandboxedEnvironment

import analyzer
from analyzer.model.words import SIMULATED_USER, whose
from analyzer.report import figures, safe
from analyzer.text import english
from analyzer.text.english import one_or_many

_FOLDED = ("report", "text")
"""The packages of ours whose functions a template may call with constants, which is done once, when it's compiled."""


class KeptTemplates(jinja2.FileSystemBytecodeCache):
    """One file for each template in `folder`. What can't be read or written there is compiled again, and nothing is
    written where Python writes no byte code."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), f"template-%s.{sys.implementation.cache_tag}.bin")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket from its file, where there's one of the same template and the same code of ours."""
        with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the file of a template that was compiled."""
        if sys.dont_write_bytecode:
            return
        from analyzer.atomic import replacing

        file = Path(self._get_cache_filename(bucket))
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as stream:
                bucket.write_bytecode(stream)

    def get_source_checksum(self, source: str) -> str:
        """A digest of a template's text and of the state of what it may have been folded with."""
        return sha256(f"{self._code}\n{source}".encode()).hexdigest()

    @cached_property
    def _code(self) -> str:
        """Which version of our code there is: as Python does with byte code, by the sizes and times of its files."""
        package = Path(analyzer.__file__).parent
        files = sorted(file for name in _FOLDED for file in (package / name).rglob("*.py"))
        found = [(file.name, (state := file.stat()).st_size, state.st_mtime_ns) for file in files]
        return f"{analyzer.__version__} {found}"


def kept_templates() -> KeptTemplates | None:
    """Where the byte code of our templates is kept; None where Python keeps none."""
    try:
        return KeptTemplates(Path(cache_from_source(__file__)).parent)
    except NotImplementedError:
        return None


def templates_directory() -> Path:
    """The folder with our templates: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"


@cache
def environment() -> jinja2.Environment:
    """The environment for our own Markdown templates. Undefined names are errors."""
    return _equipped(jinja2.Environment(loader=_ours(), bytecode_cache=kept_templates(), **_SYNTAX))


def written(template: str, **context: Any) -> str:
    """A page by one of our own Markdown templates, ending in a newline."""
    return safe.tidy(environment().get_template(f"markdown/{template}.md.j2").render(context))


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
    "duration": english.duration,
    "time_taken": english.time_taken,
    "number": english.number,
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
    "whose": whose,
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
