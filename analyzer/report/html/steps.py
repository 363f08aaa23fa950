"""The actions of a session as its page shows them: a line each, which opens to what was said, sent and received."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from markupsafe import Markup

from analyzer.model.postmortem import FailureRow, FrameRow, PostMortem, TimelineRow
from analyzer.model.step_texts import StepText, Text
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Category, FrameRole, Kind, OriginRole, Status
from analyzer.report.html.prose import Links
from analyzer.report.html.texts import Shown, diff_of, plain, shown_once, weights_of
from analyzer.report.picture.model import ROWS, numbers_of, row_of, tokens_of
from analyzer.report.safe import clip
from analyzer.report.step_notes import BroughtIn, brought_in, moves_text, sentence
from analyzer.text.english import duration, number

WORDS: Mapping[Status, str] = {Status.OK: "ok", Status.ERROR: "failed", Status.UNKNOWN: "not known"}
"""What a status is called."""
SIGNS: Mapping[Status, str] = {Status.OK: "✓", Status.ERROR: "✕", Status.UNKNOWN: "?"}
"""The sign before it, so that it's seen at a glance and not by colour alone."""
_LOOKS = {
    **dict.fromkeys(("old", "old_str", "old_string", "oldstring", "old_text", "oldtext", "old_content"), "old"),
    **dict.fromkeys(("new", "new_str", "new_string", "newstring", "new_text", "newtext", "new_content"), "new"),
    "before": "old",
    "search": "old",
    "after": "new",
    "replace": "new",
}
"""Arguments of an edit that give a text as it was, and as it is to be."""
_BLAMED: Mapping[OriginRole, FrameRole] = {
    OriginRole.TEST: FrameRole.TEST,
    OriginRole.IMPLEMENTATION: FrameRole.PROJECT,
    OriginRole.LIBRARY: FrameRole.LIBRARY,
}
_SHORT = 160
UNPACKED = 60
"""In sessions with more actions than that only the steps that matter most open without scripts."""
_MATTERS = 3
"""The weight of such a step."""
_MOST_FRAMES = 16
_MOST_TESTS = 20


class Part(Struct, frozen=True):
    """One text of an opened step under its name; `look` is empty, or how it's shown: `said`, `old`, `new` or `diff`."""

    name: str
    text: Shown
    look: str = ""


class Frame(Struct, frozen=True):
    """One line of a trace; `here` says what is there, where it's the place that the failure's origin names."""

    row: FrameRow
    here: str


class Trouble(Struct, frozen=True):
    """The failure of a step. `frames` are the last ones of its trace, `frames_before` are left out; so with the
    tests. `brought_in` says what brought its cause in, where something shows that."""

    row: FailureRow
    message: Markup
    frames: Sequence[Frame]
    frames_before: int
    tests: Sequence[str]
    tests_more: int
    brought_in: Markup | None


class Step(Struct, frozen=True):
    """One action. `outcome` says what came back where that's more than success; `findings` are positions, from 1, of
    the findings that hold it, loops all between their ends. `short` are the short arguments, a line each; `call` the
    others. `again` is the id of the step that it repeats; `moves` what it does to the files against earlier steps. What
    a `packed` one opens to is put in its place by the page's script."""

    row: TimelineRow
    id: str
    lane: int
    line: Markup
    outcome: str
    facts: str
    group: str
    findings: Sequence[int]
    after_user: bool
    compacted: bool
    heard: Sequence[Shown]
    said: Shown | None
    short: Markup
    call: Sequence[Part]
    result: Shown | None
    trouble: Trouble | None
    moves: str
    again: str
    packed: bool

    @property
    def linked(self) -> bool:
        """Whether links to findings or to its failure are beside its line. They can't be part of it: what opens a step
        must hold nothing else to press."""
        return bool(self.group or self.findings)

    @property
    def repeats(self) -> str:
        """Which step it repeats, where its line doesn't say already that the same error is back."""
        return f"repeats {self.row.repeats_step}" if self.again and not self.row.error_is_back else ""

    @property
    def look(self) -> str:
        """The row of the chart that its kind belongs to."""
        return ROWS[row_of(self.row)]

    @property
    def word(self) -> str:
        """What its status is called."""
        if self.row.not_run is not None:
            return self.row.not_run.value
        if self.row.status is Status.UNKNOWN and not self.row.result_characters:
            return "no result" if self.row.result_characters is None else "no output"
        return WORDS[self.row.status]

    @property
    def sign(self) -> str:
        """The sign of its status."""
        return SIGNS[self.row.shown_as]


def steps_of(
    session: PostMortem, texts: Sequence[StepText], rows: Sequence[TimelineRow], links: Links, level: int
) -> Iterator[Step]:
    """The steps in `rows`, which with `texts` are some of the session's, with at most `level` characters of each text,
    of weightier ones more."""
    findings = _findings(session)
    failures = {(failure.lane, failure.step): failure for failure in session.failures}
    groups = {group.group for group in session.failure_groups}
    lanes = numbers_of(session.session.lanes)
    brought = {(entry.failure.lane, entry.failure.step): entry for entry in brought_in(session)}
    turns, compactions = set(session.session.user_turns), set(session.session.compactions)
    weights = weights_of(session)
    places: dict[Text, tuple[int, Markup]] = {}
    for row, text in zip(rows, texts, strict=True):
        weight = weights.get((text.lane, text.step), 1)
        limit = level * weight
        failure = failures.get((row.lane, row.step))
        main = row.lane == MAIN_LANE
        name = links.step_id(row.step, row.lane)
        here = Markup('<a href="#{}">step {}</a>').format(name, row.step)
        show = partial(shown_once, limit=limit, here=here, places=places)
        heard = [show(each) for each in text.user]
        said = show(text.said) if text.said is not None else None
        short, parts = _call(row.kind, text.call, limit, show)
        yield Step(
            row=row,
            id=name,
            lane=lanes.get(row.lane, 0),
            line=plain(row.called),
            outcome=" · ".join(row.came_back),
            facts=_facts(row),
            group=row.failure_group if row.failure_group in groups and row.failure_group else "",
            findings=findings.get((row.lane, row.step), ()),
            after_user=bool(text.user) or (main and row.step in turns),
            compacted=main and row.step in compactions,
            heard=heard,
            said=said,
            short=short,
            call=parts,
            result=show(text.result) if text.result is not None else None,
            trouble=_trouble(failure, links, brought.get((row.lane, row.step))),
            moves=moves_text(row),
            again=links.step_id(row.repeats_step, row.lane) if row.repeats_step is not None else "",
            packed=len(rows) > UNPACKED and weight < _MATTERS,
        )


def _findings(session: PostMortem) -> dict[tuple[str, int], list[int]]:
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for position, finding in enumerate(session.findings, 1):
        whole = range(max(1, finding.first_step), finding.last_step + 1)
        for step in dict.fromkeys(whole if finding.category is Category.LOOP else finding.steps):
            found[finding.lane, step].append(position)
    return found


def _facts(row: TimelineRow) -> str:
    facts = []
    if row.duration_seconds is not None and row.duration_seconds >= 0.05:
        facts.append(duration(row.duration_seconds))
    if tokens := tokens_of(row):
        facts.append(f"{number(tokens)} tokens")
    return " · ".join(facts)


def _call(
    kind: Kind, call: Sequence[tuple[str, Text]], limit: int, show: Callable[[Text], Shown]
) -> tuple[Markup, list[Part]]:
    short, parts = [], []
    looks = [_LOOKS.get(name.casefold(), "") if kind is Kind.EDIT else "" for name, _ in call]
    change = _change(call, looks, limit)
    for (name, text), look in zip(call, looks, strict=True):
        if look and change is not None:
            if look == "new":
                parts.append(Part("", change, "diff"))
        elif not look and len(text) <= _SHORT and not text.omitted and "\n" not in text.head:
            short.append(f"{clip(name, 80)}: {text.head}" if name else text.head)
        else:
            parts.append(Part(name, show(text), look))
    return plain("\n".join(short)), parts


def _change(call: Sequence[tuple[str, Text]], looks: Sequence[str], limit: int) -> Shown | None:
    """The diff of an edit that gives one old and one new text, both whole and no longer than a text may be."""
    found = {look: text for (_, text), look in zip(call, looks, strict=True) if look}
    if sorted(filter(None, looks)) != ["new", "old"]:
        return None
    if any(text.omitted or len(text) > limit for text in found.values()):
        return None
    return diff_of(*(found[look].head + found[look].tail for look in ("old", "new")))


def _trouble(failure: FailureRow | None, links: Links, brought: BroughtIn | None) -> Trouble | None:
    if failure is None:
        return None
    frames = failure.frames[-_MOST_FRAMES:]
    return Trouble(
        row=failure,
        message=plain(failure.headline),
        frames=[Frame(frame, _here(frame, failure)) for frame in frames],
        frames_before=len(failure.frames) - len(frames),
        tests=failure.failing_tests[:_MOST_TESTS],
        tests_more=max(0, len(failure.failing_tests) - _MOST_TESTS),
        brought_in=links.prose(sentence(brought.found, brought.quote), failure.lane) if brought is not None else None,
    )


def _here(frame: FrameRow, failure: FailureRow) -> str:
    origin = failure.origin
    if origin.file is None or (frame.file, frame.line) != (origin.file, origin.line):
        return ""
    blamed = _BLAMED.get(origin.role)
    return "comes from here" if blamed is None or frame.role is blamed else "the deepest place that is known"
