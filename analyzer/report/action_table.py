"""The table of actions: the timeline of a session with its loops marked in the margin and what happened between two
actions, how its values are put for people, and all of it as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.step_texts import Recording, StepText, Text
from analyzer.model.struct import Struct, field
from analyzer.model.words import ShownKind, Status
from analyzer.report.picture.model import Bracket, Cell, model_of
from analyzer.report.safe import cell, clip, code, fence, prose, tidy
from analyzer.report.step_notes import moves_text
from analyzer.text.english import plural

SIDES = 3
"""How many loops may be drawn side by side; of more, those that matter least are left out."""


class Side(Struct, frozen=True):
    """Where a row is in a loop: in which round, from 1, and whether it begins the loop or the round, or ends the
    loop."""

    name: str
    round: int
    rounds: int
    begins_loop: bool
    begins_round: bool
    ends_loop: bool


class Entry(Struct, frozen=True):
    """One action. `sides` has a place for each loop that is drawn in the table, None where this row is
    in none; `text` is None where the transcript's texts weren't asked for."""

    row: TimelineRow
    cell: Cell
    sides: tuple[Side | None, ...]
    text: StepText | None = None


class Table(Struct, frozen=True):
    """The rows of one session that were asked for."""

    session: PostMortem
    entries: list[Entry]

    @property
    def lanes(self) -> bool:
        """Whether rows need to say whose they are."""
        return len(self.session.session.lanes) > 1

    @property
    def sides(self) -> int:
        """How many loops are side by side in these rows."""
        used = [position for entry in self.entries for position, side in enumerate(entry.sides, 1) if side is not None]
        return max(used, default=0)


class Choice(Struct, frozen=True):
    """Which rows are asked for; what's empty asks for all. `steps` has first and last steps, both included."""

    lanes: frozenset[str] = frozenset()
    kinds: frozenset[ShownKind] = frozenset()
    statuses: frozenset[Status] = frozenset()
    groups: frozenset[str] = frozenset()
    steps: Sequence[tuple[int, int]] = field(default_factory=tuple)

    def has(self, row: TimelineRow) -> bool:
        """Whether a row is asked for."""
        return (
            (not self.lanes or row.lane in self.lanes)
            and (not self.kinds or not self.kinds.isdisjoint((row.shown_kind, row.kind)))
            and (not self.statuses or row.status in self.statuses)
            and (not self.groups or row.failure_group in self.groups)
            and (not self.steps or any(first <= row.step <= last for first, last in self.steps))
        )


def table_of(session: PostMortem, recording: Recording | None = None, choice: Choice | None = None) -> Table:
    """The rows of a session that `choice` asks for, with their texts where there's a `recording` of the same
    session."""
    model = model_of(session)
    chosen = choice or Choice()
    places = _places(model.brackets)
    texts: Sequence[StepText | None] = recording.steps if recording is not None else [None] * len(session.timeline)
    return Table(
        session,
        [
            Entry(row, cell, tuple(_side(row, place) for place in places), text)
            for row, cell, text in zip(session.timeline, model.cells, texts, strict=True)
            if chosen.has(row)
        ],
    )


def _places(brackets: Sequence[Bracket]) -> list[list[Bracket]]:
    """The loops in each column of the margin: as few columns as possible, what matters most in the first."""
    columns: list[list[Bracket]] = []
    for bracket in brackets:
        first, last = bracket.first, bracket.last
        free = (
            column
            for column in columns
            if not any(one.lane == bracket.lane and first <= one.last and one.first <= last for one in column)
        )
        column = next(free, None)
        if column is None and len(columns) < SIDES:
            columns.append(column := [])
        if column is not None:
            column.append(bracket)
    return columns


def _side(row: TimelineRow, column: Sequence[Bracket]) -> Side | None:
    step, here = row.step, (each for each in column if each.lane == row.lane and each.first <= row.step <= each.last)
    if (bracket := next(here, None)) is None:
        return None
    starts = [start for start, _ in bracket.rounds if start <= step]
    begins, ends = step == bracket.first, step == bracket.last
    return Side(bracket.name, len(starts), len(bracket.rounds), begins, step in starts, ends)


_STATUS = {Status.OK: "ok", Status.ERROR: "FAILED", Status.UNKNOWN: "?"}


def offset(seconds: float | None) -> str:
    """Time since the session's first recorded one: `1:03`, `2:01:03`."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def took(seconds: float | None) -> str:
    """How long an action took, in as few digits as tell: `40ms`, `0.3s`, `42s`, `12m05s`, `3h04m`."""
    if seconds is None:
        return ""
    if seconds < 0.0995:
        return f"{round(seconds * 1000)}ms"
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}m{rest:02d}s" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02d}m"


def status_of(entry: Entry) -> str:
    """`ok`, `FAILED`, why it never ran or ended, or `?` where the transcript doesn't tell."""
    return entry.row.not_run.value if entry.row.not_run is not None else _STATUS[entry.row.status]


def group_of(entry: Entry) -> str:
    """The name of the failure, if it came back."""
    return (entry.row.failure_group or "") if entry.cell.group is not None else ""


def again(entry: Entry) -> str:
    """Which step an action repeats and how, and what it does to the files against earlier ones: `repeats 12, same
    call; takes back step 9`."""
    row = entry.row
    repeats = f"repeats {row.repeats_step}, {row.repeats_as}" if row.repeats_step is not None else ""
    return "; ".join(filter(None, (repeats, moves_text(row))))


def heading(table: Table) -> str:
    """The session in a few words: its id, how it ended, how many of its actions are shown."""
    session, shown = table.session.session, len(table.entries)
    actions = plural(session.actions, "action")
    count = actions if shown == len(table.session.timeline) else f"{shown} of {actions}"
    return f"{session.id}: {table.session.outcome.status.replace('_', ' ')}, {count}"


def whole(text: Text) -> str:
    """A text that says where something is left out of it."""
    return f"{text.head}\n... {text.omitted} characters left out ...\n{text.tail}" if text.omitted else text.head


def render(tables: Sequence[Table], *, full: bool = False) -> str:
    """A heading and a table for each session; with `full` the texts of each step below."""
    return tidy("\n".join(line for table in tables for line in _session(table, full)))


def _session(table: Table, full: bool) -> Iterator[str]:
    identity, _, rest = heading(table).rpartition(": ")
    yield f"## Timeline of {code(identity)}: {prose(rest)}"
    yield ""
    timed = any(entry.cell.start is not None for entry in table.entries)
    heads = ["Lane", "Step"] if table.lanes else ["Step"]
    heads += ["Time", "Took"] if timed else []
    heads += ["Kind", "Status", "Group", *(["Round"] if table.sides else []), "Action"]
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for entry in table.entries:
        yield from (f"|{' |' * (len(heads) - 1)} *{text}* |" for text in _before(entry))
        cells = [*((cell(entry.row.lane, 24),) if table.lanes else ()), str(entry.row.step)]
        cells += [offset(entry.cell.start), took(entry.cell.seconds)] if timed else []
        cells += [entry.row.shown_kind, status_of(entry), group_of(entry)]
        rounds = (f"{side.round}/{side.rounds} {side.name}" for side in entry.sides if side is not None)
        cells += [", ".join(rounds)] if table.sides else []
        action = cell(entry.row.summary, 300)
        if said := again(entry):
            action += f" *{said}*"
        yield f"| {' | '.join((*cells, action))} |"
    yield ""
    if full:
        for entry in table.entries:
            yield from _texts(table, entry)


def _before(entry: Entry) -> Iterator[str]:
    if entry.cell.compacted_before:
        yield "the context was compacted"
    if entry.cell.after_user:
        said = entry.text.user if entry.text is not None else ()
        yield f"the user: {cell(clip(' '.join(text.head for text in said), 160), 160)}" if said else "the user spoke"


def _texts(table: Table, entry: Entry) -> Iterator[str]:
    text = entry.text
    if text is None:
        return
    yield f"### Step {entry.row.step}{f' of {prose(clip(entry.row.lane, 40))}' if table.lanes else ''}"
    parts = [("The user", user) for user in text.user] + ([("The agent", text.said)] if text.said is not None else [])
    parts += [(f"Call, {name}" if name else "Call", value) for name, value in text.call]
    parts += [("Result", text.result)] if text.result is not None else []
    for name, value in parts:
        yield from ("", f"{prose(clip(name, 60))}:", "", fence(whole(value), "text", limit=1_000_000), "")
