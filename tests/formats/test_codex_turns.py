"""Prompts, usage, compactions and ends of a Codex rollout."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Tokens
from analyzer.model.words import Ending
from tests.formats.codex_builders import (
    META,
    SAMPLE,
    TURN,
    Json,
    call,
    event,
    item,
    record,
    said,
    session_of,
    totals,
    words,
)
from tests.formats.corpus_files import main_calls
from tests.formats.events import calls_in
from tests.tables import table


def test_a_prompt_ends_a_batch() -> None:
    session = session_of(META, call(1, "a"), said(2, "user", "Go on"), call(3, "b"))
    first, second = (one.batch for one in session.calls())
    assert first != second


@table("injected_text_is_nobodys_prompt")
def test_injected_text_is_nobodys_prompt(text: str) -> None:
    session = session_of(META, said(1, "user", text), said(2, "user", "Warning: it smokes"))
    assert words(session) == [("harness", text, False), ("user", "Warning: it smokes", False)]
    assert (session.task, session.user_messages) == ("Warning: it smokes", 1)


def test_a_turn_that_was_aborted_was_interrupted_by_the_user() -> None:
    aborted = event(2, "turn_aborted", reason="interrupted")
    assert words(session_of(META, aborted)) == [("harness", "[interrupted by user]", False)]


def test_the_prompt_is_taken_out_of_what_an_editor_adds() -> None:
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.c\n\n## My request for Codex:\nLight it\n"
    session = session_of(META, said(1, "user", "<image name=[Image #1]>", "</image>", text))
    assert session.task == "Light it"
    assert [role for role, _, _ in words(session)] == ["harness", "user"]


def test_usage_is_a_running_total() -> None:
    empty = event(1, "token_count", info=None)
    full = totals(3, 0, 0, 0)
    assert session_of(META, empty, totals(2, 10, 5, 1), totals(2, 30, 9, 2), full, empty).tokens == Tokens(30, 2, 9)
    assert session_of(META, totals(2, 30, 9, 2), totals(3, 10, 5, 1)).tokens == Tokens(40, 3, 14)
    assert session_of(META).tokens == Tokens()


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([record(5, "compacted", message="")], id="record"),
        pytest.param([event(5, "context_compacted")], id="event"),
        pytest.param([record(5, "compacted", message=""), TURN, event(5, "context_compacted")], id="both"),
        pytest.param(
            [
                item(5, "compaction", encrypted_content="x"),
                record(5, "compacted", message=""),
                event(5, "context_compacted"),
            ],
            id="all",
        ),
    ],
)
def test_a_compaction_is_one_however_often_it_is_recorded(entries: list[Json]) -> None:
    for times in (1, 2):
        session = session_of(*SAMPLE[:-2], *(one for _ in range(times) for one in (*entries, call(6, "x"))))
        assert sum(isinstance(one, Compaction) for one in session.events) == times


def test_compactions_without_work_between_them_count() -> None:
    session = session_of(META, record(1, "compacted", message=""), record(2, "compacted", message=""))
    assert sum(isinstance(one, Compaction) for one in session.events) == 2


@table("the_last_word_about_the_end_counts")
def test_the_last_word_about_the_end_counts(entries: list[Json], status: str | None, ending: Ending | None) -> None:
    session = session_of(*SAMPLE[:-1], *entries)
    assert (session.recorded_status, session.ending) == (status, ending)


def test_turns_that_were_taken_back_are_branches_of_their_own() -> None:
    tried = [said(9, "user", "Or dim it."), call(9, "c8"), event(9, "thread_rolled_back", num_turns=1)]
    session = session_of(
        META, said(1, "user", "Light it."), call(2, "c1"), *tried, said(10, "user", "Good."), call(11, "c9")
    )
    assert [(one.id, one.lane) for one in calls_in(session)] == [("c1", "main"), ("c8", "branch 1"), ("c9", "main")]
    assert (session.user_messages, session.warnings) == (2, [])


def test_a_resumed_thread_is_one_session() -> None:
    session = session_of(*SAMPLE, META, said(11, "user", "And now?"), META, call(12, "c9"))
    assert (session.id, len(calls_in(session)), session.user_messages, session.warnings) == ("thread-1", 4, 2, [])


def test_a_sub_agents_thread_names_its_parent() -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "thread-0", "depth": 1, "agent_role": "explorer"}}}
    child = record(0, "session_meta", id="thread-1", source=source)
    session = session_of(child, record(0, "session_meta", id="thread-0", cwd="/other"), *SAMPLE[1:])
    assert (session.id, main_calls(session)) == ("thread-1", 3)
    assert session.environment == {"sub-agent of": "thread-0", "role": "explorer", "working directory": "/lamp"}
    assert [one.where for one in session.warnings] == ["line 2"]
    assert session_of(record(0, "session_meta", id="a", parent_thread_id="b")).environment == {"sub-agent of": "b"}


def test_a_fork_names_the_thread_whose_records_it_repeats() -> None:
    session = session_of(record(0, "session_meta", id="thread-2", forked_from_id="thread-1"), said(1, "user", "Go."))
    assert (session.id, session.environment) == ("thread-2", {"forked from": "thread-1"})
    assert session.copied_from == "thread-1"
    assert [warning.what for warning in session.warnings] == [
        "forked from thread thread-1, whose records up to there are repeated here"
    ]


def test_what_was_copied_from_another_thread_is_told_apart_from_the_threads_own() -> None:
    fork = record(0, "session_meta", id="thread-2", forked_from_id="thread-1")
    copied = [record(1, "session_meta", id="thread-1"), said(1, "user", "Go."), call(1, "c1"), totals(1, 100, 0, 10)]
    session = session_of(fork, *copied, said(5, "user", "And now?"), call(6, "c2"), totals(6, 250, 0, 30))
    assert (session.copied_from, session.copied_calls, session.warnings) == ("thread-1", 1, [])
    assert (session.copied_tokens.input, session.tokens.input) == (100, 250)
