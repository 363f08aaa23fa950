"""What the results of a Claude Code session say beyond their text."""

from __future__ import annotations

from analyzer.model.words import Mark
from tests.formats.claude_code_builders import result, said, session_of, use
from tests.formats.events import results_in
from tests.tables import table


def test_a_repeated_result_is_read_once() -> None:
    again = said("user", 4, [result("call-1", "done")])
    session = session_of(said("assistant", 2, [use("call-1")]), said("user", 3, [result("call-1", "done")]), again)
    assert len(results_in(session)) == 1


@table("results")
def test_results(
    content: object, is_error: bool | None, detail: object, expected: tuple[str, int | None, Mark | None]
) -> None:
    session = session_of(
        said("assistant", 2, [use("call-1")]),
        said("user", 3, [result("call-1", content, is_error)], toolUseResult=detail),
    )
    (found,) = results_in(session)
    assert (found.text, found.exit_code, found.mark) == expected
    assert found.is_error is bool(is_error)  # Claude Code leaves the flag out where nothing failed


def test_detail_of_a_record_with_two_results_belongs_to_neither() -> None:
    both = said("user", 3, [result("call-1", "a"), result("call-2", "b")], toolUseResult={"stdout": "a", "stderr": ""})
    session = session_of(said("assistant", 2, [use("call-1"), use("call-2")]), both)
    assert [r.exit_code for r in results_in(session)] == [None, None]


def test_duration_is_read_where_the_tool_measured_it() -> None:
    session = session_of(
        said("assistant", 2, [use("call-1", "Glob")]),
        said("user", 3, [result("call-1", "a")], toolUseResult={"durationMs": 1500}),
    )
    assert results_in(session)[0].duration == 1.5
