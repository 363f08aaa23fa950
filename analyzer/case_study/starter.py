"""The scenario that `case-study init` writes: one that's valid unchanged, with a comment on every possible
key."""

from __future__ import annotations

STARTER = """\
# A scenario: what an agent is asked, how it should go about it, and how to check that it succeeded.
#   analyze-session case-study this-file.yaml run1.json run2.json -o case_study.md
# Lines that begin with # are comments: take the # away from what you want to use.
# The schema, for editors that check YAML: analyze-session schema scenario
scenario: "1.0"

# The document's title.
title: List all plugins as a table

# What the agent is asked, word for word.
prompt: |
  List all plugins, write the list to a file, read it,
  make a Markdown table of it, and write that to plugins.md.

# The system under test.
system:
  name: my-agent
  version: "1.0"

# For the document's head.
# author: The agents team
# date: 2026-01-31
# overview: |
#   Why this benchmark matters: one paragraph.

# The calls that would do it, in order. Leave it out if only the result counts: the success checks are enough.
plan:
  # The tool's name; * matches any part of it, [write, edit] matches either tool. A namespace that only
  # one of the log and the plan has doesn't count.
  - tool: list_plugins

  # Arguments that matter; others that a call has are ignored. $result.step_1 is what step 1 returned in the same run,
  # $result.step_1.items[0].name a part of it, where it's JSON. The log shows whether it was passed on, cut or lost.
  - tool: write_file
    arguments:
      path: temp_plugins.txt
      content: $result.step_1

  # An id is a name for references; without one, steps are called step_1, step_2 ... from top to bottom.
  - tool: read_file
    id: plugins
    arguments:
      path: temp_plugins.txt

  # A check instead of a value: equals, contains, lacks, matches (a regular expression), lines (at least this many).
  # `result` checks what the call returned.
  - tool: ask_model
    id: table
    arguments:
      prompt: "Convert this list to a Markdown table: $result.plugins"
    result:
      matches: '^\\|.*\\|$'
      lacks: I don't have
    note: A model makes the table.

  - tool: write_file
    arguments:
      path: plugins.md
      content: $result.table

  # A step that a run may leave out:
  # - tool: read_file
  #   optional: true

  # Steps whose order doesn't matter:
  # - any_order:
  #     - tool: fetch_weather
  #     - tool: fetch_traffic

  # Alternatives, any of which will do, each a step or a list of steps:
  # - one_of:
  #     - tool: edit_file
  #     - - tool: delete_file
  #       - tool: write_file

# How planning is distinguished from doing: names of tools that make, check or fix a plan.
# Without this, to-do lists and the like count as planning.
# phases:
#   planning: [planner.*]

# How to check that a run succeeded. Everything given here must hold.
success:
  # What the run wrote, as its calls show it; * matches any part of a path.
  files:
    - path: plugins.md
      matches: '^\\|'
      lines: 3
  # What the agent says last:
  # final_answer:
  #   contains: [plugins.md]
  # What the log itself says about its end: solved or submitted.
  # recorded: submitted
  # The exit status of the agent's command, where `bench` runs it.
  # exit_status: 0
  # The worst finding allowed: info, low, medium or high.
  # no_finding_above: medium

# What was changed in the system between runs. Runs are named by their number from 1, or by their id.
# With `commits`, subjects and files are read with git from `repository` (default: this file's folder).
# fixes:
#   - after_run: 1
#     text: The tool's definition now has one name for its input.
#   - after_run: 2
#     commits: v1.2..v1.3
#     repository: ../my-agent

# The recorded runs, as paths or patterns relative to this file; those on the command line take precedence.
# runs:
#   - runs/*.json
"""
"""The text of the file."""
