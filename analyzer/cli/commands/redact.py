"""`analyze-session redact LOG`: a copy of a transcript that is safe to share."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import ExitCode, LogCommand
from analyzer.cli.console.options import flag_option, output_option, quiet_option
from analyzer.cli.console.output import STDIN, STDOUT, check_target, is_terminal, note, sink, write
from analyzer.model.errors import UnreadableInput
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.export.redacted import Copy


@click.command("redact", cls=LogCommand, short_help="Write a copy of a transcript without secrets, to share.")
@click.argument("log", metavar="LOG", required=False, type=click.Path(readable=False, allow_dash=True))
@output_option
@flag_option("--check checking", "Write nothing; exit with 1 if something would be replaced.")
@flag_option("--list listing", "List the rules, and exit.")
@quiet_option
@click.pass_context
def redact(context: click.Context, log: str | None, output: str | None, checking: bool, listing: bool) -> ExitCode:
    """Write a copy of the transcript LOG in which secrets, e-mail addresses and names in home directories are replaced.

    The copy has the same form (JSON, JSON lines, text; packed; archives, also in archives; with -o DIR the folder of a
    session) and the same structure, and is read as the same session. Every string is searched, including JSON
    within strings and damaged lines. What was replaced or left out is listed on standard error. No set of rules finds
    everything: check the copy before you share it.

    \b
    Examples:
      analyze-session redact run.jsonl -o shared.jsonl
      analyze-session redact run.eval -o shared.eval
      analyze-session redact - < run.jsonl > shared.jsonl
      analyze-session redact --check run.jsonl
      analyze-session redact --list
    """
    if listing:
        from analyzer.redaction import RULES, RULES_VERSION

        rules = "".join(f"{rule.name}\n    {rule.what}\n    {rule.fact}\n" for rule in RULES)
        write(f"version {RULES_VERSION}\n{rules}", None)
        return ExitCode.DONE
    if log is None:
        raise click.UsageError("Missing argument 'LOG'.", context)
    from analyzer.export.redacted import Copy

    with _source(log) as source:
        copy = Copy(source)
        if checking:
            copy.look()
        else:
            _write(copy, output, log)
    _tell(copy, checking=checking)
    return ExitCode.GATE if checking and copy.redactor.counts else ExitCode.DONE


@contextmanager
def _source(log: str) -> Iterator[Path]:
    """The file to read; standard input is kept in one, since it's gone through twice."""
    if log != STDIN:
        place = Path(log)
        if not place.exists():
            raise UnreadableInput("no such file.", where=log)
        yield place
        return
    if sys.stdin is None:
        raise UnreadableInput("there is no standard input.", where=log)
    with tempfile.TemporaryDirectory(prefix="analyze-session-") as folder:
        kept = Path(folder) / "stdin"
        with kept.open("wb") as stream:
            shutil.copyfileobj(sys.stdin.buffer, stream)
        yield kept


def _write(copy: Copy, output: str | None, log: str) -> None:
    if copy.source.is_dir():
        if output is None or output == STDOUT:
            raise click.UsageError("LOG is a folder: name a folder for the copy with -o.")
        copy.write_folder(Path(output))
        return
    check_target(output, log)
    if output in (None, STDOUT) and is_terminal(sys.stdout):
        raise click.UsageError("Name a file for the copy with -o (- writes to a pipe).")
    with sink(output) as stream:
        copy.write(stream)


def _tell(copy: Copy, *, checking: bool) -> None:
    counts, distinct = copy.redactor.counts, copy.redactor.distinct
    if not counts:
        note("Nothing was found that the rules know. They don't know everything: look at what you share.")
    else:
        lines = [
            f"  {name}: {plural(count, 'time')}, {distinct.get(name, 0) or 'no'} different"
            for name, count in sorted(counts.items())
        ]
        head, advice = "would be replaced:" if checking else "replaced:", "check the copy before you share it."
        note("\n".join([head, *lines, f"No set of rules finds everything: {advice}"]))
    if copy.skipped:
        note(f"copied as they are, since pictures hold no text: {_some(copy.skipped)}")
    if copy.left_out:
        note(f"left out, since they can't be looked into: {_some(copy.left_out)}")


def _some(names: list[str]) -> str:
    return f"{plural(len(names), 'file')} ({', '.join(names[:3])}{' ...' if len(names) > 3 else ''})"
