"""One place is edited repeatedly while the same failure remains, and nothing is examined in between.

What it flags
    Three or more edits in a row to one place, each followed by the same failure of a test, a program or a build,
    with nothing in between that could have given the agent new information: no file read, no search, no other run,
    no print or log statement added, no edit anywhere else.

Why it matters
    Without observing what actually happens, each edit is a guess, and the guesses resemble each other. Often the cause
    isn't in the edited place at all.

What it does not flag
    Edits after which the failure changes, refused edits, edits to several places, rounds with a read, a search or an
    experiment in them, rounds in which the user intervened, and edits whose place the call doesn't show.

Options
    edits: how many edits in a row must have left the failure unchanged (3).

Example:
    `rates.py` is edited around the same line at steps 12, 14 and 16; steps 11, 13, 15 and 17 end with
    `KeyError: 'tariff'`; `loader.py`, which raises it, is never opened.

"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import Field

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, spread
from analyzer.detectors.engine.traits import Trait
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Edit
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import Category, FailureKind, FrameRole, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import times
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.similarity import alike

_LONGEST = 100_000
"""Characters of an edit that are compared with the next one's."""
_MOST_STEPS = 50
_NO_CHECK = frozenset(
    {
        FailureKind.EDIT_REFUSED,
        FailureKind.INVALID_CALL,
        FailureKind.COMMAND_NOT_FOUND,
        FailureKind.DENIED,
        FailureKind.CASCADE,
        FailureKind.LIMIT,
        FailureKind.NETWORK,
    }
)
_HOUSEKEEPING = frozenset(
    {
        "git",
        "mkdir",
        "rm",
        "cp",
        "mv",
        "touch",
        "chmod",
        "sleep",
        "kill",
        "pkill",
        "cd",
        "echo",
        "export",
        "source",
        "sync",
    }
)
_PROBE = late(
    r"\b(?:print|println|printf|fprintf|console\.(?:log|error|debug)|log(?:ger|ging)?\.\w+|debug|dbg!|var_dump"
    r"|dump|puts|pp|inspect|echo|breakpoint|set_trace|debugger|dd|trace|warn|eprintln|Console\.WriteLine"
    r"|fmt\.Print\w*)\b"
)


class BlindEditsOptions(Options):
    """Options of this detector."""

    edits: int = Field(default=3, ge=2)
    """How many edits in a row must have left the failure as it was."""


_GUIDANCE = {
    "": Guidance(
        questions=(
            "What does each of the edits of steps {steps} assume, and which observation would show whether it's true?",
            "Which file of the trace was not read between them?",
        ),
        approaches=(
            ("Observe before the next edit", "Print the values where it fails, once; then decide whether to edit."),
            (
                "Read the caller",
                "Open the caller and the test that the trace names, and compare what they pass with what is expected.",
            ),
            ("Look elsewhere", "Name one cause outside the lines edited so far, and the cheapest check for it."),
        ),
        improvement="Require an observation between two edits of the same place",
        change=(
            "When the same failure comes back after an edit, require a read, a print or a smaller run before the next "
            "edit of the same lines is accepted."
        ),
        lesson="An edit without an observation is a guess; the same failure again says that the guess was wrong.",
    )
}


class BlindEdits(LiveDetector):
    """One finding per place and stretch."""

    name = "blind-edits"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-1.3", "FM-2.6"], trail=["Incorrect Problem Identification"])
    options = BlindEditsOptions.usual()
    traits = frozenset({Trait.ASPECT_OF_LOOP})
    cause_rank = 3
    guidance = _GUIDANCE

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options)


DETECTOR = BlindEdits()


@dataclass(slots=True)
class _Stretch:
    """Failures of one group with edits to one place between them."""

    group: str
    failure: Failure
    first: Action
    last: Action
    failed: list[int]
    edits: list[int] = field(default_factory=list)
    rounds: int = 0
    path: str = ""
    said: str = ""
    same_words: int = 0
    unread: str | None = None
    raised: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: BlindEditsOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._stretch: _Stretch | None = None
        self._edit: tuple[Action, Edit] | None = None
        self._pending: Action | None = None
        self._opened: deque[str] = deque(maxlen=500)
        self._kept: list[_Stretch] = []

    def on_message(self, message: Message) -> Iterable[Finding]:
        if message.role == "user":
            self._reset()
        return ()

    def on_action(self, action: Action) -> Iterable[Finding]:
        operation = action.operation
        if operation.path is not None and action.failure is None and operation.path not in self._opened:
            self._opened.append(operation.path)
        if operation.edits and not (action.kind is Kind.EDIT and action.failure is not None):
            self._edited(action)
        elif action.kind in (Kind.READ, Kind.SEARCH, Kind.OTHER) and action.mark is None:
            self._reset()
        if action.kind not in (Kind.RUN, Kind.TEST) or action.mark is not None:
            return
        failure = action.failure
        if failure is None or failure.group is None:
            if not _uninformative(action):
                self._reset()
        elif failure.kind in _NO_CHECK:
            self._reset()
        elif self._failed(action, failure, failure.group) and self._stretch is not None:
            yield self._finding(self._stretch)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(stretch) for stretch in self._kept]

    def _reset(self) -> None:
        self._stretch = self._edit = self._pending = None

    def _edited(self, action: Action) -> None:
        """Take an edit: it either goes on with the stretch or begins another one at its own place."""
        entry = action.operation.edits[0]
        known = self._edit
        if len(action.operation.edits) > 1 or _probes(action, entry, known[1] if known is not None else None):
            self._reset()
            return
        if known is not None and not _same_place(known, (action, entry)):
            last = self._stretch
            self._stretch = (
                _Stretch(last.group, last.failure, last.last, last.last, [last.failed[-1]])
                if last is not None
                else None
            )
        self._edit = (action, entry)
        self._pending = action

    def _failed(self, action: Action, failure: Failure, group: str) -> bool:
        """Take a failed check; True where it makes the finding."""
        stretch, pending = self._stretch, self._pending
        self._pending = None
        if stretch is None or stretch.group != group:
            self._stretch = _Stretch(group, failure, action, action, [action.step])
            self._edit = None
            return False
        if pending is None or self._edit is None:
            return False
        stretch.rounds += 1
        stretch.last = action
        stretch.path = self._edit[1].path
        if len(stretch.edits) < _MOST_STEPS:
            stretch.edits.append(pending.step)
            stretch.failed.append(action.step)
        words = clip(pending.said, 400)
        stretch.same_words += bool(words) and bool(stretch.said) and alike(words, stretch.said, 80.0)
        stretch.said = words
        if stretch.rounds != self._options.edits:
            return False
        stretch.raised = action.step
        stretch.unread = self._unread(failure, stretch.path)
        if not self.lane_context.live:
            self._kept.append(stretch)
        return True

    def _unread(self, failure: Failure, path: str) -> str | None:
        """The project's file that the trace names, innermost first, which was neither edited nor ever opened."""
        for frame in reversed(failure.frames):
            ours = frame.role in (FrameRole.PROJECT, FrameRole.TEST)
            if ours and not any(same_file(frame.file, name) for name in (path, *self._opened)):
                return frame.file
        return None

    def _finding(self, stretch: _Stretch) -> Finding:
        assert stretch.raised is not None
        headline = clip(stretch.failure.headline, 160)
        origin = stretch.failure.origin
        never = (
            f"; {stretch.unread}, which its trace names, was never opened"
            if stretch.unread
            else "; nothing was read, printed or searched in between"
        )
        steps = sorted({*stretch.edits, *stretch.failed})
        look = stretch.unread or stretch.path
        return BlindEdits.finding(
            severity=Severity.HIGH if stretch.rounds >= 2 * self._options.edits else Severity.MEDIUM,
            confidence=0.9 if stretch.same_words >= stretch.rounds - 1 else 0.8,
            title=(
                f"{stretch.path} is edited {times(stretch.rounds)} in one place and the failure stays: "
                f"{headline}{never}"
            ),
            lane=self.lane_context.lane,
            first_step=steps[0],
            last_step=stretch.last.step,
            steps=steps,
            detectable_at=stretch.raised,
            rounds=stretch.rounds,
            evidence=[
                Evidence(step=stretch.failed[0], quote=clip(stretch.failure.headline, 300)),
                *(Evidence(step=step, label="edited", quote=stretch.path[:300]) for step in spread(stretch.edits)),
                Evidence(step=stretch.last.step, quote=clip((stretch.last.failure or stretch.failure).headline, 300)),
            ],
            advice=[
                (
                    f"Read {code(look)} where the failure is raised, or print the values that lead to it, before the "
                    f"next edit of {code(stretch.path)}."
                ),
                f"Undo the edits at {code(stretch.path)} that changed nothing about {code(headline, 80)}.",
            ],
            cost=cost_of(stretch.first, stretch.last),
            repeated=clip(stretch.failure.headline, 300),
            group=stretch.group,
            fault=Place(file=origin.file, line=origin.line) if origin is not None and origin.file is not None else None,
            edited_instead=[stretch.path] if stretch.unread else [],
        )


def _uninformative(action: Action) -> bool:
    """Whether a run that went well is part of the round (a build, tidying up) rather than an experiment or a
    success."""
    commands = action.operation.commands
    if action.result is None or not action.result.strip():
        return action.kind is Kind.RUN
    return action.kind is Kind.RUN and bool(commands) and all(entry.program in _HOUSEKEEPING for entry in commands)


def _probes(action: Action, edit: Edit, known: Edit | None) -> bool:
    """Whether an edit puts in more statements that show something than it takes away or than the version before it
    had."""
    if edit.after is None and edit.before is None:
        return _PROBE.search((action.operation.command or "")[:_LONGEST]) is not None
    before = edit.before
    if before is None and known is not None and edit.created and known.created and known.path == edit.path:
        before = known.after
    return before is not None and len(_PROBE.findall((edit.after or "")[:_LONGEST])) > len(
        _PROBE.findall(before[:_LONGEST])
    )


def _same_place(known: tuple[Action, Edit], new: tuple[Action, Edit]) -> bool:
    """Whether the new edit changes what the known one did: lines that it put in or that it replaced as well, or
    overlapping ranges."""
    one, other = known[1], new[1]
    if not same_file(one.path, other.path):
        return False
    if one.lines is not None and other.lines is not None:
        return one.lines[0] <= other.lines[1] + 1 and other.lines[0] <= one.lines[1] + 1
    if one.before is None and other.before is None and one.after is None and other.after is None:
        line, next_line = known[0].operation.command, new[0].operation.command
        return line is not None and next_line is not None and alike(clip(line, 400), clip(next_line, 400), 80.0)
    if one.before is None and one.after is not None and other.before is None and other.after is not None:
        return (
            one.created
            and other.created
            and alike(one.after[:4_000], other.after[:4_000], 60.0)
            and _few_lines(one.after, other.after)
        )
    before, after = _lines(one.before), _lines(one.after)
    replaced, put = _lines(other.before), _lines(other.after)
    return bool((after - before) & (replaced - put)) or bool((before - after) & (replaced - put))


def _few_lines(one: str, other: str) -> bool:
    """Whether two versions of a whole file differ, and in one stretch of few lines only."""
    first, second = one[:_LONGEST].splitlines(), other[:_LONGEST].splitlines()
    head = next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    tail = next((i for i, (a, b) in enumerate(zip(reversed(first), reversed(second), strict=False)) if a != b), 0)
    return first != second and max(len(first), len(second)) - head - tail <= 25


def _lines(text: str | None) -> set[str]:
    return {line.strip() for line in (text or "")[:_LONGEST].splitlines() if len(line.strip()) > 3}
