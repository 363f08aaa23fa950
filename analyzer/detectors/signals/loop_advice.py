"""What to do about a loop, as far as its kind, its calls and their answers show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.detectors.episodes import FAILING, GUESSED, REWORDED, Episode
from analyzer.detectors.signals.failure_advice import advice_on, advice_on_answer, advice_on_check
from analyzer.detectors.signals.loop_shape import browser_action, growing, is_spoken
from analyzer.detectors.signals.refused_edits import edit_again
from analyzer.detectors.signals.refused_text import replaces_nothing
from analyzer.detectors.signals.short_range import short_ranges
from analyzer.detectors.signals.unchanged_place import unchanged_place
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, LoopKind
from analyzer.text.markdown import code


def advice_on_loop(
    episode: Episode, actions: Sequence[Action], shown: Sequence[Action], known: Sequence[Action]
) -> list[str]:
    """What to do instead; `shown` are the actions of the episode that come back, `actions` all from its first step to
    its last, `known` all that are known of the lane."""
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
        return advice_on_answer(last, known) or [
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
        return [*advice_on_check(shown, known), shared]
    if episode.pattern == "refused-edit loop" and (line := _left_alone(shown)):
        return [
            "Find out whether the check of the edit tool can read this language: it gives no message, and each time it "
            f"complains of a line that the edit leaves as it is ({code(line)}). If it can't, write the file in another "
            "way."
        ]
    if episode.pattern == "refused-edit loop" and replaces_nothing(shown):
        return ["Read what the refusal says of the new text: there is nothing at its place that it could clash with."]
    if episode.pattern == "refused-edit loop" and (short := short_ranges(shown)) is not None:
        return [short.advice]
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
    return advice_on(shown, known) or _on_one_call(episode, actions, shown)


def _on_one_call(episode: Episode, actions: Sequence[Action], shown: Sequence[Action]) -> list[str]:
    """What to do about one call that fails alike each time while nothing else is done; nothing where more happens, or
    only the words of the failure are known."""
    one = len({action.keys.call for action in shown}) == 1 and bool(shown[0].keys.call)
    failure = shown[-1].failure
    if (
        not one
        or failure is None
        or failure.kind is FailureKind.OTHER
        or len(actions) > len(shown)
        or len({action.result for action in shown}) != 1
    ):
        return []
    return [
        f"Change the call before it's sent again: steps {episode.first}-{episode.last} sent the same one and got the "
        "same answer."
    ]


def _left_alone(shown: Sequence[Action]) -> str | None:
    """The line that most refusals complain of, where none gives a message or names a line that its edit changes."""
    lines = [unchanged_place(action) for action in shown]
    return Counter(lines).most_common(1)[0][0] if all(lines) else None
