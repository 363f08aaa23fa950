"""One session as columns: what was called, what came back, what each call does and what became of it.

The timeline of a session that is still going on is made one action at a time, in constant memory. Each call is judged
as in a recorded session, from what came before it. A banner that a sandbox prints before every result is not taken out
there: that it is one shows only after a while.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from functools import cached_property

from analyzer.failures import STANDARD, Groups, MaskTable, group_failures
from analyzer.failures.roles import EditedFiles
from analyzer.model.action import Action, Answer, Call, Keys
from analyzer.model.failure import FailureGroup
from analyzer.model.session import Compaction, Message, Session, ToolCall, ToolResult
from analyzer.model.struct import asdict, replace
from analyzer.model.words import Kind
from analyzer.timeline.closing.user_answers import UserAnswers
from analyzer.timeline.context import Context, StatusChecks, shown_in
from analyzer.timeline.handles import Handles
from analyzer.timeline.judgement import ANSWERED, SHOWN, Judgement, answer_of, complete, joined, judged, settled
from analyzer.timeline.keys import KeyMaker
from analyzer.timeline.origins import OriginFinder, set_origins
from analyzer.timeline.pairing import Pairing, environment_of, pair, unfinished, unpaired
from analyzer.timeline.repeats import RepeatFinder
from analyzer.timeline.results import fixed_passages, without_fixed
from analyzer.timeline.timeline import Timeline
from analyzer.workspace import History, history_of
from analyzer.workspace.written import with_texts

_MOST_FAILURES = 2_000
"""Different failures that are remembered."""
_MOST_ACTIONS = 200
"""Actions that are remembered for what they show of files."""
_MOST_EDITED = 500
_MOST_HEARD = 200
_HEAD, _TAIL = 50_000, 10_000
"""Characters of a result that are kept once it has been judged: the beginning and the end."""


class Trace:
    """The columns of one session. Entry i of each is that of the session's call i, in file order, over all lanes; each
    column is worked out once, when it's first asked for, and stays as it is."""

    def __init__(self, session: Session, masks: MaskTable = STANDARD) -> None:
        self._session = session
        self._masks = masks

    @cached_property
    def paired(self) -> Pairing:
        """The calls as the log has them, with their results."""
        return pair(self._session.events)

    @cached_property
    def _first(self) -> list[tuple[Call, Answer]]:
        """The calls, each with what came back at once, and with what it does by its own words and by these."""
        context, made, results = Context(), [], iter(self.paired.results)
        for event in self._session.events:
            if isinstance(event, Message):
                context.hear(event)
            elif isinstance(event, Compaction):
                context.compact(event.lane, by_user=event.trigger == "manual")
            elif isinstance(event, ToolCall):
                call = context.call(event)
                answer = answer_of(call, next(results))
                operation = complete(call, answer)
                made.append((call if operation is call.operation else replace(call, operation=operation), answer))
        return made

    @cached_property
    def calls(self) -> list[Call]:
        """The calls in their places, each with what it does."""
        return [call for call, _ in self._first]

    @cached_property
    def handles(self) -> Handles:
        """What ran on behind the calls, and what came of it later."""
        handles, made = Handles(), iter(self._first)
        for event in self._session.events:
            if isinstance(event, Message):
                handles.hear(event)
            elif isinstance(event, ToolCall):
                handles.take(*next(made))
        return handles

    @cached_property
    def answers(self) -> list[Answer]:
        """What came back for each call, at once or later."""
        late = self.handles.late
        return [joined(call, answer, late.get(call.place)) for call, answer in self._first]

    @cached_property
    def judgements(self) -> list[Judgement]:
        """What became of each call: by what came of it later as well, and without what its tool says in every result.
        Of what was handed in, the user's next words decide."""
        edited: dict[str, EditedFiles] = defaultdict(EditedFiles)
        first: list[Judgement] = []
        for call, answer in zip(self.calls, self.answers, strict=True):
            found = settled(call, judged(call, answer, edited[call.lane], answer.text), self.handles)
            if found.verdict.failure is None:
                for edit in call.operation.edits:
                    if edit.path:
                        edited[call.lane].add(edit.path)
            first.append(found)
        known = fixed_passages(zip(self.calls, self.answers, (found.verdict for found in first), strict=True))
        users = UserAnswers(self._session.events)
        final = []
        for call, answer, result, found in zip(self.calls, self.answers, self.paired.results, first, strict=True):
            text = without_fixed(call, answer, found.verdict, known) if known else None
            again = found
            if text is not None:
                again = settled(call, judged(call, answer, edited[call.lane], text), self.handles)
            # Without a failure in the rest, the first verdict stays, and the time is that of a call that didn't fail.
            verdict = again.verdict if again.verdict.failure is not None else found.verdict
            if verdict.decided_by == ANSWERED and shown_in(self._session, answer.text):
                verdict = replace(verdict, decided_by=SHOWN)
            final.append(replace(again, verdict=users.verdict(call, answer, result, verdict)))
        return final

    @cached_property
    def acting(self) -> list[Call]:
        """The calls; one that only asks again, or asks for another's result, waits."""
        looks: dict[str, StatusChecks] = defaultdict(StatusChecks)
        made = []
        for call, found in zip(self.calls, self.judgements, strict=True):
            waits = call.operation.kind is Kind.OTHER and found.poll is not None and not found.poll.stopped
            operation = replace(call.operation, kind=Kind.WAIT) if waits else call.operation
            operation = looks[call.lane].operation(operation, after_user=call.after_user)
            made.append(call if operation is call.operation else replace(call, operation=operation))
        return made

    @cached_property
    def groups(self) -> list[FailureGroup]:
        """The failures that are one failure again."""
        judged = zip(self.calls, [found.verdict.failure for found in self.judgements], strict=True)
        failed = [(call.step, call.lane, failure) for call, failure in judged if failure is not None]
        return group_failures(failed, self._masks)

    @cached_property
    def keys(self) -> list[Keys]:
        """What makes two calls equal."""
        keys: dict[str, KeyMaker] = defaultdict(lambda: KeyMaker(self._masks))
        return [keys[call.lane].keys(call, answer) for call, answer in zip(self.acting, self.answers, strict=True)]

    @cached_property
    def judged(self) -> list[Action]:
        """The calls with all that is known of them but the state of the files on which they ran."""
        last = unfinished(self._session.events, self.calls, self.answers)
        columns = zip(self.calls, self.acting, self.answers, self.judgements, self.keys, strict=True)
        return [
            action_of(acting, answer, found, keys, unfinished=call is last)
            for call, acting, answer, found, keys in columns
        ]

    @cached_property
    def history(self) -> History:
        """The states that the files went through."""
        return history_of(self._session, self.judged)

    @cached_property
    def actions(self) -> list[Action]:
        """The calls with all that is known of them."""
        repeats: dict[str, RepeatFinder] = defaultdict(RepeatFinder)
        placed, _ = [], self.groups  # which a failure knows before it's compared
        for action, state, taken in zip(self.judged, self.history.steps, self.history.taken, strict=True):
            found = repeats[action.lane].repeats(action, state.directory, state.changed)
            step, way = found or (None, None)
            operation = action.operation
            if operation.edits and operation.command is not None:
                operation = replace(operation, edits=with_texts(operation.edits, taken))
            where = {"state": state.before, "directory": state.directory, "operation": operation}
            placed.append(replace(action, **where, repeats_step=step, repeats_as=way))
        return placed


def action_of(call: Call, answer: Answer, found: Judgement, keys: Keys, *, unfinished: bool = False) -> Action:
    """A call as a row, with what came back and what became of it."""
    verdict = found.verdict
    return Action(
        **asdict(call),
        result=answer.text,
        blanked=answer.blanked,
        status=verdict.status,
        status_source=verdict.source,
        decided_by=verdict.decided_by,
        status_confidence=verdict.confidence,
        exit_code=answer.exit_code if found.poll is None else None,
        mark=answer.mark,
        failure=verdict.failure,
        unfinished=unfinished,
        unended=found.unended,
        duration=found.duration,
        waited=found.waited,
        score=answer.score,
        keys=keys,
    )


def build_timeline(session: Session, masks: MaskTable = STANDARD) -> Timeline:
    """The timeline of a session; `masks` say what varies by itself between two results or errors. Results that belong
    to no call are kept out and counted in the warnings."""
    trace = Trace(session, masks)
    timeline = Timeline(
        session=session,
        actions=trace.actions,
        groups=trace.groups,
        messages=[event for event in session.events if isinstance(event, Message)],
        environment=environment_of(session, trace.actions),
        warnings=[*session.warnings, *unpaired(trace.paired)],
        masks=masks,
        history=dataclasses.replace(trace.history, actions=trace.actions),
    )
    set_origins(timeline)
    return timeline


class LiveLane:
    """The actions of one lane as they happen."""

    def __init__(self, lane: str, task: str = "", masks: MaskTable = STANDARD) -> None:
        self._lane = lane
        self._context = Context(most=_MOST_HEARD)
        self._groups = Groups(masks, most=_MOST_FAILURES)
        self._keys = KeyMaker(masks)
        self._origins = OriginFinder(task, most=_MOST_ACTIONS)
        self._edited = EditedFiles(most=_MOST_EDITED)
        self._looks = StatusChecks()

    def hear(self, message: Message) -> None:
        """Take a message that came before the next call."""
        self._context.hear(message)

    def compact(self, *, by_user: bool = False) -> None:
        """Earlier context was dropped or summarised before the next call; `by_user` says that the user ordered it."""
        self._context.compact(self._lane, by_user=by_user)

    def add(self, call: ToolCall, result: ToolResult | None) -> Action:
        """The next call with its result, judged."""
        made = self._context.call(call)
        answer = answer_of(made, result)
        made = replace(made, operation=complete(made, answer))
        found = judged(made, answer, self._edited, answer.text)
        made = replace(made, operation=self._looks.operation(made.operation, after_user=made.after_user))
        action = action_of(made, answer, found, self._keys.keys(made, answer))
        if action.failure is not None:
            self._groups.add(action.step, action.lane, action.failure)
        else:
            for edit in action.operation.edits:
                if edit.path:
                    self._edited.add(edit.path)
        self._origins.take(action)
        if action.result is not None and len(action.result) > _HEAD + _TAIL:
            action = replace(action, result=action.result[:_HEAD] + action.result[-_TAIL:])
        return action
