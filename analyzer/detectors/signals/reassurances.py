"""Sentences by which the agent said that something is no problem, held against errors that the user brings later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from analyzer.detectors.signals.speech import sentences
from analyzer.model.action import Action
from analyzer.text.clip import clip
from analyzer.text.late import late

_LONGEST = 8_000
_MOST = 100
_SHORT = 3
"""Letters from which on a name says by itself what is meant."""
_FINE = late(
    r"(?:'s|\b(?:is|are|be|looks?|was|stays?))(?: \w+)? (?:fine|ok|okay|safe|harmless|valid|allowed|correct|intentional"
    r"|conventional|expected|not (?:a|an|any) (?:\w+ )?(?:problem|issue|error|concern))\b"
    r"|(?:\bwon't|\bdoesn't|\bdon't|\bshouldn't|\bisn't|\baren't|\bwill not|\bdoes not|\bdo not|\bshould not|\bis not"
    r"|\bnot going to)(?: \w+){0,4} (?:enforce|flag\w*|complain|fail|break|cause|affect\w*|matter|trigger|problem|issue"
    r"|error|warn|reject\w*|hurt|need\w*|required|checked|linted)\b"
    r"|\b(?:no|not an?) (?:\w+ ){0,2}(?:problem|issue|error|warning|concern|need to)s?\b"
    r"|\bsafe to (?:ignore|leave|keep|use)\b|\bcan (?:safely )?be (?:ignored|left|kept)\b|\bthe conventional\b"
    r"|\bnothing to (?:fix|change|worry)\b|\b(?:lint|type)-?(?:check)?s? (?:clean|passes)\b",
    re.IGNORECASE,
)
_OPEN = late(
    r"\?|\b(?:let me|let's|I'll|I will|I need to|to (?:check|verify|confirm|see)|whether|if|unless|so that|make sure"
    r"|ensure|might|may|could|perhaps|fix(?:ed|es)?|previously|before)\b",
    re.IGNORECASE,
)
_ERROR = late(
    r"^[^\n]{0,300}(?:\b\d{1,6}:\d{1,4}\b[^\n]{0,20}\b(?:error|warning)\b"
    r"|\b(?:error|warning|failed|failure)\b ?(?:TS\d|\[|:)"
    r"|\b[A-Z]\w*(?:Error|Exception)\b: |:\d{1,6}(?::\d{1,4})?: ?(?:error|warning|fatal|[A-Z]{1,5}\d{2,5})\b"
    r"|^(?:error|warning|FAILED|FAIL|panic)\b[ :\[])[^\n]{0,400}$",
    re.MULTILINE,
)
_CODE = late(r"[`'\"“‘](?P<name>[^`'\"”’\s]{1,80})[`'\"”’]")
_RULE = late(
    r"@?[a-z][\w-]{1,40}/[a-z][\w/-]{2,60}\b|\b[a-z]{2,20}(?:-[a-z]{2,20}){1,5}\b|\b[A-Z]{1,5}\d{3,5}\b|\b\w+::\w+\b"
)
_FILE = late(r"(?<![\w/.-])(?:[\w.@~-]{0,60}/){0,16}[\w.@-]{1,80}\.[A-Za-z]{1,5}\b")
_PART = late(r"[A-Za-z]{4,}")
_COMMON = frozenset(
    {"error", "errors", "warning", "test", "tests", "file", "line", "code", "type", "with", "that", "this"}
)
_ABOUT_CHECKS = late(
    r"\b(?:lint\w*|eslint|types?|compil\w*|build\w*|warn\w*|errors?|tests?|CI|rules?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What the agent said, with its last action before, and the line of the error that the user brought."""

    said: str
    after: Action
    error: str
    shared: str
    """The name, rule or file that is in both."""


@dataclass(slots=True)
class _Said:
    quote: str
    after: Action
    edited: set[str] = field(default_factory=set)


class Reassurances:
    """What the agent said to be no problem, and which files it has edited since."""

    def __init__(self) -> None:
        self._said: list[_Said] = []

    def say(self, text: str, after: Action | None) -> None:
        """Take what the agent says after an action."""
        for quote in _reassurances(text) if after is not None and len(self._said) < _MOST else ():
            assert after is not None
            self._said.append(_Said(quote, after))

    def act(self, action: Action) -> None:
        """Take the next action."""
        for edit in action.operation.edits if action.accepted_edits else ():
            for said in self._said:
                said.edited.add(PurePosixPath(edit.path).name)

    def contradicted_by(self, text: str) -> Contradiction | None:
        """The last sentence that an error in the user's words contradicts: the same name, rule or file is in both, and
        the file of the error wasn't edited in between."""
        text = text[:_LONGEST]
        found = list(_ERROR.finditer(text))[:20] if self._said else []
        if not found:
            return None
        lines = [line[0].strip() for line in found]
        near = [text[text.rfind("\n", 0, max(0, line.start() - 1)) + 1 : line.end()] for line in found]
        files = {PurePosixPath(name).name for part in near for name in _FILE.findall(part)}
        for said in reversed(self._said):
            if said.edited & files or (said.edited and not files):
                continue
            for line in lines:
                shared = _shared(said.quote, line, files)
                if shared is not None:
                    return Contradiction(said.quote, said.after, clip(line, 300), shared)
        return None


def _reassurances(text: str) -> Iterator[str]:
    for sentence in sentences(text[:_LONGEST]):
        words = sentence.words[:600]
        if _FINE.search(words) is not None and _OPEN.search(words) is None:
            yield clip(sentence.quote, 300)


def _shared(quote: str, line: str, files: set[str]) -> str | None:
    """What names the same thing in a sentence of the agent's and in the line of an error."""
    named = {match["name"].removesuffix("()") for match in _CODE.finditer(quote)}
    blamed = {match["name"].removesuffix("()") for match in _CODE.finditer(line)}
    rules = set(_RULE.findall(line))
    exact = sorted(name for name in named if name in blamed or name in rules)
    strong = next((name for name in exact if len(name) >= _SHORT), None)
    strong = strong or next((rule for rule in sorted(rules) if rule in quote and len(rule) > _SHORT), None)
    if strong is not None:
        return strong
    spoken = {word.casefold() for word in _PART.findall(quote)} - _COMMON
    tool = next((part for rule in sorted(rules) for part in _PART.findall(rule) if part.casefold() in spoken), None)
    if exact and tool is not None:
        return exact[0]
    written = {PurePosixPath(name).name for name in named}
    file = next((name for name in sorted(files) if name in written), None)
    return file if file is not None and _ABOUT_CHECKS.search(quote) is not None else None
