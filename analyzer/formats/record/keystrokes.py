"""Replies in which an agent types into a terminal: an object of JSON with `commands` of `keystrokes`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from analyzer.formats.record.fields import dict_of, list_of, text_of


@dataclass(slots=True, frozen=True)
class Keystrokes:
    """What such a reply says: `said` are its analysis and plan, `typed` what is typed, empty where it only waits or
    ends; `done` whether it calls the task complete."""

    said: str
    typed: str
    done: bool


def keystrokes_in(text: str) -> Keystrokes | None:
    """What the first object of JSON in a text types into a terminal; None where that is no such reply."""
    reply = _first_object(text)
    if not ("task_complete" in reply or _is_batch(reply.get("commands"))):
        return None
    said = "\n".join(part for key in ("analysis", "plan") if (part := text_of(reply.get(key)).strip()))
    typed = "".join(text_of(dict_of(item).get("keystrokes")) for item in list_of(reply.get("commands")))
    return Keystrokes(said, typed.strip(), reply.get("task_complete") is True)


def _is_batch(commands: object) -> bool:
    """Whether a list holds what is typed, or nothing."""
    return isinstance(commands, list) and all("keystrokes" in dict_of(item) for item in commands)


def _first_object(text: str) -> dict[str, Any]:
    start = text.find("{")
    if start < 0 or '"' not in text:
        return {}
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return {}
    return dict_of(value)
