"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from analyzer.cli.console.configuration import COLORS, LEVELS, configure
from analyzer.cli.console.output import be_quiet

if TYPE_CHECKING:
    from analyzer.audit.settings import Settings
    from analyzer.audit.sources.filters import Filter

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

log_argument = click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
config_option = click.option(
    "--config",
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=configure,
    help="Read the settings from this TOML file rather than from the nearest pyproject.toml (/dev/null: no settings).",
)
output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(readable=False, allow_dash=True),
    help="Write to FILE, all at once or not at all; - is standard output.",
)


def split_names(_context: click.Context, _parameter: click.Parameter, value: Iterable[str]) -> tuple[str, ...]:
    """Turn repeated, comma separated names into one tuple without duplicates."""
    names = (name.strip() for entry in value for name in entry.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def repeated_option(name: str, parameter: str, metavar: str, split: Callable[..., Any], about: str) -> Decorator:
    """An option that may be repeated; the command takes what `split` makes of its values."""
    return click.option(name, parameter, metavar=metavar, multiple=True, callback=split, help=about)


def names_option(name: str, parameter: str, about: str, metavar: str = "NAMES") -> Decorator:
    """An option that takes names, comma separated, and may be repeated."""
    return repeated_option(name, parameter, metavar, split_names, about)


def words_option(name: str, parameter: str, words: Iterable[str], about: str, metavar: str | None = None) -> Decorator:
    """An option that takes one of these words, and may be repeated."""
    return click.option(name, parameter, type=click.Choice(list(words)), multiple=True, metavar=metavar, help=about)


def value_option(
    names: str,
    kind: click.ParamType[Any] | Sequence[str],
    about: str,
    default: object = None,
    metavar: str | None = None,
) -> Decorator:
    """An option that takes one value of a kind, or one of these words; the help says its default."""
    kind = kind if isinstance(kind, click.ParamType) else click.Choice(kind)
    return click.option(*names.split(), type=kind, default=default, show_default=True, metavar=metavar, help=about)


def flag_option(names: str, about: str) -> Decorator:
    """An option without a value."""
    return click.option(*names.split(), is_flag=True, help=about)


def file_option(name: str, parameter: str, about: str, metavar: str = "FILE") -> Decorator:
    """An option that takes the path of a file or folder; whoever reads it says what is wrong with it."""
    return click.option(name, parameter, metavar=metavar, type=click.Path(readable=False), help=about)


def gathered(name: str, make: Callable[..., Any], values: Sequence[str], options: Sequence[Decorator]) -> Decorator:
    """These options as one value: the command takes, as `name`, what `make` makes of their `values`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def called(*args: Any, **rest: Any) -> Any:
            made = make(**{value: rest.pop(value) for value in values if value in rest})
            return command(*args, **{name: made}, **rest)

        decorated: Callable[..., Any] = called
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _split_masks(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`NAME=REGEX` entries as a table."""
    table: dict[str, str] = {}
    for value in values:
        name, _, pattern = value.partition("=")
        if not pattern:
            raise click.BadParameter(f"{value!r} isn't NAME=REGEX.")
        table[name.strip()] = pattern
    return table


def _split_settings(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """`DETECTOR.OPTION=VALUE` entries as a table of tables. Values are written as in TOML; anything else is a text."""
    import tomllib

    table: dict[str, dict[str, object]] = {}
    for value in values:
        name, equals, text = value.partition("=")
        detector, dot, option = name.strip().partition(".")
        if not (equals and dot and detector and option):
            raise click.BadParameter(f"{value!r} isn't DETECTOR.OPTION=VALUE.")
        try:
            table.setdefault(detector, {})[option.strip()] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            table.setdefault(detector, {})[option.strip()] = text
    return table


def _take_prices(context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Read the file with prices, so that what is wrong with it is said at once."""
    if value is not None and not context.resilient_parsing:
        from analyzer.pricing import read_prices

        read_prices(value)
    return value


prices_option = click.option(
    "--prices",
    metavar="FILE",
    callback=_take_prices,
    help="A TOML file with list prices of models, which take precedence over the built-in table.",
)
redact_option = click.option(
    "--redact/--no-redact",
    "redact",
    default=True,
    help="Replace secrets, e-mail addresses and names in home directories (the default), or keep them.",
)


def _take_mapping(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    """Read the mapping's file, and take it for the format; the callback of `--mapping`."""
    if value is None or context.resilient_parsing:
        return
    if context.params.get("input_format"):
        if context.get_parameter_source("mapping") is ParameterSource.DEFAULT_MAP:
            return
        raise click.UsageError("--mapping and --input-format don't go together.")
    from analyzer.formats.loading.mapping.files import format_name

    context.params["input_format"] = format_name(value)


def input_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--mapping` and `--input-format`, which the command takes as one."""
    about = "The transcripts' format, if it is not recognised; see the command formats."
    named = click.option("--input-format", metavar="NAME", is_eager=True, help=about)
    about = "Read your own agent's logs with the mapping in this TOML file; the command learn proposes one."
    mapped = click.option("--mapping", metavar="FILE", expose_value=False, callback=_take_mapping, help=about)
    return mapped(named(command))


session_option = click.option(
    "--session", "session_id", metavar="ID", help="Only the session with this id, if the file holds several."
)
quiet_option = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=be_quiet,
    help="Print no progress and no notes on standard error, only errors and the gate.",
)
fail_on_option = value_option("--fail-on", LEVELS, "Exit with 1 if there is a finding of this severity or above.")
jobs_option = value_option(
    "-j --jobs", click.IntRange(min=1), "The number of worker processes.  [default: one per processor]", metavar="N"
)
color_option = value_option("--color", COLORS, "Colours on the terminal; auto obeys NO_COLOR and FORCE_COLOR.", "auto")


def filter_options(*more: Decorator) -> Decorator:
    """The options that choose sessions by time and agent, and `more` of these; the command takes them as `wanted`, a
    `analyzer.audit.sources.filters.Filter`."""
    return gathered(
        "wanted",
        _filter,
        ("since", "until", "agents", "formats"),
        (
            click.option(
                "--since",
                metavar="WHEN",
                help="Only sessions that began at this time or later: a date (2025-03-01) or how long ago (7d, 12h).",
            ),
            click.option("--until", metavar="WHEN", help="Only sessions that began before this time."),
            names_option("--agent", "agents", "Only sessions of these agents (comma separated)."),
            *more,
        ),
    )


def _filter(**values: Any) -> Filter:
    from analyzer.audit.sources.filters import Filter

    return Filter.parse(**values)


def _settings(**values: Any) -> Settings:
    """The settings, unless they name a detector that there isn't: to ask, to leave out or to set."""
    from analyzer.audit.settings import Settings

    settings = Settings(**values)
    if settings.select or settings.ignore or settings.options:
        from analyzer.detectors.engine.registry import check_names

        check_names(settings.select, of_families=True)
        check_names(settings.ignore, of_old=True, of_families=True)
        check_names(settings.options, of_old=True)
    return settings


analysis_options = gathered(
    "analysis",
    _settings,
    ("input_format", "select", "ignore", "options", "masks", "prices", "redact"),
    (
        input_format_option,
        names_option("--select", "select", "Only these detectors or families (comma separated)."),
        names_option("--ignore", "ignore", "All but these detectors (comma separated)."),
        repeated_option(
            "--set",
            "options",
            "DETECTOR.OPTION=VALUE",
            _split_settings,
            "Set an option of a detector, such as loops.rounds=4; explain shows them. May be repeated.",
        ),
        repeated_option(
            "--mask",
            "masks",
            "NAME=REGEX",
            _split_masks,
            "Replace what this pattern matches before errors and results are compared; may be repeated.",
        ),
        prices_option,
        redact_option,
    ),
)
"""The options from `--input-format` to `--redact`; the command takes them as `analysis`, a
`analyzer.audit.settings.Settings`. Names that no detector has are refused."""
