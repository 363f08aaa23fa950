"""What sort of calls a loop is made of."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.episodes import Episode
from analyzer.detectors.signals.growth import grows
from analyzer.model.action import Action
from analyzer.model.words import LoopKind
from analyzer.text.clip import clip


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
