"""A mapping: which keys of a log hold the calls, the results and the messages.

This is the form of the file that `learn` writes and `--mapping` takes, and of the files that declare our own formats.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, StrictBool, StrictStr, model_validator

from analyzer.model.rules import CallRule, Condition, KindRule, MessageRule, Paths, ResultRule, Rule, Table, UsageRule


class LogRule(Table):
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
    solved: Paths | None = None
    """The key of whether the task was solved, as a truth value, or of a word for how it came out."""
    score: Paths | None = None
    """The key of what the run was worth."""
    agent: StrictStr | None = None
    """The agent's name itself."""
    leaves: tuple[StrictStr, ...] = ()
    """The keys below which texts are left on purpose where they aren't read."""


class BranchRule(Table):
    """Records that form a tree: the path to the last one is the session."""

    id: StrictStr
    parent: StrictStr
    aside: Condition | None = None
    """Records that are no end of a branch."""
    header: Condition | None = None
    """Records that are no part of the tree, of which the first counts."""


class RunRule(Table):
    """Files of several runs, each a session: which records begin one, and the key of its name."""

    when: Condition = Field(default={})
    key: StrictStr


class FormatRule(Table):
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
    tables: dict[StrictStr, tuple[StrictStr, ...]] = Field(default={})
    """The tables of a database of this format, with the columns that tell them from others'."""
    leaves: tuple[StrictStr, ...] = ()
    """The keys below which texts are left on purpose where they aren't read."""
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


_OF_FORMATS = {"time", "lane"}
"""The keys of the table `log` that count beside the table `format`."""


class LogMapping(Table):
    """How to read one kind of log."""

    format: FormatRule | None = None
    log: LogRule = LogRule()
    call: CallRule = _NO_CALL
    result: ResultRule | None = None
    message: tuple[MessageRule, ...] = Field(default=())
    usage: UsageRule | None = None
    rules: dict[StrictStr, tuple[Rule, ...]] = Field(default={})
    """Where `format` is there, the rules that read objects, by name, in place of the four tables above: those called
    `record` read each record, those called `beside` the file beside the records, others what rules find by `each`."""
    kind: dict[StrictStr, KindRule] = Field(default={})
    """How kinds are distinguished, for each name in `rules`."""
    words: dict[StrictStr, Any] = Field(default={})
    """Tables of words that the class beside the rules looks up."""

    @model_validator(mode="after")
    def _reads_calls(self) -> LogMapping:
        if self.call == _NO_CALL and (self.format is None or not self.rules.get("record")):
            raise ValueError("needs the table call, or the tables format and rules.record")
        beside = [] if self.format is None else sorted(self.log.model_fields_set - _OF_FORMATS)
        if beside:
            raise ValueError(f"has log.{beside[0]}, which counts only without the table format")
        named = {name for rules in self.rules.values() for rule in rules for name in rule.each.values()}
        if unknown := sorted(named - self.rules.keys()):
            raise ValueError(f"has no rules called {unknown[0]}")
        for path, name in (found for rules in self.rules.values() for rule in rules for found in rule.each.items()):
            again = path == "@" and any("@" in rule.each for rule in self.rules[name])
            if again or path.startswith("^"):
                raise ValueError(f"each {path!r}, rules.{name}: would read the same object again and again")
        return self
