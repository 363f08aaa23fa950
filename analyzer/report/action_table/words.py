"""How the values of a table of actions are put for people."""

from __future__ import annotations

from analyzer.model.step_texts import Text
from analyzer.model.words import Status
from analyzer.report.action_table.entries import Entry, Table
from analyzer.report.moves import moves_text
from analyzer.text.english import plural

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


def status(entry: Entry) -> str:
    """`ok`, `FAILED`, why it never ran, or `?` where the transcript doesn't tell."""
    return entry.row.not_run.value if entry.row.not_run is not None else _STATUS[entry.row.status]


def group(entry: Entry) -> str:
    """The name of the failure, if it came back."""
    return (entry.row.failure_group or "") if entry.cell.group is not None else ""


def rounds(entry: Entry) -> str:
    """In which rounds of which loops an action is: `2/6 edit-test loop`."""
    return ", ".join(f"{side.round}/{side.rounds} {side.name}" for side in entry.sides if side is not None)


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
