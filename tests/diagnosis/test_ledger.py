"""The turns of the user, each with its steps, what was delivered, and how that is known."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.ledger import LedgerEntry, Reaction
from analyzer.model.postmortem import PostMortem
from analyzer.model.session import EMPTY_ANSWER, Message
from analyzer.model.words import Basis
from tests.build import Part, call, diagnosed, edit, read, run, says, user
from tests.sessions import Written, parts_of
from tests.tables import table

PASSES = "==== 3 passed in 0.1s ===="
FAILS = "E   AssertionError: 3 != 4\n==== 1 failed, 2 passed in 0.1s ===="


def row(made: PostMortem, number: int) -> LedgerEntry:
    return made.ledger[number - 1]


def test_every_turn_has_its_steps_its_files_and_its_answer() -> None:
    made = diagnosed(
        user("Repair the tide table in tide.py."),
        edit("/p/tide.py", "return 1", "return 2"),
        run("pytest tests/test_tide.py", PASSES),
        says("The tide table is right now."),
        user("Which harbour is the deepest?"),
        says("The one of the Bay of Foxes."),
        user("Now write bays.md."),
        edit("/p/bays.md", "old", "new"),
        says("Written."),
    )
    assert [(task.first_step, task.last_step) for task in made.ledger] == [(1, 2), (None, None), (3, 3)]
    assert [task.files for task in made.ledger] == [["/p/tide.py"], [], ["/p/bays.md"]]
    assert [task.answer for task in made.ledger] == [
        "The tide table is right now.",
        "The one of the Bay of Foxes.",
        "Written.",
    ]
    assert row(made, 1).known == "Tests passed after that (step 2)."
    assert (row(made, 2).basis, row(made, 2).known) == (Basis.NONE, "")
    assert row(made, 3).known == ""


def test_what_a_session_begins_with_corrects_nobody() -> None:
    made = diagnosed(user("No, don't use a mutex. That's not what I meant."), read("lock.py", "a"), says("I see."))
    assert [task.kind for task in made.ledger] == ["request"]


def test_messages_in_a_row_are_one_turn() -> None:
    made = diagnosed(user("Repair the tide table."), user("It is in tide.py."), read("tide.py"), says("Done."))
    assert [task.text for task in made.ledger] == ["Repair the tide table. It is in tide.py."]


@table("a_slash_command_that_the_agent_takes_up_is_a_turn")
def test_a_slash_command_that_the_agent_takes_up_is_a_turn(parts: Written, texts: list[str]) -> None:
    assert [task.text for task in diagnosed(*parts_of(parts)).ledger] == texts


def at(seconds: float, text: str) -> Message:
    return Message("user", text, seconds)


def failed(text: str) -> Message:
    return Message("harness", text, failed=True)


@pytest.mark.parametrize(
    ("between", "known"),
    [
        ([failed("403 key limit exceeded")], 'The model call failed: "403 key limit exceeded".'),
        ([failed("503"), failed("529")], 'The model call failed twice, the last time with "529".'),
        ([failed(EMPTY_ANSWER)], "The model gave an empty answer."),
        ([user("[Request interrupted by user]")], "It was interrupted before an answer."),
    ],
    ids=["failed", "failed-twice", "empty", "interrupted"],
)
def test_a_prompt_that_was_never_answered_is_a_turn_of_its_own(between: list[Message], known: str) -> None:
    made = diagnosed(user("Repair the tide table."), *between, user("Repair the tide table."), read("tide.py"))
    assert [task.text for task in made.ledger] == ["Repair the tide table."] * 2
    assert (row(made, 1).basis, row(made, 1).known, row(made, 2).known) == (Basis.NONE, known, "")


@pytest.mark.parametrize(("seconds", "turns"), [(2.0, 1), (3_600.0, 2)])
def test_prompts_far_apart_are_no_one_turn(seconds: float, turns: int) -> None:
    made = diagnosed(at(0.0, "Repair the tide table."), at(seconds, "It is in tide.py."), read("tide.py"))
    assert len(made.ledger) == turns


def test_a_call_that_failed_before_the_answer_came_is_only_counted() -> None:
    made = diagnosed(user("Repair it."), failed("529 overloaded"), read("tide.py"), says("It is repaired."))
    assert (row(made, 1).answer, row(made, 1).known) == ("It is repaired.", "")
    (said,) = [one for one in made.diagnosis.lead if '1 model call failed ("529 overloaded").' in one.text]
    assert said.part == "steps"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        pytest.param(["I'll look.", "Now the north.", "It's six fathoms deep."], "It's six fathoms deep.", id="many"),
        pytest.param(["It's six fathoms deep.", "Mind the rocks."], "It's six fathoms deep. Mind the rocks.", id="two"),
    ],
)
def test_of_many_messages_in_a_row_the_last_is_the_answer(said: list[str], answer: str) -> None:
    made = diagnosed(user("How deep is the bay?"), *map(says, said), user("Thanks. And the harbour?"), says("Four."))
    assert " ".join(row(made, 1).answer.split()) == answer


def test_the_bare_name_of_the_call_that_ends_it_is_no_answer() -> None:
    made = diagnosed(user("Repair it."), read("tide.py"), call("submit", {"raw": "submit"}, "", said="It is repaired."))
    assert row(made, 1).answer == "It is repaired."


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("> It is the moon.\n\nbut there is none today", "but there is none today"),
        (">  3. Use the sun\n   instead of it.\n \nlet's try this", "let's try this"),
        ("> It is the moon.\nno", "no"),
        ("> It is the moon.", "> It is the moon."),
        ("Is it?\n> It is the moon.", "Is it? > It is the moon."),
    ],
)
def test_a_turn_that_begins_with_a_quotation_is_shown_by_the_users_own_words(said: str, shown: str) -> None:
    made = diagnosed(user("Which?"), says("The moon."), user(said), read("tide.py"))
    assert row(made, 2).text == shown


def test_notices_of_the_program_are_no_turns() -> None:
    made = diagnosed(user("Repair it."), read("tide.py"), user("[Request interrupted by user]"), user("Use the moon."))
    assert [task.text for task in made.ledger] == ["Repair it.", "Use the moon."]


def test_a_task_of_the_header_alone_is_a_turn() -> None:
    made = diagnosed(read("tide.py"), says("Done."), task="Look at tide.py.")
    assert [(task.text, task.first_step, task.answer) for task in made.ledger] == [("Look at tide.py.", 1, "Done.")]


def test_a_change_that_was_put_back_within_a_turn_is_not_delivered() -> None:
    made = diagnosed(
        user("Try the moon."),
        edit("/p/tide.py", "return 1", "return 2"),
        edit("/p/tide.py", "return 2", "return 1"),
        says("It makes no difference."),
        user("Then leave it."),
    )
    assert row(made, 1).files == []


def test_what_the_user_says_next_and_what_was_carried_out_is_how_it_is_known() -> None:
    made = diagnosed(
        user("Repair the tide table."),
        edit("/p/tide.py", "return 1", "return 2"),
        user("I said by the moon, not by the sun."),
        edit("/p/tide.py", "return 2", "return moon()"),
        run("pytest", FAILS, 1),
        user("Commit it."),
        run("git commit -am moon", "[main 1a2b3c4] moon\n 1 file changed"),
    )
    assert [(str(task.basis), task.known) for task in made.ledger] == [
        ("user", "The user corrected it next."),
        ("checks", "The last check failed (step 3: AssertionError: 3 != 4)."),
        ("checks", "The commit at step 4 was carried out."),
    ]


@pytest.mark.parametrize(
    ("asked", "done"), [("Push it.", True), ("Push it and get it merged.", False), ("Push the merged tide.", True)]
)
def test_all_that_was_asked_for_last_has_to_be_carried_out(asked: str, done: bool) -> None:
    made = diagnosed(
        user("Repair the tide table."),
        edit("/p/tide.py", "return 1", "return 2"),
        user(asked),
        run("git push", "To quay\n 1a2b3c4..5d6e7f8  main -> main"),
        says("It is pushed."),
    )
    assert ("was carried out" in (made.outcome.reason or "")) is done


def test_what_an_answer_says_of_files_and_checks_is_listed_with_what_shows_it() -> None:
    (entry,) = diagnosed(
        user("Repair the tide table."),
        edit("/p/tide.py", "return 1", "return 2"),
        run("pytest tests/test_tide.py", PASSES),
        says("I repaired the table in tide.py. All tests pass. I also tidied the quay."),
    ).ledger
    assert [(claim.state, claim.step) for claim in entry.claims] == [("borne out", 2), ("borne out", 1), ("open", None)]


def test_acts_checks_claims_losses_and_the_reaction_are_bound_to_their_turn() -> None:
    made = diagnosed(
        user("Repair the tide table and push it."),
        edit("/p/tide.py", "return 1", "return 2"),
        run("pytest tests/test_tide.py", PASSES),
        edit("/p/tide.py", "return 2", "return 3"),
        run("git push", "! [rejected] main -> main (fetch first)\nerror: failed to push some refs", 1),
        says("The table is repaired and pushed."),
        user("No, it isn't pushed."),
        run("git reset --hard", "HEAD is now at 1a2b3c4 Moor"),
        says("I put it back."),
    )
    first, second = made.ledger
    assert [(act.kind, act.steps, act.state) for act in first.acts] == [
        ("edit", [1, 3], "done"),
        ("push", [4], "failed"),
    ]
    assert [(check.step, check.state, check.current) for check in first.checks] == [(2, "passed", False)]
    assert [(claim.state, claim.step) for claim in first.claims if "pushed" in claim.quote] == [("contradicted", 4)]
    places = (*first.contradictions, *second.losses)
    assert [made.findings[place].detector for place in places] == ["overstated-report", "destructive-command"]
    assert first.reaction == Reaction(kind="corrects", text="No, it isn't pushed.")


def test_what_the_user_finds_still_wrong_is_contradicted_in_that_turn_only() -> None:
    again = (user("It crashed again at four."), edit("pump.py", "2", "3"), says("Fixed."))
    made = diagnosed(user("The pump stops."), edit("pump.py", "1", "2"), says("Fixed."), *again)
    assert [[claim.state for claim in entry.claims] for entry in made.ledger] == [["contradicted"], ["open"]]


def test_one_turn_is_one_row() -> None:
    parts: list[Part] = [user("Repair the tide table."), read("tide.py"), says("It is right.")]
    assert len(diagnosed(*parts).ledger) == 1


@pytest.mark.parametrize(
    ("later", "known"),
    [
        ([], "The last check failed (step 2: AssertionError: 3 != 4)."),
        ([run("npx tsc", "")], "The last test run failed (step 2: AssertionError: 3 != 4)."),
        ([run("ls", "tide.ts")], "The last check failed (step 2: AssertionError: 3 != 4)."),
    ],
)
def test_a_test_run_that_a_type_check_follows_is_not_the_last_check(later: list[Part], known: str) -> None:
    made = diagnosed(
        user("Repair the tide table."),
        edit("/p/tide.py", "return 1", "return 2"),
        run("pytest tests/test_tide.py", FAILS, 1),
        *later,
        says("The tide table is right now."),
    )
    assert row(made, 1).known == known


@table("claims")
def test_what_an_answer_says_is_bound_to_the_call_that_shows_it(
    session: list[dict[str, Any]], said: str, state: str, step: int | None
) -> None:
    made = diagnosed(user("Repair the tide table."), *parts_of(session), says(said))
    assert [(claim.state, claim.step) for claim in row(made, 1).claims] == [(state, step)]
