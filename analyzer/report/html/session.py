"""The post-mortem as one HTML page, and what its timeline can be filtered by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from markupsafe import Markup

from analyzer.model.postmortem import PostMortem, Report, TimelineRow
from analyzer.model.step_texts import Recording, StepText, Text
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, ShownKind, Status
from analyzer.report.contents import Contents
from analyzer.report.html.conversation import Conversation, conversation_of
from analyzer.report.html.lanes import LaneBranch, lane_tree
from analyzer.report.html.page import page
from analyzer.report.html.picture import figure, offered
from analyzer.report.html.prose import Links
from analyzer.report.html.steps import UNPACKED, WORDS, Step, steps_of
from analyzer.report.html.texts import Budget, Shown, shown
from analyzer.report.lead import SHOWN_TASK, WHERE, begins_alike
from analyzer.report.picture.model import model_of, numbers_of
from analyzer.report.safe import clip, visible
from analyzer.report.session_list import Document, document
from analyzer.text.clip import clip_words

_MOST_GROUPS = 40


class Choice(Struct, frozen=True):
    """One entry of a filter."""

    value: str
    label: str
    count: int


def controls_of(session: PostMortem, rows: Sequence[TimelineRow]) -> dict[str, Sequence[Choice]]:
    """The filters for the rows of a session's timeline; one with a single entry would change nothing and is empty."""
    kinds = Counter(row.shown_kind for row in rows)
    statuses = Counter(row.shown_as for row in rows)
    groups = Counter(row.failure_group for row in rows)
    lanes = Counter(row.lane for row in rows)
    numbers = numbers_of(session.session.lanes)
    returned = sorted(session.failure_groups, key=lambda group: -group.count)[:_MOST_GROUPS]
    return {
        "kinds": _several([Choice(kind, kind, kinds[kind]) for kind in ShownKind]),
        "statuses": _several([Choice(status, WORDS[status], statuses[status]) for status in Status]),
        "groups": [
            Choice(group.group, f"{group.group}: {clip(group.template, 60)}", groups[group.group])
            for group in returned
            if groups[group.group]
        ],
        "lanes": _several([Choice(str(number), clip(name, 60), lanes[name]) for name, number in numbers.items()]),
    }


def _several(choices: list[Choice]) -> list[Choice]:
    there = [choice for choice in choices if choice.count]
    return there if len(there) > 1 else []


_LONGEST_TIMELINE = 20_000
"""How many actions are listed; of longer sessions the first and the last."""
CHUNK = 50
"""Actions that the browser lays out together, once they come near."""


class SessionPage(Struct, frozen=True):
    """All that one session's part of the document is drawn from."""

    contents: Contents
    links: Links
    title: str
    task: Shown | None
    rows: Sequence[TimelineRow]
    texts: Sequence[StepText]
    left_out: int
    closing: Shown | None
    picture: Markup
    pictures: Mapping[str, Markup]
    long: bool
    controls: Mapping[str, Sequence[Choice]]
    conversation: Conversation | None

    @property
    def pm(self) -> PostMortem:
        """The post-mortem."""
        return self.contents.pm

    @property
    def packed(self) -> bool:
        """Whether what its steps open to is packed, but for those that matter most."""
        return len(self.rows) > UNPACKED

    @property
    def failed(self) -> int:
        """How many of the actions failed."""
        return sum(row.shown_as is Status.ERROR for row in self.rows)

    @property
    def lane(self) -> str:
        """The lane that the diagnosis is about."""
        return self.contents.main.lane if self.contents.main is not None else MAIN_LANE

    def sections(self) -> list[tuple[str, str]]:
        """The table of contents: names of places, and what is there."""
        pm, diagnosis, told = self.pm, self.pm.diagnosis, self.contents
        has_main, spending = told.main is not None, told.spending
        named: list[tuple[object, str, str]] = [
            (told.requests, "requests", told.requests_title),
            (told.tells, "happened", "What happened"),
            (self.has_cause, "root-cause", told.cause_heading),
            (has_main and told.reasons, "reasons", told.why),
            (has_main and diagnosis.attempts, "attempts", "What was tried"),
            (has_main and told.ways_title, "ways", told.ways_title),
            (has_main and diagnosis.improvements, "improvements", "Suggested improvements"),
            (spending, "spending", spending.title if spending is not None else ""),
            (pm.findings, "findings", f"Findings ({told.items})"),
            (True, "timeline", f"Timeline ({pm.session.actions})"),
            (pm.failure_groups, "failures", f"Failures that came back ({len(pm.failure_groups)})"),
            (pm.repetition, "repetition", f"Repetition that is no loop ({len(pm.repetition)})"),
            (told.guards, "guards", "Guard rules replayed"),
            (pm.warnings, "warnings", f"Warnings while reading ({len(pm.warnings)})"),
        ]
        return [(f"{self.links.prefix}{place}", title) for there, place, title in named if there]

    @property
    def has_cause(self) -> bool:
        """Whether there's more to say of the root cause, or of what else went wrong, than the lead does."""
        told = self.contents
        return told.main is not None and (told.has_root_cause or bool(told.contributing))

    def lanes(self) -> LaneBranch:
        """The main lane with the sub-agents below it."""
        return lane_tree(self.pm.session.lanes, self.rows, self.texts)

    def chunks(self, level: int) -> Iterator[list[Step]]:
        """The steps of the timeline, some at a time."""
        steps = steps_of(self.pm, self.texts, self.rows, self.links, level)
        while chunk := list(islice(steps, CHUNK)):
            yield chunk


def render(report: Report, recordings: Sequence[Recording], *, home: str | None = None) -> str:
    """The whole report as a page that needs nothing else, ending in a newline. `recordings` has the texts of each
    session, in the order of `report.sessions`.

    Of a transcript with several sessions first a table of all of them, then the pages of those with findings, as in
    Markdown. `home` is where the link "All sessions" leads, for pages that belong to an audit.
    """
    shown_here = document(report, calm=True)
    texts = {id(session): recording for session, recording in zip(report.sessions, recordings, strict=True)}
    pages = [_session_page(session, texts[id(session)], number) for number, session in enumerate(shown_here.pages, 1)]
    budget = Budget([(entry.pm, entry.texts) for entry in pages])
    return budget.fitted(lambda level: _draw(report, shown_here, pages, level, home))


def _draw(report: Report, shown_here: Document, pages: Sequence[SessionPage], level: int, home: str | None) -> str:
    several = bool(shown_here.rows)
    title = f"{shown_here.name}: {len(shown_here.rows)} sessions"
    if not several:
        title = f"Post-mortem: {pages[0].title}" if pages else "Post-mortem"
    stretch = ("stretch",) if any(entry.long for entry in pages) else ()
    parts = ("swimlanes", *stretch, *(("thumbnail",) if several else ()), "session")
    packed = {place: part for entry in pages for place, part in entry.pictures.items()}
    context = {
        "report": report,
        "document": shown_here,
        "pages": pages,
        "several": several,
        "level": level,
        "home": home,
        "where": WHERE,
        "pack": packed.__setitem__,
    }
    return page(title, "session.html.j2", context, parts=parts, packed=packed)


def _session_page(session: PostMortem, recording: Recording, number: int) -> SessionPage:
    rows, texts = session.timeline, recording.steps
    left_out = max(0, len(rows) - _LONGEST_TIMELINE)
    if left_out:
        half = _LONGEST_TIMELINE // 2
        rows, texts = [*rows[:half], *rows[-half:]], [*texts[:half], *texts[-half:]]
    prefix = f"s{number}-" if number > 1 else ""
    facts = session.session
    task = (facts.task or "").strip()
    title = clip_words(visible(facts.title or task), 140) or facts.id
    # The task is given in full where neither the title nor the lead says all of it.
    line = " ".join(task.split())
    cut = line != title if begins_alike(title, line) else len(line) > SHOWN_TASK
    links = Links(session, prefix, rows)
    model, pictures = model_of(session), dict[str, Markup]()
    return SessionPage(
        contents=Contents(session, titled=begins_alike(title, facts.task or "")),
        links=links,
        title=title,
        task=shown(Text.of(task, 6_000), 6_000) if task and cut else None,
        rows=rows,
        texts=texts,
        left_out=left_out,
        closing=shown(recording.closing, 4_000) if recording.closing is not None else None,
        picture=figure(model, prefix, pictures),
        pictures=pictures,
        long=offered(model),
        controls=controls_of(session, rows),
        conversation=conversation_of(recording, rows, links),
    )
