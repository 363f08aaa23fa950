"""What came before each call: what the agent said, whether the user spoke, whether context was dropped.

Which calls ask another agent: what comes back is its answer, and no result of the call itself.

Which questions about the state of something are asked again while nothing is done, and wait for it, and which are asked
for the first time, and look at it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from analyzer.commands.table import Does, from_subcommand, knows
from analyzer.failures.roles import last_part
from analyzer.model.action import Call, Command, Operation
from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.timeline.calls.classify import operation_of
from analyzer.timeline.calls.shell_line import blocks, operation_of_line, with_scripts

_NAMED = late(
    r"^(?:task|agent|(?:dispatch|call|run|spawn|launch|invoke|start)_?(?:sub_?)?agent|sub_?agent|delegate\w*|new_task)$",
    re.IGNORECASE,
)
_LONGEST, _MOST_SCRIPTS = 50_000, 500
_ADDRESSEE = frozenset({"subagent_type", "subagent", "sub_agent", "agent_type", "agent_name"})
LEAVES = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.WAIT})
"""What changes nothing of what is asked about."""
_HOW = name_set("--json -q --jq --template --format -o --output --interval -i")
"""Options that say how an answer is shown, each with a value."""
_MOST = 200
_Question = tuple[str, ...]


def asks_agent(call: ToolCall) -> bool:
    """Whether a call asks another agent, as its format says, or by the tool's name or an argument that names one."""
    if call.asks_agent or _NAMED.match(call.name) is not None:
        return True
    return isinstance(call.arguments, Mapping) and bool(_ADDRESSEE & {str(name).lower() for name in call.arguments})


def shown_in(session: Session, answer: str | None) -> str | None:
    """The id of the session of the same file that shows what came of a request to another agent: the one that the
    answer names, or the only one."""
    named = next((child for child in session.children if child in (answer or "")), None)
    return named or (session.children[0] if len(session.children) == 1 else None)


class Context:
    """Numbers the calls, lane by lane, each with what was said before it.

    What a user says again to the letter (an automatic "go on") is no new turn. With `most`, only so many of their words
    are remembered: for agents that run on and on.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._steps: dict[str, int] = defaultdict(int)
        self._said: dict[str, list[str]] = defaultdict(list)
        self._user_spoke: set[str] = set()
        self._heard: dict[str, None] = {}
        self._batches: dict[str, tuple[str | None, str]] = {}
        self._scripts: dict[str, str] = {}
        """The texts of the programs that the agent wrote, by name."""
        self._compacted: dict[str, bool] = {}
        """The lanes whose context was dropped before their next call, with whether the user ordered that."""

    def hear(self, message: Message) -> None:
        """Take the next message."""
        lane = message.lane
        if message.role == "assistant" and message.text.strip():
            self._said[lane].append(message.text.strip())
        elif message.role == "user":
            words = " ".join(message.text.split())
            if words not in self._heard or message.unrecorded:
                self._user_spoke.add(lane)
            if self._most is not None and len(self._heard) >= self._most:
                self._heard.pop(next(iter(self._heard)))
            self._heard[words] = None

    def compact(self, lane: str, *, by_user: bool = False) -> None:
        """Earlier context of a lane was dropped or summarised; `by_user` says that the user ordered it."""
        self._compacted[lane] = by_user and self._compacted.get(lane, True)

    def call(self, call: ToolCall) -> Call:
        """The next call in its place."""
        lane, operation = call.lane, operation_of(call)
        if self._scripts and operation.command is not None:
            operation = with_scripts(operation, self._scripts)
        if operation.edits:
            self._write(operation)
        self._steps[lane] += 1
        batch, words = self._batches.get(lane, (None, ""))
        fresh = "\n\n".join(self._said.pop(lane, []))
        said = fresh or (words if call.batch is not None and call.batch == batch else "")
        self._batches[lane] = (call.batch, said)
        placed = Call(
            step=self._steps[lane],
            tool=call.name,
            arguments=call.arguments,
            operation=operation,
            lane=lane,
            said=said,
            after_user=lane in self._user_spoke and self._steps[lane] > 1,
            batch=call.batch,
            harness=call.harness,
            task_done=call.task_done,
            asks_agent=asks_agent(call),
            started_at=call.time,
            compacted_before=lane in self._compacted,
            compacted_by_user=self._compacted.get(lane, False),
            usage=call.usage,
        )
        self._user_spoke.discard(lane)
        self._compacted.pop(lane, None)
        return placed

    def _write(self, operation: Operation) -> None:
        """Take the programs that a call writes."""
        for edit in operation.edits:
            if edit.after is None or not edit.path.endswith(".py"):
                continue
            name = last_part(edit.path)
            known = edit.after if edit.before is None else self._scripts.get(name, "").replace(edit.before, edit.after)
            if known and len(known) <= _LONGEST and len(self._scripts) < _MOST_SCRIPTS:
                self._scripts[name] = known


class StatusChecks:
    """Follows the calls of one lane, in order, and says of each what it does."""

    def __init__(self) -> None:
        self._asked: dict[_Question, None] = {}

    def operation(self, operation: Operation, *, after_user: bool) -> Operation:
        """The operation of the next call. A command that only looks waits where it asks what was asked before, and
        nothing was done since; a look that the user's words came before is one of its own."""
        if after_user:
            self._asked.clear()
        looks = operation.commands if operation.kind is Kind.WAIT else ()
        questions = [(one.program, *_asks(one)) for one in looks if not knows(one.program, Does.WAITS)] if looks else []
        again = any(question in self._asked for question in questions)
        first = bool(questions) and not again and not any(map(blocks, operation.commands))
        if operation.kind not in LEAVES and (operation.kind is not Kind.OTHER or not operation.commands):
            self._asked.clear()
        for question in questions:
            if len(self._asked) >= _MOST:
                self._asked.pop(next(iter(self._asked)))
            self._asked[question] = None
        return operation_of_line(operation.command or "", asked_before=False) if first else operation


def _asks(command: Command) -> Iterator[str]:
    """The words of a command that say what it asks about."""
    skipped = False
    for word in from_subcommand(command.program, command.args):
        if skipped:
            skipped = False
        elif word in _HOW:
            skipped = True
        elif word.split("=", 1)[0] not in _HOW:
            yield word
