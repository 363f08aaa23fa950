"""What a guard tells a running agent is about what it did, and says what to do now."""

from __future__ import annotations

from analyzer.guard import Guard
from analyzer.model.session import Message, ToolCall
from analyzer.timeline.pairing import pair
from tests.build import Part, run, session
from tests.sessions import Written, parts_of
from tests.tables import table


def messages(*parts: Part) -> list[str]:
    shown = session(*parts)
    guard = Guard(shown.task or "", select=["loops", "cascade", "unknown-tool", "outward-effect"])
    results = iter(pair(shown.events).results)
    found = []
    for event in shown.events:
        if isinstance(event, Message):
            found += guard.take_message(event)
        elif isinstance(event, ToolCall):
            found += guard.take(event, next(results))
    return [alarm.message for alarm in found]


@table("a_message_says_what_happened_and_what_to_do")
def test_a_message_says_what_happened_and_what_to_do(parts: Written, first: str, then: str) -> None:
    (message, *_) = messages(*parts_of(parts))
    assert message.startswith(first)
    assert then in message


def test_what_was_asked_for_is_no_reason_to_stop() -> None:
    shown = session(run("git push origin main", "main -> main"), task="Commit it and push it to origin.")
    alarms = Guard(shown.task or "", select=["outward-effect"]).observe(
        "bash", {"command": "git push origin main"}, "To x\n   1..2  main -> main", exit_code=0
    )
    assert all(alarm.message.startswith("For your information: ") for alarm in alarms)
    assert alarms
