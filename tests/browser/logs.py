"""Invented sessions of every shape, in the project's own form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

BEGIN = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
HARBOURS = (
    "Ebbport",
    "Floodham",
    "Sandmouth",
    "Kelpness",
    "Tidewick",
    "Galehaven",
    "Foamby",
    "Saltrow",
    "Mistquay",
    "Gullford",
    "Reefton",
    "Surfleigh",
    "Wavestow",
)
Action = dict[str, Any]


def at(second: float) -> str:
    """That many seconds after the beginning."""
    return (BEGIN + timedelta(seconds=second)).isoformat().replace("+00:00", "Z")


def session(actions: list[Action], messages: list[dict[str, Any]] | None = None, **header: Any) -> dict[str, Any]:
    """One session."""
    head: dict[str, Any] = {
        "id": "tide-1",
        "agent": "harbour-agent",
        "model": "model-a",
        "task": "Let the tide table start at midnight.",
        "started_at": at(0),
        **header,
    }
    return {"format": "analyze-session/1", "session": head, "messages": messages or [], "actions": actions}


def shell(command: str, result: str = "", code: int = 0, **more: Any) -> Action:
    """A command."""
    return {"tool": "shell", "arguments": {"command": command}, "result": result, "exit_code": code, **more}


def edit(path: str, old: str, new: str, **more: Any) -> Action:
    """An edit."""
    return {
        "tool": "edit",
        "arguments": {"path": path, "old": old, "new": new},
        "result": "Edited.",
        "is_error": False,
        **more,
    }


def failing(
    number: int, error: str = "ValueError: a tide needs at least two readings", test: str = "test_first_reading"
) -> str:
    """What pytest prints when that test fails; `number` only moves the clock."""
    return "\n".join(
        (
            "============================= test session starts ==============================",
            "collected 7 items",
            "",
            "=================================== FAILURES ===================================",
            f"______________________________ {test} ______________________________",
            "",
            f"    def {test}():",
            ">       table = TideTable(readings=[Reading(0.0, 1.2)])",
            "",
            "tests/test_tide.py:14: ",
            "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _",
            "",
            "    def __init__(self, readings):",
            f">       raise {error.partition(':')[0]}",
            f"E       {error}",
            "",
            f"harbour/tide.py:31: {error.partition(':')[0]}",
            "=========================== short test summary info ============================",
            f"FAILED tests/test_tide.py::{test} - {error}",
            f"========================= 1 failed, 6 passed in 0.{10 + number % 80}s =========================",
        )
    )


def source(number: int, lines: int = 24) -> str:
    """A stretch of a program's text."""
    return "\n".join(
        (
            f"    {line:>4}  level_{number}_{line} = interpolate(readings[{line}], hour={line % 24}, "
            f"harbour=harbours[{number}])"
        )
        for line in range(lines)
    )


def long_session(actions: int) -> dict[str, Any]:
    """A session of so many actions as agents have them: it looks, changes and checks by turns, fails in three ways,
    goes round in circles twice per hundred actions, and is told something new in between."""
    made: list[Action] = []
    for number in range(actions):
        clock = {"started_at": at(number * 7), "duration_seconds": 2.5}
        turn, part = number % 50, number // 50
        if turn < 30:
            made.append(_working(number, turn, clock))
        elif turn % 2 == 0:
            made.append(
                edit(
                    f"harbour/tide_{part % 7}.py",
                    f"first = readings[{turn}]",
                    f"first = readings[{turn}] or Reading(0.0, {turn}.0)",
                    **clock,
                )
            )
        else:
            made.append(
                shell(
                    "pytest -q tests/test_tide.py",
                    failing(number),
                    1,
                    intent=f"Attempt {turn // 2}: run the tests again.",
                    **clock,
                )
            )
    said = [
        {
            "role": "user",
            "text": "Let the tide table start at midnight, whatever the first reading is.",
            "before_action": 1,
        }
    ]
    said += [
        {"role": "user", "text": f"Also mind harbour {at_step}.", "before_action": at_step}
        for at_step in range(51, actions + 1, 50)
    ]
    said.append({"role": "assistant", "text": "All tests pass now; the tide table starts at midnight."})
    return session(made, said, tokens={"input": actions * 900, "output": actions * 80, "cached": 0}, cost_usd=0.42)


def _working(number: int, turn: int, clock: dict[str, Any]) -> Action:
    part, number = number // 50, number % 60
    if turn % 5 == 0:
        return {
            "tool": "read",
            "arguments": {"path": f"harbour/part_{number}.py"},
            "result": source(number),
            "intent": f"I'll read part {number} first.",
            **clock,
        }
    if turn % 5 == 1:
        return shell(
            f"grep -rn 'reading_{number}' harbour", f"harbour/part_{number}.py:{turn}: reading_{number} = 1", **clock
        )
    if turn % 5 == 2:
        return edit(f"harbour/part_{number}.py", f"hour = {turn}", f"hour = {turn} % 24", **clock)
    if turn % 5 == 3:
        other = ("KeyError: 'Ebbport'", "TypeError: unsupported operand", "AssertionError: assert 23 == 24")[part % 3]
        return shell(
            f"pytest -q tests/test_part_{number}.py", failing(number, other, f"test_part_{number}"), 1, **clock
        )
    return shell(f"python -m harbour.check --part {number}", source(number, 6), **clock)


def stuck(rounds: int = 5, **header: Any) -> dict[str, Any]:
    """A session that edits and tests in circles."""
    turns = [
        step
        for number in range(rounds)
        for step in (
            edit("harbour/tide.py", f"a = {number}", f"a = {number + 1}"),
            shell("pytest -q tests/test_tide.py", failing(number), 1),
        )
    ]
    return session([shell("ls", "harbour tests"), *turns], **header)


def many_sessions(count: int) -> list[dict[str, Any]]:
    """So many sessions of several agents over some weeks: most go well, others fail or go in circles, each third of
    those with a failure that others have too."""
    made = []
    for number in range(count):
        head: dict[str, Any] = {
            "id": f"tide-{number:03}",
            "agent": ("harbour-agent", "pilot", "buoy")[number % 3],
            "model": ("model-a", "model-b")[number % 2],
            "task": f"Repair quay {number} of {HARBOURS[number // 10 % len(HARBOURS)]}.",
            "started_at": at(number * 40_000),
            "ended_at": at(number * 40_000 + 60 + number),
            "tokens": {"input": 1000 + 37 * (number % 50), "output": 100},
            "cost_usd": 0.01 * (number % 17),
        }
        if number % 5 == 0:
            made.append(stuck(rounds=3 + number % 4, **head))
        elif number % 5 == 1:
            error = f"KeyError: 'harbour {number}'"
            made.append(
                session(
                    [shell("ls"), shell("pytest -q", failing(number, error, f"test_{number}"), 1)],
                    ending="unsolved",
                    **head,
                )
            )
        else:
            made.append(
                session(
                    [shell("ls")] * (number % 7)
                    + [edit("harbour/tide.py", "a", "b"), shell("pytest -q", "7 passed in 0.20s")],
                    ending="solved",
                    **head,
                )
            )
    return made


def several_sessions() -> list[dict[str, Any]]:
    """A stuck one, a short one that goes well, and another stuck one."""
    fine = session([shell("pytest -q", "7 passed in 0.20s")], id="fine", task="Run the tests.")
    return [
        stuck(id="first", task="Repair the tide table."),
        fine,
        stuck(id="third", rounds=3, task="Repair it once more."),
    ]


def several_lanes() -> dict[str, Any]:
    """A main agent with two helpers, one of which goes in circles."""
    helper = [
        step
        for number in range(4)
        for step in (
            edit("harbour/moon.py", f"m = {number}", f"m = {number + 1}", lane="moon helper"),
            shell(
                "pytest -q tests/test_moon.py",
                failing(number, "ZeroDivisionError: division by zero", "test_moon"),
                1,
                lane="moon helper",
            ),
        )
    ]
    actions = [
        shell("ls", "harbour tests", started_at=at(1), duration_seconds=1),
        {
            "tool": "task",
            "arguments": {"prompt": "Repair the moon."},
            "result": "I could not.",
            "started_at": at(3),
            "duration_seconds": 90,
        },
        *helper,
        shell("grep -rn moon harbour", "harbour/moon.py:1: m = 4", lane="reader"),
        shell("grep -rn sun harbour", "", 1, lane="reader"),
        edit("harbour/tide.py", "a", "b", started_at=at(700), duration_seconds=1),
        shell("pytest -q", "7 passed in 0.20s", started_at=at(710), duration_seconds=4),
    ]
    return session(actions, [{"role": "assistant", "text": "Done."}], id="with-helpers")


def long_words() -> dict[str, Any]:
    """A session that goes in circles, with words of two hundred thousand characters where words may stand. Its page has
    the elements that words of a million make."""
    word = "x" * 200_000
    turns = [
        step
        for number in range(4)
        for step in (
            edit(f"harbour/{word}.py", f"{number}{word}", word),
            shell(f"pytest {word}", failing(number, f"ValueError: {word}", f"test_{word}"), 1),
        )
    ]
    said: list[dict[str, Any]] = [
        {"role": "user", "text": word, "before_action": 1},
        {"role": "assistant", "text": word},
    ]
    return session(
        [
            *turns,
            {"tool": word, "arguments": {word: word}, "result": word, "intent": word},
            {"tool": "read", "arguments": word, "result": word, "lane": word},
        ],
        said,
        id=word,
        agent=word,
        model=word,
        task=word,
        title=word,
        status=word,
        ending="limit",
        ending_detail=word,
        environment={word: word},
    )


def nothing_done() -> dict[str, Any]:
    """A session without an action."""
    return session([], [{"role": "user", "text": "Hello?"}, {"role": "assistant", "text": "Hello."}], id="nothing-done")
