"""What the page about one session says and in which order, whatever it's written in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from analyzer.model.diagnosis import ANSWERED, Improvement
from analyzer.model.finding import Finding, Reason
from analyzer.model.postmortem import FailureGroupRow, FailureRow, FrameRow, PostMortem
from analyzer.model.words import Basis, FrameRole, OutcomeStatus
from analyzer.report.figures import outcome
from analyzer.report.lead import guard_line, lead_rows, more_of, requests_of, shown_requests, unsaid
from analyzer.report.spending import view_of
from analyzer.report.step_notes import brought_in
from analyzer.text.english import amounts, capital, listed, plural

_SAME = 60
"""Characters of a reason by which a headline is known to say it."""
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
        self.lead = lead_rows(pm, titled=titled)
        self.requests, self.quiet_requests = shown_requests(
            list(requests_of(pm, titled=titled)), troubled=self.main is not None
        )
        self.ways = [
            way
            for way in pm.diagnosis.approaches
            if f"{way.title}: {way.text}" not in [entry.text for entry in pm.diagnosis.lead if entry.first]
        ]
        self.guards = guard_line(pm)
        self.spending = view_of(pm.spending)
        self.counted = unsaid(more_of(pm, "cost")[::-1], pm)
        self.steps = more_of(pm, "steps")
        self.brought_in = brought_in(pm)
        paragraph = pm.diagnosis.root_cause or ""
        quote = self.main.evidence[0].quote if self.main is not None and self.main.evidence else ""
        closing = [entry.answer for entry in pm.ledger[-1:] if quote and quote in entry.answer]
        causes = (text for text in more_of(pm, "wrong") if text in paragraph)
        self.cause = unsaid([text for text in causes if not closing or quote not in text], pm)
        """What the first screen leaves of the root cause."""
        self.contributing = unsaid(pm.diagnosis.contributing, pm, *self.cause)
        """What else went wrong, as far as nothing else says it."""
        told = [request.text for request in self.requests]
        self.story = unsaid(pm.diagnosis.story, pm, *self.cause, *self.contributing, *told)
        """What happened, as far as nothing else says it."""
        self.reasons = [reason for reason in pm.diagnosis.reasons if unsaid([reason.text], pm, *self.cause, *told)]
        """Why the agent failed, as far as nothing else says it."""

    @property
    def outcome(self) -> str:
        """How the session ended, in a few words that begin in a capital; empty where the headline is the answer, or
        says the recorded verdict."""
        headline, known = self.pm.diagnosis.headline, self.pm.outcome
        answers = headline.startswith(ANSWERED) and known.status is OutcomeStatus.UNKNOWN
        if answers or (known.basis is Basis.VERDICT and known.reason[:_SAME] in headline):
            return ""
        return capital(known.words or outcome(known.status))

    @property
    def ways_title(self) -> str:
        """What the folded proposals and questions are called."""
        ways, questions = len(self.ways), len(self.pm.diagnosis.step_back)
        parts = [f"Other ways to go on ({ways})"] if ways else []
        parts += [f"{'questions' if ways else 'Questions'} to the agent ({questions})"] if questions else []
        return ", ".join(parts)

    @property
    def quiet_title(self) -> str:
        """What the folded requests are called."""
        count = len(self.quiet_requests)
        if self.requests or count < len(self.pm.ledger):
            return plural(count, "other request")
        return f"The {count} requests, one by one" if count > 1 else "What was done and said"

    @property
    def is_only_request(self) -> bool:
        """Whether the user spoke once, so that what the page says of the request needs no number."""
        return len(self.pm.ledger) < 2

    @property
    def requests_title(self) -> str:
        """The heading over the requests."""
        return "What was done and said" if self.is_only_request else "Request by request"

    def impact(self, item: Improvement) -> str:
        """What an improvement would have changed: the actions before and after, and the time, tokens and USD saved."""
        saves, actions = item.saves, self.pm.session.actions
        if saves is None:
            return "not known"
        less = listed(amounts(saves))
        return f"{actions - saves.actions} actions instead of {actions}{f', {less} less' if less else ''}"

    @cached_property
    def why(self) -> str:
        """The heading over the reasons: an agent that succeeded in the end didn't fail."""
        if self.pm.outcome.status == "succeeded":
            return "Why it took so long"
        return "Why it went wrong" if self.pm.outcome.status == "unknown" else "Why the agent failed"

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
        return self.failure.headline if self.failure is not None else None

    @property
    def error(self) -> str | None:
        """The trail and the message as one block of text."""
        return None if self.message is None else "\n".join([*map(place, self.trail), self.message])

    @property
    def tells(self) -> bool:
        """Whether there's more to say of what happened than the rest of the page does."""
        return self.main is not None and (self.message is not None or bool(self.story))

    @property
    def has_root_cause(self) -> bool:
        """Whether there's more to say of the root cause than the paragraph about it: what shows it, or its line."""
        diagnosis = self.pm.diagnosis
        return bool(self.cause) or (diagnosis.fault is not None and bool(diagnosis.fault.code))

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
            places = {
                (finding.detector, finding.lane, again.first_step, again.last_step) for again in finding.stretches
            }
            for at, other in telling:
                place = (other.detector, other.lane, other.first_step, other.last_step)
                if at != position and place in places:
                    found.setdefault(at, position)
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


def place(frame: FrameRow) -> str:
    """Where a frame is: `shapes.py:40 in make_shape`."""
    return f"{frame.file}:{frame.line}" + (f" in {frame.function}" if frame.function else "")
