"""Ten logs of unlike programs that tell the same story: four calls, of which the third fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """One call of the story."""

    tool: str
    arguments: dict[str, Any]
    output: str
    failed: bool = False


STORY = (
    Step("search_code", {"pattern": "def total", "path": "src"}, "src/bill.py:14: def total(items):"),
    Step("read_file", {"path": "src/bill.py"}, "def total(items):\n    return sum(items)"),
    Step("run_tests", {"target": "tests/test_bill.py"}, "E   TypeError: unsupported operand\n1 failed in 0.04s", True),
    Step("edit_file", {"path": "src/bill.py", "old": "sum(items)", "new": "sum(map(price, items))"}, "1 replacement"),
)
START = 1_767_225_600


def _lines(records: list[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def _iso(number: int) -> str:
    return f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z"


def flat_events() -> str:
    """A line when a tool starts and one when it ends, without ids, between lines about other matters."""
    records: list[dict[str, Any]] = [{"event": "session_open", "ts": START, "goal": "Make the bill's tests pass."}]
    for number, step in enumerate(STORY):
        at = START + 10 * number
        records.append({"event": "llm_request", "ts": at + 1, "model": "m-1", "prompt_tokens": 900})
        records.append({"event": "tool_start", "ts": at + 2, "tool": step.tool, "args": step.arguments})
        status = "failed" if step.failed else "ok"
        records.append({"event": "tool_end", "ts": at + 5, "tool": step.tool, "output": step.output, "status": status})
    return _lines([*records, {"event": "session_close", "ts": START + 60}])


def one_record_per_call() -> str:
    """A list in which each entry is a call with its result."""
    return json.dumps(
        [
            {
                "n": number,
                "operation": step.tool,
                "inputs": step.arguments,
                "returned": step.output,
                "ok": not step.failed,
                "took_ms": 1200 + number,
                "at": _iso(number * 10),
                "why": f"because of step {number}",
            }
            for number, step in enumerate(STORY)
        ]
    )


def nested_steps() -> str:
    """An object with runs, each with turns, each with steps, in which call and result are objects."""
    steps = [
        {
            "act": {"function": step.tool, "kwargs": step.arguments},
            "observed": {"body": step.output, "err": "the tool failed" if step.failed else None},
        }
        for step in STORY
    ]
    turns = [{"thinking": "Let me look at the code.", "moves": steps[:2]}, {"thinking": "Now.", "moves": steps[2:]}]
    return json.dumps(
        {"experiment": "e-7", "runs": [{"id": "run-a", "objective": "Make the tests pass.", "turns": turns}]}
    )


def requests_and_responses() -> str:
    """JSON-RPC: requests and responses with ids; two are under way at once, and the answers come in another order."""
    asked = [
        {"dir": "out", "jsonrpc": "2.0", "id": 40 + number, "method": step.tool, "params": step.arguments}
        for number, step in enumerate(STORY)
    ]
    answers: list[dict[str, Any]] = []
    for number, step in enumerate(STORY):
        answer: dict[str, Any] = {"dir": "in", "jsonrpc": "2.0", "id": 40 + number}
        if step.failed:
            answer["error"] = {"code": -32000, "message": step.output}
        else:
            answer["result"] = {"content": step.output}
        answers.append(answer)
    return _lines([asked[0], asked[1], answers[1], answers[0], asked[2], answers[2], asked[3], answers[3]])


def spans() -> str:
    """Spans in the order in which they ended, tools' spans among those of the model and the agent."""
    found: list[dict[str, Any]] = []
    for number, step in enumerate(STORY):
        at = START + 10 * number
        found.append(
            {
                "span_id": f"t{number}",
                "parent_id": "root",
                "name": f"tool:{step.tool}",
                "start": at + 3,
                "end": at + 7,
                "attributes": {"input": json.dumps(step.arguments), "output": step.output},
                "status": "ERROR" if step.failed else "OK",
            }
        )
        found.append(
            {
                "span_id": f"m{number}",
                "parent_id": "root",
                "name": "llm:m-1",
                "start": at,
                "end": at + 2,
                "status": "OK",
            }
        )
    found.reverse()
    return json.dumps(
        {
            "trace": "tr-1",
            "spans": [*found, {"span_id": "root", "name": "agent:main", "start": START, "end": START + 50}],
        }
    )


def callbacks() -> str:
    """What a handler of a framework's callbacks writes: starts and ends with the id of each run."""
    records: list[dict[str, Any]] = [
        {"event": "on_chain_start", "run_id": "c-0", "name": "AgentExecutor", "data": {"input": "Make the tests pass."}}
    ]
    for number, step in enumerate(STORY):
        run = f"9f-{number}"
        records.append({"event": "on_chat_model_start", "run_id": f"m-{number}", "name": "ChatModel", "data": {}})
        records.append({"event": "on_tool_start", "run_id": run, "name": step.tool, "data": {"input": step.arguments}})
        if step.failed:
            records.append({"event": "on_tool_error", "run_id": run, "name": step.tool, "data": {"error": step.output}})
        else:
            records.append({"event": "on_tool_end", "run_id": run, "name": step.tool, "data": {"output": step.output}})
    return _lines(records)


def arguments_as_texts() -> str:
    """Lines of calls and results in which arguments are JSON texts."""
    records: list[dict[str, Any]] = []
    for number, step in enumerate(STORY):
        records.append(
            {"type": "call", "callId": f"k{number}", "toolName": step.tool, "toolInput": json.dumps(step.arguments)}
        )
        records.append({"type": "result", "callId": f"k{number}", "observation": step.output, "isError": step.failed})
    return _lines(records)


def several_sessions() -> str:
    """Lines of two runs, mixed, each run with the whole story."""
    records = [
        {
            "run_id": run,
            "time": _iso(10 * number + offset),
            "tool_name": step.tool,
            "parameters": step.arguments,
            "response": step.output,
            "success": not step.failed,
        }
        for number, step in enumerate(STORY)
        for offset, run in enumerate(("night-1", "night-2"))
    ]
    return _lines(records)


def embedded_lines() -> str:
    """A program's text log with JSON objects behind the words of some lines."""
    lines = ["2026-01-01 00:00:00,000 INFO boot: ready"]
    for number, step in enumerate(STORY):
        called = {"tool": step.tool, "args": step.arguments, "id": f"q{number}"}
        ended = {"id": f"q{number}", "result": step.output, "failed": step.failed}
        lines.append(f"2026-01-01 00:00:{10 + number},100 INFO worker: dispatch {json.dumps(called)}")
        lines.append(f"2026-01-01 00:00:{10 + number},900 INFO worker: came back {json.dumps(ended)} in time")
    return "\n".join(lines)


def rows_with_columns() -> str:
    """A table: a row of names, then a list for each call."""
    rows: list[list[Any]] = [["when", "tool", "params", "output", "outcome"]]
    rows += [
        [_iso(number), step.tool, step.arguments, step.output, "failure" if step.failed else "success"]
        for number, step in enumerate(STORY)
    ]
    return _lines(rows)


def sibling_lists() -> str:
    """One object with the messages in one list, the calls in another and the results in a third."""
    calls = [{"id": f"c{number}", "tool": step.tool, "args": step.arguments} for number, step in enumerate(STORY)]
    back = [
        {"call_id": f"c{number}", "output": step.output, "ok": not step.failed} for number, step in enumerate(STORY)
    ]
    said = [{"role": "user", "content": "Mend the bill."}, {"role": "assistant", "content": "I look at it."}]
    agent = {"kind": "react", "llm": {"provider": "local", "model": "example-4"}}
    made = {"config": {"agents": [agent]}, "messages": said, "tool_calls": calls, "tool_results": back[::-1]}
    return json.dumps(made)


def sibling_lists_of_runs() -> str:
    """Lines, each a run with lists of its own, in which everything has its time."""
    lines = []
    for run in ("day-1", "day-2"):
        calls = [
            {"ref": f"{run}/{number}", "function": step.tool, "parameters": step.arguments, "at": _iso(2 * number + 1)}
            for number, step in enumerate(STORY)
        ]
        back = [
            {"ref": f"{run}/{number}", "returned": step.output, "error": step.failed, "at": _iso(2 * number + 2)}
            for number, step in enumerate(STORY)
        ]
        said = [{"speaker": "human", "text": "Mend the bill.", "at": _iso(0)}]
        lines.append({"run_id": run, "trace": {"talk": said, "invocations": calls, "outcomes": back}})
    return _lines(lines)


LOGS: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        flat_events,
        one_record_per_call,
        nested_steps,
        requests_and_responses,
        spans,
        callbacks,
        arguments_as_texts,
        several_sessions,
        embedded_lines,
        rows_with_columns,
        sibling_lists,
        sibling_lists_of_runs,
    )
}
"""The logs by name."""
