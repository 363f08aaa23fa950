"""What the checks of a session prove about the code on which they ran, and what else is worked out of a timeline as a
whole.

What a check has of the code that the user gave: names that it uses, and lines that it repeats.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property

from analyzer.commands.runners import script
from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.task.names import names_of
from analyzer.text.late import late
from analyzer.timeline.calls.judging import can_judge, openness, same_check
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.spending import Pauses
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.checks import named_by_user
from analyzer.timeline.verification.proof import NO_SYMPTOM, Proof, proof_of, speaks, written_by

_SHORTEST_NAME = 4
_LINE = 6
"""Characters from which on a line of code is more than a bracket or a keyword."""
_LEAST_GIVEN = 3
"""Lines of a script that the user gave from which on it's the user's code."""
_PROMPT = late(r"^\s*(?:(?:>>>|\.\.\.|In \[\d+\]:|>|\$)\s?)+")
"""What a shell or a quotation puts before a line."""
_RUNS = frozenset({Kind.RUN, Kind.TEST})


class TaskCode:
    """The code in what the user asked for, against the files that the agent wrote, with what it wrote last."""

    def __init__(self, asked: str, written: Mapping[str, str]) -> None:
        self._asked = asked
        self._written = written

    def is_used_by(self, action: Action) -> bool:
        """Whether a check uses something that the user named as code."""
        texts = [action.operation.command or "", *self._scripts(action)]
        return any(
            re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None for part in self._named for text in texts
        )

    def is_run_by(self, action: Action) -> bool:
        """Whether the script that an action runs is, in most of its lines, code that the user gave."""
        texts = self._scripts(action)
        lines = [words for text in texts for line in text.splitlines() if len(words := " ".join(line.split())) >= _LINE]
        given = sum(line in self._lines for line in lines)
        return given >= _LEAST_GIVEN and given * 2 > len(lines)

    def _scripts(self, action: Action) -> Iterator[str]:
        """The texts of the agent's scripts that an action runs."""
        names = [name for entry in action.operation.commands if (name := script(entry))]
        return (text for path, text in self._written.items() if any(same_file(path, name) for name in names))

    @cached_property
    def _lines(self) -> frozenset[str]:
        """The lines of what the user asked for, without the marks of a prompt or a quotation before them."""
        return frozenset(" ".join(_PROMPT.sub("", line).split()) for line in self._asked.splitlines())

    @cached_property
    def _named(self) -> list[str]:
        """The symbols in the user's words, each by its last part."""
        symbols = names_of(self._asked).symbols
        return [part for name in symbols if len(part := re.split(r"\.|::|#", name)[-1]) >= _SHORTEST_NAME]


class Proofs:
    """What the actions of the main lane prove about the code on which they ran."""

    def __init__(self, timeline: Timeline, delivery: Delivery) -> None:
        self._delivery = delivery
        self._actions = [action for action in timeline.lane(MAIN_LANE) if not action.harness]
        self._asked = asked_for(timeline)
        self._written = written_by(self._actions, delivery.made if timeline.history is not None else None)
        self._made: dict[int, Proof] = {}

    def of(self, action: Action) -> Proof:
        """What one action proves."""
        key = id(action)
        if key not in self._made:
            proof = proof_of(action, self._written, self._asked)
            if proof < Proof.TURNED and action.kind in _RUNS and self.failed_before(action) is not None:
                proof = Proof.TURNED
            self._made[key] = proof
        return self._made[key]

    def is_known_check(self, action: Action) -> bool:
        """Whether a command, whatever its tool, is a check by the task, which names it, or by the session: it failed on
        the original code."""
        if action.kind is not Kind.RUN or action.harness or not can_judge(action):
            return False
        return self._failed_on_original(action) is not None or named_by_user(action, self._asked)

    def failed_before(self, action: Action) -> Action | None:
        """The last run of the same check on the original code, if that failed and this one doesn't; None otherwise.
        What only records or transfers judges nothing."""
        if action.failure is not None or action.status is not Status.OK or not can_judge(action):
            return None
        place = self._failed_on_original(action)
        if place is None:
            return None
        found, call = self._actions[place], same_check(action)
        end = self._places.get(id(action), len(self._actions))
        if found.keys.call != action.keys.call and openness(action) < openness(found) and not speaks(action):
            return None
        scripts = [name for entry in action.operation.commands if (name := script(entry))]
        return None if self._edited_between(scripts, call, place, end) else found

    def _failed_on_original(self, action: Action) -> int | None:
        """The place of the last run of the same check on the original code before an action, if it failed."""
        call = same_check(action)
        same = self._runs.get(call, ()) if call else ()
        earlier = reversed(same[: bisect_left(same, self._places.get(id(action), len(self._actions)))])
        place = next((place for place in earlier if self._delivery.on_original(self._actions[place])), None)
        failure = self._actions[place].failure if place is not None else None
        # What a server answers comes from its code, unlike an address that isn't reached.
        return None if failure is None or (failure.kind in NO_SYMPTOM and failure.type != "HttpError") else place

    def _edited_between(self, scripts: list[str], call: str, start: int, end: int) -> bool:
        """Whether an action between two places, other than this call, edits one of the scripts."""
        return any(
            same_file(path, name)
            for name in scripts
            for place, path in self._edits.get(last_part(name), ())
            if start < place < end and same_check(self._actions[place]) != call
        )

    @cached_property
    def _places(self) -> dict[int, int]:
        return {id(action): place for place, action in enumerate(self._actions)}

    @cached_property
    def _runs(self) -> dict[str, list[int]]:
        """Where each call stands among the actions."""
        found: dict[str, list[int]] = {}
        for place, action in enumerate(self._actions):
            found.setdefault(same_check(action), []).append(place)
        return found

    @cached_property
    def _edits(self) -> dict[str, list[tuple[int, str]]]:
        """The places of the edits with the edited file, by its last part, which two spellings of one file share."""
        found: dict[str, list[tuple[int, str]]] = {}
        for place, action in enumerate(self._actions):
            for edit in action.operation.edits:
                found.setdefault(last_part(edit.path), []).append((place, edit.path))
        return found

    @cached_property
    def task_code(self) -> TaskCode:
        """The code that the user gave, against what the checks run."""
        return TaskCode(self._asked, self._written)


class SharedFacts:
    """A timeline with the answers for which all of its steps have to be followed. They aren't kept on the timeline,
    which they refer to."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    @cached_property
    def pauses(self) -> Pauses:
        """The waits between two turns."""
        return Pauses(self.timeline.session, self.timeline.actions)

    @cached_property
    def delivery(self) -> Delivery:
        """What is left of the changes, and which actions ran on it."""
        return Delivery(self.timeline)

    @cached_property
    def proofs(self) -> Proofs:
        """What the actions of the main lane prove."""
        return Proofs(self.timeline, self.delivery)
