"""The keys of sessions; and the texts of a session as an audit keeps them, packed: all of them, so that any can be
found. Its page, which can be made when the transcript is gone, shows what of them fits into a budget."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

from analyzer.model.errors import AnalyzerError
from analyzer.model.step_texts import LONGEST_TURN, Recording, StepText, Text, Turn, some_turns, water_level
from analyzer.model.struct import replace

if TYPE_CHECKING:
    from analyzer.model.postmortem import PostMortem

_KEY = re.compile(r"[0-9a-f]{16}")


def session_key(path: str, position: int) -> str:
    """The key of a session: 16 hexadecimal digits, equal for the same path and position in the file."""
    return hashlib.sha256(f"{path}\0{position}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def is_session_key(text: str) -> bool:
    """Whether a text may be the key of a session; only such a one is part of a file's name."""
    return _KEY.fullmatch(text) is not None


_MOST_BYTES = 512 << 20
"""Bytes; a post-mortem and the texts of a session have some hundred thousand."""


def unpacked(packed: bytes, most: int = _MOST_BYTES) -> bytes:
    """The bytes that were packed. Raises `AnalyzerError` for more of them than any session has, or damaged ones."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(packed, most)
    except zlib.error as error:
        raise AnalyzerError(f"The database of the audit holds damaged texts: {error}.") from None
    if stream.unconsumed_tail:
        raise AnalyzerError("The database of the audit holds a text that unpacks to far more than a session has.")
    return found


LONGEST = 1_000_000
"""Characters of one text that are kept."""
BUDGET = 60_000
"""Characters per session that its page shows."""
LEAST = 400
"""Characters of every text of a step that failed or that a finding is about, even beyond the budget..."""
_MOST = 4
"""...but never more than so many budgets for all of them."""
_SHORTEST_TURN = 80
"""Characters of what was said that a conversation keeps in any case."""
_WORTH_KEEPING = 40
"""Fewer characters than these say nothing."""


def pack(recording: Recording) -> bytes:
    """The recording as JSON, packed by zlib."""
    steps = [
        [step.step, step.lane, call, _plain(step.result), _plain(step.said), [_plain(text) for text in step.user]]
        for step in recording.steps
        for call in ([[name, _plain(text)] for name, text in step.call],)
    ]
    turns = [[turn.role, turn.before, _plain(turn.text), turn.tokens] for turn in recording.turns]
    everything = [steps, _plain(recording.closing), turns, recording.turns_left_out]
    return zlib.compress(json.dumps(everything, separators=(",", ":")).encode(), 6)


def unpack(packed: bytes) -> Recording:
    """The recording that `pack` packed; an earlier version of it packed no conversation."""
    steps, closing, *said = json.loads(unpacked(packed))
    turns, left_out = said or ((), 0)
    return Recording(
        [
            StepText(
                step=step,
                lane=lane,
                call=tuple((name, _text(text)) for name, text in call),
                result=_text(result),
                said=_text(said),
                user=tuple(_text(text) for text in user),
            )
            for step, lane, call, result, said, user in steps
        ],
        _text(closing),
        [Turn(role, before, _text(text), tokens) for role, before, text, tokens in turns],
        left_out,
    )


def clipped(recording: Recording, report: PostMortem, budget: int = BUDGET) -> Recording:
    """The recording with about `budget` characters in all: texts are cut at one length, chosen so that they fit. Steps
    that failed and steps that a finding is about go first and keep at least `LEAST` characters of each text; of the
    others nothing may be left."""
    # Lane and number of the steps that failed or that a finding is about.
    notable = {(failure.lane, failure.step) for failure in report.failures}
    for finding in report.findings:
        notable.update((finding.lane, step) for step in (*finding.steps, *(entry.step for entry in finding.evidence)))
    first = [len(text) for step in recording.steps if (step.lane, step.step) in notable for text in step.texts()]
    rest = [len(text) for step in recording.steps if (step.lane, step.step) not in notable for text in step.texts()]
    if recording.closing is not None:
        first.append(len(recording.closing))
    turns, left_out = some_turns(recording.turns)
    turns = [
        replace(turn, text=turn.text.cut(LONGEST_TURN) if turn.text.omitted else Text.of(turn.text.head, LONGEST_TURN))
        for turn in turns
    ]
    if sum(first) + sum(rest) <= budget:
        return Recording(recording.steps, recording.closing, turns, left_out or recording.turns_left_out)
    floor = min(LEAST, _MOST * budget // len(first)) if first else 0
    long = water_level(((size, 1) for size in first), max(budget * 2 // 3, budget - sum(rest)), floor)
    short = water_level(((size, 1) for size in rest), max(0, budget - sum(min(size, long) for size in first)), 0)
    short = short if short >= _WORTH_KEEPING else 0
    steps = [_cut(step, long if (step.lane, step.step) in notable else short) for step in recording.steps]
    room = max(_SHORTEST_TURN, budget // 6 // max(1, len(turns)))
    return Recording(
        steps,
        recording.closing.cut(long) if recording.closing is not None else None,
        [replace(turn, text=turn.text.cut(room)) for turn in turns],
        left_out or recording.turns_left_out,
    )


def _cut(step: StepText, limit: int) -> StepText:
    return replace(
        step,
        call=tuple((name, text.cut(limit)) for name, text in step.call),
        result=step.result.cut(limit) if step.result is not None else None,
        said=step.said.cut(limit) if step.said is not None else None,
        user=tuple(text.cut(limit) for text in step.user),
    )


def _plain(text: Text | None) -> Any:
    """A text as it's packed: as itself where nothing is missing."""
    if text is None:
        return None
    return [text.head, text.tail, text.omitted] if text.omitted or text.tail else text.head


def _text(plain: Any) -> Any:
    """A text that `_plain` packed; None for none."""
    return None if plain is None else Text(*plain) if isinstance(plain, list) else Text(plain)
