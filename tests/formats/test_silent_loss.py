"""What a change of one record would lose is remarked on, and what is sound isn't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.api import analyze
from analyzer.checkup import check
from analyzer.formats.loading.load import load_bytes
from tests.formats.samples import ALL_SAMPLES, Sample
from tests.tables import table

DATA = Path(__file__).resolve().parents[1] / "data/formats"


def changed(file: str, *path: str | int, to: Any) -> bytes:
    """A sample with one value in it changed."""
    value = json.loads((DATA / file).read_text(encoding="utf-8"))
    node = value
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    return json.dumps(value).encode()


@table("a_record_of_an_unknown_kind")
def test_a_record_of_an_unknown_kind(file: str, path: tuple[str | int, ...], to: Any, what: str) -> None:
    session = load_bytes(changed(file, *path, to=to), file).sessions[0]

    assert any(what in warning.what for warning in session.warnings), session.warnings
    assert not any(
        what in warning.what for warning in load_bytes((DATA / file).read_bytes(), file).sessions[0].warnings
    )


@pytest.mark.parametrize(
    ("sound", "odd", "what"),
    [
        ('{\\"tower\\": \\"north\\", \\"unit\\": \\"m\\"}', "tall", "a decoded answer that is no call"),
        ('"role": "tool"', '"role": "toad"', "the unknown role 'toad'"),
        ('"step_1"', '"stop_1"', "what a step said below 'stop_1'"),
    ],
)
def test_a_result_of_the_leaderboard_that_is_not_as_the_others(sound: str, odd: str, what: str) -> None:
    text = (DATA / "bfcl_results.jsonl").read_text(encoding="utf-8")
    assert sound in text
    sessions = load_bytes(text.replace(sound, odd).encode(), "bfcl_results.jsonl").sessions
    assert any(what in warning.what for session in sessions for warning in session.warnings)


def records(count: int = 12) -> list[dict[str, Any]]:
    """A chat in which the user and the assistant take turns."""
    return [
        {"role": ("user", "assistant")[number % 2], "content": f"This is sentence number {number} of the talk."}
        for number in range(count)
    ]


def remarks(place: Path, value: list[dict[str, Any]]) -> list[str]:
    """What `check` says of a chat."""
    file = place / "chat.json"
    file.write_text(json.dumps({"messages": value}))
    return [f"{warning.where}: {warning.what}" for warning in check(str(file)).warnings]


SAID = "Nobody would read this sentence."


@pytest.mark.parametrize(
    ("odd", "key"),
    [
        ({"role": "user", "body": SAID}, "body"),
        ({"role": "assistant", "content": {"body": {"words": 5}}, "body": SAID}, "body"),
        ({"role": "user", "content": "Something said.", "note": SAID}, "note"),
        ({"role": "user", "content": "Something said.", "inner": json.dumps({"deep": [SAID]})}, "inner.deep"),
    ],
)
def test_a_text_of_which_nothing_is_read_is_named_with_its_keys(tmp_path: Path, odd: dict[str, Any], key: str) -> None:
    value = records()
    value[4] = odd

    what = f"messages[4]: nothing was read of what 'messages.{key}' holds: {SAID!r}"
    assert what in remarks(tmp_path, value)


@table("an_odd_record_that_is_read_or_says_nothing")
def test_an_odd_record_that_is_read_or_says_nothing(tmp_path: Path, odd: dict[str, Any]) -> None:
    value = records()
    value[4] = odd

    assert not [remark for remark in remarks(tmp_path, value) if "nothing was read" in remark]


def test_the_share_of_the_kinds_of_texts_that_were_read(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"messages": [*records(), {"role": "user", "content": "So far.", "note": SAID}]}))

    found = check(str(file))

    assert (found.text_kinds, found.text_kinds_unread) == (3, 1)


def odd_calls(count: int, name: str = "dig") -> list[dict[str, Any]]:
    """Records in which a chat's reader sees no call."""
    given = {"place": "the bed by the wall", "depth": 3}
    return [{"role": "assistant", "content": "Digging.", "acts": [{"tool": name, "args": given}]} for _ in range(count)]


@pytest.mark.parametrize(("count", "told"), [(0, False), (2, False), (3, True), (9, True)])
def test_blocks_that_look_like_calls_and_are_not_read_are_told_on_the_page(count: int, told: bool) -> None:
    data = json.dumps({"messages": [*records(), *odd_calls(count)]}).encode()

    session = load_bytes(data, "chat.json").sessions[0]

    what = f"{count} blocks look like calls and weren't read, such as 'dig'"
    assert [(one.where, one.what) for one in session.warnings if one.hides_actions] == [("messages[12]", what)] * told


def test_a_page_about_unread_calls_does_not_say_that_the_agent_only_spoke(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"messages": [*records(), *odd_calls(5)]}))

    headline = analyze(file).sessions[0].diagnosis.headline

    assert headline.startswith("No action was read from this file (messages[12]: 5 blocks look like calls")


@pytest.mark.parametrize("sample", ALL_SAMPLES, ids=lambda sample: sample.file)
def test_nothing_is_remarked_on_in_a_sample(sample: Sample) -> None:
    assert not [warning for warning in check(str(sample.path)).warnings if "nothing was read" in warning.what]


@pytest.mark.parametrize(("between", "behind", "told"), [("\\n", "", False), (",\n", "", False), ("\n", "{torn", True)])
def test_objects_that_stand_one_after_another(between: str, behind: str, told: bool) -> None:
    done = [{"tool": "dig", "args": {"depth": depth}, "output": "dug"} for depth in range(3)]
    text = between.join(json.dumps(one, indent=1) for one in done) + between + behind

    transcript = load_bytes(text.encode(), "run.json")

    assert len(list(transcript.sessions[0].calls())) == len(done)
    assert [one.what for one in transcript.sessions[0].warnings] == ["the text from here on is no JSON; skipped"] * told
