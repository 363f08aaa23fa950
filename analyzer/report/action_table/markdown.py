"""The table of actions as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.report.action_table import words
from analyzer.report.action_table.entries import Entry, Table
from analyzer.report.markdown import tidy
from analyzer.report.safe import cell, clip, code, fence, prose


def render(tables: Sequence[Table], *, full: bool = False) -> str:
    """A heading and a table for each session; with `full` the texts of each step below."""
    return tidy("\n".join(line for table in tables for line in _session(table, full)))


def _session(table: Table, full: bool) -> Iterator[str]:
    identity, _, rest = words.heading(table).rpartition(": ")
    yield f"## Timeline of {code(identity)}: {prose(rest)}"
    yield ""
    timed = any(entry.cell.start is not None for entry in table.entries)
    heads = [
        *(("Lane",) if table.lanes else ()),
        "Step",
        *(("Time", "Took") if timed else ()),
        "Kind",
        "Status",
        "Group",
    ]
    heads += ["Round", "Action"] if table.sides else ["Action"]
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for entry in table.entries:
        yield from (f"|{' |' * (len(heads) - 1)} *{text}* |" for text in _before(entry))
        cells = [*((cell(entry.row.lane, 24),) if table.lanes else ()), str(entry.row.step)]
        cells += [words.offset(entry.cell.start), words.took(entry.cell.seconds)] if timed else []
        cells += [entry.row.kind, words.status(entry), words.group(entry)]
        cells += [words.rounds(entry)] if table.sides else []
        action = cell(entry.row.summary, 300)
        if said := words.again(entry):
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
        yield from ("", f"{prose(clip(name, 60))}:", "", fence(words.whole(value), "text", limit=1_000_000), "")
