"""`analyze-session case-study SCENARIO RUN...`: write the document, or one for each scenario of a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import file_option, gathered, input_format_option, redact_option, value_option
from analyzer.cli.console.output import STDOUT, make_folder, note, write
from analyzer.cli.console.product import Product, product_options, redacted
from analyzer.cli.console.results import CaseStudyIndexResult, CaseStudyResult
from analyzer.cli.console.writers import MARKDOWN
from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.case_study.study import Telling
    from analyzer.model.case_study import CaseStudy

TELLINGS = ("auto", "cascade", "trials")


class Asked(Struct, frozen=True):
    """How the runs of a scenario are read and presented: in the order of their times or as named, and of files with
    several sessions those whose id fits the pattern `session`."""

    by_time: bool
    telling: Telling
    session: str | None
    input_format: str | None
    redact: bool


reading_options = gathered(
    "asked",
    Asked,
    list(Asked.__struct_fields__),
    [
        click.option("--by-time", is_flag=True, help="Order the runs by their start times."),
        value_option(
            "--as telling",
            TELLINGS,
            "Present the runs as a cascade of failures and fixes, or as trials of one system.",
            "auto",
        ),
        click.option(
            "--session",
            metavar="PATTERN",
            help="Of files with several sessions, use only those whose id matches, such as 'task-17*'.",
        ),
        input_format_option,
        redact_option,
    ],
)
"""The options from `--by-time` to `--redact`; the command takes them as `asked`."""


@click.command("write", cls=Command, short_help="Write the case study (the default).")
@click.argument("scenario_file", metavar="SCENARIO", type=click.Path(readable=False))
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=click.Path(readable=False))
@product_options(CaseStudyResult)
@file_option(
    "--notes", "notes_file", "Notes by a person for the document (YAML); the command notes writes an empty file."
)
@file_option("--template", "template", "Write the document from this template.")
@file_option(
    "--templates",
    "templates",
    "Use the templates in DIR in place of the built-in ones of the same name; the command templates copies those.",
    metavar="DIR",
)
@click.option(
    "--reminders/--no-reminders", default=True, show_default=True, help="Mark what a person still has to write."
)
@reading_options
def case_study_write(
    scenario_file: str,
    runs: tuple[str, ...],
    product: Product,
    notes_file: str | None,
    template: str | None,
    templates: str | None,
    reminders: bool,
    asked: Asked,
) -> ExitCode:
    """Write the case study (what case-study does when no other command is named).

    \b
    Examples:
      analyze-session case-study write scenario.yaml runs/*.json -o study.md
      analyze-session case-study write scenario.yaml runs/ -o study.html
      analyze-session case-study write scenario.yaml runs/ -f json
    """
    own = Path(templates) if templates is not None else None
    made = partial(study_of, asked=asked)
    if Path(scenario_file).is_dir():
        if runs or notes_file or template or asked.session:
            raise click.UsageError(
                "a folder of scenarios takes no runs, notes, template or session: each scenario has its own."
            )
        return _folder(Path(scenario_file), product, own, made, reminders=reminders)
    product.check(scenario_file, *runs, notes_file)
    study = made(scenario_file, runs, notes_file)
    study = study.model_copy(update={"reminders": reminders})
    product.write(CaseStudyResult(study, own, Path(template) if template is not None else None))
    return ExitCode.DONE


def study_of(scenario_file: str, runs: tuple[str, ...], notes_file: str | None, *, asked: Asked) -> CaseStudy:
    """The case study that a scenario file, runs and notes make; where that is asked for without secrets and personal
    data, but for the author that the scenario names. What was written and has no place in it is mentioned on
    standard error."""
    from analyzer.case_study.notes import load_notes
    from analyzer.case_study.runs import load_runs
    from analyzer.case_study.scenario import load_scenario
    from analyzer.case_study.study import astray, case_study

    file = Path(scenario_file)
    scenario = load_scenario(file)
    notes = load_notes(Path(notes_file)) if notes_file is not None else None
    files = files_at(runs or [str(file.parent / name) for name in scenario.runs], but=file)
    loaded = load_runs(
        files, input_format=asked.input_format, session=asked.session, by_time=asked.by_time, redact=asked.redact
    )
    study = case_study(scenario, loaded, notes, base=file.parent, telling=asked.telling)
    for line in astray(study, notes):
        note(f"{notes_file if line.startswith('failure-') else scenario_file}: {line}")
    # The scenario and the notes are text of their own beside the runs.
    return redacted(study, asked.redact)


def _folder(
    folder: Path, product: Product, templates: Path | None, made: Callable[..., CaseStudy], *, reminders: bool
) -> ExitCode:
    """A document for each scenario of a folder, `made` of its file, runs and notes, and the page that lists them."""
    from analyzer.case_study.scenario import load_scenario, scenarios_in
    from analyzer.case_study.study import summarised
    from analyzer.model.case_study import CaseStudyIndex

    output = product.target.output
    writer = product.writer if CaseStudyIndexResult in product.writer.renders else MARKDOWN
    if output is None or output == STDOUT:
        raise click.UsageError("a folder of scenarios makes several documents: name a folder for them with -o.")
    place = Path(output)
    found = scenarios_in(folder)
    if not found:
        hint = "A scenario is a YAML file with a title and a prompt; `analyze-session case-study init` writes one."
        raise AnalyzerError("holds no scenario.", where=str(folder), hint=hint)
    make_folder(output)
    entries, problems = [], []
    for name, file in found:
        notes = file.with_name(f"{file.stem}.notes.yaml")
        try:
            # Of a scenario that lists no runs, the transcripts in its folder are taken.
            runs = () if load_scenario(file).runs else (str(file.parent),)
            study = made(str(file), runs, str(notes) if notes.is_file() else None)
        except AnalyzerError as error:
            problems.append(error.message)
            note(error.message)
            continue
        study = study.model_copy(update={"reminders": reminders})
        write(writer.render(CaseStudyResult(study, templates), product.target), str(place / f"{name}{writer.suffix}"))
        entries.append(summarised(study, f"{name}{writer.suffix}"))
    index = CaseStudyIndex(entries=sorted(entries, key=lambda entry: (entry.title, entry.link)), problems=problems)
    write(writer.render(CaseStudyIndexResult(index, templates), product.target), str(place / f"index{writer.suffix}"))
    note(f"wrote {plural(len(entries), 'document')} and index{writer.suffix} into {output}")
    return ExitCode.DONE if entries else ExitCode.USAGE


def files_at(paths: Iterable[str], but: Path) -> list[str]:
    """The files at each path, in the order of the paths; those of one folder or pattern by name, with numbers in their
    order.

    Files keep the way in which they were named. `FILE#ID` stays as it is. `but` is the scenario itself. Raises
    `UnreadableInput` for a path at which there's nothing.
    """
    from analyzer.audit.sources.discover import discover
    from analyzer.case_study.runs import natural

    own = but.resolve()
    found: dict[str, None] = {}
    for path in paths:
        if Path(path).is_file() or ("#" in path and not os.path.lexists(path)):
            found[path] = None
            continue
        sources = [source.path for source in discover([path]) if Path(source.path).resolve() != own]
        absolute = os.path.isabs(path)  # noqa: PTH117 - a pattern is no path
        found.update(
            dict.fromkeys(sorted((name if absolute else os.path.relpath(name) for name in sources), key=natural))
        )
    return list(found)
