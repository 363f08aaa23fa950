"""What a transcript holds, before anything is judged.

A format turns bytes into a `Session`: the header plus one list of events in file order. Calls and results are separate
events; pairing them is the timeline's work, so that every format gets it right in the same way.

All times are seconds since 1970-01-01 (UTC unless the session says that its clock is naive). Unknown is None, never a
guess.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from analyzer.model.definition import ToolDefinition
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE, Ending, Mark

EMPTY_ANSWER = "[empty answer]"
"""The text of a message that stands for an answer of the model in which nothing was said or called."""

Role = Literal["user", "assistant", "system", "harness"]
"""Who said a message. `harness` is text that the program around the model put into the user's mouth: format errors,
reminders, hook output. It's never the user's words."""


class Tokens(Struct):
    """Tokens over the whole session or of one call of the model, each None where the log doesn't record it.

    `input` counts every token sent to the model including those served from a cache; `cached` is the part of it that
    was read from a cache, and `written` the part that was put into one. `written_hour` is the part of `written` that is
    kept there for an hour rather than minutes, None also where the log doesn't tell these apart.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    written: int | None = None
    written_hour: int | None = None

    def without(self, part: Tokens) -> Tokens:
        """What these have above a part of them, which is never less than zero."""
        known = ((getattr(self, name), getattr(part, name)) for name in self.__struct_fields__)
        return Tokens(*(None if whole is None else max(0, whole - (some or 0)) for whole, some in known))


@dataclass(slots=True)
class Usage:
    """What one call of the model used: tokens, and its cost in USD where the log records that. `by_model` has the same
    tokens by the model's name, as far as the log names it call by call."""

    tokens: Tokens
    cost_usd: float | None = None
    by_model: Mapping[str, Tokens] = dataclasses.field(default_factory=dict, compare=False)


class Message(Struct):
    """Something said. `thought` is True for reasoning that was recorded apart from what the agent said aloud.

    `usage` is what the call of the model used that asked for no tool and said this. `failed` is True for what stands
    where a call of the model failed or gave an empty answer: the error of its service, said by the harness. `speaker`
    is the name of the agent that says it where several speak in one lane; the text begins with it and a colon.
    `unrecorded` is True for a message of which the log holds everything but its words: then `text` is empty.
    """

    role: Role
    text: str
    time: float | None = None
    lane: str = MAIN_LANE
    thought: bool = False
    usage: Usage | None = None
    failed: bool = False
    speaker: str | None = None
    unrecorded: bool = False


class ToolCall(Struct):
    """One tool call or command, as the agent sent it.

    `id` pairs it with its result; ids may be missing or repeat. `arguments` is a dict where the log has named
    arguments, else the raw text; the empty text says that they weren't recorded. `batch` is equal for calls that were
    sent together in one message (parallel calls). `harness` marks pseudo calls that the harness wrote (a closing
    `exit_cost` entry): they're numbered, but nobody made them. `path` is the file that the call works on where the call
    doesn't say so itself (an editor with an open file). `task_done` is True for a call by which the agent hands in its
    work or ends the session. `usage` is what the call of the model that asked for it used; of several calls that were
    sent together the first has it. `model` is the model that asked for it, where the log says so answer by answer.
    `asks_agent` is True where another member of a team is asked, whose answer is the result. `unfinished` is True where
    the log says that the model hadn't come to the end of the call.
    """

    id: str | None
    name: str
    arguments: Mapping[str, Any] | str
    time: float | None = None
    lane: str = MAIN_LANE
    batch: str | None = None
    harness: bool = False
    path: str | None = None
    task_done: bool = False
    usage: Usage | None = None
    model: str | None = None
    asks_agent: bool = False
    unfinished: bool = False


class ToolResult(Struct):
    """What came back for a call.

    `is_error` and `exit_code` are what the log recorded, None where it recorded nothing. `duration` is in seconds.
    `mark` is what the format knows beyond the text, `error_type` the log's own word for what went wrong (`permission`).
    `score` is how the log rates the state after the call, in its own measure, of which more is better. `unrecorded` is
    True where a recorder blanked out what came back: `text` is what it put there, and says nothing. `handle` is the id
    by which later calls ask for what runs on, where the format knows that something does.
    """

    call_id: str | None
    text: str
    is_error: bool | None = None
    exit_code: int | None = None
    time: float | None = None
    duration: float | None = None
    lane: str = MAIN_LANE
    mark: Mark | None = None
    error_type: str | None = None
    score: float | None = None
    unrecorded: bool = False
    handle: str | None = None


class Compaction(Struct):
    """The point at which earlier context was dropped or summarised. `trigger` is `auto`, `manual` or None."""

    time: float | None = None
    lane: str = MAIN_LANE
    trigger: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None


Event = Message | ToolCall | ToolResult | Compaction


class ReadWarning(Struct, frozen=True):
    """Something in the transcript that could not be read or is not understood. `where` is a line, record or key;
    `hides_actions` says that what the agent did seems to stand there."""

    where: str
    what: str
    hides_actions: bool = False


class ExpectedCall(Struct, frozen=True):
    """A call that the task itself, as the log records it, expects of the agent. `compared` are the arguments that
    count; None where all do."""

    tool: str
    arguments: Mapping[str, Any]
    compared: tuple[str, ...] | None = None


class ExpectedAnswer(Struct, frozen=True):
    """The answer that the task itself, as the log records it, expects, the one that was judged, and what the judge said
    of it."""

    wanted: str
    given: str | None = None
    why: str | None = None


class Expected(Struct, frozen=True):
    """What the task itself, as the log records it, expects: the calls in order, what the user is to hear, and the
    answer. `calls` is None where the log doesn't say which calls are expected."""

    calls: tuple[ExpectedCall, ...] | None
    words: tuple[str, ...] = ()
    answer: ExpectedAnswer | None = None


class Beside(Struct, frozen=True):
    """What a model used that belongs to the evaluation and not to the agent: `role` says what it was for, such as
    `scorer` or `user simulator`."""

    role: str
    model: str | None
    usage: Usage


class EvaluationLog(Struct, frozen=True):
    """What the evaluation's own tests printed when they ran after the agent had ended: the file that holds it, and its
    end."""

    file: str
    text: str


class Session(Struct):
    """One run of an agent on one task, as recorded.

    `environment` holds what the log states about language, runtime and working directory, as label -> value, and under
    a label of its own the instruction of a simulated user. `copied_from` is the session of which its beginning is a
    copy, as the log names that, `copied_calls` how many calls there are in this beginning and `copied_tokens` what they
    took, as far as the log tells which records were copied. `recorded_status` is the log's own word for the end,
    `ending` the same in ours, `ending_detail` a sentence about it (an error message, the limit's name). `broke` is the
    error that the program around the agent broke off with, whatever answer or verdict the log holds beside it.
    `cost_is_partial` is True where calls of the model are left out of `cost_usd`, or cost more than a list of prices
    says. `expected` is what the task expects of the agent; None where the log doesn't record it. `evaluation` is the
    log of the tests that ran after the agent had ended, where the log records no verdict of theirs. `definitions` are
    the tools as they were described to the model, as far as the log has them.
    `redacted` has how many different secrets and names were replaced in its texts, by the names of the rules,
    `redacted_at` the first step at which they were, 0 for what was said before it. `beside` is what models used that
    aren't the agent's, which `tokens` and `cost_usd` don't hold. `children` are the ids of the sessions of the same
    file that it started. `sub_agents_read` is how many files of sub-agents beside the session's own one were read with
    it.
    """

    id: str
    agent: str | None = None
    agent_version: str | None = None
    model: str | None = None
    task: str | None = None
    title: str | None = None
    events: list[Event] = field(default_factory=list)
    user_messages: int | None = None
    assistant_messages: int | None = None
    started_at: float | None = None
    ended_at: float | None = None
    naive_clock: bool = False
    tokens: Tokens = field(default_factory=Tokens)
    by_model: Mapping[str, Tokens] = field(default_factory=dict)
    cost_usd: float | None = None
    cost_is_partial: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    copied_from: str | None = None
    copied_calls: int = 0
    copied_tokens: Tokens = field(default_factory=Tokens)
    recorded_status: str | None = None
    ending: Ending | None = None
    ending_detail: str | None = None
    broke: str | None = None
    expected: Expected | None = None
    evaluation: EvaluationLog | None = None
    definitions: tuple[ToolDefinition, ...] = ()
    warnings: list[ReadWarning] = field(default_factory=list)
    redacted: dict[str, int] = field(default_factory=dict)
    redacted_at: dict[str, int] = field(default_factory=dict)
    beside: tuple[Beside, ...] = ()
    children: tuple[str, ...] = ()
    sub_agents_read: int = 0

    def say(self, message: Message) -> None:
        """Append a message, unless its text is blank though it's recorded."""
        if message.text.strip() or message.unrecorded:
            self.events.append(message)

    def calls(self) -> Iterable[ToolCall]:
        """Every tool call of every lane, in file order."""
        return (event for event in self.events if isinstance(event, ToolCall))


class RecordCount(Struct):
    """How many records a file has: those that were read, by the word in their `type` or `kind` (empty for those without
    one), and the lines or entries that are no record at all."""

    read: Counter[str] = field(default_factory=Counter)
    skipped: int = 0

    def __iadd__(self, other: RecordCount) -> RecordCount:
        self.read += other.read
        self.skipped += other.skipped
        return self


class Transcript(Struct):
    """One recorded file: where it came from, what format it is, and its sessions in file order.

    `records` is empty for a file that is no list of records but one JSON value or plain text.
    """

    path: str
    format: str
    size_bytes: int
    sha256: str
    sessions: list[Session]
    records: RecordCount = field(default_factory=RecordCount)
