"""Reflexion logs: one session per question of every trial."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.formats.reflexion_logs import FORMAT
from analyzer.model.errors import UnreadableInput
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES
from tests.formats.events import answered, calls, words
from tests.formats.mutations import read_or_refuse

SAMPLE = (SAMPLES / "reflexion_logs.txt").read_text(encoding="utf-8")


def test_the_sample_has_one_session_per_question() -> None:
    transcript = load(SAMPLES / "reflexion_logs.txt")
    right, wrong, halted = transcript.sessions

    assert transcript.format == FORMAT.name
    assert [session.id for session in transcript.sessions] == [f"trial-2/question-{number}" for number in (1, 2, 3)]
    assert [session.ending for session in transcript.sessions] == [Ending.SOLVED, Ending.UNSOLVED, Ending.LIMIT]
    assert (right.task, calls(right)) == ("Which zone is the cheapest?", [])
    assert wrong.task == "Which zone is the dearest?"
    assert calls(wrong) == [("Search", {"query": "parcel zones"}), ("Finish", {"answer": "near"})]
    assert answered(wrong) == [("Search", "Could not find [parcel zones]."), ("Finish", "Answer is INCORRECT")]
    assert [call.task_done for call in wrong.calls()] == [False, True]
    assert words(wrong) == [
        ("user", "Which zone is the dearest?"),
        ("harness", "Reflections:\n- I searched for the wrong word."),
        ("thought", "I need to search for the zones."),
        ("thought", "It must be the near one."),
    ]
    assert calls(halted) == [("Search", {"query": "weight], Search[limit"})]


def test_a_list_of_results_is_refused() -> None:
    document = Document("x.json", json.dumps([{"name": "env_0", "memory": [], "is_success": True}]))
    assert FORMAT.sniff(document)
    with pytest.raises(UnreadableInput, match="without any step"):
        list(FORMAT.read(document))


@given(st.lists(st.sampled_from(SAMPLE.splitlines()), max_size=30))
def test_lines_in_any_order_are_survived(lines: list[str]) -> None:
    read_or_refuse("\n".join(["BEGIN TRIAL 1", *lines]).encode(), FORMAT.name)
