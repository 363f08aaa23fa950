"""The shape that all commands share: `-h`, exit codes in the help, `--debug`, one environment variable per option."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import click


class ExitCode(IntEnum):
    """The exit status of every command."""

    DONE = 0
    GATE = 1
    USAGE = 2
    NOTHING_TO_COMPARE = 3
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """The line of the help that explains it."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.DONE: "finished, whatever was found",
    ExitCode.GATE: (
        "a gate failed (--fail-on, compare --fail-on-regression, bench --fail-under, check --strict, or redact "
        "--check); the report is still written"
    ),
    ExitCode.USAGE: "wrong usage or configuration, unreadable input, or an error of this program",
    ExitCode.NOTHING_TO_COMPARE: "nothing to compare: one side has no sessions, or no two can be paired as requested",
    ExitCode.INTERRUPTED: "interrupted",
}


PROGRAM = "analyze-session"
ENVIRONMENT_PREFIX = "ANALYZE_SESSION"
CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
WITHOUT_SETTING = "chosen"
"""The parameter of a `--format` that neither a setting nor the environment, which are meant for reports, set."""
_DEBUG_KEY = "analyzer.cli.debug"


class Command(click.Command):
    """A command whose help ends with the exit codes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", CONTEXT_SETTINGS)
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--debug"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_remember_debug,
                help="Show the Python traceback of an error.",
            )
        )
        for option in self.params:
            if isinstance(option, click.Option) and option.name != WITHOUT_SETTING:
                option.envvar = environment_variable(option)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes after whatever else ends the help."""
        super().format_epilog(ctx, formatter)
        write_exit_codes(formatter)


def environment_variable(option: click.Option) -> str:
    """The variable that sets an option: `ANALYZE_SESSION_FAIL_ON` for `--fail-on`."""
    long = next(name for name in option.opts if name.startswith("--"))
    return f"{ENVIRONMENT_PREFIX}_{long.removeprefix('--').replace('-', '_').upper()}"


def write_exit_codes(formatter: click.HelpFormatter) -> None:
    """Write the section of the help that explains the exit status."""
    with formatter.section("Exit codes"):
        formatter.write_dl([(str(int(code)), code.meaning) for code in ExitCode])


def wants_debug(context: click.Context | None) -> bool:
    """Whether `--debug` was given (or `ANALYZE_SESSION_DEBUG` set) for the command that ran."""
    return context is not None and bool(context.meta.get(_DEBUG_KEY))


def _remember_debug(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.meta[_DEBUG_KEY] = value
