"""The shape that all commands share (`-h`, exit codes in the help, `--debug`, one environment variable per option), and
groups of commands, each imported when it is asked for; without the name of a command the default of the group is
meant. A command that takes one recorded session says what to do when it's given several, a folder, or nothing that
exists."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from enum import IntEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from analyzer.cli.console.output import STDIN, is_terminal, note
from analyzer.model.errors import UnreadableInput
from analyzer.text.names import names

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class ExitCode(IntEnum):
    """The exit status of every command."""

    DONE = 0
    GATE = 1
    USAGE = 2
    NOTHING_TO_COMPARE = 3
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.DONE: "finished, whatever was found",
    ExitCode.GATE: (
        "a gate failed (--fail-on, compare --fail-on-regression, check --strict, or redact "
        "--check); the report is still written"
    ),
    ExitCode.USAGE: "wrong usage or configuration, unreadable input, or an error of this program",
    ExitCode.NOTHING_TO_COMPARE: "nothing to compare: one side has no sessions, or no two can be paired as requested",
    ExitCode.INTERRUPTED: "interrupted",
}
"""What the help says of each."""
PROGRAM = "analyze-session"
ENVIRONMENT_PREFIX = "ANALYZE_SESSION"
CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
WITHOUT_SETTING = "chosen"
"""The parameter of a `--format` that neither a setting nor the environment, which are meant for reports, set."""
_META = "analyzer.cli."


class _WithExitCodes(click.Command):
    """A command whose help ends with the exit codes, or with where they are listed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", CONTEXT_SETTINGS)
        super().__init__(*args, **kwargs)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes after whatever else ends the help of the whole program."""
        super().format_epilog(ctx, formatter)
        if ctx.parent is not None:
            formatter.write(f"\nExit codes: see {PROGRAM} --help.\n")
            return
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])


class Command(_WithExitCodes):
    """A command with `--debug` and options of its kind, whose values it remembers, and with an environment variable for
    each option."""

    own: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Name, placeholder and help of the options of this kind of command."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        flag: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _remember}
        self.params.append(click.Option(["--debug"], **flag, help="Show the Python traceback of an error."))
        for name, metavar, about in self.own:
            hidden: dict[str, Any] = {"metavar": metavar, "expose_value": False, "callback": _remember}
            self.params.append(click.Option([name], **hidden, help=about))
        for option in self.params:
            if isinstance(option, click.Option) and option.name != WITHOUT_SETTING:
                long = next(name for name in option.opts if name.startswith("--"))
                option.envvar = f"{ENVIRONMENT_PREFIX}_{long.removeprefix('--').replace('-', '_').upper()}"


def wants_debug(context: click.Context | None) -> bool:
    """Whether `--debug` was given (or `ANALYZE_SESSION_DEBUG` set) for the command that ran."""
    return context is not None and bool(context.meta.get(f"{_META}debug"))


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta[f"{_META}{parameter.name}"] = value


_MOST_SHOWN = 3
_MOST_SIBLINGS = 2_000
_LEAST_LIKENESS = 0.75
"""How alike the name of a file is that may have been meant: half of most names is a suffix that all of them share."""
_SIGNS_OF_A_PATTERN = "*?["


def _take_latest(ctx: click.Context) -> None:
    """Put the file of a session that was recorded lately in the place of LOG, and its id in that of `--session`."""
    from analyzer.audit.recent import latest

    number = int(ctx.args.pop(0)) if ctx.args and ctx.args[0].isdecimal() else 1
    agents = str(ctx.meta[f"{_META}agent"] or "").replace(",", " ").split()
    found = latest(number, agents, ctx.meta[f"{_META}project"])
    ctx.params["log"] = found.path
    if found.session is not None and ctx.params.get("session_id", "") is None:
        ctx.params["session_id"] = found.session
    note(f"{found.agent or 'unknown agent'}: {found.path}")


LATEST = "latest"
"""What may be said in place of LOG."""


class LogCommand(Command):
    """A command whose only argument is LOG, or `latest` and the number of a session, from the latest on."""

    own = (
        ("--agent", "NAMES", "Where LOG is latest: only sessions of these agents (comma separated)."),
        ("--project", "NAME", "Where LOG is latest: only sessions of this project; . is the current folder's."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the latest session, and refuse several files with the command that takes them."""
        rest = super().parse_args(ctx, args)
        if ctx.params.get("log") == LATEST and not os.path.lexists(LATEST) and not ctx.resilient_parsing:
            _take_latest(ctx)
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
        try:
            return super().invoke(ctx)
        except UnreadableInput as error:
            hint = _next_step(ctx.params.get("log"))
            if hint is None:
                raise
            raise UnreadableInput(error.what, where=error.where, hint=hint) from error


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


DEFAULT_COMMAND = "post-mortem"
_SECTIONS = {
    "A run": "session:post_mortem sessions:recent session:timeline diff:diff watch:watch formats:check redact:redact",
    "Many runs": "audit:audit sessions:find sessions:cost runs:compare runs:backtest",
    "Benchmarks": "case_study:case_study case_study:templates",
    "Integration": "reference:guard reference:mcp reference:skill formats:convert formats:learn formats:formats "
    "reference:detectors reference:explain reference:schema reference:completion",
}
"""The parts of the help, and where the commands of each are."""
MODULES = {
    place.partition(":")[2].replace("_", "-"): place for section in _SECTIONS.values() for place in names(section)
}
"""Where each command is, in the order of the help: the module below `analyzer.cli.commands`, and the name in it."""


class DefaultGroup(_WithExitCodes, click.Group):
    """A group that takes anything but a command's name or one of its own options as arguments of the default command.

    `modules` says where each command is, as `MODULES` does, `default` names one of them, and `usage` what
    follows the group's name when the default is meant. `aliases` has former names of commands, which the help leaves
    out; `alone` is the command that is meant where somebody at a terminal writes no word at all.
    """

    def __init__(
        self,
        *args: Any,
        modules: Mapping[str, str] = MODULES,
        default: str = DEFAULT_COMMAND,
        usage: str = "[OPTIONS] LOG",
        aliases: Mapping[str, str] | None = None,
        alone: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.modules, self.default, self.usage = modules, default, usage
        self.aliases, self.alone = aliases or {}, alone

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        place = self.modules.get(self.aliases.get(cmd_name, cmd_name))
        if place is None:
            return None
        module, name = place.split(":")
        command: click.Command = getattr(import_module(f"analyzer.cli.commands.{module}"), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name in front where no command is named."""
        if not args and self.alone and not ctx.resilient_parsing and is_terminal(sys.stdin) and is_terminal(sys.stdout):
            args = [self.alone]
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
        if (
            word == LATEST
            or word.startswith("-")
            or not word.replace("-", "").replace("_", "").isalpha()
            or os.path.lexists(word)
        ):
            return
        from analyzer.text.english import nearest

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in one line each, by what they're about."""
        for title, section in _SECTIONS.items() if self.modules is MODULES else (("Commands", None),):
            places = self.modules.values() if section is None else names(section)
            listed = [name for name, place in self.modules.items() if place in places]
            commands = [(name, self.get_command(ctx, name)) for name in listed]
            with formatter.section(title):
                formatter.write_dl([(name, one.get_short_help_str(100)) for name, one in commands if one is not None])

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
