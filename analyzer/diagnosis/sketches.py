"""What to tell an agent that repeats itself."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.finding import Finding
from analyzer.model.words import Category, LoopKind
from analyzer.text.english import times


def step_back_prompt(said: str, count: int, edited: Sequence[str]) -> str:
    """The message that a guard puts into the agent's context, for this session."""
    files = f"\nIn between you edited only: {', '.join(edited[:4])}." if edited else ""
    return (
        f"Stop. You have had this result {times(count)}:\n    {said}{files}\n"
        "Don't edit or run anything yet. Answer first:\n"
        "1. Which assumption do all these attempts share?\n"
        "2. Which file or value in the message or the trace haven't you looked at?\n"
        "3. Name three genuinely different causes, and the cheapest check that distinguishes them.\n"
        "Then do that check."
    )


def step_back_message(finding: Finding) -> str:
    """What to tell an agent when a finding has just become detectable."""
    came_back = finding.category in (Category.LOOP, Category.ERROR) or finding.fault is not None
    if not came_back or finding.rounds is None:
        return "\n".join([f"Stop for a moment: {finding.title}.", *finding.advice])
    if finding.kind == LoopKind.MONOLOGUE:
        said = f"You have said this {times(finding.rounds)}, and nothing happened: {finding.repeated}"
        return "\n".join([f"Stop. {said}", *finding.advice])
    fault = ""
    if finding.fault is not None:
        place = f"{finding.fault.file}:{finding.fault.line}" if finding.fault.line is not None else finding.fault.file
        fault = f"\nIt seems to come from {place}{f': {finding.fault.code}' if finding.fault.code else ''}."
    said = finding.repeated or finding.title
    return f"{step_back_prompt(said, finding.rounds, finding.edited_instead)}{fault}\n" + "\n".join(finding.advice)
