"""`analyze-session convert`: write a transcript in another form."""

from __future__ import annotations

import click

from analyzer.cli.console.command import ExitCode
from analyzer.cli.console.log_command import LogCommand
from analyzer.cli.console.options import input_format_option, output_option, quiet_option, session_option
from analyzer.cli.console.output import check_target, note, write

_FORMS = ("atif", "jsonl", "chat")


@click.command("convert", cls=LogCommand, short_help="Write a session in a format that other tools read.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
@click.option(
    "--to",
    "form",
    type=click.Choice(_FORMS),
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

    transcript = load(log, input_format)
    sessions = with_id(transcript.sessions, session_id, lambda session: session.id, log)
    if form == "jsonl":
        documents = [record for session in sessions for record in own.records(session)]
    else:
        documents = [atif.document(session) if form == "atif" else chat.document(session) for session in sessions]
    alone = len(documents) == 1 and form != "jsonl"
    text = "".join(dump(entry, indent=2 if alone else None) for entry in documents)
    if write(text, output):
        note(f"wrote {output}")
    return ExitCode.DONE
