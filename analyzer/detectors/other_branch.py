"""The work goes to a different branch than the one on which the session began.

What it flags
    Edits, commits, resets and pushes on a branch that the log records and that no call of the agent had checked out:
    somebody else switched the branch during the session. Severity is low where files are only edited, the user asked
    for something new in between, or the agent has checked. A commit on an existing branch that the agent checked out
    itself and that the user didn't mention.

Why it matters
    What the agent knows about the files comes from the other branch, and what it commits, resets or pushes there is
    somebody else's work.

What it does not flag
    A branch that the agent made, or that the user named or asked for; a change of branches by a call of the agent,
    by a script or in another folder; sessions that only read.

Options
    None.

Example:
    Step 4 is recorded on `tide`, step 5 on `main`, with no call in between that checks out a branch; step 9 resets
    `main`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.rule_state import ImmediateState, LaneContext, RuleState, cost_of
from analyzer.detectors.signals.commits.arguments import GitCall, git_call
from analyzer.detectors.signals.commits.printed import branch_now, made
from analyzer.model.action import Action, Command
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity, Status
from analyzer.task.turns import read_turn
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.workspace.command_effects.effects import is_harmless

_LONGEST = 20_000
_SWITCHES = frozenset({"checkout", "switch", "branch", "worktree", "rebase", "bisect", "clone", "init", "am"})
_WRITES = frozenset({"commit", "push", "reset", "rebase", "merge", "cherry-pick", "revert", "am"})
_SHARED = frozenset({"main", "master", "trunk", "develop"})
_SPOKEN = late(
    r"\bbranch(?:es)?\b|\bcheck(?:ed|ing)? ?out\b|\bswitch\b|\bpull[- ]?requests?\b|\bPRs?\b|\bworktrees?\b|\bmerge\b",
    re.IGNORECASE,
)
"""Words with which a user speaks of branches."""
_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT, Kind.THINK, Kind.PLAN, Kind.WAIT, Kind.FINISH})

_GUIDANCE = {
    "": Guidance(
        questions=("Which branch was meant, and what did step {last} change on the other one?",),
        approaches=(
            ("Look first", "Ask `git branch --show-current` before the first change, and compare it with the task."),
            ("Ask", "Name the branch to the user where it isn't the one of the task."),
        ),
        improvement="Tell the agent the branch before it writes",
        change="Have the harness put the branch into the context whenever it changes, and before commits and resets.",
        lesson="A branch may change under the agent: look before the first change.",
    )
}


class OtherBranch(LiveDetector):
    """At most one finding of each kind and branch."""

    name = "other-branch"
    category = Category.CONTEXT
    taxonomy = Taxonomy.of(mast=["FM-1.4"])
    guidance = _GUIDANCE

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context)


DETECTOR = OtherBranch()


@dataclass(slots=True)
class _Moved:
    """A branch that changed without a call: from where to where, the last step on the old and the first on the new
    one, whether the user asked for something in between, and whether the agent has seen its name since."""

    before: str
    after: str
    last: int
    first: int
    anew: bool
    seen: bool = False


class _State(ImmediateState):
    def __init__(self, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._spoken = lane_context.task[:_LONGEST]
        self._branch: str | None = None
        self._first: str | None = None
        self._at = 0
        self._may_have_switched = False
        self._moved: _Moved | None = None
        self._anew = False
        self._own: set[str] = set()
        self._said: set[str] = set()
        self._raised_for: set[tuple[str, bool]] = set()

    def on_message(self, message: Message) -> Iterable[Finding]:
        if message.role == "user":
            self._anew = self._anew or not read_turn(message.text[:_LONGEST]).approves
            self._spoken = f"{self._spoken}\n{message.text[:_LONGEST]}"[-4 * _LONGEST :]
        return ()

    def inspect(self, action: Action) -> Iterable[Finding]:
        if self.lane_context.lane != MAIN_LANE:
            return
        self._follow(action)
        calls = [call for command in action.operation.commands if (call := git_call(command)) is not None]
        records = any(call.verb in _WRITES and call.names + call.options for call in calls)
        writes = action.failure is None and (bool(action.operation.edits) or records)
        moved = self._moved if writes else None
        if moved is not None and (moved.after, records) not in self._raised_for and not self._names(moved.after):
            self._raised_for |= {(moved.after, False), (moved.after, records)}
            yield self._changed(action, moved, records=records)
        yield from self._committed(action, calls)
        for call in calls:
            self._note(call, action)
        if self._moved is not None and self._moved.after in (action.result or "")[:_LONGEST] and calls:
            now = branch_now(action.result or "", [call.verb for call in calls])
            self._moved.seen = self._moved.seen or now == self._moved.after or "--show-current" in str(calls)
        self._may_have_switched = self._may_have_switched or _may_switch(action)

    def _follow(self, action: Action) -> None:
        """Take the branch that is recorded with a call."""
        branch = action.branch
        if branch is None:
            return
        if self._branch is not None and branch != self._branch:
            self._moved = (
                None if self._may_have_switched else _Moved(self._branch, branch, self._at, action.step, self._anew)
            )
        self._first = self._first or branch
        self._branch, self._at, self._may_have_switched, self._anew = branch, action.step, False, False

    def _note(self, call: GitCall, action: Action) -> None:
        """Take which branches the agent makes, and where the session began."""
        result = action.result or ""
        if call.verb in ("checkout", "switch") and {"-b", "-c", "--create", "-B", "-C"} & set(call.options):
            self._own.update(call.names[:1])
        elif call.verb in ("branch", "worktree") and call.names:
            self._own.update(call.names)
        now = branch_now(result, [call.verb])
        if now is not None and call.verb in ("status", "branch"):
            self._first = self._first or now

    def _names(self, branch: str) -> bool:
        """Whether the user spoke of a branch by name."""
        return branch in self._spoken

    def _changed(self, action: Action, moved: _Moved, *, records: bool) -> Finding:
        what = clip(action.operation.command or f"the edit of {action.operation.target}", 80)
        return OtherBranch.finding(
            kind="changed-outside",
            severity=Severity.MEDIUM if records and not (moved.seen or moved.anew) else Severity.LOW,
            confidence=0.8,
            title=(
                f"The branch changed from {code(moved.before)} (step {moved.last}) to {code(moved.after)} (step "
                f"{moved.first}) without a call of the agent's, and step {action.step} works on it: {what}"
            ),
            steps=[moved.last, moved.first, *([action.step] if action.step != moved.first else [])],
            detectable_at=action.step,
            evidence=[Evidence(step=action.step, quote=what)],
            advice=[f"Ask whether {code(moved.after)} is the branch that is meant before you change anything on it."],
            cost=cost_of(action, action),
        )

    def _committed(self, action: Action, calls: list[GitCall]) -> Iterable[Finding]:
        """A commit on a branch that the agent checked out by itself, and that had been there before."""
        if self._first is None or action.status is not Status.OK or not any(call.verb == "commit" for call in calls):
            return
        for branch, commit in made(action.result or ""):
            if branch in (self._first, "detached", *self._own, *self._said) or self._names(branch):
                continue
            if _SPOKEN.search(self._spoken) is not None or (self._moved is not None and branch == self._moved.after):
                continue
            self._said.add(branch)
            yield OtherBranch.finding(
                kind="committed-elsewhere",
                severity=Severity.MEDIUM if branch in _SHARED else Severity.LOW,
                confidence=0.7,
                title=(
                    f"The commit at step {action.step} goes to {code(branch)}; the session began on "
                    f"{code(self._first)}, and the user spoke of no other branch"
                ),
                steps=[action.step],
                detectable_at=action.step,
                evidence=[Evidence(step=action.step, quote=f"[{branch} {commit.hash}] {clip(commit.subject, 120)}")],
                advice=[f"Ask before a commit goes to {code(branch)}."],
                cost=cost_of(action, action),
            )


def _may_switch(action: Action) -> bool:
    """Whether a call may have checked out another branch, or gone to another folder."""
    commands = action.operation.commands
    if not commands:
        return action.kind not in _LOOKS
    return action.operation.directory is not None or any(
        _switches(command, is_test=action.kind is Kind.TEST) for command in commands
    )


def _switches(command: Command, *, is_test: bool) -> bool:
    if command.program == "git":
        call = git_call(command)
        return call is not None and (call.verb in _SWITCHES or call.folder is not None)
    if command.program in ("gh", "glab"):
        return bool({"checkout", "co", "clone", "merge", "develop"} & set(command.args))
    return command.program in ("cd", "pushd", "popd") or not is_harmless(
        command.program, list(command.args), is_test=is_test
    )
