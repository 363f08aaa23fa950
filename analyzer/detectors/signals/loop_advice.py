"""What to do about a loop, as far as its kind, its calls and their answers show it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.episodes import FAILING, GUESSED, REWORDED, Episode
from analyzer.detectors.signals.failure_advice import advice_on, advice_on_check
from analyzer.detectors.signals.loop_shape import browser_action, growing, is_spoken
from analyzer.detectors.signals.refused_edits import edit_again
from analyzer.model.action import Action
from analyzer.model.words import LoopKind


def advice_on_loop(episode: Episode, shown: Sequence[Action]) -> list[str]:
    """What to do instead; `shown` are the actions of the episode that come back."""
    last = shown[-1]
    if episode.kind is LoopKind.OSCILLATION:
        return ["Write down what each of the two versions is for and which check distinguishes them; then keep one."]
    if episode.kind is LoopKind.RE_READ:
        return ["Use what the first read showed: quote the lines that matter before reading again."]
    if browser_action(episode, shown):
        requests = len({action.operation.target for action in shown})
        told = f" {requests} different requests led to the same action." if requests > 1 else ""
        return [
            "Say what on the page blocks progress, and take another route: open the address directly, or use another "
            f"source.{told}"
        ]
    if episode.pattern == FAILING:
        return [
            f"Read what step {shown[-1].step} returned before calling again: each of these calls failed in other words."
        ]
    if episode.pattern == REWORDED:
        return [
            (
                "Look at one of these calls by itself: what does it ask that the others don't? Say what the answer "
                "means, or ask for something that isn't known yet."
            )
        ]
    if episode.pattern == GUESSED:
        return [
            "Look up which values there are (a list, a search, the user) before the next try: nothing had shown these."
        ]
    if growing(episode, shown):
        return [
            "Look at the file before the next edit: the text that this one puts in is there already, several times."
        ]
    if episode.group is None:
        return [
            "Stop when a call returns the same result as before: say what the result means, then do something else."
        ]
    if is_spoken(last):
        return [
            (
                "Answer in the message, not in the shell: send the shell commands only, and end the run with the call "
                "meant for that."
            )
        ]
    if episode.pattern.startswith("edit-"):
        shared = "Name the hypothesis that the last edits share, and try one that contradicts it."
        return [*advice_on_check(last), shared]
    if episode.pattern == "refused-edit loop" and (again := edit_again(shown)):
        return again
    if episode.pattern == "refused-edit loop":
        return [
            (
                "Read the lines around the range again before the next attempt; the error message shows what the "
                "file would "
                "look like."
            ),
            "Widen the range to a whole statement or function, or rewrite the file.",
        ]
    return advice_on(last)
