"""Families of failures: what is missing, refused or broken in many sessions, whatever the message's details."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import groupby

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.themes import Advice
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Count
from analyzer.model.audit_report import FailureTheme
from analyzer.model.words import FailureKind
from analyzer.text.late import late
from analyzer.text.similarity import similar

_NAMES = {
    FailureKind.COMMAND_NOT_FOUND.value: (
        late(r"command not found: ([^\s:'\"`()]{1,60})"),
        late(r"(?:^|[\s:'\"`(])([^\s:'\"`()]{1,60})['\"`]?(?:: (?:command )?not found| is not recognized)"),
    ),
    FailureKind.MISSING_DEPENDENCY.value: (
        late(
            r"(?:No module named|Cannot find (?:module|package)|cannot find module providing package|no required "
            r"module provides package)\s+['\"`]?([\w@./-]{1,80})"
        ),
    ),
}
"""How messages name what is missing; the first that finds something counts."""
_CHANGE = {
    FailureKind.COMMAND_NOT_FOUND.value: (
        "Install what the tasks need in the agent's environment, or say in its prompt which programs there are and "
        "how commands are called."
    ),
    FailureKind.MISSING_DEPENDENCY.value: (
        "Install these in the environment before the run, or allow the agent one step for it; don't let each run "
        "find out again."
    ),
    FailureKind.EDIT_REFUSED.value: (
        "Have the edit tool answer a refusal with the lines as they are now, and make a fresh read the rule before a "
        "second try."
    ),
    FailureKind.INVALID_CALL.value: (
        "Say in the tool's description what a call must look like, with an example, and answer a malformed one with "
        "the part that is wrong."
    ),
    FailureKind.NOT_FOUND.value: (
        "Show the agent what exists (the project's files, the ids that a lookup returned) before it names things, "
        "and answer a miss with the nearest match."
    ),
    FailureKind.TIMEOUT.value: (
        "Run long commands under a time limit of their own or in the background, and tell the agent the limit."
    ),
    FailureKind.NETWORK.value: (
        "Say in the prompt whether there's a network; where there is one, retry in the harness and not in the agent."
    ),
    FailureKind.PERMISSION.value: "Grant what the task needs before the run, or tell the agent what it may not do.",
    FailureKind.USAGE.value: (
        "Say in the prompt how the project's programs are called and which versions there are; looking it up before "
        "a second try costs one step."
    ),
    "ShellSyntaxError": (
        "Let the agent put longer commands into a script file; quotes and line ends in a command of one line are "
        "where they break."
    ),
}
"""What to change for types and kinds of failure whose remedy lies with those who run the agent."""
_SHOWN_NAMES = 8
_SHOWN_MESSAGES = 3


_MEANT = "NOT coalesce(expected, 0)"
_TOTALS = f"""SELECT kind, coalesce(type, '') AS label, count(DISTINCT session) AS sessions, count(*) AS steps
FROM failures WHERE {_MEANT} GROUP BY 1, 2 HAVING sessions >= 2 ORDER BY sessions DESC, steps DESC, 1, 2"""
_FAILURES = f"""SELECT kind, coalesce(type, '') AS label, session, lane, step, type, message, template, origin
FROM failures WHERE {_MEANT} ORDER BY 1, 2, session, lane, step"""
_ADVICE = """SELECT DISTINCT x.kind, coalesce(x.type, '') AS label, f.session, f.position, f.advice
FROM findings f JOIN failures x ON x.session = f.session AND x.lane = f.lane AND x.failure_group = f.failure_group
WHERE NOT coalesce(x.expected, 0) ORDER BY 1, 2, 3, 4"""
Key = tuple[str, str]
"""Kind and type of a failure."""


def failure_themes(tables: Tables, links: Links, most: int) -> tuple[list[FailureTheme], int]:
    """One theme per kind and type of failure in at least two sessions, the most frequent first, at most `most`; and how
    many there are. Reproductions that are meant to fail don't count."""
    totals = [(kind, label) for kind, label, *_ in tables.rows(_TOTALS)]
    shown = set(totals[:most])
    if not shown:
        return [], 0
    advice = {
        key: Advice(row[4] for row in rows).common()[0]
        for key, rows in groupby(tables.rows(_ADVICE), key=lambda row: (row[0], row[1]))
        if key in shown
    }
    made: dict[Key, FailureTheme] = {}
    for key, rows in groupby(tables.rows(_FAILURES), key=lambda row: (row[0], row[1])):
        if key in shown:
            theme = _Theme(*key)
            for row in rows:
                theme.add(*row[2:])
            made[key] = theme.shown(advice.get(key), links)
    return [made[key] for key in totals[:most]], len(totals)


class _Theme:
    """The failures of one kind and type; they come in the order of their sessions, lanes and steps."""

    def __init__(self, kind: str, label: str) -> None:
        self._kind, self._label = kind, label
        self._type: str | None = None
        self._steps = self._sessions = self._here = self._most = 0
        self._now: tuple[str, str, int] | None = None
        self._at: tuple[str, str, int] | None = None
        self._origins: Counter[str] = Counter()
        self._names: Counter[str] = Counter()
        self._named: set[str] = set()
        self._templates: dict[str, array[int]] = {}

    def add(
        self, session: str, lane: str, step: int, name: str | None, message: str, template: str, origin: str
    ) -> None:
        """Count a failure."""
        if self._now is None:
            self._type = name
        if self._now is None or self._now[0] != session:
            self._sessions += 1
            self._here = 0
            self._now = (session, lane, step)
            self._named = set()
        self._steps += 1
        self._here += 1
        if self._here > self._most:
            self._most, self._at = self._here, self._now
        self._origins[origin] += 1
        missing = _missing(self._kind, message)
        if missing is not None and missing not in self._named:
            self._named.add(missing)
            self._names[missing] += 1
        places = self._templates.setdefault(template, array("q"))
        if not places or places[-1] != self._sessions:
            places.append(self._sessions)

    def shown(self, advice: str | None, links: Links) -> FailureTheme:
        """The theme."""
        assert self._at is not None
        names = counted(self._names)
        messages = [] if names else self._messages()
        return FailureTheme(
            kind=self._kind,
            type=self._type,
            sessions=self._sessions,
            steps=self._steps,
            names=names[:_SHOWN_NAMES],
            messages=messages[:_SHOWN_MESSAGES],
            more=max(0, len(names) - _SHOWN_NAMES) + max(0, len(messages) - _SHOWN_MESSAGES),
            origin=next((entry.value for entry in counted(self._origins, 1)), "unknown"),
            advice=_CHANGE.get(self._label, _CHANGE.get(self._kind, advice)),
            example=links.place(*self._at),
        )

    def _messages(self) -> list[Count]:
        """The messages, those that differ in values only as one, with the sessions that have them."""
        alike: dict[str, set[int]] = {}
        for places, template in zip(self._templates.values(), similar(list(self._templates)), strict=True):
            alike.setdefault(template, set()).update(places)
        return counted({template: len(sessions) for template, sessions in alike.items()})


def _missing(kind: str, message: str) -> str | None:
    """What the message says is missing."""
    found = (pattern.search(message) for pattern in _NAMES.get(kind, ()))
    return next((match[1] for match in found if match and match[1] is not None), None)
