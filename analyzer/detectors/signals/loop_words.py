"""What is said of a loop: its title (what came back, and how often), and what to do about it, as far as its kind, its
calls and their answers show it.

Edits that make a file grow each time they're made: they put in text without taking as much away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.commands.parse import parse
from analyzer.detectors.engine.rule_state import often
from analyzer.detectors.episodes import FAILING, GUESSED, INSERTED, REWORDED, Episode
from analyzer.detectors.signals.failure_advice import advice_on_check, edit_again
from analyzer.model.action import Action, Edit
from analyzer.model.words import Kind, LoopKind
from analyzer.text.clip import clip
from analyzer.text.english import listed, plural
from analyzer.text.markdown import code

_TITLES = {
    LoopKind.REPEATED_CALL: "The same call {times} with the same result",
    LoopKind.ALTERNATING: "{pattern}: {rounds} rounds with the same result",
    LoopKind.CYCLE: "The same {period} steps {times} with the same result",
    LoopKind.REPEATED_ERROR: "The same error {times} while the calls vary",
    LoopKind.OSCILLATION: "{path} flips back and forth {times}",
    LoopKind.RE_READ: "The same unchanged content is read {times}",
}
_TITLES_OF_ERRORS = {
    LoopKind.REPEATED_CALL: "The same error {times} from the same call",
    LoopKind.ALTERNATING: "{pattern}: {rounds} rounds with the same error",
    LoopKind.CYCLE: "The same {period} steps {times} with the same error",
}
"""Titles where a failure comes back: the rest of what the calls print may differ."""
_EVERY_FEW_STEPS = "The same error {times}, every {period} steps"
"""The title of a cycle whose first round is its failing step alone."""
_REWORDED_TITLE = "{rounds} calls in different words with the same answer"
_GUESSED_TITLE = "The same call with {rounds} made-up values, each of them refused"
_INSERTED_TITLE = "The same text is put in {times}"
_TITLES_BY_PATTERN = {
    FAILING: "The same call fails {times}",
    REWORDED: _REWORDED_TITLE,
    GUESSED: _GUESSED_TITLE,
    INSERTED: _INSERTED_TITLE,
}
_GROWING_TITLE = "The same edit {times}, and the file grows each time"
_BROWSER_TITLE = "The browser {action} {times}, and the page doesn't change"


def loop_title(episode: Episode, actions: Sequence[Action], shown: Sequence[Action], beside: Sequence[Action]) -> str:
    """One sentence without its steps. `shown` are the actions that come back, `beside` equal calls that were sent with
    them, `actions` all from the first step to the last."""
    seen = browser_action(episode, shown)
    form = _BROWSER_TITLE if seen else _TITLES_BY_PATTERN.get(episode.pattern, _TITLES[episode.kind])
    # A pattern without a name and with a period is a cycle.
    kind = LoopKind.CYCLE if episode.pattern == "other loop" and episode.period else episode.kind
    if kind is not episode.kind:
        form = _TITLES[kind]
    if episode.group is not None and episode.pattern != FAILING:
        form = _TITLES_OF_ERRORS.get(kind, form)
        if kind is LoopKind.CYCLE and episode.period and episode.length < episode.period * episode.rounds:
            form = _EVERY_FEW_STEPS
    elif growing(episode, shown):
        form = _GROWING_TITLE
    elif episode.period in (1, None) and len({action.result for action in shown}) > 1:
        form = form.replace("with the same result", "with nearly the same result")
    if episode.kind is LoopKind.REPEATED_ERROR:
        made = [*shown, *beside]
        same = max(Counter(action.keys.call for action in made).values(), default=0)
        if same > 1 and same * 3 >= len(made) * 2:
            form = "The same error {times}" + (
                " from the same call" if same == len(made) else f", {same} of them from one call"
            )
    if kind is LoopKind.CYCLE and episode.group is not None and not _same_rounds(episode, actions):
        form = "The same error {times}, every {period} steps"
    reasons = len({action.failure.group for action in shown if action.failure is not None})
    if episode.group is not None and all(map(is_spoken, shown)):
        form = "A sentence is sent to the shell {times}"
    elif reasons > 1 and all(action.kind is Kind.EDIT for action in shown):
        form = f"Edits of {{path}} are refused {{times}}, with {plural(reasons, 'different message')}"
    if not episode.same_calls and episode.kind is LoopKind.REPEATED_CALL:
        form = form.replace("The same call {times}", "Nearly the same call {times}").replace(
            "from the same call", "from nearly the same call"
        )
    calls = _unnamed(actions, episode) if episode.kind is LoopKind.ALTERNATING else ""
    if calls:
        form = form.replace("{pattern}", "{calls} by turns")
    return form.format(
        calls=calls,
        action=seen,
        rounds=episode.rounds,
        times=often(episode.rounds + len(beside), episode.rounds),
        period=episode.period,
        pattern=episode.pattern.capitalize(),
        path=shown[-1].operation.path or "A file",
    )


def _same_rounds(episode: Episode, actions: Sequence[Action]) -> bool:
    """Whether all rounds of a cycle make the same calls, rather than calls of the same kinds."""
    period, at = episode.period or 1, {action.step: action.keys.call_masked for action in actions}
    rounds = {tuple(at.get(step - back, "") for back in range(period)) for step in episode.steps}
    return len(rounds) == 1


def _unnamed(actions: Sequence[Action], episode: Episode) -> str:
    """The calls of the last round, where the pattern has no word for them; nothing where it has."""
    if "call" not in episode.pattern:
        return ""
    last = actions[-(episode.period or 1) :]
    named = dict.fromkeys(code(clip(f"{action.tool} {action.operation.target}".strip(), 60)) for action in last)
    return listed(list(named)) if 1 < len(named) < 4 else ""


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
    return []


def grows(action: Action) -> bool:
    """Whether an action that was accepted adds to a file, as it would again if it were made once more."""
    if action.failure is not None:
        return False
    return any(adds(edit) for edit in action.operation.edits) or appends(action)


def appends(action: Action) -> bool:
    """Whether a command line appends to a file."""
    command = action.operation.command
    return command is not None and any(redirect.append for redirect, _ in parse(command).writes)


def adds(edit: Edit) -> bool:
    """Whether an edit puts in a new line, or more lines than it replaces, and leaves the rest where it is."""
    if edit.created or not edit.after:
        return False
    lines = edit.after.rstrip("\n").count("\n") + 1
    if edit.lines is not None:
        return lines > edit.lines[1] - edit.lines[0] + 1
    return edit.before is not None and edit.before != edit.after and edit.before in edit.after
