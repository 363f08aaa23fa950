"""Messages that stand where a call of the model failed: what its service said is nobody's answer."""

from __future__ import annotations

import re

from analyzer.model.session import Message, Session
from analyzer.text.late import late

_NAMED = late(
    r"^\W{0,3}(?:[\w.]{1,30}\.)?(?:API ?(?:Connection|Status|Timeout)? ?Error|AuthenticationError|RateLimitError"
    r"|InternalServerError|OverloadedError|ServiceUnavailableError|ContextWindowExceededError)\b"
    r"|^\[(?:the )?(?:assistant|model|llm)(?:['’]s)? (?:turn|call|request|response) failed\b[^\]\n]{0,200}\]\s*\Z"
    r"|^(?:prompt is too long|credit balance is too low)[.!]?\s*\Z",
    re.IGNORECASE,
)
_TOLD = late(
    r"^\W{0,3}(?:error:? )?(?:(?:HTTP|status)(?: code)?:? ?)?(?:400|401|402|403|408|413|429|500|502|503|504|529)\b"
    r"[^\n]{0,300}\b(?:api|auth\w*|keys?|quota|rate|limits?|credits?|billing|models?|tokens?|provider|overload\w*"
    r"|context)\b"
    r"|^\W{0,3}(?:context (?:overflow|(?:length|window) exceeded)|prompt is too long"
    r"|(?:your )?credit balance is too low|overloaded|rate limit(?:ed| exceeded| reached)|quota exceeded"
    r"|invalid api key|authentication error)\b",
    re.IGNORECASE,
)
_LONGEST = 4_000


def mark_failed_calls(session: Session) -> None:
    """Mark the messages that say that a call of the model failed, whoever is said to have written them."""
    for event in session.events:
        if isinstance(event, Message) and not event.thought and _fails(event):
            event.role, event.failed = "harness", True


def _fails(message: Message) -> bool:
    if len(message.text) > _LONGEST or message.role not in ("assistant", "harness"):
        return False
    text = message.text.strip()
    return _NAMED.search(text) is not None or (message.role == "harness" and _TOLD.search(text) is not None)
