"""Most of what the agent wanted to do needed a permission that was never given.

What it flags
    A lane in which three or more calls that run or change something, and most calls of this kind, were returned because
    they need approval, and nothing was changed.

Why it matters
    The session could only read: the task waits until somebody allows the calls, and each variation of a call
    that isn't allowed is refused like the first.

What it does not flag
    Calls that a person refused, single missing approvals, sessions in which other calls changed something,
    read-only calls, and permissions that a system lacks rather than the agent.

Options
    calls: how many calls must be refused like this (3).

Example:
    `npm test` needs an approval at steps 8 to 12, in five forms, and so does the edit of step 16.

"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector, Options
from analyzer.detectors.engine.rule_state import spread
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.quoted import quoted
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import Category, Kind, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.english import listed, plural
from analyzer.text.markdown import code

_HELD_BACK = "ApprovalNeeded"
"""The type of a failure that says that a call waits for somebody's leave."""
_DOES = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST})
_NAMED = 3
_MOST = 50


class NeverAllowedOptions(Options):
    """Options of this detector."""

    calls: int = Field(default=3, ge=2)
    """How many calls must be refused so."""


class NeverAllowed(Detector):
    """At most one finding per lane."""

    name = "never-allowed"
    category = Category.TOOL
    taxonomy = Taxonomy.of(mast=["FM-2.5"], trail=["Environment Setup Errors"])
    options = NeverAllowedOptions.usual()
    traits = frozenset({Trait.HELD_BACK})
    cause_rank = 6
    first_failure_rank = 4
    cause_name = "missing permission"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("Which of the calls from step {first} on should be allowed, and who can allow them?",),
                approaches=(
                    (
                        "Allow them beforehand",
                        "Put the commands and folders that the task needs into the agent's permissions.",
                    ),
                    (
                        "Ask once",
                        "After the first refusal, ask for the permission and say what it's for, instead of trying "
                        "another form of the call.",
                    ),
                ),
                improvement="Give the permissions that the task needs before the run",
                change=(
                    "Let the harness list which permissions a task needs before it starts, and end the turn at the "
                    "first call that nobody can approve."
                ),
                lesson="A call that needs an approval needs it in every form.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The lanes in which what matters was never allowed."""
        options = self.options
        assert isinstance(options, NeverAllowedOptions)
        for lane in facts.timeline.lanes():
            actions = [action for action in facts.lane(lane) if not action.harness]
            held = [action for action in actions if action.failure is not None and action.failure.type == _HELD_BACK]
            others = [action for action in actions if action.kind in _DOES and action not in held]
            if (
                len(held) < options.calls
                or len(held) <= len(others)
                or not any(action.kind in _DOES for action in held)
            ):
                continue
            if any(_changed(action) for action in actions if action not in held):
                continue
            yield _finding(facts, lane, held, len(held) + len(others), options.calls)


DETECTOR = NeverAllowed()


def _changed(action: Action) -> bool:
    """Whether a call changed a file, as far as its words say."""
    if action.failure is not None and not action.accepted_edits:
        return False
    return action.status is not Status.ERROR and bool(action.accepted_edits or action.operation.writes)


def _finding(facts: Facts, lane: str, held: Sequence[Action], total: int, calls: int) -> Finding:
    steps = [action.step for action in held][:_MOST]
    tools = listed([code(clip(tool, 40)) for tool in list(dict.fromkeys(action.tool for action in held))[:3]])
    many = f"All {total}" if len(held) == total else f"{len(held)} of {total}"
    shown = spread(steps)
    return NeverAllowed.finding(
        severity=Severity.MEDIUM,
        confidence=0.85,
        title=(
            f"{many} calls that run or change something needed an approval that nobody gave ({tools}), and nothing "
            "was changed"
        ),
        lane=lane,
        steps=steps,
        detectable_at=steps[calls - 1],
        rounds=len(held),
        evidence=[Evidence(step=action.step, quote=quoted(action)) for action in held if action.step in shown],
        advice=[
            f"Allow {_calls(held)} before the next run as far as the task needs them, or end the turn at step "
            f"{steps[0]}, the first that nobody allowed."
        ],
        cost=facts.cost(lane, steps[0], steps[-1]),
    )


def _calls(held: Sequence[Action]) -> str:
    """The calls that nobody allowed, each sort once: the command, or the tool with the file."""
    named = dict.fromkeys(
        code(clip(action.operation.command or f"{action.tool} {action.operation.path or ''}".strip(), 60))
        for action in held
    )
    shown = list(named)[:_NAMED]
    more = [plural(len(named) - len(shown), "other")] if len(named) > len(shown) else []
    return listed([*shown, *more])
