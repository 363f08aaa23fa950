"""The name that isn't there, and what the run itself showed of the right one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind, Status
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.text.plain import plain
from analyzer.text.similarity import alike

_WORD = late(r"[^\s'\"`()<>|;,{}\[\]]+")
_ENDS = ".:!?\u2026"
_EDGES = " \t\n'\"`()<>|;,{}[]:="
_MARKED = late(r"`([^`\n]{3,200})`|'([^'\n]{3,200})'|\"([^\"\n]{3,200})\"")
_SENTENCES = late(r"(?<=[.!?])\s+|\n")
_WRONG = late(r"(?i)\b(?:not|no|wrong|incorrect\w*|typo|mistake\w*|error\w*|fail\w*|missing)\b|n['\u2019]t\b")
_SHORTEST = 4
_NEAR = 80.0
"""How much alike, in percent, two names are of which one may be meant for the other."""
_MOST_STEPS = 400
"""Steps before a failure whose results are looked at."""
_LISTED = 20_000
_MOST = 60_000
"""Characters of a result that are looked at."""
_EVERYWHERE = name_set(
    "__init__.py __main__.py index.js index.ts index.tsx index.html main.py main.go main.rs mod.rs lib.rs setup.py "
    "conftest.py package.json README.md Makefile Dockerfile utils.py test.py app.py"
)
"""Names that files of many folders have: that one of them was shown says nothing of another."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A name that a step printed, and the one that was sent."""

    sent: str
    name: str
    step: int


def missing_name(action: Action) -> str | None:
    """The name in a failing call that its answer says doesn't exist, as the call has it; None where the answer names
    nothing of the call."""
    failure = action.failure
    if failure is None or failure.kind is not FailureKind.NOT_FOUND:
        return None
    answer = f"{failure.message}\n{(action.result or '')[:600]}"
    programs = {entry.program for entry in action.operation.commands}
    words = {word.rstrip(_ENDS) for text in _sent(action) for word in _WORD.findall(text[:4_000])}
    named = [
        word
        for word in words
        if len(word) >= _SHORTEST and not word.startswith("-") and word not in programs and "://" not in word
        if "/" in word.strip("/") or "." in word.strip(".") or action.operation.command is not None
        if _holds(answer, word)
    ]
    return max(named, key=lambda word: (len(word), word), default=None)


def shown_elsewhere(sent: str, known: Sequence[Action], until: int) -> Shown | None:
    """The only path with the last part of `sent` that results before a step show, which isn't `sent` and with which
    nothing failed; None where there are several or none."""
    base = _last_part(sent)
    if len(base) < _SHORTEST or base in _EVERYWHERE:
        return None
    found: dict[str, Shown] = {}
    for action in _results(known, until):
        for path in _paths_to(base, action.result or ""):
            if _trimmed(path) != _trimmed(sent):
                found[_trimmed(path)] = Shown(sent, path, action.step)
    longest = max(found, key=len, default=None)
    if longest is None or any(not f"/{longest}".endswith(f"/{path.lstrip('/')}") for path in found):
        return None
    return found[longest] if not _failed_with(longest, known) else None


def near_name(sent: str, known: Sequence[Action], until: int) -> Shown | None:
    """The only name that is much like the last part of `sent` among those that results before a step show; None where
    there are several or none, or only numbers differ."""
    base = _last_part(sent)
    if len(base) < _SHORTEST + 1:
        return None
    found: dict[str, Shown] = {}
    for action in _results(known, until):
        if action.kind not in (Kind.SEARCH, Kind.READ, Kind.RUN):
            continue
        if base[:1] not in (action.result or ""):
            continue
        for word in dict.fromkeys(_WORD.findall(plain(action.result or "")[:_LISTED])):
            name = _last_part(word.rstrip(_ENDS))
            if name == base:
                return None
            if name[:1] == base[:1] and abs(len(name) - len(base)) <= 3 and alike(name, base, _NEAR):
                found[name] = Shown(sent, word.rstrip(_ENDS), action.step)
    if len(found) != 1:
        return None
    ((name, shown),) = found.items()
    return shown if re.sub(r"\d", "", name) != re.sub(r"\d", "", base) else None


def said_otherwise(failing: Sequence[Action], known: Sequence[Action]) -> tuple[Shown, list[int]] | None:
    """The name that the agent gives in its words before two failing calls at least, where each of them sends another
    one that isn't there; with these steps. A result had shown the name, which only differs in one part."""
    steps: dict[tuple[str, str], list[int]] = {}
    for action in failing:
        sent = missing_name(action)
        if sent is None or not action.said:
            continue
        calls = "\n".join(_sent(action))
        for named in _named(action.said):
            if not _holds(calls, named) and _one_part_differs(named, sent) and _means(action.said, named, sent):
                steps.setdefault((named, sent), []).append(action.step)
    for (named, sent), places in sorted(steps.items(), key=lambda entry: -len(entry[1])):
        if len(places) < 2:
            return None
        shown = next(
            (
                action.step
                for action in _results(known, places[-1])
                if _last_part(named) in (action.result or "")
                and _holds(plain(action.result or "")[:_MOST], _last_part(named))
            ),
            None,
        )
        if shown is not None:
            return Shown(sent, named, shown), places
    return None


def is_searched(sent: str, known: Sequence[Action], until: int) -> bool:
    """Whether a step before looked for the name, or a result shows it."""
    base = _last_part(sent)
    return any(
        base in (action.result or "") or (action.kind is Kind.SEARCH and any(base in text for text in _sent(action)))
        for action in known
        if action.step < until and action.failure is None
    )


def _results(known: Sequence[Action], until: int) -> Iterator[Action]:
    """The last steps before one that returned something and didn't fail."""
    for action in known:
        if (
            until - _MOST_STEPS <= action.step < until
            and action.failure is None
            and action.status is not Status.ERROR
            and action.result
        ):
            yield action


def _sent(action: Action) -> list[str]:
    """The texts of a call."""
    if action.operation.command is not None:
        return [action.operation.command]
    if isinstance(action.arguments, str):
        return [action.arguments]
    texts = (value for value in action.arguments.values() if isinstance(value, str))
    return [*texts, action.operation.path or ""]


def _named(said: str) -> list[str]:
    """The names in code marks or quotation marks in what the agent says, and its paths."""
    marked = [text for found in _MARKED.findall(said[:4_000]) for text in found if text and " " not in text]
    plain_words = [word.rstrip(_ENDS) for word in _WORD.findall(said[:4_000])]
    return list(dict.fromkeys([*marked, *(word for word in plain_words if "/" in word.strip("/"))]))


def _means(said: str, named: str, sent: str) -> bool:
    """Whether the agent's words have a name for what the call is to have: what is sent isn't among them, or only in
    another sentence, which says that it's wrong or isn't there."""
    parts = [part for part in _SENTENCES.split(said[:4_000]) if _holds(part, sent.rstrip("/"))]
    return all(_WRONG.search(part) is not None and not _holds(part, named.rstrip("/")) for part in parts)


def _one_part_differs(named: str, sent: str) -> bool:
    """Whether two names have equally many parts, of which one differs but begins alike."""
    one, other = _trimmed(named).split("/"), _trimmed(sent).split("/")
    differing = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or len(differing) != 1:
        return False
    ((a, b),) = differing
    return a[:3].lower() == b[:3].lower() and min(len(a), len(b)) >= _SHORTEST


def _paths_to(base: str, result: str) -> Iterator[str]:
    """The paths of a result whose last part is `base`, with a folder before it."""
    text, at = (plain(result)[:_MOST] if base in result else ""), -1
    while (at := text.find(base, at + 1)) >= 0:
        end = at + len(base)
        follows = text[end : end + 1]
        if text[at - 1 : at] != "/" or (follows and follows not in _EDGES + "/\\"):
            continue
        if follows == "/" and text[end + 1 : end + 2] not in ("", *_EDGES):
            continue
        start = at
        while start and text[start - 1] not in _EDGES:
            start -= 1
        path = text[start:end]
        if "://" not in path and _trimmed(path) != base:
            yield path


def _failed_with(path: str, known: Sequence[Action]) -> bool:
    return any(
        action.failure is not None and any(path in text for text in _sent(action)) and missing_name(action) is not None
        for action in known
    )


def _holds(text: str, word: str) -> bool:
    """Whether a text holds a word that isn't a part of a longer name."""
    at = -1
    while (at := text.find(word, at + 1)) >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(word) : at + len(word) + 1]
        if not _goes_on(before) and (not _goes_on(after) or word.endswith("/")):
            return True
    return False


def _goes_on(letter: str) -> bool:
    return letter.isalnum() or letter in ("_", "-") if letter else False


def _last_part(path: str) -> str:
    return _trimmed(path).rsplit("/", 1)[-1]


def _trimmed(path: str) -> str:
    return path.removeprefix("./").rstrip("/")
