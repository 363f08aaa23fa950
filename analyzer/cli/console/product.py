"""The options that say in which format a result is written and where it goes, as one value; and what is done with a
result besides: secrets are taken out, and findings fail a gate."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from analyzer.cli.console.command import WITHOUT_SETTING, ExitCode
from analyzer.cli.console.options import Decorator, color_option, config_option, gathered, output_option, quiet_option
from analyzer.cli.console.output import Target, check_target, note, shown_by_pager, warn, write
from analyzer.cli.console.writers import WRITERS, Writer, writers_of
from analyzer.model.struct import Public, Struct
from analyzer.text.english import plural
from analyzer.text.names import name_set

_Model = TypeVar("_Model", bound=Public)
_FOREIGN = name_set(".db .doc .docx .odt .parquet .pdf .png .rtf .svg .tex .xlsx .xml .yaml .yml")
"""Suffixes that promise what no command writes."""
_USUAL = "Default: by the suffix of -o; else terminal on a terminal, markdown elsewhere."
_UNFOLD = "Expand the collapsed sections on the terminal."


class Product(Struct, frozen=True):
    """Where the result of a command goes, and who writes it."""

    writer: Writer
    target: Target

    def check(self, *inputs: str | None) -> None:
        """Refuse, before any work is done, a file that can't be written or that is one of the inputs."""
        for log in inputs or (None,):
            check_target(self.target.output, log)

    def write(self, result: object) -> None:
        """Write a result, and say so where it went into a file."""
        text = self.writer.render(result, self.target)
        if self.target.terminal and shown_by_pager(text):
            return
        if write(text, self.target.output):
            note(f"wrote {self.target.output}")


def gate(hits: int, level: str) -> ExitCode:
    """Say how many findings are of a severity that `--fail-on` names or above; the exit code for so many."""
    if not hits:
        return ExitCode.DONE
    warn(f"gate: {plural(hits, 'finding')} of severity {level} or above (--fail-on {level})")
    return ExitCode.GATE


def redacted(model: _Model, wanted: bool) -> _Model:
    """A finished model without secrets and personal data, where that is wanted."""
    if not wanted:
        return model
    from analyzer.redaction import redact_model

    return redact_model(model)


def format_option(
    result: type, default: str | None = None, about: str = "The format of the output.", *, name: str = WITHOUT_SETTING
) -> Decorator:
    """The option `--format` of a command with results of this class; `name` is that of the parameter."""
    choice = _Formats(list(writers_of(result)))
    return click.option("-f", "--format", name, type=choice, default=default, show_default=True, help=about)


def product_options(result: type, usual: str | None = None, about: str = _USUAL, *, unfold: str = _UNFOLD) -> Decorator:
    """The options `--format`, `--output`, `--quiet`, `--verbose`, `--color` and `--config` of a command with results of
    this class; the command takes them as `product`.

    `usual` is the format where neither an option nor a suffix says which, and `about` describes that; with it, the
    setting `format`, which is meant for reports, doesn't count. Where `unfold`, the help of `--verbose`, is empty,
    there is no such option.
    """
    name = "format" if usual is None else WITHOUT_SETTING

    def product(output: str | None, color: str, verbose: int = 0, **values: str | None) -> Product:
        target, given = Target(output, color, unfold=verbose > 0), values[name]
        # What the command line says, else what the suffix means, else what is configured, else what suits the place.
        asked = click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE
        suits = usual or ("terminal" if target.terminal else "markdown")
        chosen = (given if asked else None) or _of_suffix(output, result) or given or suits
        return Product(writers_of(result)[chosen], target)

    options = [
        format_option(result, about=f"The format of the output. {about}", name=name),
        output_option,
        quiet_option,
        *([click.option("-v", "--verbose", count=True, help=unfold)] if unfold else []),
        color_option,
        config_option,
    ]
    return gathered("product", product, (name, "output", "verbose", "color"), options)


class _Formats(click.Choice[str]):
    """The formats that a command writes. The environment and the settings file speak of all commands, so a format there
    that only others write doesn't count."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        source = ctx.get_parameter_source(param.name) if ctx is not None and param is not None and param.name else None
        of_all = source in (ParameterSource.ENVIRONMENT, ParameterSource.DEFAULT_MAP)
        if of_all and value not in self.choices and any(writer.name == value for writer in WRITERS):
            return None
        return super().convert(value, param, ctx)


def _of_suffix(output: str | None, result: type) -> str | None:
    """The name of the format that a file's suffix means; None where it means none. Raises `click.BadParameter` for one
    that promises what the command doesn't write."""
    suffix = PurePath(output or "").suffix.lower()
    promised = next((writer.name for writer in WRITERS if suffix in writer.suffixes), None)
    if suffix in _FOREIGN or (promised is not None and promised not in writers_of(result)):
        raise click.BadParameter(
            f"there is no report format for {suffix!r}; name one with -f.", param_hint="'-o' / '--output'"
        )
    return promised
