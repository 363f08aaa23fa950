"""A command that takes one recorded session: what it says when it's given several, a folder, or nothing that
exists."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.output import STDIN
from analyzer.model.errors import UnreadableInput

_PLUGINS = "PYDANTIC_DISABLE_PLUGINS"
_MOST_SHOWN = 3
_MOST_SIBLINGS = 2_000
_LEAST_LIKENESS = 0.75
"""How alike the name of a file is that may have been meant: half of most names is a suffix that all of them share."""
_SIGNS_OF_A_PATTERN = "*?["


class LogCommand(Command):
    """A command whose only argument is LOG."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse several files with the command that takes them."""
        rest = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            files = [str(ctx.params["log"]), *ctx.args]
            shown = shlex.join(files[:_MOST_SHOWN]) + (" ..." if len(files) > _MOST_SHOWN else "")
            raise click.UsageError(
                f"{self.name} takes one LOG, and {len(files)} were given.\n"
                f"For many recordings at once: analyze-session audit {shown} -o audit/",
                ctx,
            )
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a LOG that is missing or a folder is answered with what to do."""
        # Pydantic doesn't look for packages that would follow what its models hold: they have no business with a
        # session, and to look for them takes a twelfth of a small log's time.
        asked = _PLUGINS in os.environ
        os.environ.setdefault(_PLUGINS, "__all__")
        try:
            return super().invoke(ctx)
        except UnreadableInput as error:
            hint = _next_step(ctx.params.get("log"))
            if hint is None:
                raise
            raise UnreadableInput(error.what, where=error.where, hint=hint) from error
        finally:
            if not asked:
                del os.environ[_PLUGINS]


def _next_step(log: str | None) -> str | None:
    """What to do about a path that is no file; None for one that is."""
    if log is None or log == STDIN:
        return None
    if os.path.isdir(log):  # noqa: PTH112 - a name that can't exist is no folder
        return f"For all recordings in it: analyze-session audit {shlex.quote(log)} -o audit/"
    if os.path.lexists(log):
        return None
    from analyzer.text.english import nearest

    pattern = any(sign in Path(log).name for sign in _SIGNS_OF_A_PATTERN)
    near = None if pattern else nearest(Path(log).name, _siblings(Path(log).parent), _LEAST_LIKENESS)
    if near is not None:
        return f"Did you mean {str(Path(log).with_name(near))!r}?"
    return "`analyze-session audit folders` lists where agents keep their sessions on this machine."


def _siblings(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry, _ in zip(entries, range(_MOST_SIBLINGS), strict=False)]
    except OSError:
        return []
