"""`analyze-session case-study notes SCENARIO RUN...`: an empty notes file with the sections that the document has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.commands.case_study_write import as_option, by_time_option, session_option
from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import input_format_option, output_option, quiet_option, redact_option
from analyzer.cli.console.output import check_target, note, write

if TYPE_CHECKING:
    from analyzer.case_study.study import Telling


@click.command("notes", cls=Command, short_help="Write a notes file to fill in.")
@click.argument("scenario_file", metavar="SCENARIO", type=click.Path(readable=False))
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=click.Path(readable=False))
@output_option
@click.option(
    "--notes",
    "notes_file",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Keep what is written in FILE already; it may be the file that -o names.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@by_time_option
@as_option
@session_option
@input_format_option
@redact_option
@quiet_option
def case_study_notes(
    scenario_file: str,
    runs: tuple[str, ...],
    output: str | None,
    notes_file: str | None,
    force: bool,
    by_time: bool,
    telling: Telling,
    session: str | None,
    input_format: str | None,
    redact: bool,
    quiet: bool,
) -> ExitCode:
    """Write a notes file (YAML) for the case study: its sections, each with what the document says of itself as a
    comment.

    What is written there goes into the document with --notes, and stays when the document is regenerated.

    \b
    Examples:
      analyze-session case-study notes plan.yaml runs/*.json -o notes.yaml
      analyze-session case-study notes plan.yaml runs/ --notes n.yaml -o n.yaml
    """
    from analyzer.case_study.notes import template
    from analyzer.cli.commands.case_study_init import refuse_existing
    from analyzer.cli.commands.case_study_write import study_of

    same = output is not None and notes_file is not None and Path(output).absolute() == Path(notes_file).absolute()
    refuse_existing(output, force=force or same)
    check_target(output, scenario_file)
    study = study_of(
        scenario_file,
        runs,
        notes_file,
        telling=telling,
        by_time=by_time,
        session=session,
        input_format=input_format,
        quiet=quiet,
        redact=redact,
    )
    if write(template(study), output) and not quiet:
        note(f"wrote {output}; fill it in, then: analyze-session case-study {scenario_file} ... --notes {output}")
    return ExitCode.DONE


COMMAND = case_study_notes
