"""Logs of single requests to a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.formats.openhands.llm_log_format import FORMAT
from tests.formats.corpus_files import SAMPLES, entries, load_sample
from tests.formats.events import answered, calls, words

SAMPLE: dict[str, Any] = json.loads((SAMPLES / "openhands_llm_log.json").read_text(encoding="utf-8"))


def test_the_sample_is_the_context_and_the_reply() -> None:
    session = load_sample("openhands_llm_log.json", "openhands-llm-log")

    assert (session.id, session.model, session.task) == ("chatcmpl-1", "test-model-1", "Fix the far zone.")
    assert answered(session) == [("terminal", "cat: zones.py: No such file or directory"), ("terminal", None)]
    assert calls(session)[1] == ("terminal", {"command": "ls"})
    assert words(session)[-1] == ("assistant", "Where is it?")
    assert (session.tokens.input, session.cost_usd, session.ended_at) == (None, 0.1, 1757015029.5)
    assert session.cost_is_partial


def test_of_the_first_request_all_is_known() -> None:
    messages = [{"role": "user", "content": "Fix the far zone."}]
    value = {**SAMPLE, "messages": messages, "raw_messages": messages}
    (session,) = FORMAT.read(Document("x.json", json.dumps(value)))

    assert session.tokens.input == SAMPLE["response"]["usage"]["prompt_tokens"]
    assert (session.cost_usd, session.cost_is_partial) == (0.1, False)


def test_without_raw_messages_the_context_as_sent_is_read() -> None:
    value = {key: item for key, item in SAMPLE.items() if key != "raw_messages"}
    (session,) = FORMAT.read(Document("x.json", json.dumps(value)))
    assert len(calls(session)) == 1


def test_every_real_request_has_the_calls_of_its_context_and_reply(corpus: Path) -> None:
    for path in entries(corpus, FORMAT.name):
        value = json.loads(path.read_text(encoding="utf-8"))
        (session,) = load(path).sessions
        said = value if isinstance(value, list) else value.get("raw_messages") or value["messages"]
        reply = [] if isinstance(value, list) else [value["response"]["choices"][0]["message"]]
        assert load(path).format == ("chat" if isinstance(value, list) else FORMAT.name)
        assert len(calls(session)) == sum(len(message.get("tool_calls") or []) for message in [*said, *reply])
