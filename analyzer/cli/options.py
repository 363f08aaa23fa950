"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import click

from analyzer.cli.configuration import COLORS, configure

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
    help="Write into FILE, all at once or not at all; - is standard output.",
)
color_option = click.option(
    "--color",
    type=click.Choice(COLORS),
    default="auto",
    show_default=True,
    help="Colours on the terminal; auto obeys NO_COLOR and FORCE_COLOR.",
)


def split_names(_context: click.Context, _parameter: click.Parameter, value: Iterable[str]) -> tuple[str, ...]:
    """Turn repeated, comma separated names into one tuple without duplicates."""
    names = (name.strip() for entry in value for name in entry.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def use_color(choice: str, terminal: bool, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour: what was asked for, else what the environment asks for, else whether a terminal can show it."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return terminal and environment.get("TERM") != "dumb"


def split_masks(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`NAME=REGEX` entries as a table; the callback of `--mask`."""
    table: dict[str, str] = {}
    for value in values:
        name, equals, pattern = value.partition("=")
        if not equals or not pattern:
            raise click.BadParameter(f"{value!r} isn't NAME=REGEX.")
        table[name.strip()] = pattern
    return table


def split_settings(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """`DETECTOR.OPTION=VALUE` entries as a table of tables; the callback of `--set`. Values are written as in TOML; anything else is a
    text."""
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


set_option = click.option(
    "--set",
    "settings",
    metavar="DETECTOR.OPTION=VALUE",
    multiple=True,
    callback=split_settings,
    help="Set an option of a detector, such as loops.rounds=4; explain shows them. May be repeated.",
)
