"""Counts of tokens that are all zero although the model answered: then nobody counted."""

from __future__ import annotations

from analyzer.model.session import Message, Session, Tokens, ToolCall


def forget_zero_counts(session: Session) -> None:
    """Take a session's tokens for unknown where they're zero throughout, and something was said or called."""
    tokens = session.tokens
    counts = (tokens.input, tokens.output, tokens.cached, tokens.written)
    if any(counts) or all(count is None for count in counts):
        return
    if any(
        isinstance(event, ToolCall) or (isinstance(event, Message) and event.role == "assistant")
        for event in session.events
    ):
        session.tokens = Tokens()
