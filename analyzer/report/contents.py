"""What the page about one session says and in which order, whatever it's written in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from analyzer.model.finding import Finding, Reason
from analyzer.model.postmortem import FailureGroupRow, FailureRow, FrameRow, PostMortem, TimelineRow
from analyzer.model.words import MAIN_LANE, Category, FrameRole
from analyzer.report.lead import all_task_lines, guard_line, lead_rows, other_ways, unsaid
from analyzer.report.spending import view_of
from analyzer.report.step_notes import brought_in

SHOWN_ACTIONS = 12
"""How many actions "What happened" lists."""
_TRAIL = 4
"""How many frames lead up to the error."""


class Contents:
    """The parts of the page about one session, as far as they aren't in the post-mortem as they are. `titled` says that
    the page's title gives the task."""

    def __init__(self, pm: PostMortem, *, titled: bool = False) -> None:
        self.pm = pm
        self.has_lanes = len(pm.session.lanes) > 1
        self.groups: dict[str, FailureGroupRow] = {group.group: group for group in pm.failure_groups}
        about = pm.diagnosis.about
        self.main = pm.findings[about] if about is not None else None
        """The finding that the page is about."""
        self.rows, self.rows_title = _shown_actions(pm, self.main)
        self.lead = lead_rows(pm, titled=titled)
        self.tasks = all_task_lines(pm)
        self.ways = other_ways(pm)
        self.guards = guard_line(pm)
        self.spending = view_of(pm.spending)
        self.brought_in = brought_in(pm)
        self.story = unsaid(pm.diagnosis.story, pm)
        """What happened, as far as the lead doesn't say it."""
        self.contributing = unsaid(pm.diagnosis.contributing, pm)
        """What else went wrong, as far as the lead doesn't say it."""

    @cached_property
    def why(self) -> str:
        """The heading over the reasons: an agent that succeeded in the end didn't fail."""
        if self.pm.outcome.status == "succeeded":
            return "Why it took so long"
        return "What went wrong" if self.pm.outcome.status == "unknown" else "Why the agent failed"

    @cached_property
    def failure(self) -> FailureRow | None:
        """The first time that the failure showed which the page is about."""
        if self.main is None or self.main.group is None:
            return None
        same = (self.main.group, self.main.lane)
        return next((failure for failure in self.pm.failures if (failure.group, failure.lane) == same), None)

    @property
    def trail(self) -> list[FrameRow]:
        """The frames that lead to the error: the last ones in the project's own code."""
        own = (FrameRole.TEST, FrameRole.PROJECT)
        frames = self.failure.frames if self.failure is not None else []
        return [frame for frame in frames if frame.role in own and not frame.file.startswith("<")][-_TRAIL:]

    @property
    def message(self) -> str | None:
        """What the error says; None where the finding is about none."""
        return headline(self.failure) if self.failure is not None else None

    @property
    def error(self) -> str | None:
        """The trail and the message as one block of text."""
        return None if self.message is None else "\n".join([*map(place, self.trail), self.message])

    @property
    def has_root_cause(self) -> bool:
        """Whether there's more to say of the root cause than the paragraph about it: what shows it, or its line."""
        diagnosis = self.pm.diagnosis
        return bool(diagnosis.cause_reason) or (diagnosis.fault is not None and bool(diagnosis.fault.code))

    @property
    def cause_heading(self) -> str:
        """The heading over the root cause and what else went wrong."""
        return "Root cause" if self.has_root_cause else "What else went wrong"

    @cached_property
    def told_by(self) -> dict[int, int]:
        """A loop's further stretches, by their positions from 1, with the finding with which the page tells them: the
        main one, else the first of them, which matters most."""
        found: dict[int, int] = {}
        telling = [entry for entry in enumerate(self.pm.findings, 1) if entry[1].stretches]
        for position, finding in sorted(telling, key=lambda entry: (entry[1] is not self.main, entry[0])):
            if position in found:
                continue
            places = {(finding.detector, finding.lane, at.first_step, at.last_step) for at in finding.stretches}
            for number, other in telling:
                place = (other.detector, other.lane, other.first_step, other.last_step)
                if number != position and place in places:
                    found.setdefault(number, position)
        return found

    @cached_property
    def explained(self) -> dict[int, int]:
        """The loops that another finding explains, with that one, by their positions from 1."""
        findings = self.pm.findings
        causes = {finding.reason: cause for cause, finding in enumerate(findings, 1)}
        named = ((position, loop.explaining) for position, loop in enumerate(findings, 1))
        return {position: causes[reason] for position, reason in named if reason is not None and reason in causes}

    @cached_property
    def _loops(self) -> dict[Reason, list[Finding]]:
        """The loops by what names the finding that explains them."""
        loops: dict[Reason, list[Finding]] = {}
        for finding in self.pm.findings:
            if (reason := finding.explaining) is not None:
                loops.setdefault(reason, []).append(finding)
        return loops

    def loops_of(self, finding: Finding) -> Sequence[Finding]:
        """The loops that a finding explains."""
        return self._loops.get(finding.reason, [])

    def is_main(self, finding: Finding) -> bool:
        """Whether a finding is the one that the page is about, or explains it."""
        return self.main is not None and (finding is self.main or finding.explains(self.main))

    @cached_property
    def minor(self) -> list[Finding]:
        """The findings that the page doesn't tell anyway: with another one, or as the same of the main one's
        failure."""
        main = self.main
        same = (main.group, main.lane) if main is not None and main.group is not None else None
        return [
            finding
            for position, finding in enumerate(self.pm.findings, 1)
            if position not in self.told_by
            and position not in self.explained
            and not self.is_main(finding)
            and (finding.group, finding.lane) != same
        ]

    @property
    def items(self) -> int:
        """How many findings there are, a loop and what explains it counted as one."""
        return len(self.pm.findings) - len(self.explained)

    @property
    def order(self) -> list[int]:
        """The findings as the page lists them, by their positions from 1: a loop behind the one that explains it."""
        loops: dict[int, list[int]] = {}
        for loop, cause in self.explained.items():
            loops.setdefault(cause, []).append(loop)
        found: dict[int, None] = {}
        for position in range(1, len(self.pm.findings) + 1):
            if position not in found:
                cause = self.explained.get(position, position)
                found.update(dict.fromkeys((cause, *loops.get(cause, ()))))
        return list(found)


def headline(failure: FailureRow) -> str:
    """Type and message of a failure, the type once."""
    if not failure.type or failure.message.startswith(failure.type):
        return failure.message
    return f"{failure.type}: {failure.message}".rstrip(": ")


def place(frame: FrameRow) -> str:
    """Where a frame is: `shapes.py:40 in make_shape`."""
    return f"{frame.file}:{frame.line}" + (f" in {frame.function}" if frame.function else "")


def _shown_actions(session: PostMortem, main: Finding | None) -> tuple[Sequence[TimelineRow], str]:
    """The actions that show the trouble best: the last twelve of the session if it ended in the loop, else of the
    loop."""
    lane = main.lane if main is not None else MAIN_LANE
    rows = [row for row in session.timeline if row.lane == lane]
    no_loop = main is None or main.category is not Category.LOOP or main.first_step < 1
    if main is None or no_loop or not main.escaped:
        shown = rows[-SHOWN_ACTIONS:]
        return shown, "The actions" if no_loop and len(shown) == len(rows) else f"The last {len(shown)} actions"
    shown = rows[max(0, main.first_step - 1) : main.last_step][:SHOWN_ACTIONS]
    part = "" if len(shown) == main.last_step - main.first_step + 1 else " first"
    return shown, f"The{part} {len(shown)} actions of the loop"
