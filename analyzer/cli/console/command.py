"""The shape that all commands share: `-h`, exit codes in the help, `--debug`, one environment variable per option."""

from __future__ import annotations

from typing import Any

import click

from analyzer.cli.console.exit_codes import ExitCode

PROGRAM = "analyze-session"
ENVIRONMENT_PREFIX = "ANALYZE_SESSION"
CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_DEBUG_KEY = "analyzer.cli.debug"


class Command(click.Command):
    """A command whose help ends with the exit codes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", {**CONTEXT_SETTINGS, "auto_envvar_prefix": ENVIRONMENT_PREFIX})
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

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option `--help`, which no environment variable sets."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.allow_from_autoenv = False
        return option

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes after whatever else ends the help."""
        super().format_epilog(ctx, formatter)
        write_exit_codes(formatter)


def write_exit_codes(formatter: click.HelpFormatter) -> None:
    """Write the section of the help that explains the exit status."""
    with formatter.section("Exit codes"):
        formatter.write_dl([(str(int(code)), code.meaning) for code in ExitCode])


def wants_debug(context: click.Context | None) -> bool:
    """Whether `--debug` was given (or `ANALYZE_SESSION_DEBUG` set) for the command that ran."""
    return context is not None and bool(context.meta.get(_DEBUG_KEY))


def _remember_debug(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.meta[_DEBUG_KEY] = value
