"""Find a text in what was said, called and returned in the sessions of an audit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from analyzer.audit.sources.filters import EVERYTHING, Filter
from analyzer.audit.store.store import Store
from analyzer.audit.store.texts import unpacked
from analyzer.model.errors import BadConfiguration
from analyzer.model.search import FoundSession, Hit, Part, Search
from analyzer.model.step_texts import Recording, Text
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.model import numbers_of, of_lane
from analyzer.text.clip import clip, one_line
from analyzer.text.english import did_you_mean
from analyzer.text.excerpts import excerpt, search_terms

_BEFORE, _AFTER = 0, -1
_TITLE = 100
_SAME = ("session", "id", "path", "agent", "model", "started_at", "outcome")
_STEPS = """SELECT lane, step, tool, status FROM actions WHERE session = :session AND (:findings = '[]' OR EXISTS (
  SELECT 1 FROM findings found, json_each(found.steps) AS named, json_each(:findings) AS asked
  WHERE found.session = :session AND found.lane = actions.lane AND named.value = actions.step
  AND asked.value IN (found.detector, found.detector || '/' || found.kind)))"""
_KINDS = "SELECT DISTINCT detector, detector, detector || '/' || kind FROM findings ORDER BY 1"
Place = tuple[str, int]
"""Lane and step: 0 is what comes before the first step, -1 what comes after the last."""
Texts = dict[Place, list[tuple[Part, str]]]
"""The texts of each place of a session, each on one line."""


class Asked(Struct, frozen=True):
    """Which steps are meant: of these statuses, of these tools, those that a finding of these detectors (or
    `detector/kind`) names, and in which parts the words are looked for. Empty means all. Where the audit is `served`
    every session has a page. `clean` takes secrets out of a text before it's searched and cut, since half of one isn't
    known for that."""

    sessions: Filter = EVERYTHING
    statuses: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    findings: frozenset[str] = frozenset()
    parts: frozenset[Part] = frozenset()
    served: bool = False
    clean: Callable[[str], str] = str

    @property
    def of_steps(self) -> bool:
        """Whether only some steps are meant, and so nothing that is outside of steps."""
        return bool(self.statuses or self.tools or self.findings)


def search(folder: Path, query: str, asked: Asked | None = None, most: int = 50) -> Search:
    """The steps of the audit in `folder` whose texts hold every word of `query`, and every phrase in double quotes, in
    whatever case; at most `most` of them with their excerpts, the latest session first.

    Raises `AnalyzerError` where there's no audit, and `BadConfiguration` for a query without words, and for names that
    nothing in the audit has.
    """
    needles = search_terms(query)
    with Store.open(folder) as store:
        if not needles:
            hint = 'Write a word, or a phrase: find "no such file"'
            raise BadConfiguration("there is nothing to search for.", hint=hint)
        return _found(store, asked or Asked(), needles, most)


def _found(store: Store, asked: Asked, needles: Sequence[str], most: int) -> Search:
    _check(store, asked)
    facts = itemgetter("started_at", "agent", "format")
    rows = [row for row in store.records("sessions") if asked.sessions.reason(*facts(row)) is None]
    rows.sort(key=lambda row: row["started_at"] or "", reverse=True)
    pieces = [piece.encode() for needle in needles for piece in _pieces(needle)]
    pages = store.pages(".html")
    found: list[FoundSession] = []
    total = of_sessions = 0
    for row in rows:
        key = row["session"]
        # Each piece must be somewhere in the texts as they are packed, or in the task.
        task = f"{row['title']}\n{row['task']}".lower().encode("utf-8", "replace")
        texts = unpacked(store.texts(key)).lower()
        if not all(piece in texts or piece in task for piece in pieces):
            continue
        hits = list(_hits(store, asked, needles, row))
        if not hits:
            continue
        room = max(0, most - total)
        total, of_sessions = total + len(hits), of_sessions + 1
        if room:
            shown = _linked(store, key, hits[:room], asked.served or key in pages)
            name = row["title"] or row["task"]
            title = clip(asked.clean(name), _TITLE) if name else None
            same = {name: row[name] for name in _SAME}
            found.append(FoundSession(**same, title=title, found=len(hits), hits=shown))
    unread = store.count("files", "state = 'problem'")
    return Search(
        words=list(needles), sessions=found, found=total, found_sessions=of_sessions, searched=len(rows), unread=unread
    )


def _hits(store: Store, asked: Asked, needles: Sequence[str], facts: Mapping[str, Any]) -> Iterator[Hit]:
    """The hits in the session of this row of the table."""
    key = facts["session"]
    named = {"session": key, "findings": json.dumps(sorted(asked.findings))}
    steps: dict[Place, tuple[str, str]] = {
        (lane, step): (tool, status)
        for lane, step, tool, status in store.tables.rows(_STEPS, named)
        if (not asked.tools or tool.lower() in asked.tools) and (not asked.statuses or status in asked.statuses)
    }
    for place, texts in texts_of(facts, store.recording(key)).items():
        outside = place not in steps
        if outside and (asked.of_steps or place[1] > 0):
            continue
        chosen = [(part, asked.clean(text)) for part, text in texts if not asked.parts or part in asked.parts]
        low = [text.lower() for _, text in chosen]
        if not all(any(needle in text for text in low) for needle in needles):
            continue
        # The text with the most of what is searched for; of equal ones the first.
        counts = [sum(needle in text for needle in needles) for text in low]
        part, text = chosen[counts.index(max(counts))]
        shown, marks = excerpt(text, needles)
        tool, status = (None, None) if outside else steps[place]
        lane, step = place[0], None if outside else place[1]
        yield Hit(step=step, lane=lane, part=part, tool=tool, status=status, excerpt=shown, marks=marks, link=None)


def _pieces(needle: str) -> list[str]:
    """The parts of a text that JSON writes as they are."""
    return "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in needle).split()


def texts_of(facts: Mapping[str, Any], recording: Recording) -> Texts:
    """What there is to search in a session, given its row of the table."""
    found: Texts = {}

    def add(place: Place, part: Part, text: str) -> None:
        if line := one_line(text):
            found.setdefault(place, []).append((part, line))

    for name in ("title", "task"):
        if facts[name]:
            add((MAIN_LANE, _BEFORE), Part.TASK, facts[name])
    for step in recording.steps:
        place = (step.lane, step.step)
        for text in step.user:
            add(place, Part.USER, _whole(text))
        if step.said is not None:
            add(place, Part.SAID, _whole(step.said))
        add(place, Part.CALLED, "\n".join(_whole(text) for _, text in step.call))
        if step.result is not None:
            add(place, Part.RETURNED, _whole(step.result))
    if recording.closing is not None:
        add((MAIN_LANE, _AFTER), Part.SAID, _whole(recording.closing))
    last = max((step.step for step in recording.steps if step.lane == MAIN_LANE), default=0)
    for turn in recording.turns:
        # What was said between two calls, and no step has.
        place, line = (MAIN_LANE, turn.before if turn.before <= last else _AFTER), one_line(_whole(turn.text))
        if all(line not in known for _, known in found.get(place, ())):
            add(place, Part.USER if turn.role == "user" else Part.SAID, line)
    return found


def _whole(text: Text) -> str:
    return f"{text.head} … {text.tail}" if text.omitted else text.head + text.tail


def _check(store: Store, asked: Asked) -> None:
    """Refuse names that nothing in the audit has: no hit would look like an answer."""
    asked.sessions.check_agents(store.agents())
    tools = [(tool, tool.lower()) for (tool,) in store.tables.rows("SELECT DISTINCT tool FROM actions ORDER BY 1")]
    kinds = list(store.tables.rows(_KINDS))
    for what, names, known in (("tool", asked.tools, tools), ("finding", asked.findings, kinds)):
        for name in sorted(names):
            if all(name != word for row in known for word in row[1:]):
                listed = list(dict.fromkeys(row[0] for row in known))
                raise BadConfiguration(f"no session has a {what} {name!r}.", hint=did_you_mean(name, listed))


def _linked(store: Store, key: str, hits: list[Hit], has_page: bool) -> list[Hit]:
    """The hits with their places on the session's page."""
    if not has_page:
        return hits
    report = store.report(key) if any(hit.lane != MAIN_LANE for hit in hits) else None
    numbers = numbers_of(report.session.lanes if report is not None else ())
    made = []
    for hit in hits:
        known = hit.step is not None and hit.lane in numbers
        place = f"#{of_lane(numbers[hit.lane])}step-{hit.step}" if known else ""
        made.append(hit.model_copy(update={"link": f"sessions/{key}.html{place}"}))
    return made
