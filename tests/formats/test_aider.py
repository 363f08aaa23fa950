"""Aider chat histories and result records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.aider.edits import edits_of
from analyzer.formats.aider.format import FORMAT
from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.model.session import Session, Tokens
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES, entries
from tests.formats.events import answered, calls, order, results, words
from tests.formats.reading import taken_by
from tests.tables import table

Json = dict[str, Any]
START = "# aider chat started at 2025-03-01 10:00:00\n\n> Aider v0.60.0  \n\n"
EDIT = "zones.py\n```python\n<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n```\n"
RECORD: Json = {
    "instance_id": "parcel__rates-7",
    "model": "test-model-1",
    "cost": 0.5,
    "edit_outcome": True,
    "lint_outcome": True,
    "test_outcome": False,
    "all_results": [{"cost": 0.25}, {"cost": 0.5}],
    "resolved": False,
}


def session_of(body: str) -> Session:
    (session,) = taken_by(FORMAT, START + body, "history.md")
    return session


def test_the_sample_has_one_session_per_chat() -> None:
    first, second = load(SAMPLES / "aider.md").sessions

    assert (first.id, second.id) == ("aider/chat-1", "aider/chat-2")
    assert (first.agent_version, first.model, second.model) == ("0.60.0", "test-model-1", "test-model-2")
    assert (first.started_at, first.naive_clock) == (1740823200.0, True)
    assert first.task == "The far zone is charged too little.\n\nFix `parcel_rates/zones.py`."
    assert calls(first) == [
        ("edit", {"path": "parcel_rates/zones.py", "old_str": "FAR = 1.0\n", "new_str": "FAR = 1.5\n"}),
        ("lint", {"command": "flake8 --select=E9 parcel_rates/zones.py"}),
        ("edit", {"path": "parcel_rates/zones.py", "old_str": "HOME = 0\n", "new_str": "HOME = 1.0\n"}),
    ]
    assert [flag for _, flag, _, _ in results(first)] == [False, True, True]
    assert results(first)[2][0].startswith("The LLM did not conform to the edit format.")
    assert (first.ending, first.ending_detail) == (Ending.LIMIT, "Only 3 reflections allowed, stopping.")
    assert (first.user_messages, first.assistant_messages) == (1, 2)
    assert [text for role, text in words(first) if role == "assistant"] == ["The surcharge is missing:", "That is all."]
    assert first.environment == {"git repository": ".git with 12 files"}
    assert calls(second) == [("bash", {"command": "pytest -q"})]
    assert answered(second)[0][1] == ("F\nFAILED tests/test_zones.py::test_far - assert 1.0 == 1.5\n1 failed in 0.02s")
    assert (second.ending, first.warnings, second.warnings) == (None, [], [])


def test_an_edit_comes_before_the_tests_that_aider_runs_after_it() -> None:
    tests = (
        "> Applied edit to zones.py  \n> ....F  \n> a failure  \n> 1 failed, 4 passed in 0.1s  \n> Return Code: 1  \n"
    )
    session = session_of(f"#### Fix it.  \n\nI do:\n\n{EDIT}\n{tests}> Attempt to fix test errors? yes  \n\nSorry.\n")

    assert [name for name, _ in calls(session)] == ["edit", "run_tests"]
    assert results(session)[1] == ("....F\na failure\n1 failed, 4 passed in 0.1s\nReturn Code: 1", True, 1, None)
    assert order(session) == "mmcrcrm"


def test_several_blocks_are_calls_of_one_batch() -> None:
    second = "<<<<<<< SEARCH\nb = 1\n=======\nb = 2\n>>>>>>> REPLACE\n"
    session = session_of(f"#### Fix it.  \n\n{EDIT}and\n\n{second}\n> Applied edit to zones.py  \n")

    assert [call.arguments for call in session.calls()] == [
        {"path": "zones.py", "old_str": "a = 1\n", "new_str": "a = 2\n"},
        {"path": "zones.py", "old_str": "b = 1\n", "new_str": "b = 2\n"},
    ]
    assert len({call.batch for call in session.calls()}) == 1
    assert [text for text, *_ in results(session)] == ["Applied edit to zones.py"] * 2


def test_what_looks_like_other_speakers_inside_a_block_is_the_edit() -> None:
    block = "doc.md\n```\n<<<<<<< SEARCH\n#### Old\n> said\n=======\n#### New\n> said\n>>>>>>> REPLACE\n```\n"
    session = session_of(f"#### Fix it.  \n\n{block}\n> Applied edit to doc.md  \n")

    assert calls(session) == [
        ("edit", {"path": "doc.md", "old_str": "#### Old\n> said\n", "new_str": "#### New\n> said\n"})
    ]
    assert session.user_messages == 1


WHOLE = "I rewrite both:\n\n`rates/zones.py`\n```python\na = 2\n```\n\n**rates/far.py**:\n```\nb = 3\n\n```\n"


def test_files_given_whole_are_edits_once_they_are_applied() -> None:
    applied = (
        "> Tokens: 3.1k sent, 100 received.  \n> Applied edit to rates/zones.py  \n> Applied edit to rates/far.py  \n"
    )
    session = session_of(f"#### Fix it.  \n\n{WHOLE}\n{applied}> Commit e647cd7 feat: zones  \n")

    assert calls(session) == [
        ("edit", {"path": "rates/zones.py", "content": "a = 2\n"}),
        ("edit", {"path": "rates/far.py", "content": "b = 3\n\n"}),
    ]
    assert [(text, flag) for text, flag, *_ in results(session)] == [
        ("Applied edit to rates/zones.py", False),
        ("Applied edit to rates/far.py", False),
    ]
    assert len({call.batch for call in session.calls()}) == 1
    assert session.tokens == Tokens(3100, 100)
    assert next(iter(session.calls())).usage is not None


def test_a_listing_that_is_not_applied_is_no_edit() -> None:
    assert calls(session_of(f"#### Show me.  \n\n{WHOLE}\n> Tokens: 1k sent, 10 received.  \n")) == []


def test_an_applied_diff_is_an_edit() -> None:
    diff = "```diff\n--- zones.py\n+++ zones.py\n@@ @@\n-a = 1\n+a = 2\n```\n"
    session = session_of(f"#### Fix it.  \n\n{diff}\n> Applied edit to zones.py  \n")
    assert calls(session) == [
        ("edit", {"path": "zones.py", "diff": "--- zones.py\n+++ zones.py\n@@ @@\n-a = 1\n+a = 2\n"})
    ]


def test_an_applied_edit_that_the_reply_does_not_show_is_still_an_edit() -> None:
    session = session_of("#### Fix it.  \n\nDone.\n\n> Applied edit to zones.py  \n> Applied edit to zones.py  \n")
    assert calls(session) == [("edit", {"path": "zones.py"})]
    assert len(results(session)) == 1


@pytest.mark.parametrize("name", ["zones.py", ""])
def test_a_block_is_applied_to_the_file_that_aider_names(name: str) -> None:
    block = EDIT.replace("zones.py", name)
    session = session_of(f"#### Fix it.  \n\n{block}\n> Applied edit to rates/zones.py  \n")
    assert calls(session) == [("edit", {"path": "rates/zones.py", "old_str": "a = 1\n", "new_str": "a = 2\n"})]
    assert [flag for _, flag, *_ in results(session)] == [False]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        pytest.param(EDIT, {"path": "zones.py", "old_str": "a = 1\n", "new_str": "a = 2\n"}, id="fenced"),
        pytest.param(
            "`src/zones.py`:\n<source>python\n<<<<<<< SEARCH\n\n=======\nnew\n>>>>>>> REPLACE\n</source>",
            {"path": "src/zones.py", "content": "new\n"},
            id="new-file",
        ),
        pytest.param(
            "I edit it.\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE",
            {"path": "", "old_str": "a\n", "new_str": "b\n"},
            id="no-file-name",
        ),
    ],
)
def test_edit_blocks(text: str, arguments: Json) -> None:
    assert [edit.arguments for edit in edits_of(text)] == [arguments]


@table("usage_lines")
def test_usage_lines(line: str, tokens: Tokens, cost: float | None) -> None:
    session = session_of(f"#### Hi.  \n> {line}  \n\nHello.\n")
    assert (session.tokens, session.cost_usd) == (tokens, cost)


def test_a_result_record_has_the_verdict_but_no_steps() -> None:
    document = Document("x.json", json.dumps(RECORD))
    assert FORMAT.sniff(document)
    (session,) = FORMAT.read(document)

    assert (session.id, session.model, session.cost_usd) == ("parcel__rates-7", "test-model-1", 0.75)
    assert (session.ending, session.recorded_status) == (Ending.UNSOLVED, "not resolved")
    assert session.ending_detail == "2 attempts; the chosen one: edit passed, lint passed, test failed"
    assert (calls(session), len(session.warnings)) == ([], 1)


@given(st.lists(st.sampled_from((SAMPLES / "aider.md").read_text(encoding="utf-8").splitlines()), max_size=30))
def test_lines_in_any_order_are_survived(lines: list[str]) -> None:
    session = session_of("\n".join(line for line in lines if not line.startswith("# aider")))
    assert len(results(session)) <= len(calls(session))


def test_real_histories_have_one_edit_per_block_and_the_cost_of_their_record(corpus: Path) -> None:
    for path in entries(corpus, FORMAT.name):
        transcript = load(path)
        assert transcript.format == FORMAT.name
        if path.suffix != ".md":
            continue
        text = path.read_text(encoding="utf-8")
        edits = [name for session in transcript.sessions for name, _ in calls(session) if name == "edit"]
        assert len(edits) == len(re.findall(r"^<{5,} SEARCH", text, re.MULTILINE))
        assert len(transcript.sessions) == text.count("# aider chat started at")
        record = path.with_suffix(".json")
        if record.exists():
            attempts = json.loads(record.read_text(encoding="utf-8"))["all_results"]
            costs = [session.cost_usd for session in transcript.sessions]
            assert costs == pytest.approx([attempt["cost"] for attempt in attempts])
