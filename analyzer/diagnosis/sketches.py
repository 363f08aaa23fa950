"""What to tell an agent that repeats itself."""

from __future__ import annotations

from collections.abc import Sequence

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
