"""Steps are lost to environment problems: something isn't installed, reachable or writable.

What it flags
    Failures of the environment rather than of the work: missing packages, permissions, a missing network, a full
    disk, several missing programs. Three failures of one cause make a finding.

Why it matters
    None of these steps says anything about the task, and the agent often works around them (mocks, skipped checks), so
    that the work remains unproven. Fixing the setup once prevents them all.

What it does not flag
    A package that is missing once and gets installed; a module that the task asks for or whose name the agent made up;
    a file that the agent searches for; messages of a search that lacks permission for some folders; a host that doesn't
    answer where others did; a server on this machine that isn't up; text typed into a shell; one program that is
    missing (that's `unknown-tool`).

Options
    failures: how many failures of one cause make a finding (3).
    share: the share of all actions from which they weigh more (0.2).
    least: the number of failures that this share must amount to at least (4).

Example:
    `python -m pytest` fails at steps 3, 5 and 9 with `No module named 'numpy'`, and nothing installs it.

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import Field

from analyzer.commands.harm import installs_packages
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.environment.environment_errors import environment_error_of, missing_module, shows_network
from analyzer.detectors.signals.quoted import quoted
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.words import Kind, Mark, Severity
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.late import late
from analyzer.text.markdown import code

_NAMED = late(r"['\"]([A-Za-z_]\w{2,40})['\"]")
"""Names that a script of the agent's own gives as text: modules and apps that it made up."""
_MOST = 3_000
_SHOWN = 50
"""Live, only so many answers are kept."""
_LONGEST = 20_000
_CAUSES = {
    "missing-package": (
        "packages are missing",
        "Install {what} before anything else is run, or use the environment that has it.",
    ),
    "no-permission": (
        "permission is denied",
        (
            "Work where you have permission (a directory of its own, a virtual environment) instead of {what}, or get "
            "permission first."
        ),
    ),
    "no-network": (
        "there's no network",
        "Work without the network after the first failure of {what}: use what is installed, or report that it's "
        "needed.",
    ),
    "disk-full": (
        "the disk is full",
        "Free space first (`df -h`, then delete caches and build output), before {what} is tried again.",
    ),
    "missing-program": (
        "programs are missing",
        "Look up once what is installed (`command -v {words}`), and use that or install {what}.",
    ),
}


_INSTALLABLE = ("missing-program", "missing-package")


class EnvironmentTroubleOptions(Options):
    """Options of this detector."""

    failures: int = Field(default=3, ge=2)
    """How many failures of one cause make a finding."""
    share: float = Field(default=0.2, gt=0, le=1)
    """From which share of all actions on the failures of one cause weigh more."""
    least: int = Field(default=4, ge=2)
    """How many failures that share must be at least."""


@dataclass
class _Case:
    """The failures of one cause: what was missing, and what the steps said."""

    counter: StepCounter
    what: dict[str, None] = field(default_factory=dict)
    said: dict[int, str] = field(default_factory=dict)
    raised_at: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: EnvironmentTroubleOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._cases: dict[str, _Case] = {}
        self._files: dict[str, str] = {}
        self._folders: dict[str, None] = {}
        self._named: dict[str, None] = {}
        self._online = False
        self._in_vain: list[int] = []
        """The steps that tried to install something, since the last one that did."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        if any(map(installs_packages, action.operation.commands)):
            self._note_installation(action)
        trouble = self._trouble(action)
        if trouble is None:
            self._learn(action)
            return
        kind, what = trouble
        case = self._cases.setdefault(kind, _Case(StepCounter(self.lane_context)))
        if case.counter.add(action):
            if len(case.what) < 20:
                case.what[what] = None
            if len(case.said) < _SHOWN or not self.lane_context.live:
                case.said[action.step] = quoted(action)
        if case.raised_at is None and case.counter.count >= self._options.failures:
            case.raised_at = action.step
            yield self._finding(kind, case, action.step)

    def findings(self) -> Iterable[Finding]:
        if self.lane_context.live:
            return []
        raised = [(case.raised_at, kind, case) for kind, case in self._cases.items() if case.raised_at is not None]
        return [self._finding(kind, case, step) for step, kind, case in sorted(raised, key=lambda entry: entry[0])]

    def _note_installation(self, action: Action) -> None:
        """Keep which installations failed; one that works ends that."""
        if action.failure is None:
            self._in_vain.clear()
        elif len(self._in_vain) < _SHOWN:
            self._in_vain.append(action.step)

    def _learn(self, action: Action) -> None:
        """Keep which files there are. A program that got out shows that there's a network."""
        if action.failure is not None:
            return
        operation = action.operation
        for path in (operation.path, *(edit.path for edit in operation.edits)):
            if path and len(self._files) < _MOST:
                parts = path.strip("/").split("/")
                self._files.setdefault(parts[-1], path)
                self._folders.update(dict.fromkeys(parts[:-1]))
        for edit in operation.edits:
            for name in _NAMED.findall((edit.after or "")[:_LONGEST]):
                if len(self._named) < _MOST:
                    self._named[name] = None
        self._online = self._online or shows_network(action)

    def _trouble(self, action: Action) -> tuple[str, str] | None:
        """The cause and what was missing, where a failure is the environment's."""
        failure = action.failure
        if (
            failure is None
            or failure.expected
            or action.mark in (Mark.DENIED, Mark.CASCADE, Mark.REJECTED)
            or action.harness
        ):
            return None
        if action.kind in (Kind.READ, Kind.SEARCH):
            return None
        return environment_error_of(action, online=self._online) or self._module(action)

    def _module(self, action: Action) -> tuple[str, str] | None:
        failure = action.failure
        assert failure is not None
        found = missing_module(failure)
        if found is None or "Remainder of file ignored" in (action.result or "")[:2_000]:
            return None
        name = next(group for group in found.groups() if group)
        if name.startswith((".", "/")) or ":" in name or "\\" in name:
            return None
        top = name.split(".")[0] if found["python"] else name
        if top in self._named:
            return None
        if f"{top}.py" in self._files or top in self._folders:
            return None
        if re.search(
            rf"\b{re.escape(top)}(?:\.\w{{1,4}}\b|/)|\b(?:module|package|library) [`'\"]?{re.escape(top)}\b",
            self.lane_context.task[:_LONGEST],
        ):
            return None
        return "missing-package", name if not found["python"] else top

    def _finding(self, kind: str, case: _Case, raised_at: int) -> Finding:
        counter, what, weighs = case.counter, list(case.what), case.counter.count
        assert counter.last is not None
        seen = counter.last.step
        share = weighs / seen
        names = ", ".join(what[:3]) + (" and others" if len(what) > 3 else "")
        title = f"{plural(counter.calls, 'step fails', 'steps fail')} because {_CAUSES[kind][0]}: {names}"
        words = {"what": ", ".join(code(name, 60) for name in what[:3]), "words": " ".join(what[:3])}
        advice = [_CAUSES[kind][1].format(**words)]
        if self._in_vain and kind in _INSTALLABLE:
            tried = f"{one_or_many(len(self._in_vain), 'step')} {listed([str(step) for step in self._in_vain[:4]])}"
            named = ", ".join(code(name, 60) for name in what[:3])
            advice = [f"Go on without {named}, or report what is missing: installing failed at {tried}."]
        return new_finding(
            f"environment-trouble/{kind}",
            severity=Severity.HIGH
            if weighs >= 6 and share >= 0.4
            else Severity.MEDIUM
            if weighs >= 5 or (share >= self._options.share and weighs >= self._options.least)
            else Severity.LOW,
            confidence=0.75 if kind == "no-permission" else 0.85,
            title=title,
            lane=self.lane_context.lane,
            steps=counter.steps,
            detectable_at=raised_at,
            rounds=counter.count,
            evidence=[Evidence(step=step, quote=case.said[step]) for step in spread(list(case.said))],
            advice=advice,
            cost=counter.cost,
        )


OPTIONS = EnvironmentTroubleOptions.usual()
STATE = _State
