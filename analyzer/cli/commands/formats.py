"""The formats of transcripts: which are read, how well one was read, how to read the log of somebody's own agent, and
a transcript in another form."""

from __future__ import annotations

import shlex
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command, ExitCode, LogCommand
from analyzer.cli.console.options import (
    flag_option,
    input_format_option,
    log_argument,
    output_option,
    quiet_option,
    session_option,
)
from analyzer.cli.console.output import STDIN, STDOUT, Target, check_target, entry, note, write
from analyzer.cli.console.product import format_option
from analyzer.cli.console.results import CheckResult
from analyzer.cli.console.writers import writers_of
from analyzer.model.errors import AnalyzerError
from analyzer.text.clip import clip
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.model.action import Action
    from analyzer.model.session import Session

_SHOWN, _LONGEST, _MOST_UNUSED = 5, 160, 20


@click.command("formats", cls=Command, short_help="List the transcript formats that are read.")
def formats() -> ExitCode:
    """List the transcript formats, which versions of each have been seen, and what it never records (a report shows
    that as unknown).

    \b
    Examples:
      analyze-session formats
      analyze-session run.log --input-format chat
    """
    from analyzer.formats.loading.registry import formats as known

    listed = ""
    for form in known():
        never = ", ".join(getattr(form, "not_recorded", ())) or "nothing"
        facts = [f"seen: {getattr(form, 'versions', 'not said')}", f"never recorded: {never}"]
        listed += entry(f"{form.name} - {form.title}", facts)
    write(listed, None)
    return ExitCode.DONE


@click.command("check", cls=Command, short_help="Report how well each transcript was read.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(readable=False, allow_dash=True))
@format_option(CheckResult, "text")
@input_format_option
@flag_option("--strict", "Exit with 1 if anything was not understood.")
@flag_option("-q --quiet", "Only files with something to report.")
def check(paths: tuple[str, ...], chosen: str, input_format: str | None, strict: bool, quiet: bool) -> ExitCode:
    """Report how well each transcript was read: its format, what was found, what was not understood.

    PATH is a file, or a directory, whose files are checked one by one. Records are counted where a file consists of
    records (JSON counts them by type as well). Lines or entries that aren't records at all count as damaged; a record
    of an unknown type, or one with something missing, counts as a record, and a warning says what was left out of it. A
    file that can't be read, and a large one that yields nothing, is an error: exit code 2.

    \b
    Examples:
      analyze-session check run.jsonl
      analyze-session check --strict runs/
      analyze-session check -f json runs/ | jq '.[] | select(.understood | not)'
    """
    from analyzer.checkup import check as examine
    from analyzer.checkup import files_of

    found = [examine(path, input_format) for given in paths for path in files_of(given)]
    shown = [checkup for checkup in found if not quiet or not checkup.understood]
    write(writers_of(CheckResult)[chosen].render(CheckResult(shown), Target()), None)
    problems = sum(checkup.problem is not None for checkup in found)
    partly = sum(not checkup.understood for checkup in found) - problems
    if not quiet:
        understood = len(found) - problems - partly
        note(f"{plural(len(found), 'file')}: {understood} understood, {partly} with remarks, {problems} not read")
    if problems:
        return ExitCode.USAGE
    return ExitCode.GATE if strict and partly else ExitCode.DONE


@click.command("learn", cls=LogCommand, short_help="Propose a mapping for a log in an unknown format.")
@log_argument
@output_option
@click.option(
    "--mapping",
    "mapping_file",
    metavar="FILE",
    help="Propose nothing: show what this mapping reads of LOG, what it leaves out, and its keys that LOG lacks.",
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
    shown = _shown(found.sessions) + (entry("not in this log:", found.unused[:_MOST_UNUSED]) if found.unused else "")
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
    lines = [entry(head, [f"task: {clip(sessions[0].task, _LONGEST)}"] if sessions[0].task else [])]
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


@click.command("convert", cls=LogCommand, short_help="Write a session in a format that other tools read.")
@log_argument
@click.option(
    "--to",
    "form",
    type=click.Choice(("atif", "jsonl", "chat")),
    required=True,
    help="atif: the interchange format; jsonl: our own form; chat: chat messages.",
)
@output_option
@input_format_option
@session_option
@quiet_option
def convert(log: str, form: str, output: str | None, input_format: str | None, session_id: str | None) -> ExitCode:
    """Write the sessions of LOG in a format that other tools read.

    jsonl keeps everything that was read, and atif (version 1.7) everything except how sub-agents' calls are interleaved
    with others; what has no field goes into the extra objects. chat keeps only the text of the main agent's messages.
    Several sessions of one file become one line each (atif, chat) or follow each other (jsonl).

    \b
    Examples:
      analyze-session convert run.traj --to atif -o trajectory.json
      analyze-session convert run.jsonl --to chat --session case-17
      analyze-session convert run.eval --to jsonl | gzip > run.jsonl.gz
    """
    check_target(output, log)

    from analyzer.api import with_id
    from analyzer.export import atif, chat, own
    from analyzer.formats import load
    from analyzer.report.json import dump

    sessions = with_id(load(log, input_format).sessions, session_id, lambda session: session.id, log)
    if form == "jsonl":
        documents = [record for session in sessions for record in own.records(session)]
    else:
        documents = [atif.document(session) if form == "atif" else chat.document(session) for session in sessions]
    alone = len(documents) == 1 and form != "jsonl"
    text = "".join(dump(entry, indent=2 if alone else None) for entry in documents)
    if write(text, output):
        note(f"wrote {output}")
    return ExitCode.DONE
