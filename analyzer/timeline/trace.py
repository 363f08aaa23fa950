"""One session as columns: what was called, what came back, what each call does and what became of it."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from analyzer.failures import STANDARD, MaskTable, group_failures
from analyzer.failures.roles import EditedFiles
from analyzer.model.action import Action, Answer, Call, Keys, Operation
from analyzer.model.failure import FailureGroup
from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.model.struct import replace
from analyzer.model.words import Kind
from analyzer.timeline.closing.user_answers import UserAnswers
from analyzer.timeline.context import Context, shown_in
from analyzer.timeline.fixed_passages import fixed_passages, without_fixed
from analyzer.timeline.handles import Handles, Poll, handles_of
from analyzer.timeline.judgement import ANSWERED, SHOWN, Judgement, answer_of, complete, joined, judged, settled
from analyzer.timeline.keys import KeyMaker
from analyzer.timeline.pairing import Pairing, pair, unfinished
from analyzer.timeline.repeats import RepeatFinder
from analyzer.timeline.status_checks import StatusChecks
from analyzer.workspace import History, history_of


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
    def _asked(self) -> list[Call]:
        context, asked = Context(), []
        for event in self._session.events:
            if isinstance(event, Message):
                context.hear(event)
            elif isinstance(event, ToolCall):
                asked.append(context.call(event))
            elif isinstance(event, Compaction):
                context.compact(event.lane, by_user=event.trigger == "manual")
        return asked

    @cached_property
    def _first_answers(self) -> list[Answer]:
        """What came back for each call at once."""
        return [answer_of(call, result) for call, result in zip(self._asked, self.paired.results, strict=True)]

    @cached_property
    def calls(self) -> list[Call]:
        """The calls in their places, each with what it does by its own words and its first result's."""
        made = []
        for call, answer in zip(self._asked, self._first_answers, strict=True):
            operation = complete(call, answer)
            made.append(call if operation is call.operation else replace(call, operation=operation))
        return made

    @cached_property
    def handles(self) -> Handles:
        """What ran on behind the calls, and what came of it later."""
        return handles_of(self._session, self.calls, self._first_answers)

    @cached_property
    def answers(self) -> list[Answer]:
        """What came back for each call, at once or later."""
        late = self.handles.late
        pairs = zip(self.calls, self._first_answers, strict=True)
        return [joined(call, answer, late.get(call.place)) for call, answer in pairs]

    @cached_property
    def polls(self) -> list[Poll | None]:
        """What each call asks for whose answer belongs to another."""
        return [self.handles.poll(call.place) for call in self.calls]

    @cached_property
    def unended(self) -> list[str | None]:
        """Why nothing is known of how each call ended whose command ran on behind it."""
        late = [self.handles.late.get(call.place) for call in self.calls]
        return [entry.unended if entry is not None else None for entry in late]

    @cached_property
    def judgements(self) -> list[Judgement]:
        """What became of each call: by what came of it later as well, and without what its tool says in every result.
        Of what was handed in, the user's next words decide."""
        edited: dict[str, EditedFiles] = defaultdict(EditedFiles)
        first: list[Judgement] = []
        for place, (call, answer) in enumerate(zip(self.calls, self.answers, strict=True)):
            found = self._settled(place, judged(call, answer, edited[call.lane], answer.text))
            if found.verdict.failure is None:
                for edit in call.operation.edits:
                    if edit.path:
                        edited[call.lane].add(edit.path)
            first.append(found)
        known = fixed_passages(zip(self.calls, self.answers, (found.verdict for found in first), strict=True))
        users = UserAnswers(self._session.events)
        final = []
        for place, (call, answer, found) in enumerate(zip(self.calls, self.answers, first, strict=True)):
            text = without_fixed(call, answer, found.verdict, known) if known else None
            again = self._settled(place, judged(call, answer, edited[call.lane], text)) if text is not None else found
            # Without a failure in the rest, the first verdict stays, and the time is that of a call that didn't fail.
            verdict = again.verdict if again.verdict.failure is not None else found.verdict
            if verdict.decided_by == ANSWERED and shown_in(self._session, answer.text):
                verdict = replace(verdict, decided_by=SHOWN)
            verdict = users.verdict(call, answer, self.paired.results[place], verdict)
            final.append(Judgement(verdict, again.duration, again.waited))
        return final

    def _settled(self, place: int, found: Judgement) -> Judgement:
        verdict = settled(found.verdict, self.unended[place], self.polls[place])
        return found if verdict is found.verdict else replace(found, verdict=verdict)

    @cached_property
    def operations(self) -> list[Operation]:
        """What each call does, with what is only asked again or asks for another's result as a wait."""
        looks: dict[str, StatusChecks] = defaultdict(StatusChecks)
        made = []
        for call, poll in zip(self.calls, self.polls, strict=True):
            waits = poll is not None and call.operation.kind is Kind.OTHER and not poll.stopped
            operation = replace(call.operation, kind=Kind.WAIT) if waits else call.operation
            made.append(looks[call.lane].operation(operation, after_user=call.after_user))
        return made

    @cached_property
    def groups(self) -> list[FailureGroup]:
        """The failures that are one failure again."""
        failures = ((call, found.verdict.failure) for call, found in zip(self.calls, self.judgements, strict=True))
        return group_failures(
            ((call.step, call.lane, failure) for call, failure in failures if failure is not None), self._masks
        )

    @cached_property
    def keys(self) -> list[Keys]:
        """What makes two calls equal."""
        keys: dict[str, KeyMaker] = defaultdict(lambda: KeyMaker(self._masks))
        columns = zip(self.calls, self.operations, self.answers, strict=True)
        return [keys[call.lane].keys(call, operation, answer) for call, operation, answer in columns]

    @cached_property
    def judged(self) -> list[Action]:
        """The calls with all that is known of them but the state of the files on which they ran."""
        last = unfinished(self._session.events, self.calls, self.answers)
        return [
            action_of(
                call,
                operation,
                answer if poll is None else replace(answer, exit_code=None),
                found,
                keys,
                unended=why if found.verdict.decided_by == why else None,
                unfinished=call is last,
            )
            for call, operation, answer, poll, found, keys, why in zip(
                self.calls,
                self.operations,
                self.answers,
                self.polls,
                self.judgements,
                self.keys,
                self.unended,
                strict=True,
            )
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
        for action, state in zip(self.judged, self.history.steps, strict=True):
            found = repeats[action.lane].repeats(action, state.directory, state.changed)
            step, way = found or (None, None)
            placed.append(
                replace(action, state=state.before, directory=state.directory, repeats_step=step, repeats_as=way)
            )
        return placed


def action_of(
    call: Call,
    operation: Operation,
    answer: Answer,
    found: Judgement,
    keys: Keys,
    *,
    unended: str | None = None,
    unfinished: bool = False,
) -> Action:
    """A call as a row, with what it does, what came back, and what became of it."""
    verdict = found.verdict
    return Action(
        step=call.step,
        tool=call.tool,
        arguments=call.arguments,
        operation=operation,
        lane=call.lane,
        said=call.said,
        after_user=call.after_user,
        result=answer.text,
        blanked=answer.blanked,
        status=verdict.status,
        status_source=verdict.source,
        decided_by=verdict.decided_by,
        status_confidence=verdict.confidence,
        exit_code=answer.exit_code,
        mark=answer.mark,
        failure=verdict.failure,
        batch=call.batch,
        harness=call.harness,
        task_done=call.task_done,
        asks_agent=call.asks_agent,
        unfinished=unfinished,
        unended=unended,
        started_at=call.started_at,
        duration=found.duration,
        waited=found.waited,
        score=answer.score,
        compacted_before=call.compacted_before,
        compacted_by_user=call.compacted_by_user,
        usage=call.usage,
        keys=keys,
    )
