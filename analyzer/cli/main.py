"""The program's entry: run a command, turn every error into a message and an exit code."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Sequence

import click

import analyzer
from analyzer.cli.console.command import CONTEXT_SETTINGS, PROGRAM, DefaultGroup, ExitCode, wants_debug
from analyzer.cli.console.output import ignore_stdout, warn
from analyzer.model.errors import AnalyzerError
from analyzer.text.expressions import KEPT

COMPLETION_VARIABLE = "_ANALYZE_SESSION_COMPLETE"
_SELDOM = (20_000, 20, 20)
"""When Python looks for cycles that nothing refers to: most of what a command makes it needs to the end, and looking as
often as by default takes a tenth of a small log's time."""


@click.group(cls=DefaultGroup, alone="recent")
@click.version_option(analyzer.__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def cli() -> None:
    """Report what happened in LOG, the recorded session of an AI agent: how it ended, where it went in circles,
    which error kept coming back, where that error comes from, and what to change.

    LOG is one recorded file, compressed or not, the folder of one session, - for standard input, or `latest` for what
    an agent on this machine recorded last (`latest 2` for the session before that). Its format is recognised by its
    content. Nothing is sent anywhere, and the same input gives the same report.

    \b
    Examples:
      analyze-session latest
      analyze-session run.json
      analyze-session run.jsonl -o post-mortem.md
      analyze-session run.jsonl -o report.html
      analyze-session run.traj -f json | jq '.sessions[].outcome'
      analyze-session run.json --fail-on high --quiet
      analyze-session explain loops

    Every option has an environment variable, such as ANALYZE_SESSION_FORMAT. The settings format, fail_on, color,
    select, ignore, masks, mapping, prices, redact and detectors can also be set in the table [tool.analyze-session] of
    the nearest pyproject.toml. The command line takes precedence over the environment, and the environment over the
    file.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments` (`sys.argv` by default) and return the exit code."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        return _run(arguments)
    finally:
        gc.set_threshold(*before)


def _run(arguments: Sequence[str] | None) -> int:
    if instruction := os.environ.get(COMPLETION_VARIABLE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, COMPLETION_VARIABLE, instruction)
    given = list(sys.argv[1:] if arguments is None else arguments)
    # The root context is made here, because click's own `main` gives broken pipes and interrupts the exit code of the
    # gate.
    context = click.Context(cli, info_name=PROGRAM, **CONTEXT_SETTINGS)
    try:
        with context:
            cli.parse_args(context, given)
            code = int(cli.invoke(context) or ExitCode.DONE)
        KEPT.write()
        return code
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except (KeyboardInterrupt, click.Abort):
        warn("Interrupted.")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        ignore_stdout()
        return ExitCode.DONE
    except click.ClickException as error:
        asked = error.ctx if isinstance(error, click.UsageError) else None
        usage = f"{asked.get_usage()}\nTry '{asked.command_path} --help' for help.\n\n" if asked is not None else ""
        return _fail(context, f"{usage}Error: {error.format_message()}")
    except AnalyzerError as error:
        return _fail(context, f"Error: {error}")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(context, f"Error: {where}{error.strerror or error}.")
    except Exception as error:  # noqa: BLE001 - nobody but --debug is to see a bare traceback
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _fail(context, f"internal error: {what}; run again with --debug")


def _fail(context: click.Context, message: str) -> int:
    if wants_debug(context):
        warn(traceback.format_exc().rstrip())
    warn(message)
    return ExitCode.USAGE
