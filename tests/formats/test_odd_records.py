"""A record of an unknown kind, without what it always has, or with another type of value is remarked on by its reader;
the like of it that is sound isn't."""

from __future__ import annotations

import json
from functools import reduce
from operator import getitem
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.formats.record.warnings import WarningLog, forms
from analyzer.model.session import Message, ToolResult
from tests.formats.corpus_files import SAMPLES
from tests.tables import table

Path = list[str | int]


def sample(file: str) -> Any:
    """The value of a sample, or the values of its lines."""
    text = (SAMPLES / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if file.endswith("l") else json.loads(text)


def remarks(file: str, value: Any) -> list[str]:
    """What is said of a sample with this value."""
    whole = "\n".join(map(json.dumps, value)) if file.endswith("l") else json.dumps(value)
    transcript = load_bytes(whole.encode(), file)
    return [warning.what for session in transcript.sessions for warning in session.warnings]


def changed(file: str, path: Path, to: object) -> Any:
    """The value of a sample in which another stands in this place."""
    value = sample(file)
    reduce(getitem, path[:-1], value)[path[-1]] = to
    return value


@table("a_missing_key_is_remarked_on")
def test_a_missing_key_is_remarked_on(file: str, path: Path, what: str) -> None:
    value = sample(file)
    node = reduce(getitem, path[:-1], value)
    node["zz"] = node.pop(path[-1])
    assert any(what in remark for remark in remarks(file, value)), remarks(file, value)


@table("an_odd_value_is_remarked_on")
def test_an_odd_value_is_remarked_on(file: str, path: Path, to: object, what: str) -> None:
    value = changed(file, path, to)
    assert any(what in remark for remark in remarks(file, value)), remarks(file, value)


@table("other_values_that_are_read_are_not")
def test_other_values_that_are_read_are_not(file: str, path: Path, to: object) -> None:
    expected = ("without '", "was expected", "unknown key", "unknown st", "unknown content")
    told = remarks(file, changed(file, path, to))
    assert not [remark for remark in told if any(word in remark for word in expected)]


@table("odd_blocks_are_counted_and_kept")
def test_odd_blocks_are_counted_and_kept(file: str, path: Path, to: object, remarked: list[str], kept: str) -> None:
    value = changed(file, path, to)
    whole = "\n".join(map(json.dumps, value)) if file.endswith("l") else json.dumps(value)
    (session,) = load_bytes(whole.encode(), file).sessions
    said = [event.text for event in session.events if isinstance(event, Message | ToolResult)]
    assert any(kept in text for text in said), said
    blocks = [warning for warning in session.warnings if "content block" in warning.what]
    assert [warning.what for warning in blocks] == remarked
    assert [warning.hides_actions for warning in blocks] == ["like a call" in what for what in remarked]


def test_a_form() -> None:
    may = {"tags": "words", "about": "object", "given": "given"}
    form = forms({"note": {"what": "a note", "needs": {"text": "text"}, "may": may, "others": ["id"]}})["note"]

    def said(**record: object) -> list[str]:
        log = WarningLog()
        form.check("line 1", record, log)
        return [warning.what for warning in log.warnings()]

    assert said(text="x", tags=["y"], id="a long text that is known", version=2) == []
    assert said(text=None, tags=None) == []
    assert said(tags="y") == ["a note without 'text'"]
    assert said(text=5, given=[1]) == [
        "'text' of a note is a JSON int; a text was expected",
        "'given' of a note is a JSON list; an object or a text was expected",
    ]
    assert said(text="x", body=[{"inner": "something that was said"}]) == ["unknown key 'body' of a note; ignored"]
    assert said(text="x", digest="0b7f6a1e34d54f2a", flag=True) == []
