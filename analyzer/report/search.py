"""What a search found, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.search import FoundSession, Hit, Part, Search
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.report import figures
from analyzer.report.safe import clip
from analyzer.text.english import plural

_WHERE = {
    Part.TASK: "the task",
    Part.USER: "the user said",
    Part.SAID: "the agent said",
    Part.CALLED: "called",
    Part.RETURNED: "returned",
}
_NAME = 60


class Line(Struct, frozen=True):
    """One line: `role` is what it shows, `marks` where in it something that was searched for begins and ends."""

    text: str
    role: str = ""
    marks: tuple[tuple[int, int], ...] = ()


def lines_of(found: Search, folder: str) -> Iterator[Line]:
    """The hits by session, each with its place, the text around it and its address below `folder`; none where there
    are none."""
    if not found.found:
        return
    shown = sum(len(session.hits) for session in found.sessions)
    more = f"; the first {shown}, see --limit" if shown < found.found else ""
    yield Line(f"{plural(found.found, 'hit')} in {plural(found.found_sessions, 'session')} of {found.searched}{more}")
    for session in found.sessions:
        yield Line("")
        yield Line(_head(session), "title")
        for hit in session.hits:
            yield Line(f"  {_place(hit)}", "place")
            yield Line(f"    {hit.excerpt}", "excerpt", tuple((begin + 4, end + 4) for begin, end in hit.marks))
            if hit.link is not None:
                yield Line(f"    {folder.rstrip('/')}/{hit.link}", "note")


def _head(session: FoundSession) -> str:
    parts = [
        clip(session.title or session.id, _NAME),
        clip(session.id, _NAME) if session.title else "",
        clip(session.agent or "", _NAME),
        (session.started_at or "")[:16].replace("T", " "),
        figures.outcome(session.outcome),
    ]
    return " · ".join(part for part in parts if part)


def _place(hit: Hit) -> str:
    if hit.step is None:
        return _WHERE[hit.part] + (" at the end" if hit.part is Part.SAID else "")
    lane = "" if hit.lane == MAIN_LANE else f" of {clip(hit.lane, _NAME)}"
    status = f", {hit.status}" if hit.status == "error" else ""
    return f"step {hit.step}{lane} ({clip(hit.tool or '', _NAME)}{status}), {_WHERE[hit.part]}"
