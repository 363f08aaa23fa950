"""Which words of the table say what came back in a loop, and what to do about it, as far as its kind, its calls and
their answers show it.

Edits that make a file grow each time they're made: they put in text without taking as much away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from analyzer.commands.parse import parse
from analyzer.detectors.engine.rule_state import often
from analyzer.detectors.engine.table import advice_of
from analyzer.detectors.episodes.episode import FAILING, GUESSED, INSERTED, REWORDED, Episode
from analyzer.detectors.signals.advice import advice_on_check, edit_again
from analyzer.model.action import Action, Edit
from analyzer.model.words import Kind, LoopKind
from analyzer.text.clip import clip


def loop_facts(
    episode: Episode, actions: Sequence[Action], shown: Sequence[Action], beside: Sequence[Action]
) -> dict[str, Any]:
    """What the words of a loop may name. `shown` are the actions that come back, `beside` equal calls that were sent
    with them, `actions` all from the first step to the last."""
    last, calls = shown[-1], list[str]()
    if episode.kind is LoopKind.ALTERNATING and "call" in episode.pattern:
        # The pattern has no word for what was called by turns.
        turn = actions[-(episode.period or 1) :]
        calls = list(dict.fromkeys(clip(f"{action.tool} {action.operation.target}".strip(), 60) for action in turn))
    came_back_alone = episode.kind is LoopKind.REPEATED_CALL and episode.group is None
    return {
        "first": episode.first,
        "last": episode.last,
        "step": last.step,
        "rounds": episode.rounds,
        "times": often(episode.rounds + len(beside), episode.rounds),
        "period": episode.period,
        "pattern": episode.pattern,
        "path": last.operation.path or "A file",
        "calls": calls if 1 < len(calls) < 4 else [],
        "made": len(shown) + len(beside),
        "same": max(Counter(action.keys.call for action in (*shown, *beside)).values()),
        "reasons": len({action.failure.group for action in shown if action.failure is not None}),
        "action": last.keys.browser_action if came_back_alone else "",
        "requests": len({action.operation.target for action in shown}),
    }


def words_on_loop(
    episode: Episode, actions: Sequence[Action], shown: Sequence[Action], facts: Mapping[str, Any]
) -> str:
    """The name of the words that say what came back; empty where those of the kind do."""
    kind, failed = episode.kind, episode.group is not None
    # A pattern without a name and with a period is a cycle.
    cycle = kind is LoopKind.CYCLE or (episode.pattern == "other loop" and episode.period)
    if failed and all(map(is_spoken, shown)):
        return "spoken"
    if facts["reasons"] > 1 and all(action.kind is Kind.EDIT for action in shown):
        return "refused-edits"
    if cycle and not episode.period:
        return "laps-error" if failed else "laps-result"
    if cycle and failed and not _whole_rounds(episode, actions):
        gaps = {later - earlier for earlier, later in pairwise(episode.steps)}
        return "every-few-steps" if gaps == {episode.period} else "now-and-then"
    if kind is LoopKind.REPEATED_ERROR and facts["same"] > 1 and facts["same"] * 3 >= facts["made"] * 2:
        return "call-error" if facts["same"] == facts["made"] else "mostly-one-call"
    if growing(episode, shown):
        return "growing"
    if facts["action"]:
        return "browser"
    if episode.pattern in (FAILING, REWORDED, GUESSED, INSERTED):
        return episode.pattern
    back = "error" if failed else "result"
    if not failed and episode.period in (1, None) and len({action.result for action in shown}) > 1:
        back = "like-result"
    if cycle:
        return f"cycle-{back}"
    if kind is LoopKind.ALTERNATING:
        return f"by-turns-{back}" if facts["calls"] else f"alternating-{back}"
    if kind is LoopKind.REPEATED_CALL:
        return f"call-{back}" if episode.same_calls else f"like-call-{back}"
    return ""


def advice_on_loop(episode: Episode, shown: Sequence[Action], facts: Mapping[str, Any]) -> list[str]:
    """What to do instead."""
    if episode.pattern in (FAILING, REWORDED, GUESSED):
        return advice_of("loops", episode.pattern, facts)
    if episode.kind in (LoopKind.OSCILLATION, LoopKind.RE_READ):
        return advice_of("loops", episode.kind, facts)
    if facts["action"]:
        return advice_of("loops", "browser" if facts["requests"] == 1 else "browser-asked-otherwise", facts)
    if episode.group is None:
        return advice_of("loops", "growing", facts) if growing(episode, shown) else []
    if is_spoken(shown[-1]):
        return advice_of("loops", "spoken", facts)
    if episode.pattern.startswith("edit-"):
        return advice_on_check(shown[-1])
    if episode.pattern == "refused-edit loop":
        return edit_again(shown) or advice_of("loops", "refused-edit", facts)
    return []


def _whole_rounds(episode: Episode, actions: Sequence[Action]) -> bool:
    """Whether the rounds of a cycle are all there, rather than the failing step of the first one alone, and make the
    same calls, rather than calls of the same kinds."""
    period, at = episode.period or 1, {action.step: action.keys.call_masked for action in actions}
    rounds = {tuple(at.get(step - back, "") for back in range(period)) for step in episode.steps}
    return len(rounds) == 1 and (not episode.period or episode.length >= episode.period * episode.rounds)


def is_spoken(action: Action) -> bool:
    """Whether a sentence was sent to the shell."""
    return action.failure is not None and action.failure.type == "ProseInShell"


def growing(episode: Episode, shown: Sequence[Action]) -> bool:
    """Whether one edit is made again and again, and the file has grown each time."""
    return episode.kind is LoopKind.REPEATED_CALL and episode.group is None and all(map(grows, shown))


def grows(action: Action) -> bool:
    """Whether an action that was accepted adds to a file, as it would again if it were made once more."""
    if action.failure is not None:
        return False
    command = action.operation.command
    appends = command is not None and any(redirect.append for redirect, _ in parse(command).writes)
    return appends or any(map(adds, action.operation.edits))


def adds(edit: Edit) -> bool:
    """Whether an edit puts in a new line, or more lines than it replaces, and leaves the rest where it is."""
    if edit.created or not edit.after:
        return False
    if edit.lines is not None:
        return edit.after.rstrip("\n").count("\n") > edit.lines[1] - edit.lines[0]
    return edit.before is not None and edit.before != edit.after and edit.before in edit.after
