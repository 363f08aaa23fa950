"""The picture of a session in monospaced text. What's expected is written as it looks."""

from __future__ import annotations

import dataclasses
import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import analyze
from analyzer.model.struct import replace
from analyzer.model.words import Severity, ShownKind, Status
from analyzer.report.picture.model import LETTERS, Bracket, Cell, Group, Mark, PictureModel, model_of
from analyzer.report.picture.text import is_worth_drawing, picture_lines, picture_text
from tests.conftest import ROOT

_KINDS = {letter: kind for kind, letter in LETTERS.items()}


def cells(letters: str, lane: str = "main") -> tuple[Cell, ...]:
    """Actions from letters: a capital failed; `1` to `9` are tests that failed as before."""
    return tuple(
        Cell(step, lane, ShownKind.TEST, Status.ERROR, int(letter) - 1)
        if letter.isdigit()
        else Cell(step, lane, _KINDS[letter.lower()], Status.ERROR if letter.isupper() else Status.OK)
        for step, letter in enumerate(letters, 1)
    )


def group(number: int, count: int, template: str = "ValueError: no") -> Group:
    return Group(number, f"F{number + 1}", "main", count, template)


def bracket(first: int, last: int, rounds: int, name: str = "edit-test loop", lane: str = "main") -> Bracket:
    each = (last - first + 1) // rounds
    ends = [first + each * number - 1 for number in range(1, rounds)] + [last]
    starts = [first, *(end + 1 for end in ends[:-1])]
    return Bracket(lane, first, last, tuple(zip(starts, ends, strict=True)), "A loop", Severity.HIGH, 0, name)


def model(
    letters: str,
    *brackets: Bracket,
    marks: tuple[Mark, ...] = (),
    groups: tuple[Group, ...] = (),
    more: tuple[Cell, ...] = (),
) -> PictureModel:
    found = (*cells(letters), *more)
    return PictureModel(tuple(dict.fromkeys(("main", *(cell.lane for cell in more)))), found, brackets, marks, groups)


def drawn(text: str) -> str:
    return dedent(text).strip("\n")


def test_a_call_that_never_ran_is_a_dash() -> None:
    held = tuple(replace(cell, refused=cell.step > 1) for cell in cells("rtt"))
    text = picture_text(PictureModel(("main",), held, (), (), ()))
    assert [words in text for words in ("--", "- never ran, or stopped")] == [True, True]


LOOP = model(
    "rsse1e1e1e1",
    bracket(4, 11, 4),
    marks=(Mark("main", 5, "first failure", ""), Mark("main", 9, "detectable", ""), Mark("main", 11, "end", "")),
    groups=(group(0, 4),),
)


def test_a_loop_is_a_zigzag_under_a_bracket_with_a_tick_for_each_round() -> None:
    assert picture_text(LOOP) == drawn("""
                  ┌─┬─┬─┬┐ edit-test loop, 4 rounds
        step   1        10
        look   rss
        change    e e e e
        check      1 1 1 1
                   ^ first failure
                       ^ detectable
                         ^ end

        r read · s search · digit: came back
        1 ValueError: no (F1, 4 times)
        """)


def test_in_ascii() -> None:
    assert picture_text(LOOP, 40, unicode=False) == drawn("""
                  edit-test loop, 4 rounds
                  [-+-+-+]
        step   1        10
        look   rss
        change    e e e e
        check      1 1 1 1
                   ^ first failure
                       ^ detectable
                         ^ end

        r read, s search, digit: came back
        1 ValueError: no (F1, 4 times)
        """)


def test_a_long_lane_wraps_and_each_system_starts_with_its_step() -> None:
    long = model("rest" * 14, bracket(17, 56, 10, "cycle"), marks=(Mark("main", 56, "end", ""),))
    assert picture_text(long, 40) == drawn("""
                               cycle, 10 rounds
                               ┌───┬───┬───┬─
        step   1        10        20        30
        look   r s r s r s r s r s r s r s r
        change  e   e   e   e   e   e   e   e
        check     t   t   t   t   t   t   t

               ──┬───┬───┬───┬───┬───┬──┐
        step   31       40        50
        look   s r s r s r s r s r s r s
        change    e   e   e   e   e   e
        check   t   t   t   t   t   t   t
                                        ^ end

        r read · s search
        """)


def test_systems_are_of_one_length_unless_that_cuts_an_episode() -> None:
    def starts(found: PictureModel) -> list[str]:
        return [line.split()[1] for line in picture_text(found, 40).splitlines() if line.startswith("step")]

    assert starts(model("rest" * 10)) == ["1", "21"]
    assert starts(model("rest" * 10, bracket(13, 24, 3))) == ["1", "31"]


def test_what_failed_has_a_capital_letter_and_what_came_back_a_digit() -> None:
    text = picture_text(model("reXt2t2tE", groups=(group(0, 2), group(1, 2, "KeyError: b"))))
    assert "capital: failed" in text
    assert "2 KeyError: b (F2, twice)" in text
    assert "1 ValueError" not in text, "of the failures only those that the picture shows"


def test_nothing_is_drawn_of_a_session_without_actions() -> None:
    assert picture_text(model("")) == ""


def test_a_sub_agent_has_one_line() -> None:
    text = picture_text(model("rerere", more=cells("srrsX", "helper")))
    assert "\n\nsub-agent helper (5): srrsX\n\n" in text


def test_a_sub_agent_with_many_actions_has_as_many_lines_as_they_take() -> None:
    text = picture_text(model("rerere", more=cells("srrsX" * 6, "helper")), 42)
    assert "\n\nsub-agent helper (30): srrsXsrrsXsrrsXsrrs\n                       XsrrsXsrrsX\n\n" in text


def test_a_session_in_which_only_sub_agents_acted() -> None:
    assert picture_text(model("", more=cells("srrsX", "helper"))).startswith("sub-agent helper (5): srrsX\n\n")


def test_of_many_sub_agents_those_that_tell_most_are_shown() -> None:
    more = tuple(cell for number in range(9) for cell in cells("rr" if number != 7 else "XX", f"helper-{number}"))
    text = picture_text(model("rerere", more=more))
    assert "sub-agent helper-7 (2): XX" in text
    assert "and 5 more sub-agents with 10 actions" in text


def test_of_a_long_session_a_column_stands_for_several_actions() -> None:
    long = model("et" * 500 + "e1" * 20, bracket(1001, 1040, 20), groups=(group(0, 20),))
    text = picture_text(long)
    assert "each column stands for 8 actions" in text
    assert "edit-test loop, 20 rounds" in text
    assert len(text.splitlines()) <= 16
    assert re.search(r"^check  t+1+$", text, re.MULTILINE), (
        "a failure that came back isn't hidden by what went well beside it"
    )


def test_what_the_user_said_and_what_was_forgotten_is_marked() -> None:
    first, second, third, *rest = cells("rererere")
    spoken = PictureModel(
        ("main",), (first, replace(second, after_user=True), replace(third, compacted_before=True), *rest), (), (), ()
    )
    assert "user    uc\n" in picture_text(spoken)
    assert "c context compacted" in picture_text(spoken)


def test_episodes_side_by_side_and_over_each_other() -> None:
    def at(number: int, first: int, last: int, name: str) -> Bracket:
        return replace(bracket(first, last, 3, name), finding=number)

    text = picture_text(model("re" * 20, at(0, 1, 6, "a"), at(1, 20, 25, "b"), at(2, 4, 30, "c"), at(3, 2, 33, "d")))
    assert all(f"{name}, 3 rounds" in text for name in "ab")
    assert "1 more episode not drawn" in text


def test_only_pictures_that_show_something_are_worth_a_place() -> None:
    assert is_worth_drawing(LOOP)
    assert not is_worth_drawing(model("rete"))
    assert not is_worth_drawing(model("x" * 30))


def test_words_of_the_session_stay_on_their_line_and_drive_no_terminal() -> None:
    hostile = "Err\x1b[2J: \u202e```\n" + "long " * 60
    text = picture_text(model("re1re1re", groups=(group(0, 2, hostile),), more=cells("rr", "\x1b]0;t\x07a\nb" * 30)))
    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)
    assert not re.search(r"^\s*```", text, re.MULTILINE)


@st.composite
def models(draw: st.DrawFn) -> PictureModel:
    """Any session: some lanes, brackets and marks anywhere in them."""
    lanes_of_letters = draw(st.lists(st.text("rsetxwhpfoRETX123456789", max_size=200), min_size=1, max_size=7))
    names = ["main", *(draw(st.text(max_size=60)) + str(number) for number in range(1, len(lanes_of_letters)))]
    lanes = {name: cells(letters, name) for name, letters in zip(names, lanes_of_letters, strict=True)}
    brackets: list[Bracket] = []
    marks: list[Mark] = []
    for name, letters in lanes.items():
        for _ in range(draw(st.integers(0, 4)) if letters else 0):
            first = draw(st.integers(1, len(letters)))
            last = draw(st.integers(first, len(letters)))
            rounds = draw(st.integers(1, last - first + 1))
            one = bracket(
                first, last, rounds, draw(st.sampled_from(("loop", "repeated call, of a kind with a long name"))), name
            )
            brackets.append(replace(one, finding=len(brackets)))
        marks += [
            Mark(name, draw(st.integers(1, len(letters))), word, "")
            for word in ("first failure", "detectable", "end")
            if letters
        ]
    numbers = {cell.group for letters in lanes.values() for cell in letters if cell.group is not None}
    groups = tuple(Group(number, f"F{number}", "main", 2, draw(st.text(max_size=120))) for number in sorted(numbers))
    return PictureModel(
        tuple(names),
        tuple(cell for letters in lanes.values() for cell in letters),
        tuple(brackets),
        tuple(marks),
        groups,
    )


@pytest.mark.slow
@given(models(), st.integers(20, 130), st.booleans())
def test_every_line_fits(found: PictureModel, width: int, unicode: bool) -> None:
    text = picture_text(found, width, unicode)
    assert all(len(line) <= width for line in text.split("\n"))
    assert unicode or text.isascii()
    assert "\x1b" not in text


@given(models(), st.integers(20, 130))
def test_every_action_of_the_main_lane_is_shown_once(found: PictureModel, width: int) -> None:
    main = found.lane("main")
    lines = picture_lines(dataclasses.replace(found, lanes=("main",), cells=tuple(main)), width, most_blocks=200)
    roles = [(piece.role, len(piece.text)) for line in lines for piece in line if line and line[0].role == "label"]
    assert sum(length for role, length in roles if role.startswith(("kind:", "failed:", "group:"))) == len(main)


@pytest.mark.parametrize("log", sorted((ROOT / "sample_sessions").glob("*.json")), ids=lambda log: log.stem)
def test_our_samples_fit_into_a_few_lines(log) -> None:  # type: ignore[no-untyped-def]
    for session in analyze(log).sessions:
        assert 1 <= len(picture_text(model_of(session)).splitlines()) <= 16
