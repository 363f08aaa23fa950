"""Tests of a kind that the agent names (`doctests`, `integration tests`), and whether a run of them reached one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.detectors.signals.speech import sentences
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.verification.proof import ran_nothing

_KINDS = "doctest|integration|e2e|end-to-end|smoke|acceptance|regression|browser|snapshot|functional|contract"
_NAMED = late(
    rf"\b(?P<name>{_KINDS})(?:s\b|[ -]tests?\b)[^.!?;\n]{{0,25}}?"
    r"\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are) green)\b",
    re.IGNORECASE,
)
_OPEN = late(
    r"\b(?:should|would|will|could|can|may|might|must|if|once|when|until|unless|ensure|make sure|let me|let's|need\w*"
    r"|want\w*|expect\w*|hope\w*|whether|not|never|no|cannot|going to|to (?:see|check|verify|confirm))\b|n't\b|\?",
    re.IGNORECASE,
)
_SPEAKS = ("pass", "succeed", "green")
_MOST = 50


class NamedTests:
    """The runs of each kind of tests in one lane, as far as their commands name it."""

    def __init__(self) -> None:
        self._runs: dict[str, list[Action]] = {}
        self._reached: set[str] = set()

    def learn(self, action: Action) -> None:
        """Take the next action."""
        command = (action.operation.command or "").lower()
        if action.kind is not Kind.TEST or not command:
            return
        for name in _KINDS.split("|"):
            if name in command and len(runs := self._runs.setdefault(name, [])) < _MOST:
                runs.append(action)
                if not _ended_before(action):
                    self._reached.add(name)

    def denied(self, text: str) -> Iterator[tuple[str, str, Sequence[Action]]]:
        """The kinds of tests of which a text says that they pass although none of their runs reached one: the name, the
        sentence, and the runs."""
        low = text.lower() if self._runs.keys() - self._reached else ""
        if not any(word in low for word in _SPEAKS):
            return
        for sentence in sentences(text):
            found = _NAMED.search(sentence.words)
            name = found["name"].lower() if found is not None else ""
            if found is None or name in self._reached or name not in self._runs:
                continue
            if _OPEN.search(sentence.words, 0, found.end()) is None:
                yield name, clip(sentence.quote, 300), self._runs.pop(name)


def _ended_before(action: Action) -> bool:
    """Whether a run of tests ended before the first of them: it collected nothing, or couldn't load them."""
    failure = action.failure
    if ran_nothing(action) is not None:
        return True
    if failure is None or failure.expected:
        return False
    return not any(failure.counts.get(name) for name in ("passed", "failed")) and bool(
        failure.counts.get("errors") or failure.frames
    )
