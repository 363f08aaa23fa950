"""Trials of one system: a rate with an interval, and no story."""

from __future__ import annotations

import pytest

from tests.build import Part, call, says
from tests.case_study.loaded import study
from tests.case_study.story import PLAN, good_run, run_2, run_3

JUDGED = "title: t\nprompt: p\nsuccess: {final_answer: {contains: refunded}}\n"


def test_runs_without_a_change_between_them_are_trials() -> None:
    found = study(PLAN, good_run(), run_2(), run_2(), run_3())
    assert found.trials
    assert found.pass_rate == "1 of 4 runs passed (25%; 95% interval 5-70%)."
    assert [(mode.title, mode.runs) for mode in found.modes] == [
        ("Signature mismatch at step 4", [2, 3]),
        ("Signature mismatch, in planning", [4]),
    ]
    assert found.stability == (
        "The 3 failures are of 2 kinds; the most frequent, Signature mismatch at step 4, has 2 of them (runs 2 and 3)."
    )
    assert {(failing.solution, failing.gone, failing.gone_because) for failing in found.cascade} == {(None, None, None)}


def test_one_run_is_no_trial() -> None:
    assert not study(PLAN, run_2()).trials


@pytest.mark.parametrize(("telling", "trials"), [("trials", True), ("cascade", False), ("auto", True)])
def test_the_user_may_say_how_to_tell_them(telling: str, trials: bool) -> None:
    assert study(PLAN, run_2(), good_run(), telling=telling).trials is trials  # type: ignore[arg-type]


def test_failures_that_nothing_explains_arent_called_alike() -> None:
    failed: list[Part] = [call("get_order", {"id": "7"}, "paid"), says("I can't do that.")]
    found = study(JUDGED, failed, failed)
    assert found.stability is not None
    assert "don't show whether they failed in the same way" in found.stability
    assert not any("stable" in lesson.text for lesson in found.lessons)
    assert not any("way" in sentence for sentence in found.summary)


def test_what_the_trials_that_passed_did_and_this_one_didnt() -> None:
    look = call("get_order", {"id": "7"}, "paid")
    passed: list[Part] = [look, call("refund_order", {"id": "7"}, "ok"), says("It's refunded.")]
    found = study(
        JUDGED,
        passed,
        passed,
        [look, says("Sorry.")],
        [look, call("refund_order", {"id": "8"}, "ok"), says("Sorry.")],
        [look, call("refund_order", {"id": "7"}, "ok"), call("close_account", {"id": "7"}, "ok"), says("Bye.")],
    )
    assert [failing.root_cause.partition("What differs: it ")[2] for failing in found.cascade] == [
        "didn't call `refund_order`, which every run that passed did.",
        'called `refund_order` with arguments other than those of the runs that passed (`id` is `"8"`, not `"7"`).',
        "called `close_account`, which no run that passed did.",
    ]


def test_what_a_run_that_passed_did_as_well_isnt_the_reason() -> None:
    plan = JUDGED + "plan:\n  - tool: refund_order\n    arguments: {currency: EUR, id: '7'}\n"
    passed: list[Part] = [call("refund_order", {"id": "7", "currency": "USD"}, "ok"), says("It's refunded.")]
    failed: list[Part] = [call("refund_order", {"id": "7", "currency": "USD", "twice": True}, "ok"), says("Sorry.")]
    (failing,) = study(plan, passed, failed).cascade
    assert failing.title == "Wrong result, although every step ran"
    assert "also differs in a run that passed, so it isn't the reason" in failing.root_cause
    assert "`twice` is `true`, not left out" in failing.root_cause


def test_what_no_run_that_passed_did_is_the_reason() -> None:
    plan = JUDGED + "plan:\n  - tool: refund_order\n    arguments: {currency: EUR, id: '7'}\n"
    passed: list[Part] = [call("refund_order", {"id": "7", "currency": "EUR"}, "ok"), says("It's refunded.")]
    failed: list[Part] = [call("refund_order", {"id": "7", "currency": "USD"}, "ok"), says("Sorry.")]
    (failing,) = study(plan, passed, failed).cascade
    assert failing.title == "Wrong arguments at step 1"
    assert "`currency` should be `EUR` and is `USD`" in failing.root_cause
