"""Mappings as TOML files: proposed for a log that no format knows, and tried on it; written and read."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from analyzer.formats.container.document import Document
from analyzer.formats.container.unpack import decode, unpacked
from analyzer.formats.loading.load import STDIN
from analyzer.formats.loading.registry import MAPPING, by_name, sniff
from analyzer.model.errors import BadConfiguration, UnreadableInput
from analyzer.model.mapping import LogMapping
from analyzer.model.session import Session
from analyzer.model.struct import Struct

_MOST_HINTS = 3


class Proposal(Struct, frozen=True):
    """A mapping as a file, what it reads of the log, the format that would read the log without it, and what the
    mapping names that the log doesn't have."""

    file: str
    sessions: list[Session]
    known_as: str | None = None
    unused: tuple[str, ...] = ()


def proposed(log: str) -> Proposal:
    """Propose a mapping for a log. Raises `UnreadableInput` where the log can't be read, or holds nothing that looks
    like calls of tools."""
    from analyzer.formats.loading.mapping.format import Mapped
    from analyzer.formats.loading.mapping.propose import propose

    document = _document(log)
    mapping, known = propose(document), sniff(document)
    if mapping is None:
        what = f"is read without a mapping, as {known.name}; no other is proposed." if known is not None else None
        raise UnreadableInput(
            what or "holds no records that look like calls of tools.",
            where=log,
            hint="docs/mapping.md says how to write a mapping by hand, docs/own-format.md what to log instead.",
        )
    file = written(mapping, Path(log).name)
    return Proposal(file, list(Mapped(mapping).read(document)), known.name if known is not None else None)


def read_by(log: str, file: str) -> Proposal:
    """Read a log by the mapping in a file. Raises `UnreadableInput` where the mapping describes no call in it."""
    from analyzer.formats.loading.mapping.unused import unused

    entry, document = by_name(format_name(file)), _document(log)
    assert entry is not None
    missing = tuple(unused(read_mapping(file), document))
    try:
        return Proposal("", list(entry.read(document)), unused=missing)
    except UnreadableInput as error:
        hint = "; ".join(missing[:_MOST_HINTS]) or error.hint
        raise UnreadableInput(error.what, where=error.where, hint=hint) from None


def _document(log: str) -> Document:
    try:
        data = sys.stdin.buffer.read() if log == STDIN else Path(log).read_bytes()
    except FileNotFoundError:
        raise UnreadableInput("no such file.", where=log) from None
    except OSError as error:
        raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=log) from error
    text, warnings = decode(unpacked(data, log, []), log)
    return Document(log, text, warnings)


def written(mapping: LogMapping, log: str) -> str:
    """Return the file; `log` is the name of the log for which it was proposed."""
    tables = mapping.model_dump(exclude_defaults=True, mode="json")
    lines = [f"# How analyze-session reads logs such as {_quoted(log)}.", "# docs/mapping.md says what each key means."]
    for name, table in tables.items():
        for entry in table if isinstance(table, list) else [table]:
            lines += ["", f"[[{name}]]" if isinstance(table, list) else f"[{name}]"]
            lines += [f"{key} = {_value(value)}" for key, value in entry.items() if value is not None]
    return "\n".join(lines) + "\n"


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
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        unknown = first["type"] == "extra_forbidden"
        what = "is no key of a mapping" if unknown else first["msg"].removeprefix("Value error, ")
        hint = "docs/mapping.md lists the keys; the command learn writes a file to start from."
        raise BadConfiguration(f"{place or 'the file'}: {what}.", where=where, hint=hint) from None
    except (ValueError, OverflowError, RecursionError) as error:
        toml = isinstance(error, tomllib.TOMLDecodeError)
        raise BadConfiguration(f"{'is no valid TOML' if toml else 'cannot be used'}: {error}.", where=where) from None
