"""Settings from the table `[tool.analyze-session]` of the nearest `pyproject.toml`, or from the file that `--config`
names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from analyzer.cli.writers.registry import writers_of
from analyzer.cli.writers.results import PostMortemResult
from analyzer.model.errors import BadConfiguration
from analyzer.model.words import Severity

TABLE = "analyze-session"
COLORS = ("auto", "always", "never")
LEVELS = tuple(str(level) for level in Severity)


def configure(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    """Make the settings the defaults of the command's options; the callback of `--config`."""
    if context.resilient_parsing:
        return
    settings = read(Path(value), named=True) if value else find(Path.cwd())
    if "masks" in settings:
        settings["masks"] = [f"{name}={pattern}" for name, pattern in settings["masks"].items()]
    if "detectors" in settings:
        settings["options"] = [
            f"{detector}.{name}={_toml(value)}"
            for detector, options in settings.pop("detectors").items()
            for name, value in options.items()
        ]
    option = next((entry for entry in context.command.params if entry.name == "format"), None)
    if (
        option is not None
        and isinstance(option.type, click.Choice)
        and settings.get("format") not in option.type.choices
    ):
        # Meant for the post-mortem; this command can't write that.
        settings.pop("format", None)
    context.default_map = {**(context.default_map or {}), **settings}


def find(start: Path) -> dict[str, Any]:
    """The settings of the nearest `pyproject.toml` at or above `start`; empty where there is none or it has no such
    table."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            return read(file)
    return {}


def read(file: Path, *, named: bool = False) -> dict[str, Any]:
    """The settings in `file`, checked.

    A file that the user named may hold the settings at its top level. Raises `BadConfiguration` for a file that can't
    be read, an unknown key or a value of the wrong kind.
    """
    data = _parse(file)
    tool = data.get("tool", {})
    if isinstance(tool, dict) and TABLE in tool:
        table, place = tool[TABLE], f"{file}: [tool.{TABLE}]"
    elif named and file.name == "pyproject.toml":
        raise BadConfiguration(f"has no table [tool.{TABLE}].", where=str(file))
    elif named:
        table, place = data, str(file)
    else:
        return {}
    if not isinstance(table, dict):
        raise BadConfiguration("must be a table.", where=place)
    settings = {key: _check(key, value, place) for key, value in table.items()}
    if "mapping" in settings:
        settings["mapping"] = str(file.parent / settings["mapping"])
    if "prices" in settings:
        settings["prices"] = str(file.parent / settings["prices"])
    return settings


def _parse(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise BadConfiguration(f"can't be read: {error.strerror or error}.", where=str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"is no valid TOML: {error}.", where=str(file)) from None


def _check(key: str, value: Any, place: str) -> Any:
    check = KEYS.get(key)
    if check is None:
        from analyzer.text.english import did_you_mean

        raise BadConfiguration(f"unknown key {key!r}.", where=place, hint=did_you_mean(key, KEYS))
    problem = check(value)
    if problem:
        raise BadConfiguration(f"{key}: {problem}.", where=place)
    return value


def _one_of(known: Sequence[str]) -> Callable[[Any], str | None]:
    return lambda value: None if value in known else f"{value!r} is none of {', '.join(known)}"


def _switch(value: Any) -> str | None:
    return None if isinstance(value, bool) else f"{value!r} is neither true nor false"


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value else f"{value!r} is no text"


def _names(value: Any) -> str | None:
    fine = isinstance(value, list) and all(isinstance(name, str) for name in value)
    return None if fine else f"{value!r} is no list of names"


def _patterns(value: Any) -> str | None:
    fine = isinstance(value, dict) and all(isinstance(pattern, str) for pattern in value.values())
    return None if fine else f"{value!r} is no table of names and regular expressions"


def _tables(value: Any) -> str | None:
    fine = isinstance(value, dict) and all(isinstance(options, dict) for options in value.values())
    return None if fine else f"{value!r} is no table of detectors, each with a table of its options"


def _toml(value: Any) -> str:
    """A value as `--set` takes it."""
    import json

    return json.dumps(value, ensure_ascii=False)


KEYS: dict[str, Callable[[Any], str | None]] = {
    "format": _one_of(tuple(writers_of(PostMortemResult))),
    "fail_on": _one_of(LEVELS),
    "color": _one_of(COLORS),
    "select": _names,
    "ignore": _names,
    "masks": _patterns,
    "redact": _switch,
    "mapping": _text,
    "prices": _text,
    "detectors": _tables,
}
"""The settings, each with what takes its value."""
