"""Episodes: an agent repeats itself without progress. One finder for all kinds follows a lane step by step."""

from analyzer.detectors.episodes.episode import (
    CHANT,
    FAILING,
    GUESSED,
    INSERTED,
    REPORTED,
    REWORDED,
    ROUNDS,
    Episode,
)
from analyzer.detectors.episodes.finder import EpisodeFinder

__all__ = [
    "CHANT",
    "FAILING",
    "GUESSED",
    "INSERTED",
    "REPORTED",
    "REWORDED",
    "ROUNDS",
    "Episode",
    "EpisodeFinder",
]
