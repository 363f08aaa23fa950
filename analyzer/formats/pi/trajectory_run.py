"""One run of a trajectory of OpenClaw: its part of the messages, and what a cut list of them leaves out."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of

Json = dict[str, Any]
_BROKEN_OFF = ("aborted", "externalAbort", "timedOut", "idleTimedOut")


class Run:
    """Collects a run's records.

    The recorder keeps the first messages of a list only. What it says of the run apart from them is what the agent
    said, message by message, and which tools it called, each with a few words on it in place of its arguments.
    """

    def __init__(self, prompt_at: object) -> None:
        self.prompt_at = prompt_at
        self.ended_at: object = None
        self.prompt = ""
        self.messages: list[Json] = []
        self.cut = False
        self._about: Json = {}

    def tell(self, data: Json, at: object) -> None:
        """Take in a record that says how the run went."""
        self._about |= data
        self.prompt = text_of(data.get("finalPromptText")) or self.prompt
        self.ended_at = at

    @property
    def status(self) -> str | None:
        """The recorder's word for the run's end."""
        return str_or_none(self._about.get("finalStatus"))

    def left_out(self) -> list[Json]:
        """The messages of a cut run that aren't recorded as such, as far as something is known of them.

        A message of the agent's goes before each call, and the last one after the last call unless the run was broken
        off: it ends with an answer that asks for no tool.
        """
        if not self.cut:
            return []
        told = [text for text in map(text_of, list_of(self._about.get("assistantTexts"))) if text.strip()]
        said = [text for message in self._by("assistant") if (text := _said(message))]
        texts = told[len(said) :] if [_bare(text) for text in told[: len(said)]] == list(map(_bare, said)) else []
        calls = self._calls_left_out()
        found = [] if any(self._by("user")) or not self.prompt.strip() else [_user(self.prompt, self.prompt_at)]
        closes = bool(texts) and not any(self._about.get(key) is True for key in _BROKEN_OFF)
        before = texts[:-1] if closes else texts
        early = len(before) - len(calls)
        found += [_agent([_text(text)]) for text in before[: max(0, early)]]
        spoken = [*[None] * max(0, -early), *before[max(0, early) :]]
        for words, call in zip(spoken, calls, strict=True):
            found.append(_agent([*([_text(words)] if words is not None else []), call]))
        if closes:
            found.append(_agent([_text(texts[-1])], self.ended_at))
        return found

    def _by(self, role: str) -> list[Json]:
        return [message for message in self.messages if message.get("role") == role]

    def _calls_left_out(self) -> list[Json]:
        told = [entry for entry in map(dict_of, list_of(self._about.get("toolMetas"))) if entry.get("toolName")]
        made = [block.get("name") for message in self._by("assistant") for block in calls_in(message)]
        if [entry["toolName"] for entry in told[: len(made)]] != made:
            return []
        return [_call(entry) for entry in told[len(made) :]]


def calls_in(message: Json) -> list[Json]:
    """The calls of a message."""
    blocks = map(dict_of, list_of(message.get("content")))
    return [block for block in blocks if block.get("type") == "toolCall"]


def _said(message: Json) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    blocks = map(dict_of, list_of(content))
    return "\n".join(text_of(block.get("text")) for block in blocks if block.get("type") == "text").strip()


def _bare(text: str) -> str:
    return " ".join(text.split())


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _call(entry: Json) -> Json:
    # The words on a call are no arguments: they may be cut, and some say in words what a command does.
    about = str_or_none(entry.get("meta"))
    arguments = {} if about is None else {"description": about}
    return {"type": "toolCall", "name": entry["toolName"], "arguments": arguments}


def _user(text: str, at: object) -> Json:
    return {"role": "user", "content": text, "timestamp": at}


def _agent(blocks: list[Json], at: object = None) -> Json:
    return {"role": "assistant", "content": blocks, "timestamp": at}
