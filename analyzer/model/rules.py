"""Rules: which keys of a record hold a call, a result, a message or a count of tokens, and what else it says."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, StrictStr, model_validator

from analyzer.model.words import Ending, Mark

Condition = dict[StrictStr, StrictStr | StrictBool | list[StrictStr | StrictBool]]
"""What a record must hold: key -> the text, or one of the texts, that stands there. `*` in a text stands for anything,
true for any value at all, false for none, `@text`, `@list`, `@object`, `@number` and `@flag` for one of this type."""
Paths = StrictStr | tuple[StrictStr, ...]
"""A key, or several of which the first that says something counts."""


class Table(BaseModel):
    """Base of the tables of a mapping: a key that nobody declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CallRule(Table):
    """Which records are calls of tools, and what of them is what. A record is a call where `when` holds and it has the
    key of the tool's name or of the command."""

    when: Condition = {}
    name: Paths | None = None
    """The key of the tool's name."""
    prefix: StrictStr = ""
    """A text that is left out at the beginning of the tool's name."""
    tool: StrictStr | None = None
    """The tool's name itself, where no key has it."""
    arguments: StrictStr | tuple[StrictStr, ...] | None = None
    """The key of the arguments (an object, JSON text or plain text), or the keys of the single arguments."""
    command: StrictStr | None = None
    """The key of a shell command, where the call is one."""
    id: Paths | None = None
    """The key of the id that the result repeats."""
    once: StrictBool = False
    """Whether a call that has the id of one before is the same, recorded again."""
    ends: tuple[StrictStr, ...] = ()
    """The tools by which the agent says that it's done."""

    @model_validator(mode="after")
    def _named(self) -> CallRule:
        if self.name is None and self.tool is None and self.command is None:
            raise ValueError("needs the key of the tool's name (name), its name (tool), or the key of a command")
        return self


class ResultRule(Table):
    """Which records are results. A record that is a call as well holds its own result."""

    when: Condition = {}
    """Empty where the results are in the records of their calls."""
    text: Paths | None = None
    """The key of what came back."""
    id: Paths | None = None
    """The key of the call's id."""
    name: Paths | None = None
    """The key of the tool's name, by which results without ids are paired."""
    error: StrictStr | None = None
    """The key of an error: any text or object there, or true, is one."""
    flag: StrictStr | None = None
    """The key of a truth value that is true for a failed call."""
    success: StrictStr | None = None
    """The key of a truth value that is false for a failed call."""
    status: StrictStr | None = None
    """The key of a word for how the call ended."""
    failed: tuple[StrictStr, ...] = ()
    """The words of `status` for a failed call."""
    succeeded: tuple[StrictStr, ...] = ()
    """The words of `status` for a call that worked."""
    exit_code: Paths | None = None
    """The key of the exit code."""
    exit_text: re.Pattern[str] | None = None
    """A regular expression for the exit code in the text of a failed call's result."""
    code_outranks: StrictBool = False
    """Whether a flag for success is the tool's own, which says nothing beside the exit code of a command."""
    error_type: Paths | None = None
    """The key of the kind of error."""
    mark: Mark | None = None
    """What became of all of these calls (`denied`, `interrupted`, `timeout`)."""
    once: StrictBool = False
    """Whether only the first result of a call counts."""
    seconds: StrictStr | None = None
    """The key of the duration in seconds."""
    milliseconds: StrictStr | None = None
    """The key of the duration in milliseconds."""
    end: StrictStr | None = None
    """The key of the time at which the call ended, in a record that holds both times."""


class MessageRule(Table):
    """Which records are messages, and who said them."""

    when: Condition = {}
    text: Paths
    """The key of what was said."""
    role: Literal["user", "assistant", "system", "harness"] | None = None
    """Who said all of them."""
    role_key: StrictStr | None = None
    """The key of who said it, in the usual words (user, human, assistant, ai, system)."""
    thought: StrictBool = False
    """Whether it's what the agent thought rather than said."""
    thought_key: StrictStr | None = None
    """The key that is true for what the agent thought."""
    failed: StrictBool = False
    """Whether it stands for an answer that the model didn't give."""
    harness_prefix: StrictStr | None = None
    """How texts begin that the program around the agent wrote in the user's name."""
    once: StrictStr | None = None
    """The key of a message's id, where several records repeat it."""


class UsageRule(Table):
    """Which records count tokens or cost of single calls of the model."""

    when: Condition = {}
    input: StrictStr | None = None
    """The key of the tokens sent."""
    output: StrictStr | None = None
    """The key of the tokens received."""
    cached: StrictStr | None = None
    """The key of the sent tokens that a cache served."""
    written: StrictStr | None = None
    """The key of the sent tokens that a cache took in."""
    cache_apart: StrictBool = False
    """Whether `input` leaves out what a cache served or took in."""
    api: Paths | None = None
    """The key of a usage as a model's API gives it, in place of the keys above."""
    cost: StrictStr | None = None
    """The key of the cost in US dollars."""
    once: StrictStr | None = None
    """The key of an answer's id, where several records of it repeat what it used."""
    whole: StrictBool = False
    """Whether it's what the whole session used."""


class EndRule(Table):
    """How the session ended, unless it goes on."""

    status: Paths | None = None
    """The key of the log's own word for it."""
    ending: Ending | None = None
    """How (`submitted`, `crashed`, `limit`, `cancelled`, `solved`, `unsolved`), or by the word:"""
    endings: dict[StrictStr, Ending] = {}
    detail: Paths = ()
    """The key of a sentence about it."""
    details: dict[StrictStr, StrictStr] = {}
    """The sentences for words of `status` where the log has none."""
    otherwise: StrictStr | None = None
    """The sentence for any other word."""


_Type = Literal["text", "list", "object", "number", "flag", "words", "given", "parts", "any", "value"]


class FormRule(Table):
    """What an object that is called `what` always holds (null counts) and may hold, with the types, and, where nothing
    else is expected to say anything, the other keys; what is otherwise is named in a warning."""

    what: StrictStr
    at: StrictStr | None = None
    """The key of the object within the record, which is left alone where it's no object."""
    needs: dict[StrictStr, _Type] = {}
    may: dict[StrictStr, _Type] = {}
    others: frozenset[StrictStr] | None = None


class KindRule(Table):
    """How the kinds of objects are distinguished that some rules read."""

    key: StrictStr = "type"
    """The key of the kind."""
    name: StrictStr = "type of record"
    """What a kind is called in warnings."""
    silent: tuple[StrictStr, ...] = ()
    """Kinds in which nothing was said or done; `*` in a word stands for anything."""


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, dict) else value


_Fact = Literal["id", "task", "title", "agent", "agent_version", "model", "copied_from", "recorded_status"]
_Messages = Annotated[tuple[MessageRule, ...], BeforeValidator(_several)]
_Forms = Annotated[tuple[FormRule, ...], BeforeValidator(_several)]


class Rule(Table):
    """What an object says that fulfils `when`, in the order of the fields."""

    when: Condition = {}
    unless: Condition | None = None
    """What an object must not fulfil."""
    also: StrictBool = False
    """Whether the rules behind it are tried as well."""
    form: _Forms = ()
    """What it must look like."""
    warn: StrictStr | None = None
    """What is wrong with it; `{key}` stands for what it has there."""
    time: Paths | None = None
    """The key of its own time, where it isn't the record's; of a key that nothing has, its time isn't known."""
    session: dict[_Fact, Paths] = {}
    """What it says of the session."""
    keep: StrictBool = False
    """Whether what was known of the session stays."""
    about: dict[StrictStr, Paths] = {}
    """What it says of the surroundings, by labels."""
    answer: StrictBool = False
    """Whether it's an answer of the model; the calls in it were asked for together."""
    batch: Paths | None = None
    """The key of the answer's id, where several records are one answer."""
    goes_on: StrictBool = False
    """Whether a session goes on that seemed to be over."""
    model: Paths | None = None
    """The key of the model that answered."""
    usage: UsageRule | None = None
    compaction: dict[Literal["before", "after"], Paths] | None = None
    """That the context was compacted, and the keys of its tokens before and after."""
    message: _Messages = ()
    call: CallRule | None = None
    result: ResultRule | None = None
    end: EndRule | None = None
    hook: StrictStr | None = None
    """The method of the format's reader that takes the object in."""
    each: dict[StrictStr, StrictStr] = {}
    """Where it holds further objects, and the name of the rules by which each of them is read."""
