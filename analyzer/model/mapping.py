"""A mapping: which keys of a log hold the calls, the results and the messages.

This is the form of the file that `learn` writes and `--mapping` takes, and of the files that declare our own formats.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictStr, model_validator

Condition = dict[StrictStr, StrictStr | StrictBool | list[StrictStr | StrictBool]]
"""What a record must hold: key -> the text, or one of the texts, that stands there. `*` in a text stands for anything,
true for any value at all, false for none, `@text`, `@list`, `@object`, `@number` and `@flag` for one of this type."""
Paths = StrictStr | tuple[StrictStr, ...]
"""A key, or several of which the first that says something counts."""


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
    time: Paths | None = None
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


class ResultRule(_Table):
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
    exit_text: StrictStr | None = None
    """A regular expression for the exit code in the text of a failed call's result."""
    code_outranks: StrictBool = False
    """Whether a flag for success is the tool's own, which says nothing beside the exit code of a command."""
    error_type: Paths | None = None
    """The key of the kind of error."""
    mark: StrictStr | None = None
    """What became of all of these calls (`denied`, `interrupted`, `timeout`)."""
    once: StrictBool = False
    """Whether only the first result of a call counts."""
    seconds: StrictStr | None = None
    """The key of the duration in seconds."""
    milliseconds: StrictStr | None = None
    """The key of the duration in milliseconds."""
    end: StrictStr | None = None
    """The key of the time at which the call ended, in a record that holds both times."""


class MessageRule(_Table):
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


class UsageRule(_Table):
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


class EndRule(_Table):
    """How the session ended, unless it goes on."""

    status: Paths | None = None
    """The key of the log's own word for it."""
    ending: StrictStr | None = None
    """How (`submitted`, `crashed`, `limit`, `cancelled`, `solved`, `unsolved`), or by the word:"""
    endings: dict[StrictStr, StrictStr] = {}
    detail: Paths = ()
    """The key of a sentence about it."""
    details: dict[StrictStr, StrictStr] = {}
    """The sentences for words of `status` where the log has none."""
    otherwise: StrictStr | None = None
    """The sentence for any other word."""


class FormRule(_Table):
    """What an object that is called `what` always holds (null counts) and may hold, with the types, and, where nothing
    else is expected to say anything, the other keys; what is otherwise is named in a warning."""

    what: StrictStr
    at: StrictStr | None = None
    """The key of the object within the record."""
    needs: dict[StrictStr, StrictStr] = {}
    may: dict[StrictStr, StrictStr] = {}
    others: frozenset[StrictStr] | None = None


class KindRule(_Table):
    """How the kinds of objects are told apart that some rules read."""

    key: StrictStr = "type"
    """The key of the kind."""
    name: StrictStr = "type of record"
    """What a kind is called in warnings."""
    silent: tuple[StrictStr, ...] = ()
    """Kinds in which nothing was said or done; `*` in a word stands for anything."""


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, dict) else value


_Fact = Literal["id", "title", "agent", "agent_version", "model", "copied_from", "recorded_status"]
_Messages = Annotated[tuple[MessageRule, ...], BeforeValidator(_several)]
_Forms = Annotated[tuple[FormRule, ...], BeforeValidator(_several)]


class Rule(_Table):
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
    """Where it holds further objects, and the name of the rules (`part`) by which each of them is read."""


class BranchRule(_Table):
    """Records that form a tree: the path to the last one is the session."""

    id: StrictStr
    parent: StrictStr
    aside: Condition | None = None
    """Records that are no end of a branch."""
    header: Condition | None = None
    """Records that are no part of the tree, of which the first counts."""
    names: tuple[StrictStr, StrictStr] = ("record", "records")
    """What one and several of them are called in warnings."""


class RunRule(_Table):
    """Files of several runs, each a session: which records begin one, and the key of its name."""

    when: Condition = {}
    key: StrictStr


class FormatRule(_Table):
    """What is said of a format, and how its files are known."""

    name: StrictStr
    title: StrictStr
    agent: StrictStr | None = None
    versions: StrictStr
    not_recorded: tuple[StrictStr, ...] = ()
    nothing: StrictStr
    """What a file lacks that holds no session."""
    own: tuple[Condition, ...]
    """What only records of this format hold: one of these."""
    looked_at: int = 40
    """Of how many records the first that is the format's own is enough to recognise it."""
    whole: StrictBool = False
    """Whether a file is one object."""
    listed: StrictStr | None = None
    """The key of the list of records in a file that is one object."""
    beside: StrictStr | None = None
    """How the file is called that lies beside the records, in place of their suffix."""
    branch: BranchRule | None = None
    run: RunRule | None = None
    said_something: StrictBool = False
    """Whether a session in which nothing was said or done is left out."""


_NO_CALL = CallRule(when={"@": False}, tool="none")
"""That no record is a call, whatever it holds."""


class LogMapping(_Table):
    """How to read one kind of log."""

    format: FormatRule | None = None
    log: LogRule = LogRule()
    call: CallRule = _NO_CALL
    result: ResultRule | None = None
    message: tuple[MessageRule, ...] = Field(default=())
    usage: UsageRule | None = None
    record: tuple[Rule, ...] = ()
    """The rules by which each record is read where `format` is there, in place of the four tables above."""
    beside: tuple[Rule, ...] = ()
    """The rules by which the file beside the records is read."""
    part: dict[StrictStr, tuple[Rule, ...]] = {}
    """The rules for objects within records, by name."""
    kind: dict[StrictStr, KindRule] = {}
    """How kinds are told apart, for `record` and for each name in `part`."""

    @model_validator(mode="after")
    def _reads_calls(self) -> LogMapping:
        if self.call == _NO_CALL and self.format is None:
            raise ValueError("needs the table call, or the tables format and record")
        rules = (rule for several in (self.record, *self.part.values()) for rule in several)
        named = {name for rule in rules for name in rule.each.values()}
        if unknown := sorted(named - self.part.keys()):
            raise ValueError(f"has no rules part.{unknown[0]}")
        return self
