"""Files that are large in one way each: very many calls, one long text, one file edited over and over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.sessions import word


@dataclass(frozen=True)
class Shape:
    """A way of being large: how much of it is measured, and what makes a file of so much."""

    size: int
    make: Callable[[int], bytes]


def own(task: str, *records: dict[str, Any]) -> bytes:
    """A file in the project's own form, as JSON lines."""
    header = {"session": {"id": "made-up", "task": task}}
    said = {"message": {"role": "user", "text": task}}
    return "\n".join(json.dumps(record) for record in (header, said, *records)).encode()


def call(tool: str, arguments: dict[str, Any], result: str, code: int | None = None, **more: Any) -> dict[str, Any]:
    """One action."""
    made: dict[str, Any] = {"tool": tool, "arguments": arguments, "result": result, **more}
    if code is not None:
        made["exit_code"] = code
    return {"action": made}


def trace(number: int) -> str:
    """A traceback of which no two are alike."""
    return (
        f'Traceback (most recent call last):\n  File "src/{word(number)}.py", line {number % 90 + 1}, in moor\n'
        f"    tie({word(number)})\nValueError: the {word(number * 7)} of {word(number * 5 + 3)} is adrift"
    )


def many_calls(count: int) -> bytes:
    """Calls of a few programs over and over, with different results."""
    return own(
        "Moor the boats.", *(call("bash", {"command": f"show {n % 50}"}, f"berth {word(n)}") for n in range(count))
    )


def metas(count: int) -> bytes:
    """Calls of which one record lists only the names, and as many texts that were said."""
    begin: dict[str, Any] = {"traceSchema": "openclaw-trajectory", "schemaVersion": 1, "sessionId": "s", "runId": "r1"}
    begin["ts"] = "2026-01-01T00:00:00Z"
    done = {
        "messagesSnapshot": [
            {"role": "user", "content": "go", "timestamp": 1},
            {"truncated": True, "originalLength": 9},
        ],
        "finalPromptText": "go",
        "assistantTexts": [f"t{number}" for number in range(count)],
        "toolMetas": [{"toolName": "exec", "meta": f"run {number}"} for number in range(count)],
        "finalStatus": "success",
    }
    records = [("session.started", {}), ("model.completed", done), ("session.ended", {"status": "ok"})]
    return "\n".join(json.dumps({**begin, "type": kind, "data": data}) for kind, data in records).encode()


def chat(count: int) -> bytes:
    """A plain chat in which the user pastes each output again."""
    output = "line of text\n" * 30
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number in range(count):
        name = f"c{number}"
        function = {"name": "bash", "arguments": '{"command": "ls"}'}
        messages += [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": name, "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": name, "content": f"<output>{output}</output>"},
            {"role": "user", "content": output},
        ]
    return json.dumps(messages).encode()


def said(unit: str) -> Callable[[int], bytes]:
    """What makes one message of the agent of so many bytes."""

    def make(size: int) -> bytes:
        text = unit * (size // len(unit))
        return own("Moor the boats.", call("bash", {"command": "ls"}, "a b", 0), message("assistant", text))

    return make


def message(role: str, text: str) -> dict[str, Any]:
    """Something that was said."""
    return {"message": {"role": role, "text": text}}


def asked(size: int) -> bytes:
    """One message of the user of so many bytes, of ordinary sentences."""
    return own("Moor the boats.", message("user", prose(size)), call("bash", {"command": "ls"}, "a b", 0))


def printed(size: int) -> bytes:
    """One result of so many bytes, of ordinary lines, whose command failed."""
    return own("Moor the boats.", call("bash", {"command": "make all"}, prose(size), 1))


def prose(size: int) -> str:
    """So many bytes of lines of which no two are alike."""

    def lines() -> Iterator[str]:
        length, number = 0, 0
        while length < size:
            line = (
                f"Step {number}: the {word(number)} goes before the {word(number * 3)}, as {word(number * 5)} asks.\n"
            )
            length, number = length + len(line), number + 1
            yield line

    return "".join(lines())


def different_failures(count: int) -> bytes:
    """Failing commands of which no two are alike."""
    return own("Moor the boats.", *(call("bash", {"command": f"make {word(n)}"}, trace(n), 1) for n in range(count)))


def findings(count: int) -> bytes:
    """Ever new commands, each failing four times in a row."""
    return own(
        "Moor the boats.",
        *(call("bash", {"command": f"make {word(n // 4)}"}, trace(n // 4), 1) for n in range(4 * count)),
    )


def turns(count: int) -> bytes:
    """Requests of the user, each followed by one call and an answer."""
    records: list[dict[str, Any]] = []
    for number in range(count):
        records += [
            message("user", f"Please paint {word(number)}.py in blue, and don't touch {word(number + 1)}.md."),
            call("bash", {"command": f"paint {word(number)}.py"}, "painted", 0),
            message("assistant", f"I painted {word(number)}.py."),
        ]
    return own("Paint the boats.", *records)


def edit(path: str, old: str, new: str) -> dict[str, Any]:
    """One edit."""
    return call("edit", {"path": path, "old": old, "new": new}, "Edited.", is_error=False)


def files_once(count: int) -> bytes:
    """Edits of ever new files, and a test after every fiftieth."""
    records = []
    for number in range(count):
        records.append(edit(f"src/{word(number)}.py", f"depth = {number}", f"depth = {number} + 1"))
        if number % 50 == 49:
            records.append(call("bash", {"command": "pytest -q"}, trace(number), 1))
    return own("Make the tests pass.", *records)


def file_often(count: int) -> bytes:
    """One file edited over and over, and a test after every fiftieth edit."""
    records = []
    for number in range(count):
        records.append(edit("src/boat.py", f"depth = {number}\n", f"depth = {number + 1}\n"))
        if number % 50 == 49:
            records.append(call("bash", {"command": "pytest -q"}, trace(number), 1))
    return own("Make the tests pass.", *records)


def edits_and_failures(count: int) -> bytes:
    """Edits of ever new files, each followed by a failure in that file."""
    records = []
    for number in range(count):
        name = word(number)
        records.append(edit(f"src/{name}.py", f"old {name}", f"tie({name})"))
        records.append(call("bash", {"command": f"python src/{name}.py"}, trace(number), 1))
    return own("Make the programs run.", *records)


def agents(count: int) -> bytes:
    """Sub-agents, each asked for one thing, with three calls of their own."""
    records = []
    for number in range(count):
        lane, name = f"agent-{number}", word(number)
        records += [
            call("task", {"prompt": f"Look at {name}.py", "description": name}, f"{name} is in order."),
            call("read", {"path": f"src/{name}.py"}, f"depth = {number}", lane=lane),
            call("bash", {"command": f"grep -n {name} src"}, f"src/{name}.py:1: {name}", 0, lane=lane),
            call("bash", {"command": f"make {name}"}, trace(number), 1, lane=lane),
        ]
    return own("Look at the boats.", *records)


def plan(entries: int) -> bytes:
    """A plan of so many entries that is sent twenty times, with ten more of them done each time."""
    records = []
    for turn in range(20):
        todos = [
            {
                "content": f"Paint {word(number)}",
                "status": "completed" if number < turn * 10 else "in_progress" if number == turn * 10 else "pending",
                "activeForm": f"Painting {word(number)}",
            }
            for number in range(entries)
        ]
        records.append(call("TodoWrite", {"todos": todos}, "Todos have been modified."))
        records.append(call("bash", {"command": f"paint {word(turn * 10)}"}, "painted", 0))
    return own("Paint the boats.", *records)


def plan_sent_again(times: int) -> bytes:
    """A plan of 200 entries, sent again with one more done each time."""
    records = []
    for turn in range(times):
        todos = [
            {"content": f"Paint {word(number)}", "status": "completed" if number < turn % 200 else "pending"}
            for number in range(200)
        ]
        records.append(call("TodoWrite", {"todos": todos}, "Todos have been modified."))
    return own("Paint the boats.", *records)


def command(size: int) -> bytes:
    """Five commands of so many bytes: a script that writes lines into a file, a chain, quotations, a here-document."""
    echo = "".join(f"echo {word(n)} {n} >> boats.txt\n" for n in range(size // 30))[:size]
    chain = " && ".join(f"paint {word(n)}.py" for n in range(size // 25))[:size]
    pipes = " | ".join(f"grep -v {word(n)}" for n in range(size // 25))[:size]
    quoted = "echo " + " ".join(f"'{word(n)} \"{n}\"'" for n in range(size // 20))
    document = f"cat > boats.py <<'END'\n{prose(size)}\nEND\npython boats.py"
    return own(
        "Moor the boats.",
        *(call("bash", {"command": one}, "done", 0) for one in (echo, chain, pipes, quoted, document)),
    )


def difference(size: int) -> bytes:
    """A patch of so many bytes that is applied, and a diff of as many that is shown."""
    parts, length, number = [], 0, 0
    while length < size:
        name = f"src/{word(number)}.py"
        part = (
            f"--- a/{name}\n+++ b/{name}\n@@ -1,3 +1,3 @@\n depth = 1\n-old = {number}\n+new = {number}\n width = 2\n"
        )
        parts.append(f"diff --git a/{name} b/{name}\n{part}")
        length, number = length + len(parts[-1]), number + 1
    text = "".join(parts)
    return own(
        "Moor the boats.",
        call("bash", {"command": f"git apply <<'END'\n{text}END"}, "", 0),
        call("bash", {"command": "git diff"}, text, 0),
    )


def one_difference(size: int) -> bytes:
    """A diff of one file, of so many bytes, that is shown."""
    lines = "".join(f"-old {word(n)}\n+new {word(n)}\n" for n in range(size // 40))
    text = f"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,{size} +1,{size} @@\n{lines}"
    return own("Moor the boats.", call("bash", {"command": "git diff"}, text, 0))


def file_written(size: int) -> bytes:
    """A file of so many bytes, written whole, changed in one place, run."""
    text = "".join(f"{word(n)} = {n}\n" for n in range(size // 20))
    return own(
        "Moor the boats.",
        call("write", {"path": "src/boats.py", "content": text}, "Written."),
        edit("src/boats.py", "anchor = 2", "anchor = 3"),
        call("bash", {"command": "python src/boats.py"}, trace(1), 1),
        call("write", {"path": "src/boats.py", "content": text.replace("keel = 3", "keel = 4")}, "Written."),
        call("bash", {"command": "cat src/boats.py"}, text, 0),
    )


SHAPES = {
    "calls": Shape(20_000, many_calls),
    "named calls and texts": Shape(20_000, metas),
    "outputs pasted in a chat": Shape(5_000, chat),
    "message of letters": Shape(20_000_000, said("ab c ")),
    "message of sentences": Shape(5_000_000, lambda size: own("Go.", message("assistant", prose(size)))),
    "message of fences": Shape(5_000_000, said("```\n")),
    "message of fenced code": Shape(5_000_000, said("Now:\n```python\nx = 1\n```\n\n")),
    "request of sentences": Shape(5_000_000, asked),
    "failing output": Shape(5_000_000, printed),
    "different failures": Shape(5_000, different_failures),
    "findings": Shape(5_000, findings),
    "turns of the user": Shape(10_000, turns),
    "files edited once": Shape(3_000, files_once),
    "file edited often": Shape(3_000, file_often),
    "edits and failures": Shape(2_000, edits_and_failures),
    "sub-agents": Shape(2_000, agents),
    "plan": Shape(2_000, plan),
    "plan sent again": Shape(1_000, plan_sent_again),
    "command": Shape(200_000, command),
    "patches": Shape(3_000_000, difference),
    "diff of one file": Shape(3_000_000, one_difference),
    "file written": Shape(3_000_000, file_written),
}
