"""Which formats there are and which one a document is.

Formats of this project are listed in the order in which they're asked. Others register theirs under the entry point
group `analyze_session.formats`; an entry point names an object with the interface of
`analyzer.formats.loading.interface.Format`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import Format, Layout
from analyzer.model.errors import BadConfiguration
from analyzer.model.plugins import registered
from analyzer.text.english import listed
from analyzer.text.expressions import KEPT
from analyzer.text.late import Literals

ENTRY_POINT_GROUP = "analyze_session.formats"

MAPPING = "mapping:"
"""With a mapping as JSON behind it, the name of the format that reads by this mapping. It's asked before all others,
and leaves what it doesn't fit to them."""

_OWN: dict[str, list[str]] = KEPT.table(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Our formats, the most particular first, each with texts that tell which to ask first."""
_LAYOUTS = ("claude_code.layout", "opencode.store", "kiro.ide_format")
"""Where those of our formats say which files they read together for which a row of `loading.folders` isn't enough."""
_LAST = ("chat", "action_list", "application_log")
"""Formats that accept nearly anything; asked when no other recognises the document."""
_PARTS = ("name", "title", "sniff", "read")
"""What a format can't do without. What is said of it to people (`versions`, `not_recorded`) may be absent in one
of another package."""
_HEAD = 1 << 13
_HINTS = Literals(text for texts in _OWN.values() for text in texts)
_FOLDER = Path(__file__).resolve().parents[1]


@cache
def _format(module: str) -> Format:
    """The format of a module, or that which a file of rules declares."""
    rules = _FOLDER / f"{module.replace('.', '/')}.toml"
    if rules.is_file() and not rules.with_suffix(".py").is_file():
        from analyzer.formats.loading.mapping.declared import declared

        return declared(str(rules))
    found: Format = import_module(f"analyzer.formats.{module}").FORMAT
    return found


@cache
def formats() -> Sequence[Format]:
    """All known formats: those that others registered, by name, then ours. Asking theirs first lets them read a dialect
    of one of ours."""
    return (*_others(), *(_format(module) for module in _OWN))


@cache
def _others() -> Sequence[Format]:
    """The formats that other packages registered. Raises `BadConfiguration` for one that lacks a part."""
    others = registered(ENTRY_POINT_GROUP)
    for entry in others:
        if missing := [name for name in _PARTS if not hasattr(entry, name)]:
            raise BadConfiguration(
                f"what is registered under {ENTRY_POINT_GROUP} as {entry!r:.100} is not a format: it has no "
                f"{listed(missing)}.",
                hint="docs/adding-a-format.md has a complete one.",
            )
    return others


@cache
def layouts() -> Sequence[Layout]:
    """How sessions of several files lie in folders: what others' formats say of theirs, then ours."""
    from analyzer.formats.loading.folders import ROWS

    others = (entry for entry in registered(ENTRY_POINT_GROUP) if isinstance(entry, Layout))
    return (*others, *ROWS, *(cast("Layout", import_module(f"analyzer.formats.{module}")) for module in _LAYOUTS))


def by_name(name: str) -> Format | None:
    """The format called `name`, or the one of a mapping (see `MAPPING`); None where there is none."""
    if name.startswith(MAPPING):
        return _mapped(name)
    return next((entry for entry in formats() if entry.name == name), None)


@cache
def _mapped(name: str) -> Format:
    from analyzer.formats.loading.mapping.declared import of_mapping
    from analyzer.formats.loading.mapping.format import Mapped
    from analyzer.model.mapping import LogMapping

    mapping = LogMapping.model_validate_json(name.removeprefix(MAPPING))
    return of_mapping(mapping) if mapping.format is not None else Mapped(mapping)


def sniff(document: Document) -> Format | None:
    """The first format that recognises the document, or None."""
    return sniff_particular(document) or sniff_general(document)


def sniff_particular(document: Document) -> Format | None:
    """The first format that recognises the document, but for those that accept nearly anything; or None."""
    return next((entry for entry in _particular(document) if entry.sniff(document)), None)


def sniff_general(document: Document) -> Format | None:
    """The first of the formats that accept nearly anything that does recognise the document, or None."""
    return next((entry for entry in map(_format, _LAST) if entry.sniff(document)), None)


def _particular(document: Document) -> Iterator[Format]:
    """Others' formats, then ours: those whose text is near the beginning, then the rest; all in their order where there
    are several files."""
    yield from registered(ENTRY_POINT_GROUP)
    particular = [module for module in _OWN if module not in _LAST]
    if document.bundle is None:
        # All of the texts are ASCII, so that any character may stand for any other byte.
        near = _HINTS.within(document.beginning(_HEAD).decode("latin-1"))
        particular.sort(key=lambda module: near.isdisjoint(_OWN[module]))
    yield from map(_format, particular)
