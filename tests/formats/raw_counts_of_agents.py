"""Small counters that look at nothing but the raw file, for coding agents and benchmarks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from tests.formats.raw_counts import Counts, json_lines, printed
from tests.formats.raw_counts_of_frameworks import within

LARGEST = 2_000_000
"""Bytes of the largest file that is counted here: there are hundreds of files, and the larger ones say the same."""


def whole(path: Path) -> Any:
    """The one JSON value of a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def small(counter: Callable[[Path], Counts | None]) -> Callable[[Path], Counts | None]:
    """The counter, for files that aren't large."""

    def counted(path: Path) -> Counts | None:
        return counter(path) if path.stat().st_size <= LARGEST else None

    return counted


def of_claude_code(path: Path) -> Counts | None:
    """The ids of blocks of calls and of results, each once; None where a store replaced ids by one text, or where
    sub-agents report in records of progress."""
    uses: set[str] = set()
    results: dict[str, bool] = {}
    for record in chain(json_lines(path), printed(path)):
        if record.get("type") == "progress" and (record.get("data") or {}).get("type") == "agent_progress":
            return None
        message = record.get("message")
        if not isinstance(message, dict) or message.get("model") == "<synthetic>":
            continue
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            if not isinstance(block, dict):
                continue
            name = block.get("id") if block.get("type") == "tool_use" else block.get("tool_use_id")
            if block.get("type") in ("tool_use", "tool_result") and (not name or "redacted" in str(name).lower()):
                return None
            if block.get("type") == "tool_use":
                uses.add(str(name))
            elif block.get("type") == "tool_result":
                results[str(name)] = results.get(str(name), False) or block.get("is_error") is True
    return Counts(len(uses), len(results), sum(results.values()), None)


def of_codex(path: Path) -> Counts | None:
    """Items of calls and of outputs, and searches of the web, which are both; None for the tool whose input is a
    script, which holds several calls."""
    counts = Counts(errors=None, tokens=None)
    for record in json_lines(path):
        item = record.get("payload") or {}
        if record.get("type") != "response_item":
            continue
        kind = str(item.get("type"))
        if kind == "custom_tool_call" and item.get("name") == "exec":
            return None
        counts.calls += kind.endswith("_call")
        counts.results = (counts.results or 0) + kind.endswith(("_call_output", "_search_output", "web_search_call"))
    return counts


def of_codex_legacy(path: Path) -> Counts:
    """Items of calls and of outputs."""
    kinds = [str(record.get("type")) for record in json_lines(path)]
    calls = sum(kind.endswith("_call") for kind in kinds)
    return Counts(calls, sum(kind.endswith("_call_output") for kind in kinds), None, None)


def of_gemini_cli(path: Path) -> Counts | None:
    """Calls within the messages of one value, with the status of each."""
    try:
        value = whole(path)
    except ValueError:
        return None
    messages = value.get("messages", [value])
    calls = [call for message in messages for call in message.get("toolCalls") or []]
    ended = [call for call in calls if call.get("status") in ("success", "error", "cancelled")]
    return Counts(len(calls), len(ended), sum(call["status"] != "success" for call in ended), None)


def of_gemini_cli_stream(path: Path) -> Counts:
    """Events of calls and of results, and what was sent in all of a run."""
    events = list(json_lines(path))
    results = [event for event in events if event.get("type") == "tool_result"]
    sent = sum(event["stats"]["input_tokens"] for event in events if event.get("type") == "result")
    calls = sum(event.get("type") == "tool_use" for event in events)
    return Counts(calls, len(results), sum(result["status"] == "error" for result in results), sent)


def of_copilot_cli(path: Path) -> Counts:
    """The ids of calls, which are asked for and started, and of those that were completed."""
    asked: set[str] = set()
    ended: dict[str, bool] = {}
    for record in json_lines(path):
        data = record.get("data") or {}
        asked.update(request["toolCallId"] for request in data.get("toolRequests") or [])
        if record.get("type") == "tool.execution_start":
            asked.add(data["toolCallId"])
        elif record.get("type") == "tool.execution_complete":
            ended[data["toolCallId"]] = data.get("success") is False
    return Counts(len(asked), len(ended), None, None)


def of_codex_exec_json(path: Path) -> Counts:
    """The ids of items that are no words."""
    items = [record.get("item") or {} for record in json_lines(path)]
    said = ("agent_message", "reasoning", "error", None)
    return Counts(len({item["id"] for item in items if item.get("type") not in said}), None, None, None)


def of_mini_swe_agent(path: Path) -> Counts | None:
    """Answers of the model, each with its one command; None for version 2, whose messages have calls."""
    value = whole(path)
    messages = value["messages"] if isinstance(value, dict) else []
    if not messages or any(message.get("tool_calls") for message in messages):
        return None
    commands = [message for message in messages if re.search(r"```bash\s*\n", str(message["content"]))]
    made = sum(message["role"] == "assistant" for message in commands)
    return Counts(made, made, None, None)


def of_tau_bench(path: Path) -> Counts:
    """Calls and answers of tools, and the answers to actions that an agent writes as text."""
    value = whole(path)
    runs = value if isinstance(value, list) else [value]
    messages = [message for run in runs if isinstance(run, dict) for message in run.get("traj") or []]
    written = sum(message["role"] == "user" and message["content"].startswith("API output: ") for message in messages)
    calls = sum(len(message.get("tool_calls") or []) for message in messages)
    answers = sum(message["role"] == "tool" for message in messages)
    return Counts(calls + written, answers + written, None, None, len(runs))


def of_atif(path: Path) -> Counts | None:
    """Calls of the steps that aren't copied, and those in the text of a step of the agent that has none."""
    value = whole(path)
    if not isinstance(value, dict) or "steps" not in value:
        return None
    steps = [step for step in value["steps"] if step.get("is_copied_context") is not True]
    calls = sum(len(step.get("tool_calls") or []) for step in steps)
    words = [str(step["message"]) for step in steps if step.get("source") == "agent" and not step.get("tool_calls")]
    return Counts(calls + sum("<function=" in text or '"commands"' in text for text in words), None, None, None)


def of_claude_managed_agents(path: Path) -> Counts:
    """Records of uses and of results, and such events where each line holds one behind the name of its stream."""
    kinds = [record.get("kind") for record in json_lines(path)]
    if not any(kinds):  # what is sent comes back in the stream
        uses, answered = set(), set()
        for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
            with suppress(ValueError):
                for event in within(json.loads(line)):
                    if str(event.get("type")).endswith("tool_use"):
                        uses.add(event.get("id"))
                    elif str(event.get("type")).endswith("tool_result"):
                        answered |= {value for key, value in event.items() if key.endswith("tool_use_id")}
        return Counts(len(uses), len(answered), None, None)
    return Counts(kinds.count("tool_use"), kinds.count("tool_result"), None, None)


def of_claude_code_stream(path: Path) -> Counts:
    """The ids of blocks of calls and of results, each once."""
    uses: set[str] = set()
    results: set[str] = set()
    for record in json_lines(path):
        content = (record.get("message") or {}).get("content")
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "tool_use":
                uses.add(block["id"])
            elif block.get("type") == "tool_result":
                results.add(block["tool_use_id"])
    return Counts(len(uses), len(results), None, None)


def of_intercode(path: Path) -> Counts:
    """Actions and observations of every episode."""
    turns = [episode["turn_history"] for episode in whole(path).values()]
    return Counts(sum(len(turn["actions"]) for turn in turns), None, None, None, len(turns))


def of_openhands_sdk(path: Path) -> Counts | None:
    """Events of actions and of observations in a list; None for other files."""
    try:
        value = whole(path)
    except ValueError:
        return None
    if not isinstance(value, list):
        return None
    kinds = [str(event.get("kind")) for event in value]
    return Counts(kinds.count("ActionEvent"), None, None, None)


def of_openhands(path: Path) -> Counts | None:
    """Actions of the agent that a tool makes, in a list of events or in the history of each line."""
    text = path.read_text(encoding="utf-8")
    runs: list[Any] = [json.loads(text)] if text.startswith("[") else [row.get("history") for row in json_lines(path)]
    if not all(isinstance(run, list) for run in runs):
        return None
    tools = ("run", "run_ipython", "read", "write", "edit", "think", "finish")
    made = [event for run in runs for event in run if event.get("action") in tools]
    return Counts(sum(event.get("source", "agent") == "agent" for event in made), None, None, None, len(runs))


def of_tau2_bench(path: Path) -> Counts | None:
    """The agent's calls and their answers: the simulated user may have tools as well."""
    value = whole(path)
    simulations = value.get("simulations") if isinstance(value, dict) else None
    if not isinstance(simulations, list):
        return None
    messages = [message for simulation in simulations for message in simulation.get("messages") or []]
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    answers = [message for message in messages if message.get("role") == "tool"]
    if any(entry.get("requestor") == "user" for entry in (*calls, *answers)):
        return None
    return Counts(
        len(calls), len(answers), sum(answer.get("error") is True for answer in answers), None, len(simulations)
    )


def of_swe_agent(path: Path) -> Counts | None:
    """Steps of the trajectory; None for a file with nothing but the history."""
    steps = whole(path).get("trajectory")
    return Counts(len(steps), len(steps), None, None) if isinstance(steps, list) and steps else None


def of_magentic_one(path: Path) -> Counts:
    """Instructions of the orchestrator."""
    return Counts(sum(item["role"].startswith("Orchestrator (-> ") for item in whole(path)), None, None, None)


def of_who_and_when(path: Path) -> Counts:
    """Instructions of an orchestrator, and what a computer ran."""
    history = whole(path)["history"]
    ran = [item for item in history if item.get("name") == "Computer_terminal"]
    asked = sum(item["role"].startswith("Orchestrator (-> ") for item in history)
    return Counts(asked + sum(item["content"].startswith("exitcode: ") for item in ran), None, None, None)


def of_reflexion_logs(path: Path) -> Counts:
    """Lines of actions, and of questions."""
    heads = re.findall(r"^(Action \d+|Question): ?", path.read_text(encoding="utf-8"), re.MULTILINE)
    questions = heads.count("Question")
    return Counts(len(heads) - questions, None, None, None, questions)


def of_otlp(path: Path) -> Counts | None:
    """Spans that are called after a tool that is executed; None where none is."""
    calls = len(re.findall(r'"name": ?"execute_tool ', path.read_text(encoding="utf-8")))
    return Counts(calls, None, None, None) if calls else None


AGENT_COUNTERS: dict[str, Callable[[Path], Counts | None]] = {
    name: small(counter)
    for name, counter in {
        "atif": of_atif,
        "claude-code": of_claude_code,
        "claude-code-stream": of_claude_code_stream,
        "claude-managed-agents": of_claude_managed_agents,
        "codex": of_codex,
        "codex-exec-json": of_codex_exec_json,
        "codex-legacy": of_codex_legacy,
        "copilot-cli": of_copilot_cli,
        "gemini-cli": of_gemini_cli,
        "gemini-cli-stream": of_gemini_cli_stream,
        "intercode": of_intercode,
        "magentic-one": of_magentic_one,
        "mini-swe-agent": of_mini_swe_agent,
        "openhands": of_openhands,
        "openhands-sdk": of_openhands_sdk,
        "otlp": of_otlp,
        "reflexion-logs": of_reflexion_logs,
        "swe-agent": of_swe_agent,
        "tau-bench": of_tau_bench,
        "tau2-bench": of_tau2_bench,
        "who-and-when": of_who_and_when,
    }.items()
}
"""The counters by the names of the formats."""
