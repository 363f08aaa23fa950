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
        ("Nein, nimm pnpm.", INSTEAD),
        ("I said tabs.", SAID),
        ("But I already told you that the buoys are red.", SAID),
        ("when i said buoys..i meant the red ones", SAID),
        ("Again: no comments in the code.", SAID),
        ("As I said, the table ends in June.", SAID),
        ("Das habe ich doch schon gesagt.", SAID),
        ("Je t'ai déjà dit de ne pas toucher aux bouées.", SAID),
        ("Ya te dije que no.", SAID),
        ("still broken", STILL),
        ("It's still not working", STILL),
        ("Ok it is still not working either way.", STILL),
        ("The same error persists.", STILL),
        ("nothing happened. try again.", STILL),
        ("Der Test ist immer noch kaputt.", STILL),
        ("Ça ne marche toujours pas.", STILL),
        ("Todavía no funciona.", STILL),
        ("you removed the wrong one", WRONG),
        ("That's not what I asked for.", WRONG),
        ("You missed the gap in the first row.", WRONG),
        ("no, that's wrong", WRONG),
        ("wrong file", WRONG),
        ("You didn't run the tests.", WRONG),
        ("not the new button. this one", WRONG),
        ("well, you'd think so, but the old table is what I see", WRONG),
        ("One would expect that, but the buoys are red.", WRONG),
        ("Das ist falsch.", WRONG),
        ("Ce n'est pas ce que j'ai demandé.", WRONG),
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


NOT_ENOUGH = [
    "Your summary is too short.",
    "But your final summary was two lines, and the analysis is lost.",
    "Ton résumé fait 2 lignes.",
    "Write a summary that is much more detailed than that.",
    "Termine par un résumé beaucoup plus détaillé que cela.",
]
MORE = [
    "Include all findings in your summary.",
    "Ajoute les mesures dans ton résumé",
    "Please add the table to your recap, too.",
]


@pytest.mark.parametrize("text", NOT_ENOUGH)
def test_a_report_can_be_too_little(text: str) -> None:
    assert [found.kind for found in corrections_of(text)] == [CorrectionKind.NOT_ENOUGH]


@pytest.mark.parametrize("text", MORE)
def test_more_is_asked_of_a_report_that_was_given(text: str) -> None:
    assert [found.kind for found in corrections_of(text, reported=True)] == [CorrectionKind.NOT_ENOUGH]
    assert list(corrections_of(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Paint the boat next. Include all colours in your summary.",
        "Add a summary to README.md.",
        "Include all options in your summary table.",
        "The summary of the chart is two lines.",
        "Your summary is great.",
        "Your summary is clear, now paint the boat.",
        "Is your summary too short?",
        "Write a more detailed summary page for the quay.",
        "Add your notes to the log.",
    ],
)
def test_what_asks_for_something_new_corrects_no_report(text: str) -> None:
    assert list(corrections_of(text, reported=True)) == []
