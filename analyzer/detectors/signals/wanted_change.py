"""Whether a task wants code changed, by its words, and whether a call could have changed any."""

from __future__ import annotations

import re

from analyzer.detectors.engine.facts import Facts
from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.late import late
from analyzer.timeline.closing.closing_message import closing_message
from analyzer.timeline.closing.ending import asked_for

WANTS = late(
    r"^(?:[-*\d. ]{0,6})(?:please |now |can you |could you |you (?:must|should|need to|have to) |I (?:want|need) "
    r"you to |your task is to |we need to |let's )?"
    r"(?:fix|implement|add|refactor|rename|create|write|change|modify|port|remove|replace|convert|migrate|correct"
    r"|resolve|make)\b",
    re.IGNORECASE | re.MULTILINE,
)

CODE = late(
    (
        r"\b(?:bug|issue|function|class|method|code(?:base)?|repo(?:sitory)?|tests?|files?|module|script"
        r"|implementation|endpoint|component|feature|package|library)\b|\b[\w/-]{1,60}\.(?:py|js|ts|tsx|rs|go|java|rb"
        r"|c|cpp|h|php|kt|cs)\b"
    ),
    re.IGNORECASE,
)

A_CHANGE = late(r"\b(?:implement|fix|chang|edit|modif|appl)\w*", re.IGNORECASE)

NO_EDIT = late(
    (
        r"\b(?:do not|don't|without|no need to) (?:\w+ ){0,2}(?:edit|chang|modif|writ|implement|touch)\w*"
        r"|\bread-only\b|\bplan mode\b|\b(?:review|explain|summari[sz]e|analy[sz]e|investigate|assess|audit|describe"
        r"|answer)\b"
    ),
    re.IGNORECASE,
)

NEEDLESS = late(
    r"\balready\b|\bno (?:\w+ )?(?:changes?|fix|edits?|modification|action)s? (?:\w+ ){0,3}(?:needed|required"
    r"|necessary)|\b(?:can(?:'t|not)|could(?:n't| not)) (?:be )?reproduce|\bnot (?:be )?reproduc\w+|\bplan\b"
    r"|\bproposal\b|"
    r"\bworks (?:as|correctly)|\bwould you like|\bshall I\b|\bshould I\b|\bdo you want\b|\?\s*$",
    re.IGNORECASE,
)

_HARMLESS = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.FINISH, Kind.TEST})

_CHANGES_NOTHING = frozenset({"git", "gh", "cd", "echo", "pip", "pip3", "npm", "which"})


def wants_change_around(facts: Facts) -> bool:
    """Whether the words around a task are about a change of code, where the call that ends the session hands over no
    answer."""
    task = (facts.timeline.session.task or "")[:20_000]
    if NO_EDIT.search(task[:400]) is not None:
        return False
    last = [action for action in facts.lane(MAIN_LANE) if not action.harness][-1]
    words = closing_message(facts.timeline, last)
    silent = last.kind is Kind.FINISH and (words is None or not words.handed_in)
    return silent and CODE.search(asked_for(facts.timeline)[:20_000]) is not None


def may_change(action: Action) -> bool:
    """Whether a call may have changed a file: an edit that wasn't refused, or a program that isn't known to leave files
    alone."""
    if action.kind is Kind.EDIT or action.operation.edits:
        return action.failure is None or bool(action.accepted_edits)
    if action.operation.writes:
        return True
    if action.kind is Kind.RUN and action.operation.commands:
        command = action.operation.command or ""
        return ">" in command or any(
            entry.program not in _CHANGES_NOTHING
            or {"apply", "am", "merge", "cherry-pick", "checkout", "restore", "-c", "-"} & set(entry.args)
            or "<<" in command
            for entry in action.operation.commands
        )
    return action.kind not in _HARMLESS
