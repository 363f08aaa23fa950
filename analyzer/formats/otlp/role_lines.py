"""A conversation that a tracer wrote down as one text, each message behind the name of its role."""

from __future__ import annotations

from typing import Any

from analyzer.text.late import late

_LONGEST = 400_000
_ROLE = late(r"(?m)^(?P<role>system|developer|user|human|assistant|ai|tool|function): ")
_ROLES = {"human": "user", "ai": "assistant", "developer": "system"}
_NO_WORDS = "None"
"""What Python prints of a message without words."""


def conversation_in(text: str) -> list[dict[str, Any]] | None:
    """The messages of such a text; None for any other. Results of tools are left out, since their own spans have them.

    It has to begin with a role, and to hold one of the user: other texts have lines with a colon, too.
    """
    places = list(_ROLE.finditer(text)) if len(text) <= _LONGEST else []
    if not places or places[0].start() > 0 or not any(place["role"] in ("user", "human") for place in places):
        return None
    ends = [place.start() for place in places[1:]] + [len(text)]
    said = [(place["role"], text[place.end() : end].strip()) for place, end in zip(places, ends, strict=True)]
    return [
        {"role": _ROLES.get(role, role), "content": content}
        for role, content in said
        if role not in ("tool", "function") and content not in ("", _NO_WORDS)
    ]
