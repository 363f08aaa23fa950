"""Long sessions for the benchmarks: the same steps for everybody, made of what real sessions are made of."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.session import Message, Session, ToolCall, ToolResult

_REPORT = """============================= test session starts ==============================
collected 40 items

=================================== FAILURES ===================================
__________________________________ test_tide __________________________________

    def test_tide():
>       assert level({number}) == 3
E       AssertionError: tide {word} is {number}

tests/test_{word}.py:{line}: AssertionError
=========================== short test summary info ============================
FAILED tests/test_{word}.py::test_tide - AssertionError: tide {word} is {number}
========================= 1 failed, 39 passed in 0.{line}s ========================="""
_WORDS = ("harbour", "mast", "anchor", "keel", "rudder", "sail", "bow", "stern", "deck", "hull", "oar", "buoy", "gull")


def word(number: int) -> str:
    """A word for a number; words aren't hidden as ids may be."""
    return _WORDS[number % 13] + (word(number // 13 - 1) if number >= 13 else "")


def session(steps: int) -> Session:
    """A session of so many steps: work on ever new files, a loop of twelve steps every hundred, polls, reads, failing
    tests."""
    made = Session("benchmark", task="Make the tests of the harbour pass.")
    for number, (tool, arguments, result, code) in zip(range(steps), _calls(), strict=False):
        name = f"call-{number}"
        if number % 3 == 0:
            made.events.append(Message("assistant", f"Next I look at what {word(number)} does."))
        made.events.append(ToolCall(name, tool, arguments, 1_700_000_000.0 + 5 * number))
        made.events.append(ToolResult(name, result, exit_code=code, duration=2.0))
    return made


def _calls() -> Iterator[tuple[str, dict[str, object], str, int | None]]:
    number = 0
    while True:
        number += 1
        name = word(number)
        lines = "\n".join(f"    {position} level = depth[{name}] * {position}" for position in range(40))
        for turn in range(20):
            yield "read", {"path": f"{name}{turn % 7}.py", "offset": turn * 40, "limit": 40}, f"{turn} {lines}", None
            yield (
                "edit",
                {"path": f"{name}.py", "old": f"level = {turn}", "new": f"level = {turn} + {number}"},
                "Edited.",
                None,
            )
            yield "bash", {"command": "pytest -q"}, _REPORT.format(word=name, number=turn, line=10 + turn), 1
            yield "bash", {"command": f"grep -rn {name}{turn} src"}, f"src/{name}.py:{turn}: {name}", 0
        for turn in range(6):
            yield (
                "edit",
                {"path": f"{name}.py", "old": f"depth = {turn}", "new": f"depth = {turn} - {number}"},
                "Edited.",
                None,
            )
            yield "bash", {"command": "pytest -q"}, _REPORT.format(word=name, number=99, line=50), 1
        for turn in range(8):
            yield "bash", {"command": f"deploy state {number}"}, f"{turn} of 8 ready", 0
