"""Whether a run did what its scenario asks for, as far as its record shows it; and whether a text is what a check
wants, condition by condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from analyzer.case_study.written import File, files_of
from analyzer.model.case_study import Check
from analyzer.model.finding import Evidence
from analyzer.model.postmortem import PostMortem
from analyzer.model.scenario import FileCheck, Scenario, TextCheck
from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.plain import plain
from analyzer.timeline import Timeline
from analyzer.timeline.references import folded

_QUOTED = 300
_LEAD = 60
_LONGEST = 2_000_000
"""Characters of a text that are looked at."""


def holds(check: TextCheck, text: str) -> bool:
    """Whether a text fulfils all conditions; one without any holds for every text."""
    return all(fulfilled for _, _, fulfilled in _verdicts(check, text))


def in_words(check: TextCheck) -> str:
    """What a check wants, in words."""
    return " and ".join(words.format(clip(value, 80)) for words, value, _ in _verdicts(check, "")) or "anything"


def _verdicts(check: TextCheck, text: str) -> Iterator[tuple[str, str, bool]]:
    """Each condition: a predicate (`contains "{}"`), what it's about, and whether a text fulfils it."""
    text = plain(text[:_LONGEST])
    if check.equals is not None:
        yield 'is "{}"', check.equals, text.strip() == check.equals.strip()
    for part in check.contains:
        yield 'contains "{}"', part, part in text or folded(part) in folded(text)
    for part in check.lacks:
        yield 'doesn\'t contain "{}"', part, part not in text
    if check.matches is not None:
        yield "matches /{}/", check.matches, re.search(check.matches, text, re.MULTILINE) is not None
    if check.lines is not None:
        count = sum(1 for line in text.splitlines() if line.strip())
        yield "has {} lines or more", str(check.lines), count >= check.lines


def check_success(scenario: Scenario, post_mortem: PostMortem, timeline: Timeline) -> list[Check]:
    """The checks of success, condition by condition; empty where the scenario asks for nothing. `passed` is null where
    the log doesn't show it."""
    checks = list(_shown(scenario, timeline))
    level = scenario.success.no_finding_above
    if level is not None:
        above = [finding for finding in post_mortem.findings if finding.severity.rank > Severity(level).rank]
        first = above[0].first_step if above and above[0].lane == MAIN_LANE else 0
        shown = Evidence(step=first, quote=clip(above[0].title, _QUOTED)) if above else None
        what = f"No finding is worse than {level}"
        checks.append(Check(subject="findings", what=what, passed=not above, evidence=shown))
    return checks


def all_passed(checks: Sequence[Check]) -> bool | None:
    """Whether all checks hold; None without any, or where one that could decide it isn't shown."""
    passed = [check.passed for check in checks]
    return False if False in passed else None if not passed or None in passed else True


def goal_reached(scenario: Scenario, timeline: Timeline) -> bool | None:
    """Whether the goal was reached as far as the timeline alone shows: the final answer, the files and the recorded
    ending."""
    return all_passed(list(_shown(scenario, timeline)))


def final_answer(timeline: Timeline) -> tuple[str, int | None]:
    """What the agent says last, and the last step of the main lane: its closing words, whether the user had the last
    word after them or not, else what it says in or with the call that ends the session."""
    actions = [action for action in timeline.lane() if not action.harness]
    last = actions[-1] if actions else None
    said = timeline.closing()
    if said.strip():
        return said, last.step if last else None
    if last is None or not (last.task_done or last.kind is Kind.FINISH):
        return _last_words(timeline), last.step if last else None
    values = [last.arguments] if isinstance(last.arguments, str) else last.arguments.values()
    given = [value for value in values if isinstance(value, str)]
    return "\n\n".join(text for text in (last.said, *given) if text.strip()), last.step


def _last_words(timeline: Timeline) -> str:
    """The last thing that the agent says after its last action, where the user has the last word."""
    for event in reversed(timeline.session.events):
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, ToolCall | ToolResult):
            break
        if isinstance(event, Message) and event.role == "assistant" and not event.thought and event.text.strip():
            return event.text
    return ""


def _shown(scenario: Scenario, timeline: Timeline) -> Iterator[Check]:
    success = scenario.success
    if success.final_answer is not None:
        text, step = final_answer(timeline)
        if text:
            yield from _conditions("answer", "The final answer", success.final_answer, text, step or 0)
        else:
            what = f"The final answer {in_words(success.final_answer)}"
            yield Check(subject="answer", what=what, passed=False if timeline.actions else None)
    if success.files:
        written = files_of(timeline)
        for wanted in success.files:
            yield from _file(wanted, written)
    if success.recorded is not None:
        yield _recorded(success.recorded, timeline)


def _conditions(
    subject: Literal["answer", "file"], name: str, check: TextCheck, text: str, step: int
) -> Iterator[Check]:
    """Each condition of a check of a text, with what shows it."""
    for words, value, fulfilled in _verdicts(check, text):
        at = -1
        if words.startswith(("contains", "doesn't")):
            at = text.find(value)
        elif words.startswith("matches") and (found := re.search(value, text, re.MULTILINE)):
            at = found.start()
        # The text from a little before what shows it on, or from its beginning.
        start = max(0, at - _LEAD) if at > _QUOTED - 2 * _LEAD else 0
        quote = clip(("…" if start else "") + text[start : start + 4 * _QUOTED], _QUOTED)
        what = f"{name} {words.format(clip(value, 80))}"
        yield Check(subject=subject, what=what, passed=fulfilled, evidence=Evidence(step=step, quote=quote))


def _file(check: FileCheck, written: dict[str, File]) -> Iterator[Check]:
    called = [file for file in written.values() if file.is_called(check.path)]
    there = [file for file in called if not file.removed]
    right = (file for file in there if file.text is not None and holds(check, file.text))
    best = next(right, there[0] if there else None)
    shown = None
    if best is not None:
        shown = Evidence(step=best.step, quote=clip(best.shown, _QUOTED))
    elif called:
        shown = Evidence(step=called[-1].step, quote="It was removed or moved away.")
    written_for_sure = False if best is None else None if best.maybe else True
    yield Check(subject="file", what=f"{check.path} was written", passed=written_for_sure, evidence=shown)
    if best is None or best.maybe:
        return
    if best.text is not None:
        yield from _conditions("file", check.path, check, best.text, best.step)
    else:
        for words, value, _ in _verdicts(check, ""):
            yield Check(subject="file", what=f"{check.path} {words.format(clip(value, 80))}", passed=None)


def _recorded(wanted: str, timeline: Timeline) -> Check:
    session = timeline.session
    ending, lane = session.ending, timeline.lane()
    if ending is None:
        passed = True if wanted == "submitted" and any(action.task_done for action in timeline.actions) else None
    elif wanted == "solved":
        passed = {Ending.SOLVED: True, Ending.SUBMITTED: None}.get(ending, False)
    else:
        passed = ending in (Ending.SOLVED, Ending.UNSOLVED, Ending.SUBMITTED)
    said = session.ending_detail or session.recorded_status or (str(ending) if ending else "")
    shown = Evidence(step=lane[-1].step if lane else 0, quote=clip(said, _QUOTED)) if said else None
    return Check(subject="record", what=f"The log records it as {wanted}", passed=passed, evidence=shown)
