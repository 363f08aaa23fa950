"""The report of a sub-agent that the last words only point to: it's what the session brought, and the user didn't get
it."""

from __future__ import annotations

import re

from analyzer.diagnosis.end import End
from analyzer.diagnosis.labels import label
from analyzer.model.diagnosis import Statement
from analyzer.model.words import Kind
from analyzer.text.amounts import number
from analyzer.text.clip import clip, clip_words
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.timeline.closing.decisions import only_answered

_POINTS = late(
    r"\b(?:(?:sub-?)?agents?|task(?: tool)?|assistant|delegate|researcher|reviewer|explorer|report|analysis)\b"
    r"[^.\n]{0,80}\b(?:found|search\w*|return\w*|complet\w*|compil\w*|identif\w*|report\w*|provid\w*|produc\w*"
    r"|gather\w*|creat\w*|wr(?:ote|itten)|finish\w*|summari[sz]\w*|retriev\w*|list\w*|answer\w*)\b",
    re.IGNORECASE,
)
_LINE = compiled(r"[^\n]{25,}")
_LEAST = 400
"""Characters from which on an answer is a report."""
_SHORTER = 3
"""How many times shorter than the report the last words are that only point to it."""
_SHOWN = 0.3
"""The share of a report's lines from which on the user was given it."""
_QUOTED = 300


def passed_on(end: End) -> Statement | None:
    """The report of the last sub-agent that was asked, where the last words speak of it and don't give it."""
    words = end.closing_message
    asked = next((action for action in reversed(end.actions) if only_answered(action)), None)
    edited = any(action.kind is Kind.EDIT for action in end.case.timeline.actions)
    if words is None or asked is None or edited or asked.step < end.last.step - 1:
        return None
    report = (asked.result or "").strip()
    if len(report) < max(_LEAST, _SHORTER * len(words.text)) or _POINTS.search(words.text) is None:
        return None
    if _given(report, words.text):
        return None
    about = clip(label(asked, ""), 60)
    whose = f'the sub-agent ("{about}")' if about else "the sub-agent"
    text = (
        f"The closing words speak of the report of {whose} at step {asked.step}, {number(len(report))} characters, and "
        f'don\'t give it: "{clip_words(report, _QUOTED)}"'
    )
    return Statement(part="delivered", text=text, steps=[asked.step])


def _given(report: str, words: str) -> bool:
    """Whether a good part of a report's lines is in the last words."""
    lines = [" ".join(line.split()) for line in _LINE.findall(report)]
    said = " ".join(words.split())
    return sum(line in said for line in lines) > _SHOWN * max(1, len(lines))
