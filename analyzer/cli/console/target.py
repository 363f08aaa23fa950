"""Where a result goes, and what can be shown there."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from analyzer.cli.console.output import STDOUT, is_terminal


@dataclass(frozen=True, slots=True)
class Target:
    """A file, a pipe or a terminal: `output` is the value of `-o`, `color` that of `--color`; `unfold` shows the parts
    that a terminal leaves out otherwise."""

    output: str | None = None
    color: str = "auto"
    unfold: bool = False

    @property
    def terminal(self) -> bool:
        """Whether a person sees the result directly."""
        return self.output in (None, STDOUT) and is_terminal(sys.stdout)

    @property
    def colored(self) -> bool:
        """Whether to write colours."""
        return use_color(self.color, self.terminal)

    @property
    def unicode(self) -> bool:
        """Whether lines and arrows can be shown; a file or a pipe has UTF-8."""
        if not self.terminal:
            return True
        try:
            "┌─┬┐·…".encode(sys.stdout.encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    @property
    def width(self) -> int | None:
        """The terminal's width; None where nothing limits a line."""
        columns = os.environ.get("COLUMNS", "")
        if self.terminal or columns.isdecimal():
            return max(20, shutil.get_terminal_size((80, 24)).columns)
        return None


def use_color(choice: str, terminal: bool, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour: what was asked for, else what the environment asks for, else whether a terminal can show
    it."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return terminal and environment.get("TERM") != "dumb"
