"""What the settings beside a list of messages say about the session: the model that was chosen, the folder, and sums of
tokens and cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.formats.record.fields import first_count, first_text
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Session, Tokens
from analyzer.text.expressions import compiled

_DEEPEST = 3
_MODEL = ("active_model", "model", "model_name", "model_id", "modelId")
_FOLDER = ("working_directory", "workingDirectory", "cwd", "workdir", "working_dir")
_SENT = ("session_prompt_tokens", "total_prompt_tokens", "total_input_tokens")
_WRITTEN = ("session_completion_tokens", "total_completion_tokens", "total_output_tokens")
_COST = ("session_cost", "total_cost_usd", "total_cost")
_OWN = compiled(
    r"(?:agent|llm|session|run|model)?_?(?:config|configuration|settings|options|params|parameters|info|stats|usage"
    r"|metadata|meta|environment|env|context|agent|llm|session)"
)
"""Blocks that speak of the agent itself: another's model, a judge's or a simulated user's, isn't the session's."""


def take_settings(session: Session, settings: Mapping[str, Any]) -> None:
    """Fill in what a session doesn't know yet. A program that counts nothing writes zeros, which stand for nothing."""
    own = _own(settings)
    model, folder = first_text(own, *_MODEL), first_text(own, *_FOLDER)
    if session.model is None and model is not None and not any(map(str.isspace, model)):
        session.model = model
    if folder is not None:
        session.environment["working directory"] = folder
    if session.tokens == Tokens():
        sent, written = first_count(own, *_SENT), first_count(own, *_WRITTEN)
        session.tokens = Tokens(sent, written) if sent or written else Tokens()
    if session.cost_usd is None:
        session.cost_usd = next(filter(None, (cost_or_none(own.get(key)) for key in _COST)), None)


def _own(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with those in the blocks that are the agent's own. The highest count; what two at one depth say in
    two ways isn't known."""
    own: dict[str, Any] = {}
    level: list[Mapping[str, Any]] = [settings]
    for _ in range(_DEEPEST):
        here: dict[str, Any] = {}
        for block in level:
            here |= {key: value if here.get(key, value) == value else None for key, value in block.items()}
        own = {**here, **own}
        blocks = (item for block in level for item in block.items())
        level = [value for key, value in blocks if isinstance(value, dict) and _OWN.fullmatch(str(key))]
    return own
