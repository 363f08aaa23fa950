"""Results as lines of plain text, each with its role for those who colour it: the final diff of a session, with what
isn't known of it in lines that begin with `#`, and what a search found."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.difference import ChangeKind, Difference, FileChange, Hunk
from analyzer.model.search import FoundSession, Hit, Part, Search
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.report import figures
from analyzer.report.safe import clip
from analyzer.text.english import one_or_many, plural

_MOST_STEPS = 12
_WIDEST = 40
_NOWHERE = "/dev/null"


class Line(Struct, frozen=True):
    """One line: `role` is what it shows, `marks` where in it something that was searched for begins and ends."""

    text: str
    role: str = ""
    marks: tuple[tuple[int, int], ...] = ()


def diff_lines(difference: Difference) -> Iterator[Line]:
    """The diff of one session, line by line."""
    yield Line(f"# {_headline(difference)}", "title")
    own = [change for change in difference.files if change.scratch]
    for change in difference.files:
        if own and change is own[0]:
            yield Line("# Scratch files of the agent:", "title")
        yield from _of_file(change)
    yield from _not_known(difference)


def stat_lines(difference: Difference) -> Iterator[Line]:
    """One line for each file: how many lines were put in and taken out."""
    yield Line(f"# {_headline(difference)}", "title")
    width = max((len(change.file) for change in difference.files), default=0)
    most = max((change.added + change.removed for change in difference.files), default=0)
    for change in difference.files:
        count = change.added + change.removed
        scale = min(1.0, _WIDEST / most) if most else 1.0
        bar = "+" * _scaled(change.added, scale) + "-" * _scaled(change.removed, scale)
        notes = [str(change.kind)] if change.kind is not ChangeKind.MODIFIED else []
        notes += ["scratch"] if change.scratch else []
        notes += [change.why_not] if change.why_not else []
        known = str(count) if change.hunks else "?"
        tail = f"  ({'; '.join(notes)})" if notes else ""
        yield Line(f" {change.file:<{width}} | {known:>4} {bar}{tail}".rstrip(), "context")
    yield from _not_known(difference)


def _scaled(count: int, scale: float) -> int:
    return max(1, round(count * scale)) if count else 0


def _headline(difference: Difference) -> str:
    work = [change for change in difference.files if not change.scratch]
    own = len(difference.files) - len(work)
    when = "at the end"
    if difference.after_step is not None:
        lane = "" if difference.lane == MAIN_LANE else f" of {difference.lane}"
        when = f"after step {difference.after_step}{lane}"
    counted = f"{plural(len(work), 'file')} changed" if work else "no file changed"
    added, removed = sum(change.added for change in work), sum(change.removed for change in work)
    counts = f", +{added} -{removed}" if work else ""
    scratch = f", {plural(own, 'scratch file')}" if own else ""
    return f"{difference.session}, state {difference.state} {when}: {counted}{counts}{scratch}"


def _of_file(change: FileChange) -> Iterator[Line]:
    old, new = ("", "") if change.file.startswith("/") else ("a/", "b/")
    notes = [f"{change.kind}{_at(change)}", *([change.why_not] if change.why_not else [])]
    yield Line(f"# {change.file}: {'; '.join(notes)}", "note")
    if not change.hunks:
        return
    yield Line(f"--- {_NOWHERE if change.kind is ChangeKind.CREATED else old + change.file}", "file")
    yield Line(f"+++ {_NOWHERE if change.kind is ChangeKind.REMOVED else new + change.file}", "file")
    for hunk in change.hunks:
        yield Line(header_of(hunk), "hunk")
        for line in hunk.lines:
            yield Line(line, "added" if line[:1] == "+" else "removed" if line[:1] == "-" else "context")


def header_of(hunk: Hunk) -> str:
    """The line above a hunk."""
    if hunk.old_line is None or hunk.new_line is None:
        return "@@ at a line that isn't known @@"
    old = sum(1 for line in hunk.lines if not line.startswith("+"))
    new = sum(1 for line in hunk.lines if not line.startswith("-"))
    return f"@@ -{hunk.old_line},{old} +{hunk.new_line},{new} @@"


def _at(change: FileChange) -> str:
    steps = [*map(str, change.steps), *(_step(place.lane, place.step) for place in change.elsewhere)]
    if not steps:
        return ""
    shown = ", ".join(steps[:_MOST_STEPS]) + (" ..." if len(steps) > _MOST_STEPS else "")
    return f" at {one_or_many(len(steps), 'step')} {shown}"


def _not_known(difference: Difference) -> Iterator[Line]:
    for what, entries in (
        ("what these commands did to files", difference.unknown_effects),
        ("what had changed these files before they were read", difference.changed_outside),
    ):
        if entries:
            yield Line(f"# Not known: {what}", "title")
        for entry in entries:
            yield Line(f"#   step {_step(entry.lane, entry.step)}: {entry.what}", "note")


def _step(lane: str, step: int) -> str:
    return str(step) if lane == MAIN_LANE else f"{step} of {lane}"


_WHERE = {
    Part.TASK: "the task",
    Part.USER: "the user said",
    Part.SAID: "the agent said",
    Part.CALLED: "called",
    Part.RETURNED: "returned",
}
_NAME = 60


def search_lines(found: Search, folder: str) -> Iterator[Line]:
    """The hits by session, each with its place, the text around it and its address below `folder`; none where there
    are none."""
    if not found.found:
        return
    shown = sum(len(session.hits) for session in found.sessions)
    more = f"; the first {shown}, see --limit" if shown < found.found else ""
    yield Line(f"{plural(found.found, 'hit')} in {plural(found.found_sessions, 'session')} of {found.searched}{more}")
    for session in found.sessions:
        yield Line("")
        yield Line(head_of(session), "title")
        for hit in session.hits:
            yield Line(f"  {place_of(hit)}", "place")
            yield Line(f"    {hit.excerpt}", "excerpt", tuple((begin + 4, end + 4) for begin, end in hit.marks))
            if hit.link is not None:
                yield Line(f"    {folder.rstrip('/')}/{hit.link}", "note")


def head_of(session: FoundSession) -> str:
    """A session in one line."""
    parts = [
        clip(session.title or session.id, _NAME),
        clip(session.id, _NAME) if session.title else "",
        clip(session.agent or "", _NAME),
        (session.started_at or "")[:16].replace("T", " "),
        figures.outcome(session.outcome),
    ]
    return " · ".join(part for part in parts if part)


def place_of(hit: Hit) -> str:
    """Where a hit is, in words."""
    if hit.step is None:
        return _WHERE[hit.part] + (" at the end" if hit.part is Part.SAID else "")
    lane = "" if hit.lane == MAIN_LANE else f" of {clip(hit.lane, _NAME)}"
    status = f", {hit.status}" if hit.status == "error" else ""
    return f"step {hit.step}{lane} ({clip(hit.tool or '', _NAME)}{status}), {_WHERE[hit.part]}"
