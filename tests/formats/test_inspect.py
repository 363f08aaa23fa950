"""An Inspect log becomes one session per sample and epoch: who is recognised, what is counted, what damage costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.formats.loading.load import load
from analyzer.model.session import Message
from analyzer.model.words import Ending
from tests.conftest import ROOT
from tests.formats.events import results_in
from tests.formats.inspect_builders import Json, answer, asked, came, clock, log, model, sample, tool, user
from tests.formats.inspect_views import SUBMIT, lines_of, session_of, sessions

SAMPLE = ROOT / "tests" / "data" / "formats" / "inspect.json"


def test_the_sample() -> None:
    (session,) = load(SAMPLE).sessions

    assert (session.id, session.agent, session.agent_version, session.title) == (
        "started-step_epoch_1",
        "Inspect AI",
        "0.3.200",
        "parcel-rates/fix_quote",
    )
    assert session.model == "example/example-model-1"
    assert (session.ending, session.recorded_status) == (Ending.SOLVED, "tests: C")
    assert session.environment == {"solver": "react", "sandbox": "docker"}
    assert (session.user_messages, session.assistant_messages) == (1, 5)
    assert [(call.id, call.batch) for call in session.calls()][:3] == [
        ("call-1", "u-model-0"),
        ("call-2", "u-model-0"),
        ("call-3", "u-model-1"),
    ]
    assert [(result.exit_code, result.is_error) for result in results_in(session)] == [
        (1, None),
        (None, None),
        (None, True),
        (None, None),
        (0, None),
        (None, None),
    ]
    assert results_in(session)[1].text.startswith("Here's the result of running `cat -n`")
    assert [call.task_done for call in session.calls()] == [False] * 5 + [True]
    assert session.warnings == []


def test_each_sample_and_epoch_is_a_session() -> None:
    found = sessions(
        log(sample(id=1), sample(id=1, epoch=2), sample(id="a b"), sample(id=1), sample(id=None, epoch=None))
    )

    assert [session.id for session in found] == ["1_epoch_1", "1_epoch_2", "a b_epoch_1", "1_epoch_1-2", "log"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(user("Go on.", "u2"), "harness", id="added-by-the-agent"),
        pytest.param(user("Go on.", "u2", source="input"), "user", id="of-the-task"),
        pytest.param(user("Stop it.", "u2"), "user", id="typed-by-somebody"),
    ],
)
def test_who_speaks_with_the_users_role(message: Json, expected: str) -> None:
    typed = {"event": "input", "timestamp": clock(2), "input": "Stop it."}
    session = session_of(
        model(1, [user("Do it.")], answer("x", message_id="a1")),
        typed,
        model(3, [message], answer("y", message_id="a2")),
    )

    assert [event.role for event in session.events if isinstance(event, Message)] == [
        "user",
        "assistant",
        expected,
        "assistant",
    ]


def test_examples_in_the_input_are_no_actions() -> None:
    shown = [
        user("One?", "u1", source="input"),
        answer("", asked("e1"), message_id="e", source="input"),
        came("e1", "x", "t1", source="input"),
    ]
    question = user("Two?", "u2", source="input")

    by_events = session_of(
        model(1, [*shown, question], answer("", asked("c1"), message_id="a1")), input=[*shown, question]
    )
    by_messages = session_of(
        input=[*shown, question], messages=[*shown, question, answer("", asked("c1"), message_id="a1")]
    )

    for session in (by_events, by_messages):
        assert [call.id for call in session.calls()] == ["c1"]
        assert session.task == "Two?"


def test_messages_alone() -> None:
    session = session_of(
        messages=[
            user("Do it."),
            answer(
                [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "I do."}], asked("c1", cmd="ls")
            ),
            came("c1", "no", error={"type": "permission", "message": "denied"}),
            user("Continue.", "u2"),
            came("c9", "left over"),
        ]
    )

    assert lines_of(session) == [
        "user: Do it.",
        "assistant?: Hm.",
        "assistant: I do.",
        "-> c1",
        "<- no\ndenied",
        "harness: Continue.",
        "-> c9",
        "<- left over",
    ]


def test_thoughts_words_and_tools_of_the_service_in_order() -> None:
    blocks = [
        {"type": "reasoning", "reasoning": "secret", "redacted": True, "summary": "In short."},
        {"type": "text", "text": "I search."},
        {
            "type": "tool_use",
            "id": "w",
            "name": "web_search",
            "arguments": '{"q": "x"}',
            "result": "found",
            "error": None,
        },
        {"type": "text", "text": "Found."},
        {"type": "image", "image": "data:..."},
        {"type": "audio", "audio": "data:..."},
    ]
    session = session_of(model(1, [], answer(blocks, asked("c1"), reasoning="Early.")))

    assert lines_of(session) == [
        "assistant?: Early.",
        "assistant?: In short.",
        "assistant: I search.",
        "-> w",
        "<- found",
        "assistant: Found.\n[image]\n[audio]",
        "-> c1",
    ]


@pytest.mark.parametrize("key", ["attachment", "tc"])
def test_long_texts_are_put_back(key: str) -> None:
    said = answer([{"type": "text", "text": f"{key}://1"}, {"type": "text", "text": "b"}], asked("c", cmd=f"{key}://2"))
    session = session_of(
        model(1, [user(f"{key}://3")], said),
        tool(2, "c", f"{key}://gone"),
        input=f"{key}://3",
        attachments={"1": "a", "2": "ls", "3": "Do it."},
    )

    assert lines_of(session) == ["user: Do it.", "assistant: a\nb", "-> c", f"<- {key}://gone"]
    assert ([call.arguments for call in session.calls()], session.task) == ([{"cmd": "ls"}], "Do it.")


def test_numbers_in_an_input_are_no_places_in_the_pool_before_its_start() -> None:
    assert lines_of(session_of(model(1, [-1, True, user("Hi.")], answer("x")))) == ["user: Hi.", "assistant: x"]


@pytest.mark.parametrize("stored", ["message_pool", "events_data"])
def test_inputs_that_refer_to_a_pool(stored: str) -> None:
    pool = [user("Do it."), answer("", asked("c1"), message_id="a1"), came("c1", "x")]
    kept: Json = {stored: pool if stored == "message_pool" else {"messages": pool, "calls": []}}
    session = session_of(
        model(1, [], pool[1], input_refs=[[0, 1]]),
        model(2, [], answer("So.", message_id="a2"), input_refs=[[0, 3], [9, 12], [1], "x"]),
        **kept,
    )

    assert lines_of(session) == ["user: Do it.", "-> c1", "<- x", "assistant: So."]


def test_the_first_versions_keep_events_in_a_transcript() -> None:
    events = [model(1, [user("tc://1")], answer("", asked("c1"))), tool(2, "c1", "x")]
    record = {
        "id": 1,
        "epoch": 1,
        "input": "Do it.",
        "target": "",
        "transcript": {"events": events, "content": {"1": "Do it."}},
    }
    (session,) = sessions({"version": 1, "eval": {}, "samples": [record]})

    assert lines_of(session) == ["user: Do it.", "-> c1", "<- x"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(SUBMIT, id="list"),
        pytest.param({"events": SUBMIT, "description": "x"}, id="object"),
        pytest.param("\n".join(map(json.dumps, SUBMIT)), id="lines"),
        pytest.param(sample(*SUBMIT), id="sample"),
    ],
)
def test_parts_of_a_log_are_read_too(value: object) -> None:
    (session,) = sessions(value)

    assert lines_of(session) == ["-> c", "<- x"]
    assert session.ending is Ending.SUBMITTED


def test_what_is_not_understood_is_counted() -> None:
    odd = {"event": "dream", "timestamp": clock(1)}
    first, second = sessions(
        log(sample(odd, odd, 5, tool(2, "c")), "x", sample(id=2, messages=[4, {"role": "judge", "content": ""}]))
    )

    assert [(warning.where, warning.what) for warning in first.warnings] == [
        ("sample 1, event 1", "unknown event 'dream'; skipped (2 times, first here)"),
        ("sample 1, events", "1 values that are no events; skipped"),
        ("sample 2", "a JSON str where a sample was expected; skipped"),
    ]
    assert [(warning.where, warning.what) for warning in second.warnings] == [
        ("sample 3, message 1", "a JSON int where a message was expected; skipped"),
        ("sample 3, message 2", "unknown role 'judge'; skipped"),
    ]


def _expected(record: Json) -> int:
    """The calls of a sample that the corpus shows: those that messages ask for, and results that nothing asked for."""
    said = [message for message in record["messages"] if message["role"] == "assistant"]
    made = {call["id"] for message in said for call in message.get("tool_calls") or []}
    made |= {event["id"] for event in record.get("events") or [] if event["event"] == "tool"}
    return len(made | {message["tool_call_id"] for message in record["messages"] if message["role"] == "tool"})


def test_every_real_log_has_one_call_per_action(corpus: Path) -> None:
    import zipfile

    wrong = []
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["format"] not in {"inspect-ai", "inspect-events"}:
            continue
        path = corpus / entry["path"]
        transcript = load(path)
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                records = [json.loads(packed.read(name)) for name in packed.namelist() if name.startswith("samples/")]
        else:
            value = json.loads(path.read_text(encoding="utf-8"))
            records = value.get("samples") or [{"messages": [], "events": value["events"]}]
        found = sum(call.lane == "main" for session in transcript.sessions for call in session.calls())
        if (transcript.format, len(transcript.sessions), found) != (
            "inspect",
            len(records),
            sum(map(_expected, records)),
        ):
            wrong.append(entry["path"])
    assert wrong == []
