"""Sentences in which a program says that it calls a tool, as logs have them."""

from __future__ import annotations

import re

from analyzer.text.late import late

_VERBS = r"(?:call(?:s|ed|ing)?|invok(?:e|ed|ing)|execut(?:e|ing)|run(?:ning)?|us(?:e|ing)|start(?:ing)?)"
CALL = late(
    rf"(?:\b{_VERBS}[ _]+(?:the )?(?:tool|function|action)\b"
    r"|\b(?:tool|function|action)[ _](?:call|use|start|invocation)\b)"
    r"[^\w\n{(]{1,6}(?P<name>[A-Za-z_][\w.-]{0,60})(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
"""`calling tool search with {"query": ..}`, `tool_call: search {..}`: the tool's name, and what stands behind it."""
