"""Which family of tools a tool belongs to, by its name: every agent calls its file editor something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType

from analyzer.text.names import names
from analyzer.text.rows import table_beside


class Family(Enum):
    """Tools that do the same and take the same arguments."""

    SHELL = auto()
    READ = auto()
    SEARCH = auto()
    EDIT = auto()
    EDITOR = auto()
    """An editor of several commands, of which one is named by the argument `command`."""
    TEST = auto()
    NOTEBOOK = auto()
    THINK = auto()
    PLAN = auto()
    FINISH = auto()
    WAIT = auto()
    KEYBOARD = auto()
    """Types into a program that is running; without any text it waits for output."""


_FAMILY_OF: Mapping[str, Family] = MappingProxyType(
    {name: Family[family.upper()] for family, text in table_beside(__file__)["tools"].items() for name in names(text)}
)


def plain_name(tool: str) -> str:
    """A tool's own name, in small letters and digits, without the server or package that offers it and
    without the number of its version."""
    last = tool.lower().rsplit("__", 1)[-1].rsplit(".", 1)[-1]
    return re.sub(r"[^a-z0-9]", "", re.sub(r"_v\d$", "", last))


def family_of(name: str) -> Family | None:
    """The family of a tool by its plain name, or None for a tool that isn't known."""
    return _FAMILY_OF.get(name)
