"""What a format of the output is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from analyzer.cli.console.target import Target

Render = Callable[[Any, Target], str]
"""Turns a result of one class of `analyzer.cli.writers.results` into the text to write."""


@dataclass(frozen=True, slots=True)
class Writer:
    """One format: its name for `--format`, the suffixes of files that mean it, and how it writes each kind of result.

    A result whose class is no key of `renders` can't be written in this format. What a function of `renders` needs is
    imported when it is called. A writer that is listed in `analyzer.cli.writers.registry` is offered by every command
    whose result it writes.
    """

    name: str
    renders: Mapping[type, Render]
    suffixes: tuple[str, ...] = ()
    shows_texts: bool = field(default=False, kw_only=True)
    """Whether a post-mortem in this format shows what was said, sent and received at each step."""

    def render(self, result: object, target: Target) -> str:
        """The text of a result, for the place where it goes."""
        return self.renders[type(result)](result, target)

    @property
    def suffix(self) -> str:
        """The suffix of a file in this format."""
        return self.suffixes[0] if self.suffixes else ""
