from __future__ import annotations

import pytest

from analyzer.case_study.conformance import conform
from analyzer.timeline.references import folded, passing, references_in
from tests.build import call, timeline
from tests.case_study.story import ASK, PLUGINS, TABLE, ask, first_three, scenario, write
from tests.growth import assert_in_proportion
from tests.tables import table

LONG = "\n".join(f"plugin_{number:03}: does the thing number {number}" for number in range(200))


@table("what_became_of_a_result")
def test_what_became_of_a_result(template: str, given: object, result: str | None, passed: str) -> None:
    assert passing(template, given, {"s": result}, "s").passed == passed


@pytest.mark.parametrize(
    "given", [LONG[:4000], f"{LONG[:4000]}... [truncated]", LONG[-4000:], f"{LONG[:2000]}\n...\n{LONG[-2000:]}"]
)
def test_the_beginning_the_end_or_both_are_a_cut_result(given: str) -> None:
    assert passing("$result.s", given, {"s": LONG}, "s").passed == "cut"


def test_the_share_of_what_was_cut_is_reported() -> None:
    half = passing("$result.s", LONG[: len(LONG) // 2], {"s": LONG}, "s")
    assert half.passed == "cut"
    assert half.share == pytest.approx(0.5, abs=0.02)


def test_references_are_found_in_nested_values() -> None:
    assert references_in({"a": ["$result.x and $result.y", 3], "b": {"c": "${result.x}"}}) == ["x", "y"]


def test_a_sentence_may_end_behind_a_reference() -> None:
    assert references_in("Use $result.step_3.") == ["step_3"]
    assert passing("Use $result.s.", f"Use {PLUGINS}.", {"s": PLUGINS}, "s").passed == "passed-on"


@pytest.mark.parametrize(
    ("about", "passed", "share"),
    [
        (PLUGINS, "passed-on", 1.0),
        (PLUGINS[:40], "cut", 0.506),
        ("", "lost", 0.0),
        ("$result.step_3", "not-substituted", 0.0),
        ("what you know", "changed", 0.0),
    ],
)
def test_a_call_that_lost_a_result_has_a_wrong_argument(about: str, passed: str, share: float) -> None:
    found = conform(scenario(), timeline(*first_three(), ask(about=about), write("plugins.md", TABLE)))
    assert found is not None
    (entry,) = found.rows[3].references
    assert (entry.argument, entry.source, entry.source_step, entry.passed) == ("prompt", "step_3", 3, passed)
    assert entry.share == pytest.approx(share, abs=0.02)
    assert entry.given is not None
    assert entry.given.startswith("Convert this list to a Markdown table:")
    assert found.rows[3].done
    assert found.rows[3].deviations == ([] if passed == "passed-on" else ["wrong-arguments"])
    assert found.fitness == (1.0 if passed == "passed-on" else found.fitness)
    assert (found.fitness < 1.0) is (passed != "passed-on")


@pytest.mark.parametrize(
    ("given", "passed", "deviations"),
    [(f"Here:\n{PLUGINS}\nThanks", "passed-on", []), ("Here: nothing", "changed", ["wrong-arguments"])],
)
def test_a_check_may_ask_for_a_result(given: str, passed: str, deviations: list[str]) -> None:
    plan = (
        "title: t\nprompt: p\nplan:\n  - tool: list\n  - tool: ask\n    arguments: {prompt: {contains: "
        "[$result.step_1, 'Here:']}}\n"
    )
    found = conform(scenario(plan), timeline(call("list", {}, PLUGINS), call("ask", {"prompt": given}, "ok")))
    assert found is not None
    assert [entry.passed for entry in found.rows[1].references] == [passed]
    assert found.rows[1].deviations == deviations


def test_a_result_is_followed_into_a_renamed_argument() -> None:
    plan = "title: t\nprompt: p\nplan:\n  - tool: list\n  - tool: ask\n    arguments: {prompt: $result.step_1}\n"
    found = conform(
        scenario(plan), timeline(call("list", {}, PLUGINS), call("ask", {"user_input": PLUGINS, "model": "m"}, "ok"))
    )
    assert found is not None
    row = found.rows[1]
    assert [(entry.name, entry.given, entry.renamed_to) for entry in row.arguments] == [("prompt", None, "user_input")]
    assert [entry.passed for entry in row.references] == ["passed-on"]


def test_what_is_compared_is_what_this_run_returned() -> None:
    other = "plugin_omega: sings"
    parts = [call("code_reader.list_plugins", {}, other), write("temp_plugins.txt", PLUGINS)]
    found = conform(scenario(), timeline(*parts))
    assert found is not None
    assert [entry.passed for entry in found.rows[1].references] == ["changed"]


def test_an_unfilled_template_is_seen_whatever_stands_around_it() -> None:
    found = passing(f"{ASK}$result.step_3", f"{ASK}$result.step_3", {"step_3": PLUGINS}, "step_3")
    assert found.passed == "not-substituted"


@table("a_folded_text_is_without_the_quotes_around_it")
def test_a_folded_text_is_without_the_quotes_around_it(text: str, shown: str) -> None:
    assert folded(text) == shown


def test_quotes_around_quotes_are_taken_off_in_one_go() -> None:
    assert_in_proportion(folded, lambda size: "`" * size, 20_000, 160_000, "backticks")
