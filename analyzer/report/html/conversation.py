"""The conversation of a session: what was said in its order, chapter by chapter, with what was done in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from markupsafe import Markup

from analyzer.model.postmortem import TimelineRow
from analyzer.model.step_texts import Recording, Turn
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE, Status
from analyzer.report.html.prose import Links
from analyzer.report.html.texts import Shown, plain, shown
from analyzer.report.html.written import message
from analyzer.report.picture.model import ROWS, row_of, tokens_of
from analyzer.text.clip import clip_words
from analyzer.text.english import number, plural

_LONGEST, _ALL = 600, 20_000
"""How many characters one of them shows at most, and all of them together about."""
_FEWEST = 3
"""Things said from which on there's a conversation to show."""
_ONE = ("look", "change", "check", "run", "thought")


class Utterance(Struct, frozen=True):
    """Something that the agent said; `written` is a short one in Markdown as HTML, `tokens` is empty unless the log has
    those of this answer alone."""

    text: Shown
    written: Markup | None
    tokens: str


class Done(Struct, frozen=True):
    """The actions between two things that were said: their steps, how many, what they did in short, and the tokens that
    the model used for them alone, empty where they aren't recorded."""

    steps: Markup
    count: int
    what: str
    failed: int
    tokens: str


class Chapter(Struct):
    """What the user said, None where the session begins otherwise, and what the agent said and did after it."""

    user: Shown | None
    rows: list[Utterance | Done] = field(default_factory=list)


class Conversation(Struct, frozen=True):
    """All chapters; `left_out` things that were said are missing from the middle."""

    chapters: Sequence[Chapter]
    left_out: int

    @property
    def title(self) -> str:
        """How much there is."""
        asked = sum(chapter.user is not None for chapter in self.chapters)
        said = sum(isinstance(row, Utterance) for chapter in self.chapters for row in chapter.rows)
        counts = ((asked, "user"), (said, "agent"))
        parts = [f"{plural(count, 'message')} of the {who}" for count, who in counts if count]
        return f"The conversation: {' and '.join(parts)}"


def conversation_of(recording: Recording, rows: Sequence[TimelineRow], at: Links) -> Conversation | None:
    """The conversation of the main lane; None where hardly anything was said."""
    turns = recording.turns
    if len(turns) < _FEWEST:
        return None
    lane = [row for row in rows if row.lane == MAIN_LANE]
    said = {text.step: text.said.head for text in recording.steps if text.lane == MAIN_LANE and text.said is not None}
    limit = min(_LONGEST, _ALL // len(turns))
    chapters: list[Chapter] = []
    done = 0
    since: list[Turn] = []
    for turn in turns:
        reached = list(takewhile(lambda row, before=turn.before: row.step < before, lane[done:]))  # type: ignore[misc]
        if reached:
            _open(chapters).rows.append(_done(reached, since, at))
            done, since = done + len(reached), []
        if turn.role == "user":
            # What opens the session is the task, which the page shows already.
            opens = not chapters and turn.before == 1
            chapters.append(Chapter(None if opens else shown(turn.text, 2 * limit)))
        else:
            tokens = f"{number(turn.tokens)} tokens" if turn.tokens else ""
            brief = (
                message(turn.text.head + turn.text.tail) if len(turn.text) <= limit and not turn.text.omitted else None
            )
            _open(chapters).rows.append(Utterance(_said(turn, said.get(turn.before, ""), limit, at), brief, tokens))
            since.append(turn)
    if done < len(lane):
        _open(chapters).rows.append(_done(lane[done:], since, at))
    return Conversation(chapters, recording.turns_left_out)


def _said(turn: Turn, at_step: str, limit: int, at: Links) -> Shown:
    """What the agent said, of what the step shows that followed only the beginning."""
    if len(turn.text) <= limit or turn.text.head[:limit] not in at_step:
        return shown(turn.text, _LONGEST)
    begins, name = plain(clip_words(turn.text.head, limit)), at.step_id(turn.before, MAIN_LANE)
    return Shown(begins + Markup(' <a href="#{}">step {}</a>').format(name, turn.before))


def _open(chapters: list[Chapter]) -> Chapter:
    """The last chapter, the first one where there's none yet."""
    if not chapters:
        chapters.append(Chapter(None))
    return chapters[-1]


def _done(rows: Sequence[TimelineRow], since: Sequence[Turn], at: Links) -> Done:
    counts = Counter(map(row_of, rows))
    total = sum(tokens_of(row) or 0 for row in rows) - sum(turn.tokens or 0 for turn in since)
    return Done(
        steps=at.steps([row.step for row in rows], limit=8),
        count=len(rows),
        what=", ".join(plural(counts[kind], _ONE[kind]) for kind in range(len(ROWS)) if counts[kind]),
        failed=sum(row.shown_as is Status.ERROR for row in rows),
        tokens=f"{number(total)} tokens" if total > 0 else "",
    )
