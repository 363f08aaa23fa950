"""`analyze-session find TEXT DIR`: where something was said, called or returned in the sessions of an audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import filter_options, names_option, value_option, words_option
from analyzer.cli.console.output import note
from analyzer.cli.console.product import Product, product_options
from analyzer.cli.console.results import SearchResult
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.sources.filters import Filter


_PARTS = ("task", "user", "said", "called", "returned")
"""The values of `analyzer.model.search.Part`, which a help page needs without the models."""


@click.command("find", cls=Command, short_help="Search the sessions of an audit for a text.")
@click.argument("text", metavar="TEXT")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@words_option("--status", "statuses", ("ok", "error", "unknown"), "Only steps of this status; may be repeated.")
@names_option("--tool", "tools", "Only steps of these tools.")
@names_option("--finding", "findings", "Only steps named by a finding of this kind: a detector, or detector/kind.")
@words_option(
    "--in",
    "parts",
    _PARTS,
    "Search only this: the task, what the user said later, what the agent said, what was sent to a tool, what came "
    "back; may be repeated.",
)
@filter_options()
@value_option("--limit", click.IntRange(min=1), "The maximum number of hits.", 50, "N")
@product_options(SearchResult, "text", "Default: by the suffix of -o; else text.", unfold="")
def find(
    text: str,
    folder: str,
    product: Product,
    statuses: tuple[str, ...],
    tools: tuple[str, ...],
    findings: tuple[str, ...],
    parts: tuple[str, ...],
    wanted: Filter,
    limit: int,
) -> ExitCode:
    """Print the steps of the audit in DIR that contain every word of TEXT, in any case, with the surrounding
    text and the place on the session's page. Words in double quotes are looked for as they are.

    The search covers the task and all that was said, called and returned, without secrets; of a text of more than a
    million characters its beginning and its end.

    \b
    Examples:
      analyze-session find "connection refused" audit/
      analyze-session find '"no module named" yaml' audit/ --status error
      analyze-session find migrate audit/ --tool Bash --in called --since 7d
      analyze-session find retry audit/ --finding loops -f json
    """
    product.check()

    from analyzer.audit.search import Asked as Wanted
    from analyzer.audit.search import search
    from analyzer.model.search import Part

    of_steps = (frozenset(statuses), frozenset(tool.lower() for tool in tools), frozenset(findings))
    found = search(Path(folder), text, Wanted(wanted, *of_steps, frozenset(map(Part, parts))), limit)
    product.write(SearchResult(found, folder))
    if not found.found:
        more = f"; {plural(found.unread, 'file')} could not be read and searched" if found.unread else ""
        note(f"nothing found in {plural(found.searched, 'session')}{more}")
    return ExitCode.DONE
