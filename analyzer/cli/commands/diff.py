"""`analyze-session diff LOG`: what became of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import (
    color_option,
    config_option,
    input_format_option,
    output_option,
    redact_option,
)
from analyzer.cli.console.output import check_target, note, write
from analyzer.cli.console.safe_text import visible, without_escapes
from analyzer.cli.console.target import Target
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import MAIN_LANE

if TYPE_CHECKING:
    from analyzer.model.difference import Difference, DifferenceReport
    from analyzer.model.session import Transcript
    from analyzer.timeline import Timeline

_LISTED = 20
_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "note": {"dim": True},
    "file": {"bold": True},
    "hunk": {"fg": "cyan"},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
}


@click.command("diff", cls=Command, short_help="Print what a recorded session changed in its files.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
@click.option(
    "-f", "--format", "chosen", type=click.Choice(("text", "json")), help="What to write. Default: by the suffix of -o."
)
@output_option
@input_format_option
@click.option(
    "--session", "session_id", metavar="ID", help="Only the session with this id, of a file that holds several."
)
@click.option(
    "--step", type=click.IntRange(min=0), metavar="N", help="The files as they were after step N (0: before)."
)
@click.option("--lane", metavar="NAME", default=MAIN_LANE, show_default=True, help="The lane of that step.")
@click.option("--stat", is_flag=True, help="One line for each file rather than its changes.")
@redact_option
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error, errors apart.")
@color_option
@config_option
def diff(
    log: str,
    chosen: str | None,
    output: str | None,
    input_format: str | None,
    session_id: str | None,
    step: int | None,
    lane: str,
    stat: bool,
    redact: bool,
    quiet: bool,
    color: str,
) -> ExitCode:
    """Print what the recorded session LOG (- is standard input) changed in its files, as far as the recording shows it.

    The diff is unified. It's worked out from the edits, commands and reads of the session: nothing is looked up on
    this machine. Lines that begin with # say where the agent's own scratch files begin and what isn't known: files
    whose content was never shown, commands whose effects are not.

    \b
    Examples:
      analyze-session diff run.json
      analyze-session diff run.json --stat
      analyze-session diff run.json --step 12
      analyze-session diff run.json -o final.diff
      analyze-session diff run.json -f json | jq -r '.sessions[].files[].file'
    """
    form = chosen or ("json" if (output or "").lower().endswith(".json") else "text")
    if stat and form == "json":
        raise click.UsageError("--stat is for text; the JSON has the counts of each file.")
    check_target(output, log)

    from analyzer.api import load

    loaded = load(log, input_format)
    timelines = [timeline for timeline in loaded.sessions if session_id in (None, timeline.session.id)]
    if not timelines and session_id is not None:
        ids = [timeline.session.id for timeline in loaded.sessions]
        raise AnalyzerError(f"holds no session {session_id!r}.", where=log, hint=f"Its sessions: {_named(ids)}.")
    made = [found for timeline in timelines if (found := _difference(timeline, step, lane)) is not None]
    if timelines and not made:
        where = "" if lane == MAIN_LANE else f" in the lane {lane!r}"
        raise AnalyzerError(f"has no step {step}{where}.", where=log)
    report = _report(loaded.transcript, made)
    if redact:
        from analyzer.redaction import Redactor, redact_model
        from analyzer.timeline.step_texts import texts_of

        redactor = Redactor()
        for timeline in loaded.sessions:
            redactor.learn(texts_of(timeline.session))
        report = redact_model(report, redactor=redactor)
    if write(_render(report, form, stat, Target(output, color).colored), output) and not quiet:
        note(visible(f"wrote {output}"))
    if not quiet and len(report.sessions) > 1 and session_id is None:
        note(visible(f"{len(made)} sessions; --session shows one: {_named([entry.session for entry in made])}"))
    return ExitCode.DONE


COMMAND = diff


def _named(ids: list[str]) -> str:
    return ", ".join(ids[:_LISTED]) + (f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else "")


def _difference(timeline: Timeline, step: int | None, lane: str) -> Difference | None:
    """The diff of one session, None for one that doesn't have the step."""
    from analyzer.workspace import history_of
    from analyzer.workspace.difference import difference, step_index

    history = timeline.history or history_of(timeline.session, timeline.actions)
    upto: int | None = None
    if step is not None:
        upto = -1 if step == 0 else step_index(history, step, lane)
        if upto is None:
            return None
    return difference(history, upto, timeline.session.task or "")


def _report(transcript: Transcript, sessions: list[Difference]) -> DifferenceReport:
    from analyzer.model.difference import DifferenceReport
    from analyzer.model.postmortem import Source

    source = Source(
        path=transcript.path, format=transcript.format, size_bytes=transcript.size_bytes, sha256=transcript.sha256
    )
    return DifferenceReport(source=source, sessions=sessions)


def _render(report: DifferenceReport, form: str, stat: bool, color: bool) -> str:
    if form == "json":
        from analyzer.report import json

        return json.render(report)
    from analyzer.report.difference import lines_of, stat_of

    parts = []
    for entry in report.sessions:
        rows = (
            (without_escapes(line.text).replace("\n", " "), line.role)
            for line in (stat_of if stat else lines_of)(entry)
        )
        parts.append("\n".join(click.style(text, **_STYLES.get(role, {})) if color else text for text, role in rows))
    return "\n\n".join(parts) + "\n"
