"""What to say of a finding: the message for a running agent, and the words of its detector.

The message is for when the finding has just become detectable: what happened, in its own terms, and what to do now.
The detector says what to ask, to try, to change and to remember; the words of the session are filled in.
"""

from __future__ import annotations

from analyzer.detectors.engine.interface import GENERAL, Guidance
from analyzer.detectors.engine.registry import declared
from analyzer.detectors.episodes.episode import REPORTED
from analyzer.diagnosis.labels import place_text, steps_text
from analyzer.model.finding import Finding, OtherCall
from analyzer.model.struct import replace
from analyzer.model.words import Category, LoopKind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import times
from analyzer.text.markdown import code

_THEN = "Say in one sentence what the answer means for the task. Then do something else:"


def agent_message(finding: Finding) -> str:
    """The message for the agent's context."""
    if finding.severity is Severity.INFO:
        return f"For your information: {finding.title}."
    loop, fault = finding.category is Category.LOOP and finding.pattern != REPORTED, finding.fault
    if finding.rounds is None or not (loop or finding.category is Category.ERROR or fault is not None):
        return "\n".join([f"Stop for a moment. This is what the session shows: {finding.title}.", *finding.advice])
    said = [_of_loop(finding, finding.rounds) if loop else _of_error(finding, finding.rounds)]
    if fault is not None:
        place = place_text(fault.file, fault.line)
        said.append(f"It seems to come from {place}{f': {fault.code}' if fault.code else ''}.")
    return "\n".join([*said, *finding.advice])


def _of_loop(finding: Finding, rounds: int) -> str:
    said = finding.repeated or finding.title
    if finding.kind == LoopKind.MONOLOGUE:
        return f"Stop. You have said this {times(rounds)}, and nothing happened: {said}"
    if finding.group is not None:
        return _of_error(finding, rounds)
    if finding.kind == LoopKind.RE_READ:
        return f"Stop. You have read this {times(rounds)}, and it hasn't changed:\n    {said}\n{_THEN}"
    if finding.kind == LoopKind.OSCILLATION:
        return f"Stop. Your edits have put the same content back {times(rounds)}:\n    {said}"
    if finding.period is not None and finding.period > 1:
        return (
            f"Stop. You have made the same {finding.period} calls in turn {times(rounds)}, with the same results; the "
            f"last of them was:\n    {said}\n{_THEN}"
        )
    return f"Stop. You have tried this {times(rounds)}, and it led to nothing new:\n    {said}\n{_THEN}"


def _of_error(finding: Finding, rounds: int) -> str:
    files = f"\nIn between you edited only: {', '.join(finding.edited_instead[:4])}." if finding.edited_instead else ""
    return (
        f"Stop. You have had this result {times(rounds)}:\n    {finding.repeated or finding.title}{files}\n"
        "Don't edit or run anything yet. Answer first:\n"
        "1. Which assumption do all these attempts share?\n"
        "2. Which file or value in the message or the trace haven't you looked at?\n"
        "3. Name three genuinely different causes, and the cheapest check that distinguishes them.\n"
        "Then do that check."
    )


def guidance_for(finding: Finding) -> Guidance:
    """The guidance for a finding with its words filled in; a general one where its detector declares none."""
    entry = declared(finding).guidance_for(finding.kind) or GENERAL
    details = finding.details if isinstance(finding.details, OtherCall) else None
    words = {
        "tool": code(details.tool) if details is not None and details.tool else "calls that change something",
        "argument": code(details.argument) if details is not None and details.argument else "the arguments",
        "title": finding.title,
        "first": str(finding.first_step),
        "last": str(finding.last_step),
        "shown": str((finding.evidence[-1].step if finding.evidence else None) or finding.last_step),
        "steps": steps_text(finding.steps),
        "quote": code(clip(finding.evidence[0].quote, 90), 90) if finding.evidence else code(finding.title, 90),
        "advice": finding.advice[0] if finding.advice else "Stop and read what the last steps say.",
    }

    def filled(text: str) -> str:
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return replace(
        entry,
        questions=tuple(filled(question) for question in entry.questions),
        approaches=tuple((title, filled(text)) for title, text in entry.approaches),
        improvement=filled(entry.improvement),
        change=filled(entry.change),
    )
