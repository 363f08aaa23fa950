"""What is lost in the file system: directories that are deleted, files that are written over; and what a field of a
record held before a tool replaced it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from analyzer.detectors.lost_work.memory import Memory
from analyzer.detectors.lost_work.paths import clean, may_lie_in, trees_of
from analyzer.detectors.lost_work.requests import DestructiveEffect, UserRequests
from analyzer.detectors.signals.effects import identifiers, tool_verb, words_of
from analyzer.model.action import Action, Command, Edit
from analyzer.model.words import Severity
from analyzer.task.acts import DELETING
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any
from analyzer.text.python_values import OBJECTS, record_in
from analyzer.timeline.verification.checks import is_document
from analyzer.workspace.ownership import TEMPORARY
from analyzer.workspace.shown import numbered

_LONGEST = 20_000
EVERYTHING = frozenset({"/", "/*", "~", "~/", "~/*", "$HOME", "${HOME}", "$HOME/", "/home", "/etc", "/usr", "/var"})


def file_effect(
    command: Command, place: str | None, memory: Memory, requests: UserRequests, *, made_again: bool = False
) -> DestructiveEffect | None:
    """What a command deletes. `place` is the directory in which it runs, where the line says
    so; `made_again` says that the same line makes again what it deletes."""
    return trees_effect(trees_of(command), place, memory, requests, made_again=made_again)


def trees_effect(
    trees: Iterable[str], place: str | None, memory: Memory, requests: UserRequests, *, made_again: bool = False
) -> DestructiveEffect | None:
    """What is lost with whole folders: first what is known to have been in them, then what nobody had looked at."""
    trees = list(trees)
    known = next((effect for word in trees if (effect := _deleted(word, place, memory, requests))), None)
    if known is not None:
        return known
    unseen = (_unseen(word, place, memory, requests, made_again=made_again) for word in trees)
    return next((effect for effect in unseen if effect is not None), None)


def _deleted(word: str, place: str | None, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    if word in EVERYTHING:
        advice = f"Name the directory to delete instead of {code(word)}."
        return DestructiveEffect("deleted", Severity.HIGH, f"{word} is deleted with everything in it", advice)
    name = clean(place if place is not None and word in (".", "*", "./*") else word)
    if _needless(word, name, place, memory):
        return None
    there = [(path, step) for path, step in memory.old.below(name) if name.startswith("/") or may_lie_in(path, place)]
    if not there or requests.name(name) or memory.made.touch(name) or memory.copied.touch(name):
        return None
    what = f"{word} is deleted, which held {there[0][0]} before the agent started"
    steps = tuple(sorted({step for _, step in there}))[:10]
    if requests.leave_open():
        asked = f"{what}; the user had asked for a removal and named no folder"
        return DestructiveEffect("deleted", Severity.LOW, asked, f"Ask whether {code(word)} is meant.", steps)
    advice = f"Delete what you made in {code(word)} by name, or move {code(word)} aside."
    return DestructiveEffect("deleted", Severity.HIGH, what, advice, steps)


def _needless(word: str, name: str, place: str | None, memory: Memory) -> bool:
    """Whether nothing is lost with a folder, or its name doesn't say which one it is."""
    if word.startswith("-") or not name or TEMPORARY.match(word) or "$" in word or memory.worthless(name):
        return True
    relative = place is not None and not word.startswith(("/", "~"))
    return place is not None and relative and (TEMPORARY.match(place) is not None or memory.worthless(clean(place)))


def _unseen(
    word: str, place: str | None, memory: Memory, requests: UserRequests, *, made_again: bool
) -> DestructiveEffect | None:
    """A whole folder that the agent neither made nor looked into: one outside of where it works, or one that was there
    before anything ran."""
    name = clean(word)
    apart = name.startswith(("/", "~/")) or name[1:3] == ":/"
    ending = "." in name.rsplit("/", 1)[-1].lstrip(".")
    if ending or _needless(word, name, place, memory) or name in (".", "..") or "*" in name:
        return None
    if requests.name(name) or memory.made.touch(name) or memory.copied.touch(name) or memory.knows(name):
        return None
    if not apart and (memory.ran or made_again or place is not None):
        return None
    part = memory.removed.below(name)
    if part:
        inner, step = part[0]
        what = (
            f"the whole folder is deleted, of which step {step} had removed {inner.removeprefix(name).strip('/')} only"
        )
        return DestructiveEffect("deleted", Severity.HIGH, what, _look_first(word), (step,))
    what = "the folder is deleted whole, and nothing had shown what it holds"
    return DestructiveEffect("deleted-unseen", Severity.HIGH if apart else Severity.MEDIUM, what, _look_first(word))


def _look_first(word: str) -> str:
    return f"List {code(word)} before it's deleted, and delete by name what the session made."


_DEFINITION = late(
    r"^[ \t]{0,4}(?:(?:export|pub|public|private|async|static|default) )*"
    r"(?:def|func|fun|fn|sub|class|function|type|interface|struct|enum|resource|module)\b[^\n(]{0,80}"
    r"|^#{1,3} \S[^\n]{0,80}|^[ \t]{0,2}[\w-]+:|^[A-Z][A-Z\d_]{2,40}=|^\[[^\]\n]+\]",
    re.MULTILINE,
)
_MOST_LEFT = 0.85
"""The part of a file's length above which it's taken to be rewritten, not cut."""
_LEAST_GONE, _FEW_LINES = 2, 20


def cut_down(edit: Edit, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    """What a file loses that is written whole, by the last that was shown of it: half of its definitions, headings or
    keys and more, unless they were written elsewhere."""
    step, shown = memory.shown.get(clean(edit.path), (0, ""))
    parts = (edit.after or "").splitlines() if is_document(edit.path) else _DEFINITION.findall(edit.after or "")
    kept = memory.wrote | set(map(str.strip, parts))
    memory.wrote = kept if len(kept) < _LONGEST else memory.wrote
    if edit.created and edit.after is not None and not memory.made.same(clean(edit.path)):
        counted, lines = memory.lines.get(clean(edit.path), (0, 0))
        left = edit.after.count("\n")
        if lines > _FEW_LINES and 2 * left < lines:
            what = f"of the {lines} lines that step {counted} counts {left} are left"
            advice = f"Bring back what {code(edit.path)} held, and add to it."
            return requests.unless(DELETING, DestructiveEffect("cut-down", Severity.MEDIUM, what, advice, (counted,)))
    if not shown or not edit.created or edit.after is None:
        return None
    found = _REST.search(edit.after)
    if found is not None and found[0] not in shown and holds_any(found[0], ("...", "…")):
        return _cut_short(found[0])
    if len(edit.after) > _MOST_LEFT * len(shown):
        return None
    shown = plain.text if (plain := numbered(shown)) is not None else shown
    if is_document(edit.path):  # every line of it is a part
        before = dict.fromkeys(filter(None, map(str.strip, shown.splitlines())))
    else:
        before = dict.fromkeys(map(str.strip, _DEFINITION.findall(shown)))
    whole = "".join(edit.after.split())  # it may only be laid out in another way
    gone = [name for name in before if name not in kept and "".join(name.split()) not in whole]
    if (
        len(gone) < _LEAST_GONE + is_document(edit.path)
        or (2 if clean(edit.path) not in memory.untracked else 4) * len(gone) < len(before)
        or memory.made.same(clean(edit.path))
    ):
        return None
    what = f"{len(gone)} of its {len(before)} parts that step {step} shows are gone, such as {code(clip(gone[0], 60))}"
    advice = f"Bring back what {code(edit.path)} held, and change it by parts."
    return requests.unless(DELETING, DestructiveEffect("cut-down", Severity.MEDIUM, what, advice, (step,)))


_REST = late(
    r"^[ \t]{0,40}(?:[\[(<#/*-]|\.\.\.)[^\n]*?(?:\b(?:rest|remaining|other|existing|previous)\b[^\n]{0,40}\b"
    r"(?:unchanged|as before|stays?|remains?|same)\b|\.\.\. ?(?:existing|rest|unchanged)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line in the place of what was to stay."""


def cut_short(action: Action) -> DestructiveEffect | None:
    """A text that a tool puts in the place of another, with a placeholder for what was to stay."""
    if not isinstance(action.arguments, Mapping) or tool_verb(action.tool) not in ("update", "write", "set", "replace"):
        return None
    texts = (value for value in action.arguments.values() if isinstance(value, str) and "\n" in value)
    found = next(filter(None, map(_REST.search, texts)), None)
    return _cut_short(found[0]) if found is not None else None


def _cut_short(line: str) -> DestructiveEffect:
    what = f"the text holds {code(clip(line.strip(), 60))} in the place of what was there"
    return DestructiveEffect("cut-down", Severity.MEDIUM, what, "Send the whole text, with all that is to stay.")


def emptied(name: str, line: str) -> DestructiveEffect | None:
    """A file into which a command's output goes that the same command reads: the shell empties it first."""
    if name.strip("=<>&") != name:
        return None
    word = rf"['\"]?{re.escape(name)}['\"]?"
    between = r"(?:[^;&|\n>]*|[^{}()\n>]*[})]\s*)"
    if re.search(rf"(?<!>)(?<!<<) {word}[ ;]{between}(?<!>)>\s*{word}(?![\w./])", line[:_LONGEST]) is None:
        return None
    what = "the shell empties the file before the command reads it"
    return DestructiveEffect("emptied", Severity.HIGH, what, f"Write to another file, then move it over {code(name)}.")


_LEAST, _LONGEST_RESULT = 150, 50_000
"""Characters of a field's text whose loss is said, and of a result that is read."""
_KEPT, _MOST, _REMEMBERED, _DEEPEST = 0.3, 500, 50, 4
_WRITES = frozenset({"update", "write", "set", "replace", "edit", "save", "put", "modify", "patch", "change"})


class Fields:
    """The fields of records that the last results of tools showed, which are read once something is written."""

    def __init__(self) -> None:
        self._shown: deque[Action] = deque(maxlen=_REMEMBERED)

    def note(self, action: Action) -> None:
        """Take what a result shows."""
        if action.operation.command is None and _LEAST < len(action.result or "") < _LONGEST_RESULT:
            self._shown.append(action)

    def overwritten(self, action: Action, requests: UserRequests) -> DestructiveEffect | None:
        """The text of a field that a call replaces by one that keeps little of it."""
        if tool_verb(action.tool) not in _WRITES or "append" in str(action.arguments).lower():
            return None
        for key, new, near in islice(_texts(action.arguments, identifiers(action), least=1), _MOST):
            for shown in (one for one in reversed(self._shown) if key in (one.result or "")):
                for name, old, known in islice(_texts(shown.result, identifiers(shown)), _MOST):
                    kept = len(words_of(old) & words_of(new)) > _KEPT * len(words_of(old))
                    if name != key or near.isdisjoint(known) or kept or 2 * len(new) > len(old):
                        continue
                    if old[:_LEAST] in (action.result or ""):
                        return None  # it's still there
                    what = f"of the {len(old):,} characters that {code(key)} held at step {shown.step} little is left"
                    advice = f"Send all that {code(key)} is to hold, with what stood there before."
                    loss = DestructiveEffect("cut-down", Severity.MEDIUM, what, advice, (shown.step,))
                    return requests.unless(DELETING, loss)
        return None


def _texts(
    value: object, near: frozenset[str], *, least: int = _LEAST, depth: int = 0
) -> Iterator[tuple[str, str, frozenset[str]]]:
    """The texts in a value, or in what a text spells in JSON or as Python does, by the names of their fields, with the
    short values that stand around each."""
    value = record_in(value) if isinstance(value, str) else value
    if isinstance(value, Mapping) and depth < _DEEPEST:
        here = near | {str(one) for one in value.values() if isinstance(one, str | int) and 2 < len(str(one)) < 60}
        for key, inner in value.items():
            if isinstance(inner, Mapping | list) or (isinstance(inner, str) and inner.lstrip()[:1] in OBJECTS):
                yield from _texts(inner, here, least=least, depth=depth + 1)
            elif isinstance(inner, str) and len(inner) >= least:
                yield str(key), inner, here
    elif isinstance(value, list) and depth < _DEEPEST:
        for one in value[:_MOST]:
            yield from _texts(one, near, least=least, depth=depth + 1)
