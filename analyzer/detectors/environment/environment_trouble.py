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
from typing import Annotated

from analyzer.commands.harm import installs_packages
from analyzer.commands.table import Does, from_subcommand, knows
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.quoted import quoted
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta, Struct, field
from analyzer.model.words import FailureKind, Kind, Mark, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late

_NAMED = late(r"['\"]([A-Za-z_]\w{2,40})['\"]")
"""Names that a script of the agent's own gives as text: modules and apps that it made up."""
_MOST = 3_000
_SHOWN = 50
"""Live, only so many answers are kept."""
_LONGEST = 20_000
_INSTALLABLE = ("missing-program", "missing-package")
_MODULE = late(
    r"No module named ['\"]?(?P<python>[A-Za-z_][\w.]{0,80})|Cannot find (?:module|package) ['\"]"
    r"(?P<node>[^'\"\n]{1,120})['\"]|(?P<library>lib[\w.+-]{1,60}\.so[\w.]{0,20}): cannot open shared object file"
    r"|Unable to locate package (?P<apt>\S{1,60})|(?:No matching distribution found for|satisfies the "
    r"requirement) (?P<pip>[\w.\[\]-]{1,60})"
)
_UNLOADED = late(r"python[\d.]{0,6}: No module named|ImportError: lib[^\n]{1,80}: cannot open shared object")
_NETWORK = late(
    r"Temporary failure (?:in name resolution|resolving)|Could not resolve host|Network is unreachable"
    r"|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|No route to host|dial tcp: lookup [^\n]{1,100}: no such host"
)
_DISK = late(r"No space left on device|Disk quota exceeded|\bENOSPC\b")
_HERE = late(r"\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|\[::1\]")
_FETCHED = late(
    r"^(?:Hit|Get):\d+ http|^ {0,2}Downloading \S+|^Collecting \S+\n {1,4}(?:Downloading|Using)|^added \d{1,5} "
    r"packages|^Fetched [\d.,]{1,12} ?[kMG]?B",
    re.MULTILINE,
)
"""What package managers print when they have fetched something."""
_BRINGS = ("clone", "fetch", "pull", "push")
"""Commands of version control that speak to a server."""
_DENIED = late(
    r"['‘\"]?(?P<path>(?!EACCES\b)(?=[^\s:]{0,200}[A-Za-z/])[^\s'‘’\":()]{1,200})['’\"]?: (?:Permission denied"
    r"|Operation not permitted)|(?:EACCES|Permission denied)[^\n]{0,40} ['\"](?P<other>[^'\"\n]{1,200})['\"]",
    re.IGNORECASE,
)
_REFUSED = late(r"\bEACCES\b|\[Errno 13\]")
_WORD = late(r"[A-Za-z']{1,30}[.,;:!?]?")
_PROGRAM = late(r"[a-z][a-z0-9+._-]{1,30}")
_DENIAL = 4_000
"""Characters of a message in which the path that access was denied to is looked for."""


class EnvironmentTroubleOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    failures: Annotated[int, Meta(ge=2)] = 3
    """How many failures of one cause make a finding."""
    share: Annotated[float, Meta(gt=0, le=1)] = 0.2
    """From which share of all actions on the failures of one cause weigh more."""
    least: Annotated[int, Meta(ge=2)] = 4
    """How many failures that share must be at least."""


class _Case(Struct):
    """The failures of one cause: what was missing, and what the steps said."""

    kind: str
    counter: StepCounter
    what: dict[str, None] = field(default_factory=dict)
    said: dict[int, str] = field(default_factory=dict)
    raised_at: int = 0
    """The step at which it was raised; 0 before."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: EnvironmentTroubleOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._cases: dict[str, _Case] = {}
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._named: set[str] = set()
        self._online = False
        self._in_vain: list[int] = []
        """The steps that failed to install something."""
        self._vain = False
        """Whether the last one that tried to did."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        failure = action.failure
        if any(map(installs_packages, action.operation.commands)):
            self._vain = failure is not None
            if failure is not None and len(self._in_vain) < _SHOWN:
                self._in_vain.append(action.step)
        if failure is None:
            self._learn(action)
            return
        others = action.mark in (Mark.DENIED, Mark.CASCADE, Mark.REJECTED) or action.harness
        looks = action.kind in (Kind.READ, Kind.SEARCH) and failure.kind is not FailureKind.COMMAND_NOT_FOUND
        if failure.expected or others or looks:
            return
        trouble = _trouble(action, failure, online=self._online) or self._module(action, failure)
        if trouble is None:
            return
        kind, what = trouble
        case = self._cases.setdefault(kind, _Case(kind, StepCounter(self.lane_context)))
        if case.counter.add(action):
            if len(case.what) < 20:
                case.what[what] = None
            if len(case.said) < _SHOWN or not self.lane_context.live:
                case.said[action.step] = quoted(action)
        if not case.raised_at and case.counter.count >= self._options.failures:
            case.raised_at = action.step
            yield self._finding(case)

    def findings(self) -> Iterable[Finding]:
        raised = [case for case in self._cases.values() if case.raised_at and not self.lane_context.live]
        return [self._finding(case) for case in sorted(raised, key=lambda case: case.raised_at)]

    def _learn(self, action: Action) -> None:
        """Keep which files there are. A program that got out beyond this machine shows that there's a network."""
        operation = action.operation
        for path in (operation.path, *(edit.path for edit in operation.edits)):
            if path and len(self._files) < _MOST:
                *folders, name = path.strip("/").split("/")
                self._files.add(name)
                self._folders.update(folders)
        for edit in operation.edits:
            for name in _NAMED.findall((edit.after or "")[:_LONGEST]):
                if len(self._named) < _MOST:
                    self._named.add(name)
        commands = operation.commands
        out = any(
            knows(entry.program, Does.DOWNLOADS)
            or (knows(entry.program, Does.RECORDS) and {*from_subcommand(entry.program, entry.args)[:1]} & {*_BRINGS})
            for entry in commands
        )
        fetched = bool(commands) and (out or _FETCHED.search((action.result or "")[:_LONGEST]) is not None)
        self._online = self._online or (fetched and not _HERE.search(operation.command or ""))

    def _module(self, action: Action, failure: Failure) -> tuple[str, str] | None:
        """A package that is missing, and that neither the task asks for nor the agent made up."""
        named = failure.type in ("ModuleNotFoundError", "ImportError") or _UNLOADED.search(failure.headline) is not None
        missing = named or failure.kind is FailureKind.MISSING_DEPENDENCY
        found = _MODULE.search(failure.headline) if missing else None
        if found is None or "Remainder of file ignored" in (action.result or "")[:2_000]:
            return None
        name = next(group for group in found.groups() if group)
        top = name.split(".")[0] if found["python"] else name
        own = top in self._named or f"{top}.py" in self._files or top in self._folders
        if own or name.startswith((".", "/")) or ":" in name or "\\" in name:
            return None
        asked = re.search(
            rf"\b{re.escape(top)}(?:\.\w{{1,4}}\b|/)|\b(?:module|package|library) [`'\"]?{re.escape(top)}\b",
            self.lane_context.task[:_LONGEST],
        )
        return None if asked else ("missing-package", top)

    def _finding(self, case: _Case) -> Finding:
        counter, what = case.counter, list(case.what)
        assert counter.last is not None
        count, share = counter.count, counter.count / counter.last.step
        weighs = count >= 5 or (share >= self._options.share and count >= self._options.least)
        return new_finding(
            f"environment-trouble/{case.kind}",
            severity=Severity.HIGH if count >= 6 and share >= 0.4 else Severity.MEDIUM if weighs else Severity.LOW,
            lane=self.lane_context.lane,
            steps=counter.steps,
            detectable_at=case.raised_at,
            rounds=count,
            evidence=[Evidence(step=step, quote=case.said[step]) for step in spread(list(case.said))],
            cost=counter.cost,
            words="in-vain" if self._vain and case.kind in _INSTALLABLE else "",
            slots={
                "calls": counter.calls,
                "what": what[:3],
                "others": " and others" if len(what) > 3 else "",
                "words": " ".join(what[:3]),
                "tried": self._in_vain[:4],
            },
        )


def _trouble(action: Action, failure: Failure, *, online: bool) -> tuple[str, str] | None:
    """What of the machine made a step fail, as a kind, and what was missing; None where nothing of it did. `online` is
    True where the network has been there: then one host is down."""
    result = action.result or ""
    text = result if len(result) <= _LONGEST else result[: _LONGEST // 2] + result[-_LONGEST // 2 :]
    subject = failure.subject or ""
    commands, command = action.operation.commands, action.operation.command or ""
    name = commands[0].program if commands else action.tool
    if _DISK.search(failure.headline) or (failure.kind is not FailureKind.TEST and _DISK.search(text[-3_000:])):
        return "disk-full", clip(action.operation.target or name, 60)
    out = failure.type in ("NameResolution", "NetworkError") or (
        failure.kind in (FailureKind.MISSING_DEPENDENCY, FailureKind.NETWORK, FailureKind.OTHER, FailureKind.COMPILE)
        and _NETWORK.search(text[-3_000:])
    )
    if out and not online and not _HERE.search(f"{failure.headline} {command}"):
        return "no-network", name
    # The system refuses access to a file: to a command, or to a tool that writes.
    if failure.kind is FailureKind.PERMISSION and not failure.frames and commands:
        refused = failure.type not in ("HttpError", "BotWall", "Blocked")
    else:
        refused = (
            failure.kind in (FailureKind.OTHER, FailureKind.EXCEPTION, FailureKind.PERMISSION)
            and (bool(commands) or action.kind is Kind.EDIT)
            and _REFUSED.search(failure.headline) is not None
        )
    if refused:
        denied = _DENIED.search(failure.message[:_DENIAL])
        return "no-permission", clip((denied["path"] or denied["other"]) if denied else subject or failure.message, 60)
    if failure.kind is not FailureKind.COMMAND_NOT_FOUND:
        return None
    entry = next((entry for entry in commands if subject in (entry.program, entry.text.split(" ", 1)[0])), None)
    if entry is None and commands and subject in command.split():
        entry = commands[0]  # what runs another program, such as `sudo`, isn't there itself
    if entry is None or not _PROGRAM.fullmatch(subject) or "```" in command:
        return None
    # Prose typed into a shell, or a fence, isn't the environment's fault.
    words = sum(_WORD.fullmatch(word) is not None for word in entry.args)
    prose = words >= 3 and words >= 0.7 * len(entry.args) and not any(word.startswith("-") for word in entry.args)
    return None if prose else ("missing-program", subject)


OPTIONS = EnvironmentTroubleOptions()
STATE = _State
