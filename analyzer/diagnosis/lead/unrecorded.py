"""What there is of a session that changed no file and has no closing words: what the agent said beside its last call,
and the calls whose results aren't recorded."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnosis.case import call_text, steps_text
from analyzer.diagnosis.end import End
from analyzer.model.diagnosis import Statement
from analyzer.text.clip import clip_words
from analyzer.text.english import one_or_many
from analyzer.text.markdown import code

_WORDS = 300
_MOST_STEPS = 4


def what_there_is(end: End) -> Iterator[Statement]:
    """Of a session of which it isn't known what it left behind: the calls without a result. Where no result at all is
    recorded, the outcome says so."""
    lost = [action for action in end.actions if not end.came_back(action)]
    if lost and any(end.came_back(action) for action in end.actions):
        steps = [action.step for action in lost]
        which = f"{one_or_many(len(steps), 'step')} {steps_text(steps, _MOST_STEPS)}"
        call = f" ({code(call_text(lost[0], 80))})" if len(lost) == 1 else ""
        yield Statement(part="delivered", text=f"What came of {which}{call} isn't recorded.", steps=steps)


def beside_last_call(end: End) -> Iterator[Statement]:
    """The last words of an agent that said nothing after its last call."""
    words = end.words_beside
    if words is not None:
        text = f'The agent\'s last words, before the call of step {end.last.step}: "{clip_words(words.text, _WORDS)}"'
        yield Statement(part="delivered", text=text, steps=[end.last.step])
