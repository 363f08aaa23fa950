"""`analyze-session templates`: the templates that users may replace, and copies of them."""

from __future__ import annotations

import re
from pathlib import Path

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import quiet_option
from analyzer.cli.console.output import entry, make_folder, note, write
from analyzer.model.errors import AnalyzerError


@click.command("templates", cls=Command, short_help="List or copy the templates of case studies.")
@click.option("--eject", metavar="DIR", type=click.Path(file_okay=False), help="Copy the templates into DIR.")
@click.option("--force", is_flag=True, help="Overwrite files that exist and differ.")
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
        write("".join(entry(name, [_about(text)]) for name, text in texts.items()), None)
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


def _about(text: str) -> str:
    """What a template says of itself in its first comment."""
    found = re.match(r"\s*\{#-?\s*(.*?)\s*-?#\}", text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def _differs(file: Path, text: str) -> bool:
    try:
        return file.read_bytes() != text.encode()
    except OSError:
        return True
