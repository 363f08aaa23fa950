"""Runs that did nothing: the result says no more than that nothing was selected, found or left to do.

Whatever the tool is, such a run says nothing about the code, though it ends without an error.
"""

from __future__ import annotations

import re

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.timeline.calls.programs import script

_MOST_LINES = 4
"""Lines in which a tool says that it had nothing to do; a longer result tells of something else."""
_LONGEST = 1_200
_BANNER = late(
    r"^\s*(?:[$>+] ?\S|All (?:checks|tests) passed|[=\-_*~.]{3,}\s*$"
    r"|(?:Scope|Packages|Time|Duration|Done|Finished)\b|\S{1,60}: (?:Enter|Leav)ing )"
)
"""A line in which a tool repeats its command, says where or how long it ran, or that all of nothing is well."""
_LABEL = late(r"^\w[\w-]{0,30}: ")
_INPUT = (
    r"(?:files?|sources?|tests?|specs?|projects?|packages?|workspaces?|targets?|tasks?|scripts?|inputs?|modules?"
    r"|suites?|items?|examples?|jobs?)"
)
_DONE = (
    r"(?:match(?:ed|es|ing)?|selected|found|affected|specified|provided|executed|ran|run|processed|checked"
    r"|to (?:be )?(?:check|lint|run|test|build|do|format|compile|execute|process)(?:ed|ted)?"
    r"|ha(?:s|ve) an? [^\n]{0,60}\bscript)"
)
_NONE = late(
    rf"^\W{{0,4}}(?:\w[\w-]{{0,30}}: )?(?:"
    rf"(?:Found )?(?:No|None of|Zero|0)(?: [\w'\"./@-]{{1,40}}){{0,3}}? {_INPUT}\b[^\n]{{0,80}}?\b{_DONE}\b"
    r"|Nothing (?:to (?:do|run|check|test|build|lint|format|compile)|(?:to be|was) (?:done|run|checked|built))\b"
    r"|[`'\"]?[\w./-]{1,80}[`'\"]? is (?:already )?up[ -]to[ -]date\b)",
    re.IGNORECASE,
)
_VERDICT = late(r"\b(?:errors?|issues?|problems?|warnings?|violations?|failures?|vulnerabilit\w+)\b", re.IGNORECASE)
"""What a check finds none of when all is well."""
_RAN = frozenset({Kind.RUN, Kind.TEST})


def did_nothing(action: Action) -> str | None:
    """The line in which a run says that there was nothing for it to do; None where it says something else as well, and
    for a script, whose output may be about anything."""
    result = action.result or ""
    if action.kind not in _RAN or action.harness or not result or len(result) > _LONGEST:
        return None
    if any(script(command) for command in action.operation.commands):
        return None
    lines = [line.strip() for line in result.splitlines() if line.strip() and _BANNER.match(line) is None]
    if not lines or len(lines) > _MOST_LINES:
        return None
    return lines[0] if all(_NONE.match(line) and not _VERDICT.search(_LABEL.sub("", line)) for line in lines) else None
