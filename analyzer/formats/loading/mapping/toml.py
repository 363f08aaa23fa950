"""A mapping as a TOML file, and back."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from analyzer.formats.loading.registry import MAPPING
from analyzer.model.errors import BadConfiguration
from analyzer.model.mapping import LogMapping


def written(mapping: LogMapping, log: str) -> str:
    """Return the file; `log` is the name of the log for which it was proposed."""
    tables = mapping.model_dump(exclude_defaults=True, mode="json")
    lines = [f"# How analyze-session reads logs such as {_quoted(log)}.", "# docs/mapping.md says what each key means."]
    for name, table in tables.items():
        for entry in table if isinstance(table, list) else [table]:
            lines += ["", f"[[{name}]]" if isinstance(table, list) else f"[{name}]", *_entries(entry)]
    return "\n".join(lines) + "\n"


def _entries(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_quoted(key)} = {_value(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """A text as TOML's basic strings have it, which escape what JSON escapes."""
    return json.dumps(text).replace("\x7f", "\\u007f")


def format_name(file: str) -> str:
    """Return the name of the format that reads by the mapping in a file."""
    return f"{MAPPING}{read_mapping(file).model_dump_json(exclude_defaults=True)}"


def read_mapping(file: str) -> LogMapping:
    """Return the mapping in a file. Raises `BadConfiguration` for a file that is none."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadConfiguration(f"can't be read: {why}.", where=file) from None
    return parsed(text, file)


def parsed(text: str, where: str) -> LogMapping:
    """Return the mapping in a file's text. Raises `BadConfiguration`, which says what is wrong with which key."""
    try:
        return LogMapping.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadConfiguration(f"is no valid TOML: {error}.", where=where) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        unknown = first["type"] == "extra_forbidden"
        what = "is no key of a mapping" if unknown else first["msg"].removeprefix("Value error, ")
        hint = "docs/mapping.md lists the keys; the command learn writes a file to start from."
        raise BadConfiguration(f"{place or 'the file'}: {what}.", where=where, hint=hint) from None
