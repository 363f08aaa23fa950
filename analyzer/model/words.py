"""The closed sets of words that the rest of the project uses."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

MAIN_LANE = "main"
"""The lane of the agent itself; every sub-agent has a lane of its own."""
USER_LANE = "agent-user"
"""The lane of the calls that a user makes who has tools of their own: no sub-agent's."""
BRANCH = "branch "
"""How lanes begin that hold what was tried and given up, in a log that is a tree: no sub-agent's either."""


def lane_label(lane: str) -> str:
    """What a lane beside the main one is called."""
    return "the user" if lane == USER_LANE else lane if lane.startswith(BRANCH) else f"sub-agent {lane}"


def whose(lanes: Iterable[str]) -> str:
    """Whose the lanes beside the main one are, in the plural."""
    branches = [lane.startswith(BRANCH) for lane in lanes if lane not in (MAIN_LANE, USER_LANE)]
    return "sub-agents" if not any(branches) else "other branches" if all(branches) else "others"


SIMULATED_USER = "instruction of the simulated user, not shown to the agent"
"""The label in a session's environment under which a benchmark's instruction for the user's role stands."""


class Kind(StrEnum):
    """What an action does, from its tool name and its command line."""

    READ = "read"
    SEARCH = "search"
    EDIT = "edit"
    TEST = "test"
    RUN = "run"
    WAIT = "wait"
    THINK = "think"
    PLAN = "plan"
    FINISH = "finish"
    OTHER = "other"


CHANGE_NOTHING = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.WAIT, Kind.FINISH})
"""The kinds of actions that leave everything as it is."""


class ShownKind(StrEnum):
    """What an action is called where it's shown: its kind, and of a call without one `lookup` for a function that only
    asks, `browse` for what is done in a browser, `delegate` for what another agent is asked, `call` for any other."""

    READ = "read"
    SEARCH = "search"
    LOOKUP = "lookup"
    BROWSE = "browse"
    EDIT = "edit"
    TEST = "test"
    RUN = "run"
    CALL = "call"
    DELEGATE = "delegate"
    WAIT = "wait"
    THINK = "think"
    PLAN = "plan"
    FINISH = "finish"
    OTHER = "other"


class Status(StrEnum):
    """Whether an action failed."""

    OK = "ok"
    ERROR = "error"
    UNKNOWN = "unknown"


class StatusSource(StrEnum):
    """Whether the log said so, or we read it from the text."""

    RECORDED = "recorded"
    INFERRED = "inferred"


class NotRun(StrEnum):
    """Why a call never ran, or not to its end, which is no failure of it."""

    REFUSED = "refused"
    """A person decided against it, or it waited for somebody's leave."""
    CANCELLED = "cancelled"
    """Another call of the same message failed."""
    STOPPED = "stopped"
    """It ran, and the user or the harness stopped it."""


class Mark(StrEnum):
    """What a format knows about a result beyond its text, in words that all formats share."""

    DENIED = "denied"
    """The user refused this call."""
    CASCADE = "cascade"
    """Not run, because another call of the same message failed."""
    REJECTED = "rejected"
    """The harness refused the call before any tool ran: malformed call, unknown tool, failed schema validation."""
    INTERRUPTED = "interrupted"
    """Stopped by the user or the harness while it ran."""
    TIMEOUT = "timeout"
    """Stopped by the harness because it took too long."""


class Ending(StrEnum):
    """What the log itself records about how the session ended, in words that all formats share."""

    SUBMITTED = "submitted"
    """The agent handed in its work or declared itself done: a claim."""
    SOLVED = "solved"
    """Somebody else than the agent judged the result to be right."""
    UNSOLVED = "unsolved"
    """Somebody else than the agent judged the result to be wrong."""
    LIMIT = "limit"
    """A cost, step, time or context limit ended the session."""
    CRASHED = "crashed"
    """The harness, the model's service or the environment broke."""
    STUCK = "stuck"
    """The harness ended it because it thought that the agent was stuck."""
    CANCELLED = "cancelled"
    """The user ended it."""


class FailureKind(StrEnum):
    """What sort of thing went wrong at one step."""

    EXCEPTION = "exception"
    TEST = "test-failure"
    COMPILE = "compile-error"
    LINT = "lint-error"
    EDIT_REFUSED = "edit-refused"
    INVALID_CALL = "invalid-call"
    COMMAND_NOT_FOUND = "command-not-found"
    NOT_FOUND = "not-found"
    PERMISSION = "permission"
    TIMEOUT = "timeout"
    NETWORK = "network"
    MISSING_DEPENDENCY = "missing-dependency"
    CRASH = "crash"
    USAGE = "usage-error"
    LIMIT = "harness-limit"
    DENIED = "denied"
    CASCADE = "cascade"
    OTHER = "other"


OF_CODE = frozenset({FailureKind.EXCEPTION, FailureKind.TEST, FailureKind.LINT, FailureKind.COMPILE})
"""The kinds of failures that an edit of the code may fix."""
NOT_CARRIED_OUT = frozenset({FailureKind.DENIED, FailureKind.CASCADE, FailureKind.LIMIT})
"""The kinds of failures in which a call was refused, called off because another one had failed, or stopped at a limit.
"""


class OriginRole(StrEnum):
    """Where a failure comes from."""

    TEST = "test"
    IMPLEMENTATION = "implementation"
    LIBRARY = "library"
    ENVIRONMENT = "environment"
    TOOL = "tool"
    UNKNOWN = "unknown"


class FrameRole(StrEnum):
    """Whose code one frame of a trace belongs to."""

    TEST = "test"
    PROJECT = "project"
    LIBRARY = "library"
    RUNNER = "runner"
    STDLIB = "stdlib"
    UNKNOWN = "unknown"


class OutcomeStatus(StrEnum):
    """How a session ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    LIMIT_REACHED = "limit_reached"
    STUCK = "stuck"
    CRASHED = "crashed"
    ABANDONED = "abandoned"
    UNKNOWN = "unknown"


class Basis(StrEnum):
    """What an outcome rests on."""

    VERDICT = "verdict"
    """The log records how it ended: a judgement by somebody else than the agent, a limit, a crash."""
    CHECKS = "checks"
    """What ran on the delivered state."""
    CLAIM = "claim"
    """What the agent says."""
    DELIVERABLE = "deliverable"
    """What was handed in, or that nothing was."""
    USER = "user"
    """What the user says of it afterwards."""
    WAITING = "waiting"
    """It ends while it waits for the user: for an answer, or for leave to make a call."""
    NONE = "none"
    """Nothing: the log doesn't show it."""


class DeliverableKind(StrEnum):
    """What a session leaves behind."""

    CHANGE = "change"
    """Changed files."""
    ANSWER = "answer"
    """Words only."""
    NOTHING = "nothing"
    """Neither changed files nor an answer."""
    SCRATCH = "scratch"
    """Only files or lines by which the agent tried something out."""


class Severity(StrEnum):
    """How much a finding matters."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for info up to 3 for high, so that levels can be compared."""
        return _SEVERITY_ORDER.index(self)


_SEVERITY_ORDER = (Severity.INFO, Severity.LOW, Severity.MEDIUM, Severity.HIGH)


class Category(StrEnum):
    """The field that a finding belongs to."""

    LOOP = "loop"
    ERROR = "error"
    TRACE = "trace"
    EDIT = "edit"
    TOOL = "tool"
    CONTEXT = "context"
    PLAN = "plan"
    VERIFICATION = "verification"


class TurnKind(StrEnum):
    """What the user does in a turn."""

    REQUEST = "request"
    """Asks for something."""
    CORRECTION = "correction"
    """Says that something isn't as it was meant."""
    APPROVAL = "approval"
    """Agrees, and says nothing else."""
    OTHER = "other"
    """None of these, as far as the words show."""


class LoopKind(StrEnum):
    """How a stretch of steps repeats itself."""

    REPEATED_CALL = "repeated-call"
    ALTERNATING = "alternating"
    CYCLE = "cycle"
    REPEATED_ERROR = "repeated-error"
    OSCILLATION = "oscillation"
    RE_READ = "re-read"
    MONOLOGUE = "monologue"


class Repeat(StrEnum):
    """In what way a step repeats an earlier one."""

    SAME_CALL = "same call"
    """The same call on the same state of what it touches."""
    SAME_FAILURE = "same failure"
    """Another call, or the same one on another state, that fails in the same way."""
    CORRECTED = "nearly the same call, same answer"
    """The call with something put right in it, which fails in the same words."""
    OTHER_WORDS = "same question in other words"
    """A question that differs little and is answered the same."""
    MADE_AGAIN = "deleted and made again"
    """A file that was written before and had been changed or taken away since is written as it was."""
