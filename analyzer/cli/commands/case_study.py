"""`analyze-session case-study SCENARIO RUN...`: the story that recorded runs of one scenario tell together."""

from __future__ import annotations

import click

from analyzer.cli.console.command import CONTEXT_SETTINGS
from analyzer.cli.console.group import DefaultGroup

MODULES = {
    "write": "analyzer.cli.commands.case_study_write",
    "init": "analyzer.cli.commands.case_study_init",
    "notes": "analyzer.cli.commands.case_study_notes",
}


@click.group(
    "case-study",
    cls=DefaultGroup,
    modules=MODULES,
    default="write",
    short_help="Tell the story of several runs of one scenario.",
    usage="[OPTIONS] SCENARIO [RUN]...",
    context_settings=CONTEXT_SETTINGS,
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


COMMAND = case_study
