"""What was tried: one row per round of the main finding. The reflection that the agent never did."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from itertools import groupby

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import lines_text
from analyzer.model.action import Action, Edit
from analyzer.model.diagnosis import Attempt
from analyzer.model.words import Category, Kind, LoopKind
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.late import late
from analyzer.text.markdown import code

MOST_ROWS = 12
"""Rows that are shown; of longer loops the first eight and the last three, with the rest counted between them."""
_SENTENCE = late(r"(?<=[.!?])\s+(?=[A-Z`\"'])")
_WILL = late(r"\b(?:I'll|I will|Let me|let's|need to|going to|I should|should|must|try)\b")
_BOILERPLATE = late(r"^(?:DISCUSSION|THOUGHT|THOUGHTS|COMMAND)\b:?\s*", re.IGNORECASE)


def attempts_of(case: Case) -> list[Attempt]:
    """The attempts at getting past the main finding, in order; empty for findings that aren't loops."""
    main = case.main
    if main is None or main.category is not Category.LOOP or not main.rounds or main.kind == LoopKind.MONOLOGUE:
        return []
    ends = main.steps if case.group is not None else main.steps[(main.period or 1) - 1 :: main.period or 1]
    rows, start, before = [], main.first_step, _Tried()
    for end in ends:
        actions = [case.action(step) for step in range(start, end + 1)]
        rows.append(_row(actions, new_in(actions, before)))
        before.add(actions)
        start = end + 1
    rows = _folded(rows)
    return rows if len(rows) <= MOST_ROWS else [*rows[:8], _together(rows[8:-3]), *rows[-3:]]


class _Tried:
    """What the attempts so far have brought."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.texts: dict[object, int] = {}
        self.places: set[object] = set()
        self.calls: set[object] = set()

    def add(self, actions: list[Action]) -> None:
        """One more attempt."""
        self.paths.update(edit.path for edit in _edits(actions))
        self.places.update((edit.path, _place(edit)) for edit in _edits(actions))
        for action in actions:
            self.texts = dict.fromkeys(_texts([action]), action.step) | self.texts
        self.calls.update(action.keys.call for action in actions)


def new_in(actions: list[Action], before: _Tried) -> str:
    """What an attempt brings that those before it didn't: another file, place or call; empty for the first."""
    if not before.calls:
        return ""
    edits = _edits(actions)
    looked = [action for action in actions if action.kind in (Kind.READ, Kind.SEARCH) and action.failure is None]
    fresh = next((action for action in looked if action.keys.call not in before.calls), None)
    said: list[str] = []
    elsewhere = next((edit.path for edit in edits if edit.path not in before.paths), None)
    if elsewhere is not None:
        said.append(f"another file: {code(elsewhere, 60)}")
    elif edits:
        again = sorted({before.texts[text] for text in _texts(actions) if text in before.texts})
        if _texts(actions) <= before.texts.keys():
            said.append("the same edit again")
        elif again:
            steps = listed([str(step) for step in again[:3]])
            said.append(f"the same edit as {one_or_many(len(again[:3]), 'step')} {steps} again, and another one")
        elif not any(edit.after or edit.before for edit in edits):
            said.append("another edit of the same file")
        elif all((edit.path, _place(edit)) in before.places for edit in edits):
            said.append("other text at the same place")
        else:
            said.append("another place of the same file")
    if fresh is not None:
        said.append(f"looked at {code(clip(fresh.operation.target, 50), 50)}")
    if not edits and fresh is None:
        calls = {action.keys.call for action in actions}
        said.append("nothing" if calls <= before.calls else "another call")
    return ", ".join(said)


def _edits(actions: list[Action]) -> list[Edit]:
    return [edit for action in actions if action.kind is Kind.EDIT for edit in action.operation.edits]


def _texts(actions: list[Action]) -> set[object]:
    """The edits by what they put in for what; what a stream editor does without showing it, by its command."""
    return {
        (edit.path, edit.before, edit.after, edit.lines, "" if edit.before or edit.after else action.keys.call)
        for action in actions
        for edit in _edits([action])
    }


def _place(edit: Edit) -> object:
    if edit.lines is not None:
        return edit.lines
    return _first((edit.before or "").splitlines()) or ("whole" if edit.created else "")


def _first(lines: Iterable[str]) -> str:
    return next((line.strip() for line in lines if line.strip()), "")


def _folded(rows: list[Attempt]) -> list[Attempt]:
    """The rows with runs of three or more that say, do and bring the same as one row each."""
    found: list[Attempt] = []
    for _, group in groupby(rows, key=lambda row: (row.intent, row.change, row.new)):
        run = list(group)
        alike = len(run) > 2 and run[0].new in ("nothing", "the same edit again")
        found += [_together(run).model_copy(update={"result": run[0].result})] if alike else run
    return found


def _together(rows: list[Attempt]) -> Attempt:
    """One row for many: what they share is said, what differs from one to the next is not."""
    return Attempt(
        steps=[step for row in rows for step in row.steps],
        intent=_shared([row.intent for row in rows]),
        change=f"{len(rows)} more rounds",
        result=_shared([row.result for row in rows]),
        new=_shared([row.new for row in rows]),
    )


def _shared(texts: list[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else "…"


def _row(actions: list[Action], new: str) -> Attempt:
    said = next((action.said for action in actions if action.said), "")
    edits, last = _edits(actions), actions[-1]
    by_command = (action for action in actions if action.kind is Kind.EDIT and action.operation.command)
    silent = [action for action in by_command if not any(edit.after for edit in action.operation.edits)]
    if silent:
        change = "; ".join(dict.fromkeys(code(action.operation.command or "", 110) for action in silent[:3]))
    elif edits:
        change = "; ".join(dict.fromkeys(describe(edit) for edit in edits[:3]))
        if len(edits) > 3:
            change += f"; {plural(len(edits) - 3, 'more edit')}"
    else:
        change = clip(last.operation.target or last.tool, 120)
    result = last.failure.headline if last.failure is not None else (last.result or "nothing")
    steps = [action.step for action in actions]
    return Attempt(steps=steps, intent=intent_of(said), change=change, result=clip(result, 140), new=new)


def intent_of(said: str) -> str:
    """The sentence in which the agent says what it's going to do: the last one with a will in it, else the first."""
    text = _BOILERPLATE.sub("", said.strip())
    sentences = [clip(sentence, 200) for sentence in _SENTENCE.split(" ".join(text.split())) if sentence]
    wanted = [sentence for sentence in sentences if _WILL.search(sentence)]
    return (wanted or sentences or [""])[-1 if wanted else 0]


def describe(edit: Edit) -> str:
    """An edit in a few words: the file, the range if it names one, and the first line that it changes."""
    where = f"{code(edit.path)}" + (f" {lines_text(edit.lines)}" if edit.lines else "")
    if edit.created:
        return f"wrote {where}"
    before, after = (edit.before or "").splitlines(), (edit.after or "").splitlines()
    if not before and not after:
        return f"changed {where}"
    opcodes = difflib.SequenceMatcher(None, before, after).get_opcodes() if len(before) + len(after) < 2_000 else []
    parts = [part for tag, *part in opcodes if tag != "equal"]
    removed = _first(line for start, end, *_ in parts for line in before[start:end])
    added = _first(line for *_, start, end in parts for line in after[start:end])
    added = added or ("" if removed else _first(after))
    shown = " -> ".join(code(part, 70) for part in (removed, added) if part)
    return f"{where}: {shown}" if shown else f"changed {where}"
