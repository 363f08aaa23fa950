"""The store of a chat of Cursor's command line: its messages in their order, and what damage costs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session
from tests.formats.corpus_files import SAMPLES
from tests.formats.databases import bytes_of, database_of
from tests.formats.events import answered, calls, results, words
from tests.formats.mutations import read_or_refuse
from tests.formats.reading import session_in

Json = dict[str, Any]
ROOT = "f" * 64


def listed(*names: str) -> str:
    """A list of blobs, in hexadecimal digits."""
    return "".join(f"0A20{name * 64}" for name in names)


def stored(messages: dict[str, object], root: str | None = None, **about: object) -> bytes:
    """A store with blobs named by a digit each, and the list that names them."""
    facts = json.dumps({"agentId": "c", "latestRootBlobId": ROOT, "createdAt": 1777881600000, **about})
    sql = "CREATE TABLE meta (key TEXT, value TEXT); CREATE TABLE blobs (id TEXT, data BLOB);"
    sql += f"INSERT INTO meta VALUES ('0', hex('{facts}'));"
    for name, message in messages.items():
        data = message if isinstance(message, str) else f"CAST('{json.dumps(message)}' AS BLOB)"
        sql += f"INSERT INTO blobs VALUES ('{name * 64}', {data});"
    return bytes_of(f"{sql} INSERT INTO blobs VALUES ('{ROOT}', X'{root or listed(*messages)}');")


def read(messages: dict[str, object], root: str | None = None, **about: object) -> Session:
    return session_in(stored(messages, root, **about), "cursor")


def said(text: str, role: str = "user") -> Json:
    return {"role": role, "content": text}


def test_the_store_of_ours() -> None:
    (session,) = load(database_of(SAMPLES / "cursor_store.sql")).sessions
    assert (session.id, session.agent, session.model, session.title, session.task) == (
        "chat-1",
        "Cursor",
        "example-4",
        "The wheel",
        "Why does the wheel stand still?",
    )
    assert (session.user_messages, session.assistant_messages, session.started_at) == (1, 2, 1777881600.0)
    assert session.environment == {"working directory": "/srv/mill"}
    assert calls(session) == [("Read", {"path": "wheel.log"}), ("Shell", {"command": "make turn"})]
    assert answered(session) == [("Read", "The sluice is shut."), ("Shell", "make: no rule to make target turn")]
    assert [flag for _, flag, _, _ in results(session)] == [False, True]


def test_what_is_not_reached_from_the_list_was_taken_back() -> None:
    session = read({"1": said("Wait."), "2": said("Stay.", "assistant")}, root=listed("1"))
    assert words(session) == [("user", "Wait.")]


def test_the_same_message_said_twice_is_there_twice() -> None:
    session = read({"1": said("Go on."), "2": said("Yes.", "assistant")}, root=listed("1", "2", "1", "2"))
    assert [text for _, text in words(session)] == ["Go on.", "Yes.", "Go on.", "Yes."]


@pytest.mark.parametrize(
    ("message", "heard"),
    [
        (said("<user_query>Go.</user_query>"), [("user", "Go.")]),
        (
            said("<user_info>os</user_info> <user_query>Go.</user_query>"),
            [("harness", "<user_info>os</user_info>"), ("user", "Go.")],
        ),
        (said("<user_info>os</user_info>"), [("harness", "<user_info>os</user_info>")]),
        (
            said("Files: a, b") | {"providerOptions": {"cursor": {"requestContextCompleteness": {"files": True}}}},
            [("harness", "Files: a, b")],
        ),
        (said("Why does <b> stand here?"), [("user", "Why does <b> stand here?")]),
        (said("Mend the <user_query> tag") | {"role": "assistant"}, [("assistant", "Mend the <user_query> tag")]),
    ],
)
def test_what_the_program_put_around_the_users_words_is_not_theirs(message: Json, heard: list[object]) -> None:
    assert words(read({"1": message})) == heard


@pytest.mark.parametrize(
    ("messages", "root", "what"),
    [
        ({"1": said("Go.")}, listed("1", "2"), "a message that the chat lists isn't in the database; left out"),
        ({"1": said("Go."), "2": "X'0801'"}, None, "a blob that is neither a message nor a list of blobs; skipped"),
        ({"1": said("Go."), "2": [1]}, None, "a blob that is neither a message nor a list of blobs; skipped"),
        ({"1": said("Go."), "2": f"X'{listed('2')}'"}, None, "the lists of blobs never end; the rest isn't read"),
        ({"1": said("Go."), "2": "NULL"}, None, "a message that the chat lists isn't in the database; left out"),
    ],
)
def test_what_cannot_be_read_is_said(messages: dict[str, object], root: str | None, what: str) -> None:
    session = read(messages, root)
    assert words(session) == [("user", "Go.")]
    assert [warning.what for warning in session.warnings] == [what]


def test_a_message_at_the_end_of_a_list_of_none() -> None:
    text = json.dumps(said("Go.")).encode()
    assert words(read({}, root=f"1A{len(text):02X}{text.hex()}")) == [("user", "Go.")]


@pytest.mark.parametrize(
    "data",
    [
        stored({}),
        bytes_of("CREATE TABLE meta (key TEXT, value TEXT); CREATE TABLE blobs (id TEXT, data BLOB)"),
        bytes_of(
            "CREATE TABLE meta (key TEXT, value TEXT); CREATE TABLE blobs (id TEXT, data BLOB); "
            "INSERT INTO meta VALUES ('0', 'zz'), ('1', NULL), ('2', '{}')"
        ),
    ],
)
def test_other_databases_and_empty_chats_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableInput):
        load_bytes(data, "store.db")


@given(st.binary(max_size=120))
def test_a_list_of_any_bytes_is_read_or_refused(root: bytes) -> None:
    read_or_refuse(stored({"1": said("Go.")}, root=root.hex() or "00"))
