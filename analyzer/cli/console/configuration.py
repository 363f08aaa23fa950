"""Settings from the table `[tool.analyze-session]` of the nearest `pyproject.toml`, or from the file that `--config`
names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from analyzer.cli.console.results import PostMortemResult
from analyzer.cli.console.writers import writers_of
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
        import json

        settings["options"] = [
            f"{detector}.{name}={json.dumps(value, ensure_ascii=False)}"
            for detector, options in settings.pop("detectors").items()
            for name, value in options.items()
        ]
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
    import tomllib

    try:
        data = tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise BadConfiguration(f"can't be read: {error.strerror or error}.", where=str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"is no valid TOML: {error}.", where=str(file)) from None
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
    return settings | {key: str(file.parent / settings[key]) for key in ("mapping", "prices") if key in settings}


def _check(key: str, value: Any, place: str) -> Any:
    if key not in KEYS:
        from analyzer.text.english import did_you_mean

        raise BadConfiguration(f"unknown key {key!r}.", where=place, hint=did_you_mean(key, KEYS))
    fits, otherwise = KEYS[key]
    if not fits(value):
        raise BadConfiguration(f"{key}: {value!r} {otherwise}.", where=place)
    return value


_Check = tuple[Callable[[Any], bool], str]


def _one_of(known: Sequence[str]) -> _Check:
    return lambda value: value in known, f"is none of {', '.join(known)}"


def _table_of(kind: type, otherwise: str) -> _Check:
    return lambda value: isinstance(value, dict) and all(isinstance(one, kind) for one in value.values()), otherwise


_TEXT: _Check = (lambda value: isinstance(value, str) and value != "", "is no text")
_NAMES: _Check = (
    lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
    "is no list of names",
)
KEYS: dict[str, _Check] = {
    "format": _one_of(tuple(writers_of(PostMortemResult))),
    "fail_on": _one_of(LEVELS),
    "color": _one_of(COLORS),
    "select": _NAMES,
    "ignore": _NAMES,
    "masks": _table_of(str, "is no table of names and regular expressions"),
    "redact": (lambda value: isinstance(value, bool), "is neither true nor false"),
    "mapping": _TEXT,
    "prices": _TEXT,
    "detectors": _table_of(dict, "is no table of detectors, each with a table of its options"),
}
"""The settings, each with what its value must be, and what is said of one that isn't."""
