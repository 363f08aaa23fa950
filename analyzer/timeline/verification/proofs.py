"""What the checks of a session prove about the code on which they ran."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from analyzer.commands.kinds import script
from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.timeline.calls.judging import can_judge
from analyzer.timeline.calls.piped import openness, same_check
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.named_checks import named_by_user
from analyzer.timeline.verification.proof import NO_SYMPTOM, Proof, proof_of, speaks, written_by
from analyzer.timeline.verification.task_code import TaskCode

_RUNS = frozenset({Kind.RUN, Kind.TEST})


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
        if action.failure is not None or action.status is not Status.OK:
            return None
        if not can_judge(action):
            return None
        place = self._failed_on_original(action)
        if place is None:
            return None
        found, call = self._actions[place], same_check(action)
        end = self._places.get(id(action), len(self._actions))
        unseen = found.keys.call != action.keys.call and openness(action) < openness(found) and not speaks(action)
        if unseen:
            return None
        scripts = [name for entry in action.operation.commands if (name := script(entry))]
        return None if self._edited_between(scripts, call, place, end) else found

    def _failed_on_original(self, action: Action) -> int | None:
        """The place of the last run of the same check on the original code before an action, if it failed."""
        place = self._last_on_original(action)
        failure = self._actions[place].failure if place is not None else None
        return None if failure is None or failure.kind in NO_SYMPTOM else place

    def _last_on_original(self, action: Action) -> int | None:
        """The place of the last run of the same check on the original code before an action."""
        call = same_check(action)
        same = self._runs.get(call, ()) if call else ()
        end = self._places.get(id(action), len(self._actions))
        original = (
            place
            for place in reversed(same[: bisect_left(same, end)])
            if self._delivery.on_original(self._actions[place])
        )
        return next(original, None)

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
