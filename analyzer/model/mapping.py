"""A mapping: which keys of somebody's own log hold the calls, the results and the messages.

This is the form of the file that `learn` writes and `--mapping` takes.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, model_validator

Condition = dict[StrictStr, StrictStr | StrictBool | list[StrictStr]]
"""What a record must hold: key -> the text, or one of the texts, that stands there. `*` in a text stands for anything,
true for any value at all, false for none."""


class _Table(BaseModel):
    """Base of the tables of a mapping: a key that nobody declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LogRule(_Table):
    """Where the records stand, and which of their keys belong to the whole session."""

    records: StrictStr | tuple[StrictStr, ...] = ""
    """Where the records are: keys joined by dots, `[]` for each entry of a list and `{}` for each value of an object,
    as in `runs[].steps[]`. Empty for JSON lines and for a file that is a list. Where calls, results and messages are in
    lists of their own, the places of all of them: the last key of its place is the key `@list` of a record."""
    embedded: StrictBool = False
    """Whether the records are JSON objects within lines of text. The time with which such a line begins is the key
    `@time` of its record."""
    columns: tuple[StrictStr, ...] = ()
    """The names of the entries of records that are lists rather than objects."""
    order: Literal["file", "time"] = "file"
    """Whether the records are in the order in which things happened, or are put into the order of their times."""
    session: StrictStr | None = None
    """The key of the session's id. Records of several sessions may be mixed."""
    lane: StrictStr | None = None
    """The key that names the sub-agent that acts; records without it are the main agent's."""
    time: StrictStr | None = None
    """The key of a record's time."""
    task: StrictStr | None = None
    """The key of what the agent was to do."""
    model: StrictStr | None = None
    """The key of the model's name."""
    agent: StrictStr | None = None
    """The agent's name itself."""


class CallRule(_Table):
    """Which records are calls of tools, and what of them is what. A record is a call where `when` holds and it has the
    key of the tool's name or of the command."""

    when: Condition = {}
    name: StrictStr | None = None
    """The key of the tool's name."""
    prefix: StrictStr = ""
    """A text that is left out at the beginning of the tool's name."""
    tool: StrictStr | None = None
    """The tool's name itself, where no key has it."""
    arguments: StrictStr | tuple[StrictStr, ...] | None = None
    """The key of the arguments (an object, JSON text or plain text), or the keys of the single arguments."""
    command: StrictStr | None = None
    """The key of a shell command, where the call is one."""
    id: StrictStr | None = None
    """The key of the id that the result repeats."""

    @model_validator(mode="after")
    def _named(self) -> CallRule:
        if self.name is None and self.tool is None and self.command is None:
            raise ValueError("needs the key of the tool's name (name), its name (tool), or the key of a command")
        return self


class ResultRule(_Table):
    """Which records are results. A record that is a call as well holds its own result."""

    when: Condition = {}
    """Empty where the results are in the records of their calls."""
    text: StrictStr | None = None
    """The key of what came back."""
    id: StrictStr | None = None
    """The key of the call's id."""
    name: StrictStr | None = None
    """The key of the tool's name, by which results without ids are paired."""
    error: StrictStr | None = None
    """The key of an error: any text or object there, or true, is one."""
    success: StrictStr | None = None
    """The key of a truth value that is false for a failed call."""
    status: StrictStr | None = None
    """The key of a word for how the call ended."""
    failed: tuple[StrictStr, ...] = ()
    """The words of `status` for a failed call."""
    succeeded: tuple[StrictStr, ...] = ()
    """The words of `status` for a call that worked."""
    exit_code: StrictStr | None = None
    """The key of the exit code."""
    seconds: StrictStr | None = None
    """The key of the duration in seconds."""
    milliseconds: StrictStr | None = None
    """The key of the duration in milliseconds."""
    end: StrictStr | None = None
    """The key of the time at which the call ended, in a record that holds both times."""


class MessageRule(_Table):
    """Which records are messages, and who said them."""

    when: Condition = {}
    text: StrictStr
    """The key of what was said."""
    role: Literal["user", "assistant", "system", "harness"] | None = None
    """Who said all of them."""
    role_key: StrictStr | None = None
    """The key of who said it, in the usual words (user, human, assistant, ai, system)."""
    thought: StrictBool = False
    """Whether it's what the agent thought rather than said."""


class UsageRule(_Table):
    """Which records count tokens or cost of single calls of the model."""

    when: Condition = {}
    input: StrictStr | None = None
    """The key of the tokens sent."""
    output: StrictStr | None = None
    """The key of the tokens received."""
    cost: StrictStr | None = None
    """The key of the cost in US dollars."""


class LogMapping(_Table):
    """How to read one kind of log."""

    log: LogRule = LogRule()
    call: CallRule
    result: ResultRule | None = None
    message: tuple[MessageRule, ...] = Field(default=())
    usage: UsageRule | None = None
