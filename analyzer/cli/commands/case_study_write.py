"""`analyze-session case-study SCENARIO RUN...`: write the document, or one for each scenario of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import color_option, config_option, output_option, redact_option
from analyzer.cli.console.output import STDOUT, check_target, note, write
from analyzer.cli.console.report_format import PAGE_FORMATS, report_format, shown_markdown
from analyzer.cli.console.safe_text import visible
from analyzer.model.errors import AnalyzerError

if TYPE_CHECKING:
    from analyzer.case_study.study import Telling
    from analyzer.model.case_study import CaseStudy, CaseStudyIndex

TELLINGS = ("auto", "cascade", "trials")
by_time_option = click.option(
    "--by-time", is_flag=True, help="Put the runs in the order of the times at which they began."
)
session_option = click.option(
    "--session", metavar="PATTERN", help="Of files with several sessions, only those whose id fits, such as 'task-17*'."
)
as_option = click.option(
    "--as",
    "telling",
    type=click.Choice(TELLINGS),
    default="auto",
    show_default=True,
    help="Tell the runs as a cascade of failures and fixes, or as trials of one system.",
)
input_format_option = click.option(
    "--input-format", metavar="NAME", help="The transcripts' format, if it is not recognised; see the command formats."
)


@click.command("write", cls=Command)
@click.argument("scenario_file", metavar="SCENARIO", type=click.Path(readable=False))
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=click.Path(readable=False))
@click.option(
    "-f",
    "--format",
    type=click.Choice(PAGE_FORMATS),
    help="What to write. Default: by the suffix of -o; else terminal on a terminal, markdown elsewhere.",
)
@output_option
@click.option(
    "--notes",
    "notes_file",
    metavar="FILE",
    type=click.Path(readable=False),
    help="What a person wrote for the document (YAML); the command notes writes an empty one.",
)
@click.option(
    "--template", metavar="FILE", type=click.Path(readable=False), help="Write the document by this template."
)
@click.option(
    "--templates",
    metavar="DIR",
    type=click.Path(readable=False),
    help="Take templates from DIR rather than ours of the same name; the command templates copies ours out.",
)
@by_time_option
@as_option
@session_option
@input_format_option
@redact_option
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error, errors apart.")
@click.option("-v", "--verbose", count=True, help="Unfold the folded parts on the terminal.")
@color_option
@config_option
@click.pass_context
def case_study_write(
    context: click.Context,
    scenario_file: str,
    runs: tuple[str, ...],
    format: str | None,  # noqa: A002 - the option's name
    output: str | None,
    notes_file: str | None,
    template: str | None,
    templates: str | None,
    by_time: bool,
    telling: Telling,
    session: str | None,
    input_format: str | None,
    redact: bool,
    quiet: bool,
    verbose: int,
    color: str,
) -> ExitCode:
    """Write the case study (what case-study does when no other command is named).

    \b
    Examples:
      analyze-session case-study write scenario.yaml run1.json run2.json -o case_study.md
      analyze-session case-study write scenario.yaml runs/ -o case_study.html
      analyze-session case-study write scenario.yaml runs/ -f json
    """
    own = Path(templates) if templates is not None else None
    if Path(scenario_file).is_dir():
        if runs or notes_file or template or session:
            raise click.UsageError(
                "a folder of scenarios takes no runs, notes, template or session: each scenario has its own."
            )
        return _folder(
            Path(scenario_file),
            output,
            own,
            telling,
            by_time=by_time,
            input_format=input_format,
            redact=redact,
            quiet=quiet,
            chosen=format or "markdown",
        )
    chosen = report_format(context, format, output, PAGE_FORMATS)
    check_target(output, scenario_file)
    for run in runs:
        check_target(output, run)
    check_target(output, notes_file)
    study = study_of(
        scenario_file,
        runs,
        notes_file,
        telling,
        by_time=by_time,
        session=session,
        input_format=input_format,
        quiet=quiet,
    )
    study = redacted(study) if redact else study
    text = _written(study, chosen, own, Path(template) if template is not None else None)
    text = (
        shown_markdown(text, chosen, output, color, unfold=verbose > 0) if chosen in ("markdown", "terminal") else text
    )
    if write(text, output) and not quiet:
        note(visible(f"wrote {output}"))
    return ExitCode.DONE


COMMAND = case_study_write


def study_of(
    scenario_file: str,
    runs: tuple[str, ...],
    notes_file: str | None,
    telling: Telling,
    *,
    by_time: bool,
    session: str | None,
    input_format: str | None,
    quiet: bool,
) -> CaseStudy:
    """The case study that a scenario file, runs and notes make. What was written and has no place in it is mentioned on
    standard error."""
    from analyzer.case_study.notes import load_notes
    from analyzer.case_study.runs import load_runs
    from analyzer.case_study.scenario import load_scenario
    from analyzer.case_study.study import astray, case_study
    from analyzer.cli.console.case_study_runs import files_at

    file = Path(scenario_file)
    scenario = load_scenario(file)
    notes = load_notes(Path(notes_file)) if notes_file is not None else None
    listed = [file.parent / name for name in scenario.runs]
    files = files_at(runs or [str(path) for path in listed], but=file)
    loaded = load_runs(files, input_format=input_format, session=session, by_time=by_time)
    study = case_study(scenario, loaded, notes, base=file.parent, telling=telling)
    if not quiet:
        for line in astray(study, notes):
            note(visible(f"{notes_file if line.startswith('failure-') else scenario_file}: {line}"))
    return study


def redacted(study: CaseStudy) -> CaseStudy:
    """The case study without secrets and personal data; the author that the scenario names stays."""
    from analyzer.redaction import redact_model

    return redact_model(study)


def _written(study: CaseStudy, chosen: str, templates: Path | None, template: Path | None = None) -> str:
    """The document in one of `PAGE_FORMATS`; for a terminal the Markdown that is to be set for it."""
    if chosen == "json":
        from analyzer.report import json

        return json.render(study)
    if chosen == "html":
        from analyzer.report.html import case_study as html

        return html.render(study, templates, template)
    from analyzer.report.case_study import render

    return render(study, templates, template)


def _index(index: CaseStudyIndex, chosen: str, templates: Path | None) -> str:
    """The list of the documents in the same format."""
    if chosen == "json":
        from analyzer.report import json

        return json.render(index)
    if chosen == "html":
        from analyzer.report.html import case_study as html

        return html.render_index(index, templates)
    from analyzer.report.case_study import render_index

    return render_index(index, templates)


def _folder(
    folder: Path,
    output: str | None,
    templates: Path | None,
    telling: Telling,
    *,
    by_time: bool,
    input_format: str | None,
    redact: bool,
    quiet: bool,
    chosen: str,
) -> ExitCode:
    """A document for each scenario of a folder, and the page that lists them."""
    from analyzer.case_study.index import scenarios_in, summarised
    from analyzer.model.case_study import CaseStudyIndex

    if output is None or output == STDOUT:
        raise click.UsageError("a folder of scenarios makes several documents: name a folder for them with -o.")
    place = Path(output)
    found = scenarios_in(folder)
    if not found:
        raise AnalyzerError(
            "holds no scenario.",
            where=str(folder),
            hint="A scenario is a YAML file with a title and a prompt; `analyze-session case-study init` writes one.",
        )
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AnalyzerError(f"can't be made: {error.strerror or error}.", where=output) from None
    entries, problems = [], []
    suffix = {"json": ".json", "html": ".html"}.get(chosen, ".md")
    for name, file in found:
        notes = file.with_name(f"{file.stem}.notes.yaml")
        try:
            study = study_of(
                str(file),
                _own_runs(file),
                str(notes) if notes.is_file() else None,
                telling,
                by_time=by_time,
                session=None,
                input_format=input_format,
                quiet=quiet,
            )
        except AnalyzerError as error:
            problems.append(error.message)
            if not quiet:
                note(visible(error.message))
            continue
        study = redacted(study) if redact else study
        write(_written(study, chosen, templates), str(place / f"{name}{suffix}"))
        entries.append(summarised(study, f"{name}{suffix}"))
    index = CaseStudyIndex(entries=sorted(entries, key=lambda entry: (entry.title, entry.link)), problems=problems)
    write(_index(index, chosen, templates), str(place / f"index{suffix}"))
    if not quiet:
        note(
            visible(f"wrote {len(entries)} document{'' if len(entries) == 1 else 's'} and index{suffix} into {output}")
        )
    return ExitCode.DONE if entries else ExitCode.USAGE


def _own_runs(file: Path) -> tuple[str, ...]:
    """The folder of a scenario that lists no runs: its transcripts are taken."""
    from analyzer.case_study.scenario import load_scenario

    return () if load_scenario(file).runs else (str(file.parent),)
