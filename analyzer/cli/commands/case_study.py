"""`analyze-session case-study`: the story that recorded runs of one scenario tell together (`case-study write`, which
is meant without a name, in `case_study_write`); a scenario to start from, a notes file to fill in, and the templates
that users may replace."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from pathlib import Path

import click

from analyzer.cli.commands.case_study_write import Asked, reading_options, study_of
from analyzer.cli.console.command import Command, DefaultGroup, ExitCode
from analyzer.cli.console.options import file_option, flag_option, output_option, quiet_option
from analyzer.cli.console.output import STDOUT, check_target, entry, make_folder, note, write
from analyzer.model.errors import AnalyzerError


@click.group(
    "case-study",
    cls=DefaultGroup,
    modules={
        "write": "case_study_write:case_study_write",
        "init": "case_study:case_study_init",
        "notes": "case_study:case_study_notes",
    },
    default="write",
    short_help="Tell the story of several runs of one scenario.",
    usage="[OPTIONS] SCENARIO [RUN]...",
)
def case_study() -> None:
    """Write a document on recorded runs of one scenario: what failed first in each, why, what was changed, and how it
    ended.

    SCENARIO is a YAML file; init writes one to start from. RUN is a transcript, a folder of them, a pattern, or FILE#ID
    for one session of a file; without RUN, the runs that the scenario lists are used. The runs are numbered in this
    order. If nothing says that the system was changed between them, they're presented as trials of one system: how many
    passed, and how similar the failures are.

    SCENARIO may be a folder: each scenario below it gets a document in the folder that -o names, and index.md lists
    them. A scenario that lists no runs then uses the transcripts in its folder, and notes from NAME.notes.yaml
    next to NAME.yaml.

    \b
    Examples:
      analyze-session case-study init scenario.yaml
      analyze-session case-study scenario.yaml run1.json run2.json -o study.md
      analyze-session case-study scenario.yaml runs/ -o study.html
      analyze-session case-study scenario.yaml runs/ --by-time --notes notes.yaml
      analyze-session case-study notes scenario.yaml runs/ -o notes.yaml
      analyze-session case-study scenario.yaml trials.json --session 'task-17*'
      analyze-session case-study scenarios/ -o pages/
    """


@click.command("init", cls=Command, short_help="Write a scenario to start from.")
@click.argument("file", metavar="[FILE]", default="scenario.yaml", type=click.Path(readable=False, allow_dash=True))
@flag_option("--force", "Write over a file that is there.")
@quiet_option
def case_study_init(file: str, force: bool) -> ExitCode:
    """Write a scenario with a comment on everything into FILE (scenario.yaml without one; - is standard output).

    \b
    Examples:
      analyze-session case-study init
      analyze-session case-study init benchmarks/plugins.yaml
    """
    refuse_existing(file, force=force)
    check_target(file)
    if write(files("analyzer.cli.snippets").joinpath("scenario.yaml").read_text(encoding="utf-8"), file):
        note(f"wrote {file}; change it, then: analyze-session case-study {file} run1.json run2.json")
    return ExitCode.DONE


def refuse_existing(file: str | None, *, force: bool) -> None:
    """Raise `AnalyzerError` for a file that is there, unless the user said that it may be written over."""
    if file is not None and file != STDOUT and not force and os.path.lexists(file):
        raise AnalyzerError("is there already.", where=file, hint="Name another file, or write over it with --force.")


@click.command("notes", cls=Command, short_help="Write a notes file to fill in.")
@click.argument("scenario_file", metavar="SCENARIO", type=click.Path(readable=False))
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=click.Path(readable=False))
@output_option
@file_option("--notes", "notes_file", "Keep what is written in FILE already; it may be the file that -o names.")
@flag_option("--force", "Write over a file that is there.")
@reading_options
@quiet_option
def case_study_notes(
    scenario_file: str, runs: tuple[str, ...], output: str | None, notes_file: str | None, force: bool, asked: Asked
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

    same = output is not None and notes_file is not None and Path(output).absolute() == Path(notes_file).absolute()
    refuse_existing(output, force=force or same)
    check_target(output, scenario_file)
    study = study_of(scenario_file, runs, notes_file, asked=asked)
    if write(template(study), output):
        note(f"wrote {output}; fill it in, then: analyze-session case-study {scenario_file} ... --notes {output}")
    return ExitCode.DONE


@click.command("templates", cls=Command, short_help="List or copy the templates of case studies.")
@click.option("--eject", metavar="DIR", type=click.Path(file_okay=False), help="Copy the templates into DIR.")
@flag_option("--force", "Overwrite files that exist and differ.")
@quiet_option
def templates(eject: str | None, force: bool) -> ExitCode:
    """List the templates of case studies, or copy them into DIR to change them.

    Keep in DIR only what you change: case-study --templates DIR uses the templates there in place of the built-in ones
    of the same name. A template may also extend a built-in one, by its name with ours/ in front.

    \b
    Examples:
      analyze-session templates
      analyze-session templates --eject my-templates/
      analyze-session case-study scenario.yaml runs/ --templates my-templates/
    """
    from analyzer.report.case_study import own_templates

    texts = own_templates()
    if eject is None:
        # What a template says of itself in its first comment.
        about = {name: re.match(r"\s*\{#-?\s*(.*?)\s*-?#\}", text, re.DOTALL) for name, text in texts.items()}
        write("".join(entry(name, [" ".join(said[1].split()) if said else ""]) for name, said in about.items()), None)
        return ExitCode.DONE
    place = Path(eject)
    for name, text in texts.items():
        if not force and (place / name).exists() and _differs(place / name, text):
            hint = "Nothing was written. Name another folder, or write over it with --force."
            raise AnalyzerError("is there already, and isn't ours.", where=str(place / name), hint=hint)
    for name, text in texts.items():
        target = place / name
        make_folder(target.parent)
        write(text, str(target))
    note(
        f"wrote {len(texts)} templates into {eject}; keep those that you change, and use them with "
        f"case-study --templates {eject}"
    )
    return ExitCode.DONE


def _differs(file: Path, text: str) -> bool:
    try:
        return file.read_bytes() != text.encode()
    except OSError:
        return True
