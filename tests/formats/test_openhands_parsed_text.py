"""Plain-text extracts of OpenHands runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.formats.openhands.parsed_text_format import FORMAT
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ToolResult
from tests.formats.corpus_files import entries, load_sample
from tests.formats.events import answered, calls, words
from tests.formats.mutations import read_or_refuse
from tests.tables import table


def test_the_sample_of_thoughts_and_actions() -> None:
    session = load_sample("openhands_parsed_text.txt", "openhands-parsed-text")

    assert calls(session) == [
        ("execute_bash", {"command": "cat zones.py"}),
        ("str_replace_editor", {"command": "view", "path": "/rates/tests"}),
        ("finish", {}),
    ]
    assert words(session) == [
        ("assistant", "I look at the zones:"),
        ("assistant", "Now the tests; they are\nin another folder."),
        ("assistant", "Done."),
    ]
    assert [call.task_done for call in session.calls()] == [False, False, True]


def test_actions_with_their_results() -> None:
    text = (
        "Action at iteration 0: {'name': 'ls', 'arguments': '{}'}\nResult at iteration 0: a\nb\nAction at iteration "
        "1: {torn"
    )
    (session,) = FORMAT.read(Document("x.txt", text))
    assert answered(session) == [("ls", "a\nb"), ("unknown", None)]
    assert calls(session)[1] == ("unknown", "{torn")


@pytest.mark.parametrize(
    "label", ["; Next action: ", "; Action=", "; next action = ", ";Action taken next: ", "; Step: "]
)
def test_the_action_behind_a_result_whatever_it_is_called(label: str) -> None:
    text = (
        f"Result at iteration 0: a; b{label}{{'name': 'ls', 'arguments': '{{}}'}}\n---\n"
        f"Result at iteration 1: x = {{'name': 'y'}}{label}END\n"
    )
    (session,) = FORMAT.read(Document("x.txt", text))
    assert answered(session) == [("ls", "x = {'name': 'y'}")]
    assert next(event.text for event in session.events if isinstance(event, ToolResult)) == "a; b"


@table("what_a_result_shows_is_no_action")
def test_what_a_result_shows_is_no_action(shown: str) -> None:
    text = f"Action at iteration 0: {{'name': 'ls', 'arguments': '{{}}'}}\nResult at iteration 0: {shown}\n"
    (session,) = FORMAT.read(Document("x.txt", text))
    assert answered(session) == [("ls", shown)]


@pytest.mark.parametrize("kind", ["Result", "Thought"])
def test_an_extract_without_actions_is_refused(kind: str) -> None:
    document = Document("x.txt", f"{kind} at iteration 0: x\n{kind} at iteration 1: y\n")
    assert FORMAT.sniff(document)
    with pytest.raises(UnreadableInput, match="without its actions"):
        list(FORMAT.read(document))


@given(st.text(alphabet="{}'\"[]: an0\\n", max_size=60))
def test_any_action_is_survived(action: str) -> None:
    read_or_refuse(f"Action at iteration 0: {action}".encode(), FORMAT.name)


def test_every_real_action_is_a_call(corpus: Path) -> None:
    for path in entries(corpus, FORMAT.name):
        text = path.read_text(encoding="utf-8")
        actions = len(
            re.findall(
                r"^Action at iteration \d+:|^Iteration \d+: Thought=|; Next action: (?=\{'arguments')",
                text,
                re.MULTILINE,
            )
        )
        if actions:
            (session,) = load(path).sessions
            assert len(calls(session)) == actions
        else:
            with pytest.raises(UnreadableInput, match="without its actions"):
                load(path)
