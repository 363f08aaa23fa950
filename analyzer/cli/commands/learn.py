"""`analyze-session learn`: propose how to read the log of somebody's own agent."""

from __future__ import annotations

import shlex
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import ExitCode
from analyzer.cli.console.log_command import LogCommand
from analyzer.cli.console.options import output_option
from analyzer.cli.console.output import STDIN, STDOUT, check_target, entry, note, write
from analyzer.model.errors import AnalyzerError
from analyzer.text.clip import clip
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.model.action import Action
    from analyzer.model.session import Session

_SHOWN, _LONGEST = 5, 160


@click.command("learn", cls=LogCommand, short_help="Propose a mapping for a log in an unknown format.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
@output_option
@click.option(
    "--mapping",
    "mapping_file",
    metavar="FILE",
    help="Don't propose anything: show what this mapping reads of LOG, and which records it leaves out.",
)
def learn(log: str, output: str | None, mapping_file: str | None) -> ExitCode:
    """Look at a log of your own agent (JSON, JSON lines, or text with JSON in its lines), propose which of its keys
    hold the calls, arguments, results, errors, times and ids, and show the first five actions as they would be read.

    The proposal is written into FILE (LOG's name with .mapping.toml, without -o), for --mapping and for the key mapping
    of [tool.analyze-session] in pyproject.toml. Correct it by hand where it's wrong, and check it again with --mapping.

    \b
    Examples:
      analyze-session learn runs/agent.log
      analyze-session learn runs/agent.log --mapping agent.mapping.toml
      analyze-session runs/agent.log --mapping agent.mapping.toml
    """
    from analyzer.formats.loading.mapping.files import proposed, read_by

    file = output or f"{PurePath(log).name.split('.')[0] or 'log'}.mapping.toml" if log != STDIN else output or STDOUT
    if mapping_file is None:
        check_target(file, log)
        if output is None and Path(file).exists():
            hint = f"Look at it with --mapping {shlex.quote(file)}, or name another file with -o."
            raise AnalyzerError("is there already, and may have been corrected by hand.", where=file, hint=hint)
    found = read_by(log, mapping_file) if mapping_file is not None else proposed(log)
    shown = _shown(found.sessions)
    if mapping_file is not None:
        write(shown, None)
        return ExitCode.DONE
    if file == STDOUT:
        write(found.file, None)
        note(shown.rstrip("\n"))
        return ExitCode.DONE
    write(f"{found.file}\n{shown}", None)
    write(found.file, file)
    if found.known_as is not None:
        note(f"{log} is read without a mapping as well, as {found.known_as}; see which one tells more.")
    note(f"wrote {file}; use it so: analyze-session {shlex.quote(log)} --mapping {shlex.quote(file)}")
    return ExitCode.DONE


def _shown(sessions: list[Session]) -> str:
    """What was read: how much, the first actions, and what was left out."""
    from analyzer.timeline import build_timeline

    calls = sum(1 for session in sessions for _ in session.calls())
    answered = sum(action.result is not None for session in sessions for action in build_timeline(session).actions)
    head = f"{plural(len(sessions), 'session')}, {plural(calls, 'action')}, {answered} of them with a result"
    told = [f"task: {clip(sessions[0].task, _LONGEST)}"] if sessions[0].task else []
    lines = [entry(head, told)]
    lines += [_action(action) for action in build_timeline(sessions[0]).actions[:_SHOWN]]
    left = [f"{warning.where}: {warning.what}" for session in sessions for warning in session.warnings]
    return "".join([*lines, entry("not read:", left[:10])] if left else lines)


def _action(action: Action) -> str:
    given = str(action.arguments if isinstance(action.arguments, str) else dict(action.arguments))
    judged = f"{action.status}, decided by {action.decided_by}" if action.decided_by else str(action.status)
    said = "no result recorded" if action.result is None else f"result: {clip(action.result, _LONGEST) or '(empty)'}"
    return entry(
        f"{action.step}. {action.tool} [{action.kind}] {judged}", [f"arguments: {clip(given, _LONGEST)}", said]
    )
