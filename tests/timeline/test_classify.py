"""What a call does, for the tools of the agents whose logs are read, and for tools that nobody has heard of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.action import Edit, Operation
from analyzer.model.session import ToolCall
from analyzer.timeline.calls.classify import operation_of
from tests.formats.mutations import ANY_JSON
from tests.tables import table


def classify(tool: str, arguments: Mapping[str, Any] | str, **more: Any) -> Operation:
    return operation_of(ToolCall(None, tool, arguments, **more))


@table("tools")
def test_tools(tool: str, arguments: Mapping[str, Any] | str, kind: str, target: str, path: str | None) -> None:
    operation = classify(tool, arguments)
    assert (str(operation.kind), operation.target, operation.path) == (kind, target, path)


@table("edits")
def test_edits(tool: str, arguments: Mapping[str, Any] | str, edits: list[Edit]) -> None:
    assert list(classify(tool, arguments).edits) == edits


@table("lines_that_a_read_shows")
def test_lines_that_a_read_shows(arguments: Mapping[str, Any], lines: tuple[int, int | None] | None) -> None:
    assert classify("read", arguments).lines == lines


def test_the_file_that_is_open_counts_where_the_call_names_none() -> None:
    operation = classify("edit", {"search": "x", "replace": "y"}, path="open.py")
    assert operation.edits == (Edit("open.py", "x", "y"),)


def test_entries_of_the_harness_do_nothing() -> None:
    assert str(classify("bash", {"command": "pytest"}, harness=True).kind) == "other"


def test_a_call_that_ends_the_session_is_the_finish_whatever_its_name() -> None:
    assert str(classify("bash", {"command": "pytest"}, task_done=True).kind) == "finish"


@settings(deadline=None)
@given(
    tool=st.one_of(
        st.sampled_from(
            ["Read", "edit", "MultiEdit", "bash", "str_replace_editor", "apply_patch", "grep", "write_stdin"]
        ),
        st.text(),
    ),
    arguments=st.one_of(
        st.text(),
        st.dictionaries(
            st.sampled_from(
                ["path", "command", "edits", "view_range", "old", "new", "patch", "start", "offset", "input"]
            ),
            ANY_JSON,
        ),
    ),
)
def test_arguments_of_any_type_are_classified(tool: str, arguments: dict[str, Any] | str) -> None:
    operation = classify(tool, arguments)
    assert isinstance(operation.target, str)
    assert operation.path is None or isinstance(operation.path, str)
