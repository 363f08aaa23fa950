"""Groups of commands, each imported when it's asked for; without a command's name the group's default is meant."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.console.command import write_exit_codes
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.text.expressions import compiled

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_PLAIN_WORD = compiled(r"[A-Za-z][A-Za-z_-]*")
DEFAULT_COMMAND = "post-mortem"
MODULES = {
    DEFAULT_COMMAND: "analyzer.cli.commands.postmortem",
    "timeline": "analyzer.cli.commands.timeline",
    "diff": "analyzer.cli.commands.diff",
    "audit": "analyzer.cli.commands.audit",
    "find": "analyzer.cli.commands.find",
    "compare": "analyzer.cli.commands.compare",
    "case-study": "analyzer.cli.commands.case_study",
    "watch": "analyzer.cli.commands.watch",
    "backtest": "analyzer.cli.commands.backtest",
    "guard": "analyzer.cli.commands.guard",
    "mcp": "analyzer.cli.commands.mcp",
    "skill": "analyzer.cli.commands.skill",
    "bench": "analyzer.cli.commands.bench",
    "check": "analyzer.cli.commands.check",
    "learn": "analyzer.cli.commands.learn",
    "convert": "analyzer.cli.commands.convert",
    "redact": "analyzer.cli.commands.redact",
    "formats": "analyzer.cli.commands.formats",
    "detectors": "analyzer.cli.commands.detectors",
    "explain": "analyzer.cli.commands.explain",
    "templates": "analyzer.cli.commands.templates",
    "schema": "analyzer.cli.commands.schema",
    "completion": "analyzer.cli.commands.completion",
}
"""The module of each command, in the order of the help; the module's `COMMAND` is the command."""


class DefaultGroup(click.Group):
    """A group that takes anything but a command's name or one of its own options as arguments of the default command.

    `modules` has the module of each command in the order of the help, `default` names one of them, and `usage` what
    follows the group's name when the default is meant. `aliases` has former names of commands, which the help leaves
    out.
    """

    def __init__(
        self,
        *args: Any,
        modules: Mapping[str, str] = MODULES,
        default: str = DEFAULT_COMMAND,
        usage: str = "[OPTIONS] LOG",
        aliases: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.modules, self.default, self.usage = modules, default, usage
        self.aliases = aliases or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        module = self.modules.get(self.aliases.get(cmd_name, cmd_name))
        if module is None:
            return None
        command: click.Command = import_module(module).COMMAND
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name in front where no command is named."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(ExitCode.USAGE)
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args and args[0] not in {*self.modules, *self.aliases, *own}:
            if not ctx.resilient_parsing:
                self._refuse_mistyped(ctx, args[0])
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def _refuse_mistyped(self, ctx: click.Context, word: str) -> None:
        """A word that is no file and nearly a command's name is taken for a mistyped command."""
        if not _PLAIN_WORD.fullmatch(word) or os.path.lexists(word):
            return
        from analyzer.text.suggest import nearest

        near = nearest(word, (*self.modules, *self.aliases))
        if near is not None:
            meant = self.aliases.get(near, near)
            raise click.UsageError(f"{word!r} is no command and no file. Did you mean the command {meant!r}?", ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer files and the options of the default command besides the commands and the own options."""
        default = self.get_command(ctx, self.default)
        more: list[CompletionItem] = []
        if default is not None:
            more = default.shell_complete(click.Context(default, parent=ctx, resilient_parsing=True), incomplete)
        # A completion script forgets what it was offered before a file.
        return sorted([*more, *super().shell_complete(ctx, incomplete)], key=lambda item: item.type == "plain")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both ways to call the program."""
        formatter.write_usage(ctx.command_path, self.usage)
        formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the default command, then the commands."""
        default = self.get_command(ctx, self.default)
        parameters = [*(default.params if default else ()), *self.get_params(ctx)]
        options = [parameter for parameter in parameters if isinstance(parameter, click.Option)]
        with formatter.section("Options"):
            formatter.write_dl([row for option in options if (row := option.get_help_record(ctx))])
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog and the exit codes."""
        super().format_epilog(ctx, formatter)
        write_exit_codes(formatter)
