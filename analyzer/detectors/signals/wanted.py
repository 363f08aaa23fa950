"""What a task wants, by its words: whether code is to be changed, and whether a call could have changed any; whether a
failure is what it asks for, and whether a change only sets a value that the user named; and failures of a check that
say nothing of what was delivered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.commands.harm import installs_packages
from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.facts import Facts
from analyzer.failures.passed_value import holds
from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind, FileChange
from analyzer.model.failure import Failure
from analyzer.model.words import MAIN_LANE, FailureKind, Kind, OriginRole
from analyzer.task.turns import Request, read_turn
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.timeline.closing.closing_message import closing_message
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.delivery import Delivery
from analyzer.workspace.fragments import equal_ends

CODE = late(
    r"\b(?:bug|issue|function|class|method|code(?:base)?|repo(?:sitory)?|tests?|files?|module|script|implementation"
    r"|endpoint|component|feature|package|library)\b|\b[\w/-]{1,60}\.(?:py|js|ts|tsx|rs|go|java|rb|c|cpp|h|php|kt|cs)\b",
    re.IGNORECASE,
)
NO_EDIT = late(
    r"\b(?:do not|don't|without|no need to) (?:\w+ ){0,2}(?:edit|chang|modif|writ|implement|touch)\w*|\bread-only\b"
    r"|\bplan mode\b|\b(?:review|explain|summari[sz]e|analy[sz]e|investigate|assess|audit|describe|answer)\b",
    re.IGNORECASE,
)
NEEDLESS = late(
    r"\balready\b|\bno (?:\w+ )?(?:changes?|fix|edits?|modification|action)s? (?:\w+ ){0,3}(?:needed|required"
    r"|necessary)|\b(?:can(?:'t|not)|could(?:n't| not)) (?:be )?reproduce|\bnot (?:be )?reproduc\w+|\bplan\b"
    r"|\bproposal\b|\bworks (?:as|correctly)|\bwould you like|\bshall I\b|\bshould I\b|\bdo you want\b|\?\s*$",
    re.IGNORECASE,
)
_HARMLESS = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.FINISH, Kind.TEST})
_CHANGES_NOTHING = Does.RECORDS | Does.SPEAKS | Does.ASKS


def wants_change(text: str) -> bool:
    """Whether a text asks for a change or a file."""
    return not {Request.CHANGE, Request.FILE}.isdisjoint(read_turn(text).requests)


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
            not (knows(entry.program, _CHANGES_NOTHING) or installs_packages(entry, by_name=False))
            or {"apply", "am", "merge", "cherry-pick", "checkout", "restore", "-c", "-"} & set(entry.args)
            or "<<" in command
            for entry in action.operation.commands
        )
    return action.kind not in _HARMLESS


_ASKED, _MOST_WORDS = 30_000, 60
_LEAST_WORDS, _LEAST_LETTERS = 3, 14
"""How much of a message another text must hold for it to be named there."""
_BEFORE = 90
"""Characters before a quoted message that say whether it's wanted."""
_WORD = late(r"\w+")
_MUST_COME = late(
    r"\b(?:should|must|shall|ought to|needs? to|has to|have to|want\w*|(?:is|are) expected to)"
    r"\b(?! not\b|n['’]t)[^.!?\n]{0,60}$",
    re.IGNORECASE,
)
"""Words before a message by which it's wanted: `instead it raises KeyError` tells of a fault."""
_ASKED_FOR = frozenset({FailureKind.EXCEPTION, FailureKind.USAGE, FailureKind.OTHER})
"""Failures that a program is meant to have for what it's given."""


def is_wanted(fault: Failure, task: str) -> bool:
    """Whether the task asks for a failure: it names its message or its type, and each time as what must come."""
    if fault.kind not in _ASKED_FOR:
        return False
    words = _WORD.findall(fault.message)[:_MOST_WORDS]
    spelled = (r"\W{1,4}".join(map(re.escape, run)) for run in _runs(words))
    before = next(filter(None, (_before(task, pattern) for pattern in spelled)), [])
    if not before and fault.type is not None and not fault.labelled:
        before = _before(task, re.escape(fault.type.rsplit(".", 1)[-1]))
    return bool(before) and all(map(_MUST_COME.search, before))


def _before(task: str, pattern: str) -> list[str]:
    """What stands before each place at which a task names something."""
    text = task[:_ASKED]
    places = (found.start() for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", text))
    return [text[max(0, place - _BEFORE) : place] for place in places]


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(len(words) - _LEAST_WORDS + 1):
        for end in range(start + _LEAST_WORDS, min(len(words), start + 2 * _LEAST_WORDS) + 1):
            if sum(map(len, words[start:end])) >= _LEAST_LETTERS:
                yield words[start:end]
                break


_LACKS = late(
    r"\b(?:ModuleNotFoundError|ImportError: (?:No module|lib)|No module named|Cannot find (?:module|package) ['\"]"
    r"|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Connection refused|ConnectionRefusedError|socket\.gaierror|getaddrinfo"
    r"|Could not resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable)\b"
)
_SUMMED_UP = late(r"^(?:FAILED|ERROR) \S+ - (?P<why>[^\n]+)", re.MULTILINE)
"""One line for each test that failed, with why."""
_FILE = late(
    r"\bFile \"(?P<python>[^\"\n]{1,300})\"|\bat (?:\S{1,200} \()?(?P<node>[^\s():]{1,300}):\d{1,7}:\d{1,7}\)?"
)
_KINDS = frozenset({FailureKind.TEST, FailureKind.EXCEPTION, FailureKind.MISSING_DEPENDENCY, FailureKind.NETWORK})
_MOST = 20_000


def failed_beside(failure: Failure, result: str, delivery: Delivery) -> bool:
    """Whether all that failed lacks a module, a network or a service at a place where nothing that was delivered takes
    part."""
    counts, left = failure.counts, [change.file for change in delivery.files]
    broken = counts.get("failed", 0) + counts.get("errors", 0)
    if failure.kind is FailureKind.COMPILE:
        shown = result[-_MOST:]
        return 0 < broken <= len(_LACKS.findall(shown)) and not holds_any(shown, map(last_part, left))
    if failure.kind not in _KINDS or not counts.get("passed") or not broken:
        return False
    text = result[-_MOST:]
    reasons = [found["why"] for found in _SUMMED_UP.finditer(text)]
    if counts.get("failed"):
        lacking = len(reasons) >= broken or broken == 1
        if not lacking or not all(_LACKS.search(why) for why in reasons or [failure.headline]):
            return False
    elif (failure.origin is None or failure.origin.role is not OriginRole.ENVIRONMENT) and _LACKS.search(text) is None:
        return False
    named = [found["python"] or found["node"] for found in _FILE.finditer(text)]
    files = [*named, *(frame.file for frame in failure.frames)]
    return bool(files) and not any(same_file(file, path) for file in files for path in left)


def sets_asked_value(change: FileChange, asked: str) -> bool:
    """Whether nothing of a file but one number or one text was changed, into a value that the user named."""
    signs = "".join(line[:1] for hunk in change.hunks for line in hunk.lines if line[:1] in "-+")
    if signs != "-+" or change.kind is not ChangeKind.MODIFIED:
        return False
    old, new = (line[1:] for hunk in change.hunks for line in hunk.lines if line[:1] in "-+")
    head, tail = equal_ends(old, new)
    while head and (old[head - 1].isalnum() or old[head - 1] in "_."):
        head -= 1
    while tail and (old[-tail].isalnum() or old[-tail] in "_."):
        tail -= 1
    value, around = new[head : len(new) - tail], new[head - 1 : head]
    quoted = around != "" and around in "\"'`" and new[len(new) - tail :][:1] == around
    return (quoted or value[:1].isdigit()) and holds(asked, value)
