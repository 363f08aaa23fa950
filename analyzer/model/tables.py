"""The tables that an audit keeps: one class per table, one field per column.

These are the columns of the SQLite tables in `audit.db`, of the exported files and of the DataFrames. Lists are stored
as JSON texts. Times are RFC 3339 texts, durations seconds, money USD; unknown is null.
"""

from __future__ import annotations

from typing import Literal, get_args, get_type_hints

from analyzer.model.struct import Public

TABLES_VERSION = 4
"""Rises with every change of these columns."""

FileState = Literal["read", "no transcript", "problem"]


class FileEntry(Public, frozen=True, kw_only=True):
    """A source file (or the folder of one session) that was looked at."""

    path: str
    """Absolute path, or URL."""
    state: FileState
    """Whether it was read, is no transcript at all, or should have been readable and wasn't."""
    format: str | None
    """The transcript format that was recognised."""
    size_bytes: int
    """Its size; of a folder, of all its files."""
    sha256: str
    """The SHA-256 of its bytes; of a folder, of the names and digests of its files."""
    sessions: int
    """Sessions in it."""
    copy_of: str | None
    """The path of the file in which its sessions are counted: an equal one that comes before it, or one that tells all
    of them and goes on."""


class OfSession(Public, frozen=True, kw_only=True):
    """What belongs to one session."""

    session: str
    """The session's key."""


class SessionEntry(Public, frozen=True, kw_only=True):
    """One session."""

    session: str
    """The key that the other tables use: equal for the same path and position in the file."""
    path: str
    """The file it was read from."""
    position: int
    """Its number in that file, from 1."""
    id: str
    """The id that the log gives it, or the file's name."""
    format: str
    """The transcript's format."""
    agent: str | None
    """The program that ran."""
    agent_version: str | None
    """Its version."""
    model: str | None
    """The language model."""
    title: str | None
    """A short name for the task."""
    task: str | None
    """What the user asked for, at most 2,000 characters."""
    task_key: str
    """Equal for sessions of the same task: a digest of the task's words, or the id where the log has no task."""
    family: str
    """The family that the task belongs to: its name without a closing number, else the folder."""
    started_at: str | None
    """When it began; without zone where the log's clock has none."""
    duration_seconds: float | None
    """From first to last recorded time."""
    user_messages: int | None
    """Messages of the user."""
    assistant_messages: int | None
    """Messages of the agent."""
    actions: int
    """Actions of all lanes."""
    lanes: int
    """The main agent and its sub-agents."""
    tokens_input: int | None
    """Tokens sent to the model, cached ones included."""
    tokens_output: int | None
    """Tokens that the model wrote."""
    tokens_cached: int | None
    """The part of the input that came from a cache."""
    cost_usd: float | None
    """Recorded cost."""
    recorded_status: str | None
    """The log's own word for how it ended."""
    outcome: str
    """How it ended, in one word."""
    outcome_confidence: float
    """How sure that is."""
    outcome_reason: str
    """Why, in one sentence."""
    headline: str
    """The whole story in one sentence."""
    root_cause: str | None
    """Where the trouble comes from."""
    findings: int
    """Findings above `info`, a loop and what explains it as one."""
    worst: str | None
    """The severity of the worst finding."""
    about: str | None
    """The finding that the post-mortem is about, as `detector/kind`."""
    failures: int
    """Steps that failed, reproductions that are meant to fail left out."""
    loops: int
    """Findings of category `loop` above `info`."""
    loop_actions: int
    """Actions inside of loops."""
    loop_seconds: float | None
    """Time inside of loops, where the log has times."""
    loop_tokens: int | None
    """Tokens inside of loops, where the log has them per step; else their share by actions."""
    loop_usd: float | None
    """Money inside of loops, where the log has it per step; else its share by actions."""
    detectable_at: int | None
    """The first step at which the worst finding was detectable."""
    actions_saved: int | None
    """Actions after that inside the finding."""
    warnings: int
    """Records that could not be read."""
    project: str | None
    """The name of the working directory."""
    spent_usd: float | None
    """What it cost: recorded, else at list prices."""
    spent_basis: str | None
    """`recorded`, `list prices`, or null where neither is known."""
    unpriced: str
    """Models with tokens and without a known price, a list."""
    wasted_actions: int
    """Actions that were repeated, discarded or waiting."""
    wasted_usd: float | None
    """What those cost, where the log has it per step."""
    wasted_on: str
    """How many of them for which reason, an object."""
    forked_from: str | None
    """The session of which its beginning is a copy, as the log names it."""
    copied_actions: int
    """Actions of the main lane at its beginning that were copied from another session of the audit. They count there,
    and so do their tokens, failures and findings; `task`, `outcome` and `headline` speak of the whole session."""
    active_seconds: float | None
    """`duration_seconds` without the pauses in which the agent waited for its next turn, where they are known."""


class ActionEntry(OfSession, frozen=True, kw_only=True):
    """One action."""

    lane: str
    """`main` or a sub-agent."""
    step: int
    """Its number in the lane, from 1."""
    tool: str
    """The tool's name as recorded."""
    kind: str
    """What it does."""
    target: str
    """The file, command or pattern it works on, at most 300 characters."""
    status: str
    """`ok`, `error` or `unknown`."""
    status_source: str
    """Whether the log says so."""
    exit_code: int | None
    """The recorded exit code."""
    failure_group: str | None
    """The session's group of its failure."""
    started_at: str | None
    """When it began."""
    duration_seconds: float | None
    """How long it took."""
    summary: str
    """One line."""


class FailureEntry(OfSession, frozen=True, kw_only=True):
    """What went wrong at one step."""

    lane: str
    """Its lane."""
    step: int
    """The step that failed."""
    failure_group: str | None
    """The session's group that it belongs to."""
    fingerprint: str
    """A name for what failed that is the same in every run."""
    kind: str
    """What sort of failure."""
    type: str | None
    """The exception or error class."""
    message: str
    """The sharpest line, at most 1,000 characters."""
    template: str
    """Type and message with what varies masked."""
    runner: str | None
    """The test runner or compiler that printed it."""
    language: str | None
    """The programming language of the trace."""
    failing_tests: str
    """JSON list of test ids."""
    expected: bool
    """A reproduction that is meant to fail before the fix."""
    origin: str
    """Where it comes from."""
    origin_confidence: float
    """How sure that is."""
    origin_file: str | None
    """The file that holds the cause, or the deepest known place."""
    origin_line: int | None
    """1-based."""
    origin_function: str | None
    """Around it."""


class FailureGroupEntry(OfSession, frozen=True, kw_only=True):
    """Steps of one session that show the same failure."""

    failure_group: str
    """The group's name in its session."""
    lane: str
    """Its lane."""
    match: str
    """`identical` or `near-identical`."""
    count: int
    """How many steps."""
    steps: str
    """JSON list of steps."""
    type: str | None
    """The exception or error class."""
    template: str
    """Type and message with what varies masked."""
    fingerprint: str
    """The fingerprint of its first failure."""


class FindingEntry(OfSession, frozen=True, kw_only=True):
    """What one detector found in one session."""

    position: int
    """Its place among the session's findings, from 1, the worst first."""
    detector: str
    """The detector's name."""
    category: str
    """The field it belongs to."""
    kind: str
    """What sort of thing it is."""
    severity: str
    """How much it matters."""
    confidence: float
    """How sure the detector is."""
    title: str
    """One sentence."""
    lane: str
    """The lane whose steps are meant."""
    first_step: int
    """First step."""
    last_step: int
    """Last step."""
    steps: str
    """JSON list of steps."""
    detectable_at: int
    """The first step at which it was knowable."""
    rounds: int | None
    """How many rounds a loop has."""
    period: int | None
    """Actions in one round."""
    escaped: bool | None
    """Whether the agent got out of a loop."""
    failure_group: str | None
    """The failure group that came back."""
    cost_actions: int
    """Actions inside it."""
    cost_seconds: float | None
    """Seconds inside it."""
    cost_tokens: int | None
    """Tokens inside it."""
    cost_usd: float | None
    """USD inside it."""
    evidence: str
    """JSON list of steps and quotes."""
    advice: str
    """JSON list of sentences."""
    mast: str
    """JSON list of MAST failure modes."""
    trail: str
    """JSON list of TRAIL categories."""
    pattern: str | None
    """What people call what it shows; of trials held against their task, the mode of failure."""
    rules: str | None
    """JSON list of the lines for an instructions file that would have prevented it; null where it brings none."""


class ProblemEntry(Public, frozen=True, kw_only=True):
    """Something that could not be read or judged."""

    path: str
    """The file."""
    number: int
    """Its place among the file's problems, from 1."""
    kind: Literal["unreadable", "crash", "timeout", "error", "warning"]
    """A file that couldn't be read, a worker that died, a file that took too long, an error of this program; or a
    record that was skipped."""
    place: str
    """Line, record or key; empty where the whole file is meant."""
    what: str
    """What was wrong and what was done about it."""


TABLES: dict[str, type[Public]] = {
    "files": FileEntry,
    "sessions": SessionEntry,
    "actions": ActionEntry,
    "failures": FailureEntry,
    "failure_groups": FailureGroupEntry,
    "findings": FindingEntry,
    "problems": ProblemEntry,
}
"""Every table by name."""


def columns(table: str) -> tuple[str, ...]:
    """The columns of a table, in order."""
    return TABLES[table].__struct_fields__


def kinds(table: str) -> dict[str, type]:
    """The columns of a table with the Python types of their values."""
    found: dict[str, type] = {}
    scalars: tuple[type, ...] = (bool, int, float)
    for name, kind_of in get_type_hints(TABLES[table]).items():
        types = (kind_of, *get_args(kind_of))
        found[name] = next((kind for kind in scalars if kind in types), str)
    return found
