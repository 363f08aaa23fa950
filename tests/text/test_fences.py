"""Fenced blocks of code are found with their language and place."""

from __future__ import annotations

from analyzer.text.markdown import Fence, fences, without_fences


def test_a_block_with_a_language() -> None:
    text = "Run:\n```sh title=x\nmake\n```\nend"
    assert fences(text) == [Fence("sh", "make\n", 5, 27)]
    assert text[5:27] == "```sh title=x\nmake\n```"


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert [found.code for found in fences("````md\n```\na\n```\n````\n~~~\n```\n~~~")] == ["```\na\n```\n", "```\n"]


def test_a_fence_with_a_language_closes_nothing() -> None:
    assert [found.code for found in fences("```\nlost\n```py\nx = 1\n```")] == ["x = 1\n"]


def test_a_block_that_is_never_closed_goes_on_to_the_end() -> None:
    assert fences("a\n```\nb") == [Fence("", "b", 2, 7, closed=False)]
    assert fences("a\n```") == [Fence("", "", 2, 5, closed=False)]


def test_closed_blocks_are_blanked_in_place() -> None:
    assert without_fences("a\n```\nb\n```\nc") == "a\n   \n \n   \nc"
    assert without_fences("a\n```\nb") == "a\n```\nb"
    assert without_fences("call ```x``` now") == "call ```x``` now"
