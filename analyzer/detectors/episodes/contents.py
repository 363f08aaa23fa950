"""The content track: a file's content flips back and forth or grows by the same text, or unchanged content is read
again and again.

Back and forth (A -> B -> A -> B) means that an edit puts back what the one before it on the same file had replaced, or
that a revert does, three changes in a row. Growing means that the very same insertion is accepted three times, whatever
the tool shows of the file each time. Reading again counts from the fourth time within a few steps, with nothing edited
in between; reads that follow each other directly are seen on the call track already.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.git import git_call
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import INSERTED, MOST_LIVE, Recurring, Stretch
from analyzer.model.action import Action, Edit
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, LoopKind
from analyzer.text.names import digest

_GAP_EDITS = 25
"""How many actions may lie between two changes of a file that flips back and forth."""
_READ = 6, LoopKind.RE_READ, "re-read"
_PUT = 12, LoopKind.REPEATED_CALL, INSERTED
"""How many actions may lie between two reads of the same content, or two insertions of the same text, and what that
is."""
_SHORTEST_PUT = 12
"""Characters of a text below which putting it in again means nothing."""
_READS = 4
"""How often the same content must be read before it's said to be read again and again."""
_MOST = 200
"""Files that are followed at once."""
_SHORTEST = 80
"""Characters of a content below which reading it again costs nothing."""


class _Chain(Struct):
    """Changes of one file, each the inverse of the one before it."""

    before: str
    after: str
    position: int
    actions: list[Action]
    stretch: Stretch | None = None


class ContentTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._rounds = rounds
        self._live = lane_context.live
        self._position = -1
        self._chains: dict[str, _Chain] = {}
        self._contents: dict[str, str] = {}
        self._reads: dict[str, Recurring] = {}
        self._puts: dict[str, Recurring] = {}

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        if unit.after_user or unit.compacted_before:
            self._reads.clear()
        if unit.failure is None:
            if unit.operation.edits or unit.kind is Kind.EDIT:
                self._reads.clear()
            elif unit.kind is Kind.READ and unit.operation.path and unit.result and len(unit.result) >= _SHORTEST:
                yield from self._again(self._reads, unit, unit.keys.outcome, max(_READS, self._rounds), _READ)
            if (path := _reverted(unit)) is not None:
                self._puts.clear()
                yield from self._revert(path, unit)
            elif len(unit.operation.edits) == 1:
                yield from self._edited(unit.operation.edits[0], unit)
            else:
                for edit in unit.operation.edits:
                    self._chains.pop(edit.path, None)

    def _edited(self, edit: Edit, unit: Action) -> Iterator[Stretch]:
        after = edit.after or ""
        if not edit.created and len(after) >= _SHORTEST_PUT and (edit.before or "") in after:
            yield from self._again(self._puts, unit, "", self._rounds, _PUT)
        if (change := self._change(edit)) is None:
            self._chains.pop(edit.path, None)
        else:
            yield from self._changed(edit.path, *change, unit)

    def _change(self, edit: Edit) -> tuple[str, str] | None:
        """What an edit replaced and what it put there, as digests; None where the call doesn't show both or they're
        equal."""
        if edit.created and edit.after is not None:
            before = self._contents.get(edit.path)
            after = self._contents[edit.path] = digest(edit.after)
            if len(self._contents) > _MOST:
                self._contents.pop(next(iter(self._contents)))
        else:
            self._contents.pop(edit.path, None)
            if not edit.before or edit.after is None:
                return None
            before, after = digest(edit.before.strip()), digest(edit.after.strip())
        return (before, after) if before is not None and before != after else None

    def _changed(self, path: str, before: str, after: str, unit: Action) -> Iterator[Stretch]:
        chain = self._chains.get(path)
        inverse = chain is not None and (before, after) == (chain.after, chain.before)
        if chain is None or not inverse or self._position - chain.position > _GAP_EDITS or unit.after_user:
            if len(self._chains) > _MOST:
                self._chains.pop(next(iter(self._chains)))
            self._chains[path] = _Chain(before, after, self._position, [unit])
            return
        chain.before, chain.after, chain.position = before, after, self._position
        if len(chain.actions) < MOST_LIVE or not self._live:
            chain.actions.append(unit)
        if chain.stretch is not None:
            chain.stretch.last = unit.step
            chain.stretch.steps.append(unit.step)
        elif len(chain.actions) >= self._rounds:
            steps, calls = [one.step for one in chain.actions], {one.keys.call_masked for one in chain.actions}
            pattern, due = "back-and-forth edits", steps[-1] - steps[-2]
            chain.stretch = Stretch.of(LoopKind.OSCILLATION, steps, unit.step, calls, pattern, due=due, exact=True)
            yield chain.stretch

    def _revert(self, path: str, unit: Action) -> Iterator[Stretch]:
        for name in list(self._chains):
            if not path or name.endswith(path) or path.endswith(name):
                chain = self._chains[name]
                self._contents.pop(name, None)
                yield from self._changed(name, chain.after, chain.before, unit)

    def _again(
        self, known: dict[str, Recurring], unit: Action, content: str, rounds: int, sort: tuple[int, LoopKind, str]
    ) -> Iterator[Stretch]:
        """Count a call that comes back with the same content, at most so many actions after the last time."""
        gap, kind, pattern = sort
        before = known.get(key := unit.keys.call_masked)
        changed = before is not None and content and before.latest.keys.outcome != content
        if before is None or changed or self._position - before.position > gap + 1:
            if len(known) > _MOST:
                known.pop(next(iter(known)))
            known[key] = Recurring.of(unit, self._position)
            return
        due = before.again(unit, self._position, live=self._live)
        if before.is_due(rounds):
            yield before.open(kind, pattern, due=due)


def _reverted(unit: Action) -> str | None:
    """The file that a command takes back to its committed state, an empty string for all of them; None for other
    commands."""
    for call in filter(None, map(git_call, unit.operation.commands)):
        verb, names = call.verb, call.names
        if names and (verb == "restore" or (verb == "checkout" and "--" in call.options)):
            return "" if names[-1] in (".", ":/") else names[-1]
        if (verb == "reset" and "--hard" in call.options) or (verb == "stash" and names[:1] in ((), ("push",))):
            return ""
    return None
