"""What Claude Code's messages and blocks hold, so that one that holds something else is remarked on."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.warnings import GIVEN, TEXT, WORDS, Form, WarningLog

MESSAGE = Form("a message", {"content": WORDS})
_BLOCKS = {
    "text": Form("a text block", {"text": TEXT}),
    "thinking": Form("a thinking block", {"thinking": TEXT}),
    "tool_use": Form("a tool call", {"input": GIVEN}),
    "tool_result": Form("a result", {}, {"content": (str, list, dict)}, frozenset({"tool_use_id", "is_error"})),
}
_OF_USERS = frozenset({*_BLOCKS, "image", "document", "search_result", "web_search_tool_result", "tool_reference"})


def check_block(place: str, block: dict[str, Any], log: WarningLog) -> None:
    """Note what a block of a message lacks, or holds otherwise."""
    kind = block.get("type")
    form = _BLOCKS.get(kind) if isinstance(kind, str) else None
    if form is not None:
        form.check(place, block, log)


def check_users_block(place: str, block: dict[str, Any], log: WarningLog) -> None:
    """The same for a block of a user's message, and whether it's of a known type."""
    kind = block.get("type")
    if not isinstance(kind, str):
        log.add(place, "content block without a type; kept as text")
    elif kind not in _OF_USERS and not kind.endswith("tool_result"):
        log.add(place, f"unknown content block {kind[:60]!r}; kept as text")
    check_block(place, block, log)
