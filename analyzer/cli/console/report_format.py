"""Which format a result is written in: what was asked for, else what the file's suffix says, else what suits where it
goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.registry import WRITERS, writers_of

_Function = TypeVar("_Function", bound=Callable[..., Any])
_FOREIGN = frozenset({".parquet", ".pdf", ".xlsx", ".xml", ".yaml", ".yml"})
"""Suffixes that promise what no command writes."""
_USUAL = "Default: by the suffix of -o; else terminal on a terminal, markdown elsewhere."


def format_option(result: type, name: str = "format", default: str = _USUAL) -> Callable[[_Function], _Function]:
    """The option `--format` of a command with results of this class; `name` is that of the parameter."""
    return click.option(
        "-f", "--format", name, type=click.Choice(list(writers_of(result))), help=f"The format of the output. {default}"
    )


def report_format(
    context: click.Context, given: str | None, output: str | None, result: type, name: str = "format"
) -> Writer:
    """The format of a result of this class. `given` is the value of the option, wherever it comes from. Raises
    `click.BadParameter` for a file whose suffix promises another format."""
    asked = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    usual = "terminal" if Target(output).terminal else "markdown"
    return writers_of(result)[(given if asked else None) or of_suffix(output, result) or given or usual]


def of_suffix(output: str | None, result: type) -> str | None:
    """The name of the format that a file's suffix means; None where it means none."""
    suffix = PurePath(output or "").suffix.lower()
    promised = next((writer.name for writer in WRITERS if suffix in writer.suffixes), None)
    if suffix in _FOREIGN or (promised is not None and promised not in writers_of(result)):
        raise click.BadParameter(
            f"there is no report format for {suffix!r}; name one with -f.", param_hint="'-o' / '--output'"
        )
    return promised
