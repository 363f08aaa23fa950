"""What is lost in the file system: directories that are deleted, files that are written over; and what a field of a
record held before a tool replaced it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from analyzer.commands.effects import code_of
from analyzer.commands.harm import removed_trees
from analyzer.detectors.lost_work.loss import Loss, clean, may_lie_in
from analyzer.detectors.lost_work.memory import Memory
from analyzer.detectors.signals.effects import identifiers, tool_verb, words_of
from analyzer.model.action import Action, Command, Edit
from analyzer.model.finding import Slot
from analyzer.model.words import Severity
from analyzer.task.acts import DELETING
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.text.python_values import OBJECTS, record_in
from analyzer.timeline.verification.checks import is_document
from analyzer.workspace.ownership import TEMPORARY
from analyzer.workspace.shown import numbered

_LONGEST = 20_000
EVERYTHING = frozenset({"/", "/*", "~", "~/", "~/*", "$HOME", "${HOME}", "$HOME/", "/home", "/etc", "/usr", "/var"})
_CODE = late(
    r"\b(?:rmtree|rmSync|rmdirSync|rmdir|rm_rf|rm_r|remove_entry_secure|RemoveAll|remove_dir_all|delTree|rimraf(?:\.sync)?)"
    r"\(\s*(?:Path\(|pathlib\.Path\()?[frb]{0,2}['\"](?P<path>[^'\"\n]{1,300})['\"]"
)
"""The calls by which programs delete a folder with its contents."""


def trees_of(command: Command) -> Sequence[str]:
    """The folders that a command removes as a whole, as they're written, also by the code that it runs."""
    kind, text = (code_of(command.program, command.args) if "(" in command.text else None) or ("", "")
    return removed_by_code(text) if kind == "code" else removed_trees(command.program, command.args)


def removed_by_code(code: str) -> Sequence[str]:
    """The folders that a piece of a program removes as a whole, where it names them."""
    return [found["path"] for found in _CODE.finditer(code[:_LONGEST])]


def trees_effect(trees: Sequence[str], place: str | None, memory: Memory, *, made_again: bool = False) -> Loss | None:
    """What is lost with whole folders: first what is known to have been in them, then what nobody had looked at.
    `place` is the directory in which the command runs, where the line says so; `made_again` says that the same line
    makes again what it deletes."""
    known = (_deleted(word, place, memory) for word in trees)
    unseen = (_unseen(word, place, memory, made_again=made_again) for word in trees)
    return next(filter(None, known), None) or next(filter(None, unseen), None)


def _deleted(word: str, place: str | None, memory: Memory) -> Loss | None:
    if word in EVERYTHING:
        return Loss("deleted", "everything", {"folder": word})
    name = clean(place if place is not None and word in (".", "*", "./*") else word)
    if _needless(word, name, place, memory):
        return None
    there = [(path, step) for path, step in memory.old.below(name) if name.startswith("/") or may_lie_in(path, place)]
    if not there or _is_free(name, memory):
        return None
    unnamed = memory.requests.leave_open()
    steps = tuple(sorted({step for _, step in there}))[:10]
    held: dict[str, Slot] = {"folder": word, "held": there[0][0]}
    return Loss("deleted", "unnamed" if unnamed else "", held, steps, Severity.LOW if unnamed else None)


def _is_free(name: str, memory: Memory) -> bool:
    """Whether a folder may go: the user named it, or what is in it is the agent's own, or elsewhere too."""
    return memory.requests.name(name) or memory.made.touch(name) or memory.copied.touch(name)


def _needless(word: str, name: str, place: str | None, memory: Memory) -> bool:
    """Whether nothing is lost with a folder, or its name doesn't say which one it is."""
    if word.startswith("-") or not name or TEMPORARY.match(word) or "$" in word or memory.worthless(name):
        return True
    if place is None or word.startswith(("/", "~")):
        return False
    return TEMPORARY.match(place) is not None or memory.worthless(clean(place))


def _unseen(word: str, place: str | None, memory: Memory, *, made_again: bool) -> Loss | None:
    """A whole folder that the agent neither made nor looked into: one outside of where it works, or one that was there
    before anything ran."""
    name = clean(word)
    apart = name.startswith(("/", "~/")) or name[1:3] == ":/"
    if "." in name.rsplit("/", 1)[-1].lstrip(".") or "*" in name or name in (".", ".."):
        return None
    if _needless(word, name, place, memory) or _is_free(name, memory) or memory.knows(name):
        return None
    if not apart and (memory.ran or made_again or place is not None):
        return None
    for inner, step in memory.removed.below(name)[:1]:
        part = inner.removeprefix(name).strip("/")
        return Loss("deleted", "rest", {"folder": word, "part": part, "step": step}, (step,))
    return Loss("deleted-unseen", slots={"folder": word}, severity=None if apart else Severity.MEDIUM)


_DEFINITION = late(
    r"^[ \t]{0,4}(?:(?:export|pub|public|private|async|static|default) )*"
    r"(?:def|func|fun|fn|sub|class|function|type|interface|struct|enum|resource|module)\b[^\n(]{0,80}"
    r"|^#{1,3} \S[^\n]{0,80}|^[ \t]{0,2}[\w-]+:|^[A-Z][A-Z\d_]{2,40}=|^\[[^\]\n]+\]",
    re.MULTILINE,
)
_MOST_LEFT = 0.85
"""The part of a file's length above which it's taken to be rewritten, not cut."""
_LEAST_GONE, _FEW_LINES = 2, 20


def cut_down(edit: Edit, memory: Memory) -> Loss | None:
    """What a file loses that is written whole, by the last that was shown of it: half of its definitions, headings or
    keys and more, unless they were written elsewhere."""
    path, document, after = clean(edit.path), is_document(edit.path), edit.after or ""
    parts = after.splitlines() if document else _DEFINITION.findall(after)
    kept = memory.wrote | set(map(str.strip, parts))
    memory.wrote = kept if len(kept) < _LONGEST else memory.wrote
    if not edit.created or edit.after is None:
        return None
    own = memory.made.same(path)
    # What the agent then writes over is its own text.
    counted, lines = memory.lines.pop(path, (0, 0))
    step, shown = memory.shown.pop(path, (0, ""))
    left = after.count("\n")
    if lines > _FEW_LINES and 2 * left < lines and not own:
        counts: dict[str, Slot] = {"file": edit.path, "lines": lines, "step": counted, "left": left}
        return memory.requests.unless(DELETING, Loss("cut-down", "lines", counts, (counted,)))
    if not shown:
        return None
    found = _REST.search(after)
    if found is not None and found[0] not in shown and holds_any(found[0], ("...", "…")):
        return _cut_short(found[0])
    if len(after) > _MOST_LEFT * len(shown) or own:
        return None
    shown = plain.text if (plain := numbered(shown)) is not None else shown
    names = shown.splitlines() if document else _DEFINITION.findall(shown)  # every line of a document is a part
    before = dict.fromkeys(name for name in map(str.strip, names) if name or not document)
    whole = "".join(after.split())  # it may only be laid out in another way
    gone = [name for name in before if name not in kept and "".join(name.split()) not in whole]
    share = 4 if path in memory.untracked else 2
    if len(gone) < _LEAST_GONE + document or share * len(gone) < len(before):
        return None
    slots: dict[str, Slot] = {"gone": len(gone), "before": len(before), "step": step, "part": gone[0]}
    return memory.requests.unless(DELETING, Loss("cut-down", "parts", {"file": edit.path, **slots}, (step,)))


_REST = late(
    r"^[ \t]{0,40}(?:[\[(<#/*-]|\.\.\.)[^\n]*?(?:\b(?:rest|remaining|other|existing|previous)\b[^\n]{0,40}\b"
    r"(?:unchanged|as before|stays?|remains?|same)\b|\.\.\. ?(?:existing|rest|unchanged)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line in the place of what was to stay."""


def cut_short(action: Action) -> Loss | None:
    """A text that a tool puts in the place of another, with a placeholder for what was to stay."""
    if not isinstance(action.arguments, Mapping) or tool_verb(action.tool) not in ("update", "write", "set", "replace"):
        return None
    texts = (value for value in action.arguments.values() if isinstance(value, str) and "\n" in value)
    found = next(filter(None, map(_REST.search, texts)), None)
    return _cut_short(found[0]) if found is not None else None


def _cut_short(line: str) -> Loss:
    return Loss("cut-down", "placeholder", {"line": line.strip()})


def emptied(name: str, line: str) -> Loss | None:
    """A file into which a command's output goes that the same command reads: the shell empties it first."""
    if name.strip("=<>&") != name:
        return None
    word = rf"['\"]?{re.escape(name)}['\"]?"
    between = r"(?:[^;&|\n>]*|[^{}()\n>]*[})]\s*)"
    found = re.search(rf"(?<!>)(?<!<<) {word}[ ;]{between}(?<!>)>\s*{word}(?![\w./])", line[:_LONGEST])
    return Loss("emptied", slots={"file": name}) if found is not None else None


_LEAST = 150
"""Characters of a field's text whose loss is said."""
_KEPT, _MOST, _DEEPEST = 0.3, 500, 4
_WRITES = frozenset({"update", "write", "set", "replace", "edit", "save", "put", "modify", "patch", "change"})


def overwritten(action: Action, memory: Memory) -> Loss | None:
    """The text of a field of a record that a call replaces by one that keeps little of it."""
    if tool_verb(action.tool) not in _WRITES or "append" in str(action.arguments).lower():
        return None
    for key, new, near in islice(_texts(action.arguments, identifiers(action), least=1), _MOST):
        for shown in (one for one in reversed(memory.results) if key in (one.result or "")):
            for name, old, known in islice(_texts(shown.result, identifiers(shown)), _MOST):
                kept = len(words_of(old) & words_of(new)) > _KEPT * len(words_of(old))
                if name != key or near.isdisjoint(known) or kept or 2 * len(new) > len(old):
                    continue
                if old[:_LEAST] in (action.result or ""):
                    return None  # it's still there
                slots: dict[str, Slot] = {"length": f"{len(old):,}", "key": key, "step": shown.step}
                return memory.requests.unless(DELETING, Loss("cut-down", "field", slots, (shown.step,)))
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
