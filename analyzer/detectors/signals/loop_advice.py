"""What to do about a loop, as far as its kind, its calls and their answers show it.

Edits that make a file grow each time they're made: they put in text without taking as much away.

What sort of calls a loop is made of.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.episodes import FAILING, GUESSED, REWORDED, Episode
from analyzer.detectors.signals.failure_advice import advice_on, advice_on_check, edit_again
from analyzer.model.action import Action, Edit
from analyzer.model.words import LoopKind
from analyzer.text.clip import clip
from analyzer.text.expressions import compiled
from analyzer.text.late import late


def is_spoken(action: Action) -> bool:
    """Whether a sentence was sent to the shell."""
    return action.failure is not None and action.failure.type == "ProseInShell"


def growing(episode: Episode, shown: Sequence[Action]) -> bool:
    """Whether one edit is made again and again, and the file has grown each time."""
    return episode.kind is LoopKind.REPEATED_CALL and episode.group is None and bool(shown) and all(map(grows, shown))


def browser_action(episode: Episode, shown: Sequence[Action]) -> str:
    """What a browser did in each round, where that is what came back."""
    return (
        clip(shown[-1].keys.browser_action, 120)
        if episode.kind is LoopKind.REPEATED_CALL and episode.group is None
        else ""
    )


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


_APPENDS = late(r"(?<!\d)>>[ \t]{0,4}(?!&|/dev/)[\w./~$\"'{-]|\btee (?:-\w{1,10} ){0,3}(?:-a|--append)\b")
_QUOTED = compiled(r"'[^']*'|\"[^\"]*\"")


def grows(action: Action) -> bool:
    """Whether an action that was accepted adds to a file, as it would again if it were made once more."""
    if action.failure is not None:
        return False
    return any(adds(edit) for edit in action.operation.edits) or appends(action)


def appends(action: Action) -> bool:
    """Whether a command line appends to a file."""
    command = action.operation.command or ""
    return (">>" in command or "tee" in command) and _APPENDS.search(_QUOTED.sub("''", command)) is not None


def adds(edit: Edit) -> bool:
    """Whether an edit puts in a new line, or more lines than it replaces, and leaves the rest where it is."""
    if edit.created or not edit.after:
        return False
    lines = edit.after.rstrip("\n").count("\n") + 1
    if edit.lines is not None:
        return lines > edit.lines[1] - edit.lines[0] + 1
    return edit.before is not None and edit.before != edit.after and edit.before in edit.after
