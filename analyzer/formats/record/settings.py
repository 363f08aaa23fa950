"""What the settings beside a list of messages say about the session: the model that was chosen, the folder, and sums of
tokens and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Tokens
from analyzer.text.expressions import compiled

_DEEPEST = 3
_MODEL = ("active_model", "model", "model_name", "model_id", "modelId")
_FOLDER = ("working_directory", "workingDirectory", "cwd", "workdir", "working_dir")
_SENT = ("session_prompt_tokens", "total_prompt_tokens", "total_input_tokens")
_WRITTEN = ("session_completion_tokens", "total_completion_tokens", "total_output_tokens")
_COST = ("session_cost", "total_cost_usd", "total_cost")
_LONGEST = 200
_OWN = compiled(
    r"(?:agent|llm|session|run|model)?_?(?:config|configuration|settings|options|params|parameters|info|stats|usage"
    r"|metadata|meta|environment|env|context|agent|llm|session)"
)
"""Blocks that speak of the agent itself: another's model, a judge's or a simulated user's, isn't the session's."""


def model_in(settings: Mapping[str, Any]) -> str | None:
    """The model that settings name at one place, the highest; None where there are several names."""
    return _word(settings, _MODEL, spaces=False)


def folder_in(settings: Mapping[str, Any]) -> str | None:
    """The working directory that settings name."""
    return _word(settings, _FOLDER, spaces=True)


def tokens_in(settings: Mapping[str, Any]) -> Tokens:
    """The sums of a session's tokens. A program that counts none writes zeros, which stand for nothing."""
    sent, written = (_number(settings, keys) for keys in (_SENT, _WRITTEN))
    return Tokens(sent, written) if sent or written else Tokens()


def cost_in(settings: Mapping[str, Any]) -> float | None:
    """The sum of what a session cost, unless it's zero."""
    costs = [cost for block in _blocks(settings) for key in _COST if (cost := cost_or_none(block.get(key)))]
    return costs[0] if costs else None


def _word(settings: Mapping[str, Any], keys: tuple[str, ...], *, spaces: bool) -> str | None:
    for level in _levels(settings):
        for key in keys:
            words = {word for block in level if (word := str_or_none(block.get(key)))}
            if words:
                word = words.pop()
                fits = not words and len(word) <= _LONGEST and (spaces or not any(map(str.isspace, word)))
                return word if fits else None
    return None


def _number(settings: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    numbers = (int_or_none(block.get(key)) for block in _blocks(settings) for key in keys)
    return next((number for number in numbers if number is not None and number >= 0), None)


def _blocks(settings: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for level in _levels(settings):
        yield from level


def _levels(settings: Mapping[str, Any]) -> Iterator[list[Mapping[str, Any]]]:
    """The settings, then the blocks in them that are the agent's own, then those in these."""
    level: list[Mapping[str, Any]] = [settings]
    for _ in range(_DEEPEST):
        if not level:
            return
        yield level
        level = [
            dict_of(value)
            for block in level
            for key, value in block.items()
            if isinstance(value, dict) and _OWN.fullmatch(str(key))
        ]
