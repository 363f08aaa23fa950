"""What the page about a session says and in which order, whatever it's written in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from analyzer.model.finding import Finding, Reason
from analyzer.model.postmortem import FailureGroupRow, FailureRow, FrameRow, PostMortem, Report, TaskRow, TimelineRow
from analyzer.model.words import MAIN_LANE, Basis, Category, FrameRole, OutcomeStatus, Severity, TurnKind
from analyzer.report.picture.thumbnail import code_of
from analyzer.report.spending import SpendingView, view_of
from analyzer.report.step_notes import BroughtIn, brought_in

MOST_PAGES = 20
"""How many post-mortems of one transcript are written out; the JSON output has all."""
MOST_IN_A_TEXT = 5
"""Of transcripts with more sessions a text has the table alone, a line for each."""
SHOWN_ACTIONS = 12
"""How many actions "What happened" lists."""
_TRAIL = 4
"""How many frames lead up to the error."""


@dataclass(slots=True, frozen=True)
class SessionRow:
    """One line of the table of sessions. `code` is that of its thumbnail; `page` is the number, from 1, of the
    session's page in this document, None where it has none."""

    id: str
    task: str
    why: str
    actions: int
    outcome: str
    worst: str
    code: str
    page: int | None


@dataclass(slots=True, frozen=True)
class Contents:
    """The parts of the page about one session, as far as they aren't in the post-mortem as they are.

    `main` is the finding that the page is about; `rows` are the actions that show the trouble best and `rows_title`
    what they are; `trail` the frames that lead to the error and `message` what it says, None where the finding is about
    no error; `minor` are the findings that the page doesn't tell anyway; `why` is the heading over the reasons;
    `groups` are the failures that came back, by name, and `brought_in` those of which something shows what brought
    them in; `spending` is where actions, time, tokens and money went; `told_by` says of a loop's further stretches, by
    their positions from 1, with which finding the page tells them, and `explained` the same of the loops that another
    another finding explains. `loops_by_reason` are these loops by what names the finding that explains them.
    """

    pm: PostMortem
    main: Finding | None
    rows: Sequence[TimelineRow]
    rows_title: str
    trail: Sequence[FrameRow]
    message: str | None
    minor: Sequence[Finding]
    why: str
    groups: dict[str, FailureGroupRow]
    brought_in: Sequence[BroughtIn]
    has_lanes: bool
    spending: SpendingView | None
    told_by: dict[int, int]
    explained: dict[int, int]
    loops_by_reason: dict[Reason, list[Finding]]

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

    @property
    def is_main(self) -> Callable[[Finding], bool]:
        """Whether a finding is the one that the page is about, or explains it."""
        main = self.main
        return lambda finding: main is not None and (finding is main or finding.explains(main))

    @property
    def loops_of(self) -> Callable[[Finding], Sequence[Finding]]:
        """The loops that a finding explains."""
        return lambda finding: self.loops_by_reason.get(finding.reason, [])

    @property
    def has_root_cause(self) -> bool:
        """Whether there's more to say of the root cause than the paragraph about it: what shows it, or its line."""
        diagnosis = self.pm.diagnosis
        return bool(diagnosis.cause_reason) or (diagnosis.fault is not None and bool(diagnosis.fault.code))

    @property
    def cause_heading(self) -> str:
        """The heading over the root cause and what else went wrong."""
        return "Root cause" if self.has_root_cause else "What else went wrong"

    @property
    def error(self) -> str | None:
        """The trail and the message as one block of text."""
        return None if self.message is None else "\n".join([*map(place, self.trail), self.message])


@dataclass(slots=True, frozen=True)
class Document:
    """What one document about a transcript has: `rows` is the table of its sessions, empty where there's only one;
    `pages` are those that are written out, the worst first, and `introduction` says how many and which sessions
    these are; `calm` sessions have no finding, and `left_out` no page though they're worth one."""

    name: str
    totals: str
    rows: Sequence[SessionRow]
    pages: Sequence[PostMortem]
    introduction: str
    calm: int
    left_out: int


def document(report: Report, *, calm: bool = False, most: int = MOST_PAGES) -> Document:
    """Of a transcript with several sessions those with findings, the worst first, as many as `most`; else its only
    one. With `calm` also those without a finding, behind the others, if they hold an action."""
    several = len(report.sessions) > 1
    worth = [session for session in report.sessions if has_findings(session) or (calm and session.timeline)]
    chosen = sorted(worth, key=_interest) if several else report.sessions
    numbers = {id(session): number for number, session in enumerate(chosen[:most], 1)}
    counts = Counter(session.outcome.status.value for session in report.sessions)
    return Document(
        name=PurePath(report.source.path).name or report.source.path,
        totals=", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.most_common()),
        rows=[_row(session, numbers.get(id(session))) for session in sorted(report.sessions, key=_interest)]
        if several
        else [],
        pages=chosen[:most],
        introduction=_introduction(chosen[:most]) if most else "",
        calm=len(report.sessions) - len(chosen),
        left_out=max(0, len(chosen) - most),
    )


def contents_of(session: PostMortem) -> Contents:
    """What the page about one session says."""
    main = _main(session)
    rows, whose = _shown_actions(session, main)
    failure = _failure(session, main)
    told_by, explained = _told_by(session.findings, main), _explained(session.findings)
    return Contents(
        pm=session,
        main=main,
        rows=rows,
        rows_title=whose,
        trail=_trail(failure) if failure is not None else (),
        message=headline(failure) if failure is not None else None,
        minor=[
            finding
            for position, finding in enumerate(session.findings, 1)
            if position not in told_by and position not in explained and not _is_shown(finding, main)
        ],
        why=_why(session),
        groups={group.group: group for group in session.failure_groups},
        brought_in=brought_in(session),
        has_lanes=len(session.session.lanes) > 1,
        spending=view_of(session.spending),
        told_by=told_by,
        explained=explained,
        loops_by_reason=_loops_by_reason(session.findings),
    )


def has_findings(session: PostMortem) -> bool:
    """Whether something was found that is more than information."""
    return any(finding.severity is not Severity.INFO for finding in session.findings)


def headline(failure: FailureRow) -> str:
    """Type and message of a failure, the type once."""
    if not failure.type or failure.message.startswith(failure.type):
        return failure.message
    return f"{failure.type}: {failure.message}".rstrip(": ")


def place(frame: FrameRow) -> str:
    """Where a frame is: `shapes.py:40 in make_shape`."""
    return f"{frame.file}:{frame.line}" + (f" in {frame.function}" if frame.function else "")


def _interest(session: PostMortem) -> tuple[int, float, int]:
    """A key that puts sessions with findings first, then those that didn't succeed, each in the order that matters."""
    if has_findings(session):
        return _badness(session)
    return (1 if session.outcome.status != "succeeded" else 2, 0.0, 0)


def _badness(session: PostMortem) -> tuple[int, float, int]:
    """A key that sorts the worst session first."""
    worst = session.findings[0]
    return (-worst.severity.rank, -worst.confidence, -worst.cost.actions)


def _introduction(pages: Sequence[PostMortem]) -> str:
    if not pages:
        return "No session has a finding."
    if not any(map(has_findings, pages)):
        return (
            "No session has a finding. "
            f"{'Its post-mortem follows' if len(pages) == 1 else f'The post-mortems of {len(pages)} follow'}."
        )
    which = " with findings" if all(map(has_findings, pages)) else ""
    if len(pages) == 1:
        return f"The post-mortem of the one session{which} follows."
    return (
        f"The post-mortems of the {len(pages)} sessions{which} follow, the worst first."
        if which
        else f"The post-mortems of {len(pages)} sessions follow, the worst first."
    )


def _row(session: PostMortem, page: int | None) -> SessionRow:
    worst = next(iter(session.findings), None)
    return SessionRow(
        id=session.session.id,
        task=_asked(session),
        why=_reason(session),
        actions=session.session.actions,
        outcome=session.outcome.status,
        worst=f"{worst.severity}: {worst.title}" if worst is not None else "",
        code=code_of(session.timeline, session.findings),
        page=page,
    )


def _reason(session: PostMortem) -> str:
    """Why the outcome beside it is what it is: what a verdict says beside its word, else the reason."""
    judged = session.outcome.status is OutcomeStatus.SUCCEEDED and session.outcome.basis is Basis.VERDICT
    end = session.session.recorded_end
    return ((end.detail if end is not None else None) or "") if judged else session.outcome.reason


def _asked(session: PostMortem) -> str:
    """What the outcome in the same line is of: the task, or the last of several requests and how many there were. What
    only corrects or approves of what was done is no other request."""
    asked = [task for task in session.tasks if task.text and _asks(task)]
    if len(asked) < 2:
        return session.session.task or session.session.title or ""
    return f"{len(asked)} requests, the last: {asked[-1].text}"


def _asks(task: TaskRow) -> bool:
    worked = task.first_step is not None
    return task.kind is TurnKind.REQUEST or (task.kind is TurnKind.OTHER and worked)


def _is_shown(finding: Finding, main: Finding | None) -> bool:
    """Whether the page shows a finding already: it's the main one, explains that, or says the same of its failure."""
    if main is None:
        return False
    return (
        finding is main
        or finding.explains(main)
        or (finding.group is not None and finding.group == main.group and finding.lane == main.lane)
    )


def _told_by(findings: Sequence[Finding], main: Finding | None) -> dict[int, int]:
    """The loops that are stretches of another one's story, with the finding that tells it: the main one, else the first
    of them, which matters most."""
    found: dict[int, int] = {}
    order = sorted(enumerate(findings, 1), key=lambda entry: (entry[1] is not main, entry[0]))
    places: dict[tuple[str, str, int, int], list[int]] = {}
    for number, other in enumerate(findings, 1):
        if other.stretches:
            places.setdefault((other.detector, other.lane, other.first_step, other.last_step), []).append(number)
    for position, finding in order:
        if position in found or not finding.stretches:
            continue
        others = {(other.first_step, other.last_step) for other in finding.stretches}
        at = (places.get((finding.detector, finding.lane, first, last), ()) for first, last in others)
        for number in sorted(number for numbers in at for number in numbers if number != position):
            found.setdefault(number, position)
    return found


def _explained(findings: Sequence[Finding]) -> dict[int, int]:
    """The loops that another finding explains, with that one, by their positions from 1."""
    causes = {finding.reason: cause for cause, finding in enumerate(findings, 1)}
    named = ((position, loop.explaining) for position, loop in enumerate(findings, 1))
    return {position: causes[reason] for position, reason in named if reason is not None and reason in causes}


def _loops_by_reason(findings: Sequence[Finding]) -> dict[Reason, list[Finding]]:
    """The loops by the finding that explains them."""
    loops: dict[Reason, list[Finding]] = {}
    for finding in findings:
        if (reason := finding.explaining) is not None:
            loops.setdefault(reason, []).append(finding)
    return loops


def _why(session: PostMortem) -> str:
    """The heading over the reasons: an agent that succeeded in the end didn't fail."""
    if session.outcome.status == "succeeded":
        return "Why it took so long"
    return "What went wrong" if session.outcome.status == "unknown" else "Why the agent failed"


def _main(session: PostMortem) -> Finding | None:
    """The finding that the page is about."""
    about = session.diagnosis.about
    return session.findings[about] if about is not None else None


def _shown_actions(session: PostMortem, main: Finding | None) -> tuple[Sequence[TimelineRow], str]:
    """The actions that show the trouble best: the last twelve of the session if it ended in the loop, else of the
    loop."""
    lane = main.lane if main is not None else MAIN_LANE
    rows = [row for row in session.timeline if row.lane == lane]
    if main is None or main.category is not Category.LOOP or main.first_step < 1:
        shown = rows[-SHOWN_ACTIONS:]
        return shown, f"The last {len(shown)} actions" if len(shown) < len(rows) else "The actions"
    if not main.escaped:
        shown = rows[-SHOWN_ACTIONS:]
        return shown, f"The last {len(shown)} actions"
    shown = rows[max(0, main.first_step - 1) : main.last_step][:SHOWN_ACTIONS]
    part = "" if len(shown) == main.last_step - main.first_step + 1 else " first"
    return shown, f"The{part} {len(shown)} actions of the loop"


def _failure(session: PostMortem, main: Finding | None) -> FailureRow | None:
    """The first time that the failure showed which the page is about."""
    if main is None or main.group is None:
        return None
    return next(
        (failure for failure in session.failures if failure.group == main.group and failure.lane == main.lane), None
    )


def _trail(failure: FailureRow) -> list[FrameRow]:
    """The last frames in the project's own code."""
    own = (FrameRole.TEST, FrameRole.PROJECT)
    return [frame for frame in failure.frames if frame.role in own and not frame.file.startswith("<")][-_TRAIL:]
