"""The commands, each imported when it's asked for; without a command's name the post-mortem is meant."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from analyzer.cli.command import write_exit_codes
from analyzer.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

DEFAULT_COMMAND = "post-mortem"
MODULES = {
    DEFAULT_COMMAND: "analyzer.cli.postmortem",
    "watch": "analyzer.cli.watch",
    "check": "analyzer.cli.check",
    "convert": "analyzer.cli.convert",
    "formats": "analyzer.cli.formats",
    "detectors": "analyzer.cli.detectors",
    "explain": "analyzer.cli.explain",
    "schema": "analyzer.cli.schema",
    "completion": "analyzer.cli.completion",
}
"""The module of each command, in the order of the help; the module's `COMMAND` is the command."""


class DefaultGroup(click.Group):
    """A group that takes anything but a command's name or one of its own options as arguments of the default command."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, in the order of the help."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        module = MODULES.get(cmd_name)
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
        if args and args[0] not in MODULES and args[0] not in own:
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer files and the options of the default command besides the commands and the own options."""
        default = self.get_command(ctx, DEFAULT_COMMAND)
        more: list[CompletionItem] = []
        if default is not None:
            more = default.shell_complete(click.Context(default, parent=ctx, resilient_parsing=True), incomplete)
        # A completion script forgets what it was offered before a file.
        return sorted([*more, *super().shell_complete(ctx, incomplete)], key=lambda item: item.type == "plain")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both ways to call the program."""
        formatter.write_usage(ctx.command_path, "[OPTIONS] LOG")
        formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the default command, then the commands."""
        default = self.get_command(ctx, DEFAULT_COMMAND)
        parameters = [*(default.params if default else ()), *self.get_params(ctx)]
        options = [parameter for parameter in parameters if isinstance(parameter, click.Option)]
        with formatter.section("Options"):
            formatter.write_dl([row for option in options if (row := option.get_help_record(ctx))])
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog and the exit codes."""
        super().format_epilog(ctx, formatter)
        write_exit_codes(formatter)
