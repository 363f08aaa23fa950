"""Which sentences of a user correct the agent, and which only look like it."""

from __future__ import annotations

import pytest

from analyzer.task import CorrectionKind, corrections_of

INSTEAD, SAID, STILL, WRONG = (
    CorrectionKind.INSTEAD,
    CorrectionKind.SAID_BEFORE,
    CorrectionKind.STILL_WRONG,
    CorrectionKind.WRONG,
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("no, pnpm", INSTEAD),
        ("pnpm, not npm", INSTEAD),
        ("No, use pnpm.", INSTEAD),
        ("I said pnpm, not npm!", INSTEAD),
        ("I said tabs.", SAID),
        ("But I already told you that the buoys are red.", SAID),
        ("when i said buoys..i meant the red ones", SAID),
        ("As I said, the table ends in June.", SAID),
        ("still broken", STILL),
        ("It's still not working", STILL),
        ("Ok it is still not working either way.", STILL),
        ("The same error persists.", STILL),
        ("nothing happened. try again.", STILL),
        ("you removed the wrong one", WRONG),
        ("That's not what I asked for.", WRONG),
        ("You missed the gap in the first row.", WRONG),
        ("no, that's wrong", WRONG),
        ("wrong file", WRONG),
        ("You didn't run the tests.", WRONG),
        ("not the new button. this one", WRONG),
        ("well, you'd think so, but the old table is what I see", WRONG),
        ("One would expect that, but the buoys are red.", WRONG),
    ],
)
def test_corrects(text: str, kind: CorrectionKind) -> None:
    (found, *_) = corrections_of(text)
    assert (found.kind, found.quote in text) == (kind, True)


def test_what_is_wanted_instead() -> None:
    (found,) = corrections_of("No: use `pnpm`, not npm.")
    assert (found.wanted, found.unwanted) == ("pnpm", "npm")


@pytest.mark.parametrize(
    "text",
    [
        "no, thanks",
        "No, that's all.",
        "no i think it's fine..put that in one card.",
        "No problem.",
        "Why not npm?",
        "You'd think that the pilot knows it; write it down for him.",
        "I'd expect that to be quick, but take your time.",
        "Use pnpm.",
        "Maybe, not sure",
        "ready or not",
        "The pilot said that the buoys are red.",
        "What did I say about the buoys?",
        "Add a test again.",
        "Run it again.",
        "I asked the pilot, and he agreed.",
        "I would have said so.",
        "Is it still broken?",
        "If it is still broken, tell me.",
        "Check that it still works.",
        "Keep it even if the tide is still rising.",
        "The tide table is still open in my editor.",
        "Did you forget the buoys?",
        "You can remove the wrong entries.",
        "The function returns the wrong value for June.",
        "Fix what is wrong with the table.",
        "that's right",
        "It's not urgent.",
        "```\nstill broken\n```",
        "> I said tabs.\nWhat does he mean?",
        "<system-reminder>You didn't run the tests.</system-reminder>",
        "yes",
        "Ist das noch nicht fertig?",
        "Non-negative numbers only.",
    ],
)
def test_does_not_correct(text: str) -> None:
    assert list(corrections_of(text)) == []


def test_a_no_may_be_an_answer() -> None:
    assert list(corrections_of("no, pnpm", answers=True)) == []


def test_a_long_report_is_a_new_task() -> None:
    assert list(corrections_of("It still fails. " + "The table ends in June. " * 400)) == []
