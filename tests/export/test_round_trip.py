"""Writing a session in another form and reading that back gives the same session, but for what is named here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from analyzer.api import load
from analyzer.export import atif, chat, own
from analyzer.formats import load_bytes
from analyzer.model.action import Action
from analyzer.model.session import Message, Session, Tokens, Usage
from analyzer.model.struct import replace
from analyzer.model.words import MAIN_LANE
from analyzer.timeline import Timeline, build_timeline
from tests.build import call, session
from tests.formats.databases import database_of
from tests.together import check_each

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted([*(ROOT / "sample_sessions").glob("*.json"), *(ROOT / "tests" / "data" / "formats").glob("*.*")])
A_CHAT_LOSES_OF_ACTIONS = {
    "mark",
    "harness",
    "task_done",
    "asks_agent",
    "compacted_before",
    "compacted_by_user",
    "directory",
}
A_CHAT_LOSES_OF_HEADERS = {
    "environment",
    "ending",
    "ending_detail",
    "broke",
    "user_messages",
    "assistant_messages",
    "expected",
    "evaluation",
}
Facts = dict[str, Any]

every_sample = pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)


@cache
def timelines(path: Path) -> list[Timeline]:
    """The sessions of a sample; only the process that runs these tests reads them."""
    return load(database_of(path) if path.suffix == ".sql" else path).sessions


def again(session: Session, form: str) -> Timeline:
    if form == "jsonl":
        data = "\n".join(json.dumps(record) for record in own.records(session))
    else:
        data = json.dumps(atif.document(session) if form == "atif" else chat.document(session))
    (found,) = load_bytes(data.encode(), "again.json").sessions
    assert found.warnings == []
    return build_timeline(found)


def facts(action: Action, *, without: Iterable[str] = ()) -> Facts:
    """All that is known of an action; of its batch only which calls were sent with it, see `together`.
    Its kind is that of its operation."""
    left_out = {"batch", "kind", *without}
    found = {name: getattr(action, name) for name in action.__struct_fields__ if name not in left_out}
    if not isinstance(action.arguments, str):
        found["arguments"] = dict(action.arguments)
    for name in {"started_at", "duration"} & found.keys():
        found[name] = rounded(found[name])
    return found


def together(actions: Sequence[Action]) -> list[list[int]]:
    """The steps of one lane, those that were sent together in one list."""
    groups = groupby(actions, key=lambda action: action.batch or f"alone {action.step}")
    return [[action.step for action in group] for _, group in groups]


def header(session: Session, *, without: Iterable[str] = ()) -> Facts:
    left_out = {"events", "warnings", "by_model", *without}  # of several models the total is kept
    found = {name: getattr(session, name) for name in session.__struct_fields__ if name not in left_out}
    for name in ("started_at", "ended_at"):
        found[name] = rounded(found[name])
    found["definitions"] = tuple(replace(entry, place="") for entry in session.definitions)  # each form has its own
    return found


def unless_counted(session: Session) -> set[str]:
    """How many messages there were, where the log didn't say: reading back counts those that are there."""
    return {name for name in ("user_messages", "assistant_messages") if getattr(session, name) is None}


def rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 5)


def said(messages: Iterable[Message]) -> list[tuple[object, ...]]:
    return [(message.role, message.text, message.lane, message.thought, rounded(message.time)) for message in messages]


@every_sample
def test_our_own_form_keeps_everything(path: Path) -> None:
    check_each(timelines(path), _kept_by_our_own_form, _name)


@pytest.mark.parametrize("form", ["jsonl", "atif"])
def test_that_a_cost_is_partial_is_kept(form: str) -> None:
    made = session(call("shell", {"command": "ls"}, "a"), cost_usd=0.5, cost_is_partial=True)
    found = again(made, form).session

    assert (found.cost_usd, found.cost_is_partial) == (0.5, True)


@pytest.mark.parametrize("form", ["jsonl", "atif", "chat"])
@pytest.mark.parametrize("used", [Tokens(90, 9, 20, 50, 30), Tokens(90, 9, 20, 50)], ids=["known", "unknown"])
def test_how_long_a_cache_keeps_what_is_put_there_is_kept(form: str, used: Tokens) -> None:
    made = session(call("look", {"at": "keel"}, "It leaks."), tokens=used)
    next(iter(made.calls())).usage = Usage(used)
    assert again(made, form).session.tokens == used


def _name(timeline: Timeline) -> str:
    return timeline.session.id


def _kept_by_our_own_form(timeline: Timeline) -> None:
    found = again(timeline.session, "jsonl")
    assert [facts(action) for action in found.actions] == [facts(action) for action in timeline.actions]
    assert [action.batch for action in found.actions] == [action.batch for action in timeline.actions]
    assert said(found.messages) == said(timeline.messages)
    assert found.groups == timeline.groups
    left_out = unless_counted(timeline.session)
    assert header(found.session, without=left_out) == header(timeline.session, without=left_out)


@every_sample
def test_atif_keeps_everything_but_the_order_between_lanes(path: Path) -> None:
    check_each(timelines(path), _kept_by_atif, _name)


def _kept_by_atif(timeline: Timeline) -> None:
    found = again(timeline.session, "atif")
    assert found.lanes() == timeline.lanes()
    left_out = {"state"} if len(timeline.lanes()) > 1 else set()  # which depends on what other lanes did before
    for lane in timeline.lanes():
        assert [facts(action, without=left_out) for action in found.lane(lane)] == [
            facts(action, without=left_out) for action in timeline.lane(lane)
        ]
        assert together(found.lane(lane)) == together(timeline.lane(lane))
    assert [group.steps for group in found.groups] == [group.steps for group in timeline.groups]
    assert header(found.session) == header(timeline.session)


@every_sample
def test_a_chat_keeps_the_main_lane_but_for_what_no_message_says(path: Path) -> None:
    check_each(timelines(path), _kept_by_a_chat, _name)


def _kept_by_a_chat(timeline: Timeline) -> None:
    if not timeline.lane():
        return
    found = again(timeline.session, "chat")
    assert found.lanes() == [MAIN_LANE]
    assert together(found.lane()) == together(timeline.lane())
    assert header(found.session, without=A_CHAT_LOSES_OF_HEADERS) == header(
        timeline.session, without=A_CHAT_LOSES_OF_HEADERS
    )
    first_of = {steps[0] for steps in together(timeline.lane())}
    for action, original in zip(found.lane(), timeline.lane(), strict=True):
        left_out = set(A_CHAT_LOSES_OF_ACTIONS) | ({"state"} if len(timeline.lanes()) > 1 else set())
        if original.step not in first_of:
            left_out |= {"started_at", "duration"}  # calls of one message have one time
        if original.started_at is None:
            left_out |= {"duration"}  # a message has a time, and no length
        if original.task_done:
            left_out |= {"operation", "keys"}
        if original.asks_agent:
            left_out |= {"status", "decided_by"}  # what a member of a team answers looks like any other result
        if timeline.session.tokens == Tokens():
            left_out |= {"usage"}  # readers of a chat take the sum over its messages for the total
        assert facts(action, without=left_out) == facts(original, without=left_out)
