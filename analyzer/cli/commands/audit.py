"""`analyze-session audit PATH... -o DIR`: look at many recorded sessions at once, and only at what is new."""

from __future__ import annotations

import click

from analyzer.cli.console.command import CONTEXT_SETTINGS
from analyzer.cli.console.group import DefaultGroup

MODULES = {
    "run": "analyzer.cli.commands.audit_run",
    "merge": "analyzer.cli.commands.audit_merge",
    "folders": "analyzer.cli.commands.audit_folders",
}


@click.group(
    "audit",
    cls=DefaultGroup,
    modules=MODULES,
    default="run",
    aliases={"homes": "folders"},
    short_help="Analyze many recorded sessions at once.",
    usage="[OPTIONS] PATH... -o DIR",
    context_settings=CONTEXT_SETTINGS,
)
def audit() -> None:
    """Analyze all recorded sessions at PATH, and keep the results in DIR: a report, the post-mortems, and a database.

    PATH is a file, a folder to search, a pattern such as 'runs/**/*.jsonl', or an archive. A repeated
    audit reads only new and changed files, and an interrupted one resumes where it stopped. Files that can't be read
    are listed and never end the audit.

    \b
    Examples:
      analyze-session audit runs/ -o audit/
      analyze-session audit --from claude-code,codex --since 7d -o last-week/
      analyze-session audit runs/ -o audit/ --fail-on high -f github
      analyze-session audit runs/ -o part-3/ --shard 3/8
      analyze-session audit merge part-*/ -o audit/
    """


COMMAND = audit
