"""Where single formats write down what each call of the model used: after results, again with each record, as a running
total."""

from __future__ import annotations

from itertools import count
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Tokens
from tests.formats import codex_builders as codex
from tests.formats.spent import answers, inputs, read, spent

_numbers = count(1)


def test_codex_counts_after_the_results_of_the_calls_that_it_counts() -> None:
    session = read(
        [
            codex.META,
            codex.call(1, "a"),
            codex.call(1, "b"),
            codex.output(2, "a", "1"),
            codex.output(2, "b", "2"),
            codex.totals(3, 100, 0, 10),
            codex.totals(3, 100, 0, 10),
            codex.said(4, "assistant", "Now the other one."),
            codex.totals(5, 300, 50, 15),
            codex.call(6, "c"),
            codex.output(7, "c", "3"),
            codex.totals(8, 600, 60, 30),
        ],
        "codex",
    )
    # The first total is a copied thread's: of it only the last request, of 1 token, was made here.
    assert spent(session) == [(1, None, None, None), None, (300, 15, 10, None)]
    assert answers(session) == [("Now the other one.", 200)]


def claude(message_id: str, output: int, *blocks: dict[str, Any], **more: object) -> dict[str, Any]:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 7, "output_tokens": output}
    message = {"id": message_id, "role": "assistant", "model": "example-1", "content": list(blocks), "usage": usage}
    about = {"sessionId": "s", "isSidechain": False, "parentUuid": None, "timestamp": "2026-02-01T10:00:00Z"}
    return {"type": "assistant", "uuid": f"u{next(_numbers)}", **about, "message": message, **more}


def use(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": "ls"}}


def test_claude_code_repeats_the_usage_of_a_message_with_each_of_its_records() -> None:
    session = read(
        [
            claude("m1", 1, {"type": "text", "text": "Both."}),
            claude("m1", 1, use("a")),
            claude("m1", 40, use("b")),
            claude("m2", 5, {"type": "text", "text": "Well."}),
            claude("m4", 8, use("d"), isSidechain=True, agentId="helper"),
            claude("m3", 6, use("c")),
        ],
        "claude-code",
    )
    assert spent(session) == [(10, 40, 7, None), None, (10, 8, 7, None), (10, 6, 7, None)]
    assert answers(session) == [("Well.", 10)]


def test_opencode_has_the_requests_of_a_message_apart() -> None:
    def part(name: str) -> dict[str, Any]:
        return {
            "type": "tool",
            "tool": "bash",
            "callID": name,
            "state": {"status": "completed", "input": {"command": "ls"}, "output": ""},
        }

    def done(sent: int) -> dict[str, Any]:
        return {
            "type": "step-finish",
            "cost": 0.5,
            "tokens": {"input": sent, "output": 1, "cache": {"read": 2, "write": 0}},
        }

    parts = [{"type": "step-start"}, part("a"), done(10), {"type": "step-start"}, part("b"), done(20)]
    about = {
        "role": "assistant",
        "sessionID": "s",
        "cost": 1.0,
        "tokens": {"input": 20, "output": 1, "cache": {"read": 2, "write": 0}},
    }
    session = read({"info": {"slug": "x", "id": "s"}, "messages": [{"info": about, "parts": parts}]}, "opencode")
    assert spent(session) == [(12, 1, 2, 0.5), (22, 1, 2, 0.5)]
    assert (session.tokens, session.cost_usd) == (Tokens(34, 2, 4, 0), 1.0)


def v0(number: int, response: str, total: int | None = None, usage: dict[str, int] | None = None) -> dict[str, Any]:
    metrics = (
        {"accumulated_cost": total / 100, "accumulated_token_usage": {"prompt_tokens": total, "completion_tokens": 2}}
        if total
        else {}
    )
    answer = {"id": response, **({"usage": usage} if usage else {})}
    return {
        "id": number,
        "source": "agent",
        "action": "run",
        "args": {"command": "ls"},
        "tool_call_metadata": {"model_response": answer},
        **({"llm_metrics": metrics} if total else {}),
    }


def test_openhands_totals_rise_with_the_events() -> None:
    session = read({"history": [v0(1, "r1", 100), v0(2, "r1", 100), v0(3, "r2", 250)]}, "openhands")
    assert spent(session) == [(100, 2, None, 1.0), None, (150, 0, None, 1.5)]


def test_openhands_answers_tell_their_own_usage_where_no_total_does() -> None:
    used = {"prompt_tokens": 50, "completion_tokens": 5}
    session = read(
        {"history": [v0(1, "r1", usage=used), v0(2, "r1", usage=used), v0(3, "r2", usage=used)]}, "openhands"
    )
    assert spent(session) == [(50, 5, None, None), None, (50, 5, None, None)]
    assert session.tokens == Tokens(100, 10)


def test_the_metrics_of_an_openhands_evaluation_name_the_answers() -> None:
    listed = [{"response_id": f"r{number}", "prompt_tokens": number * 10, "completion_tokens": 1} for number in (1, 2)]
    metrics = {
        "accumulated_cost": 0.3,
        "accumulated_token_usage": {"prompt_tokens": 30, "completion_tokens": 2},
        "token_usages": listed,
        "costs": [{"cost": 0.1}, {"cost": 0.2}],
    }
    session = read({"instance_id": "i", "history": [v0(1, "r1"), v0(2, "r2")], "metrics": metrics}, "openhands")
    assert spent(session) == [(10, 1, None, 0.1), (20, 1, None, 0.2)]


def sdk_call(number: int) -> dict[str, Any]:
    return {
        "kind": "ActionEvent",
        "source": "agent",
        "id": f"a{number}",
        "llm_response_id": f"r{number}",
        "tool_name": "terminal",
        "action": {"kind": "TerminalAction", "command": "ls"},
    }


def sdk_stats(total: int) -> dict[str, Any]:
    usage = {"prompt_tokens": total, "completion_tokens": 1, "cache_read_tokens": 0}
    value = {"usage_to_metrics": {"agent": {"accumulated_cost": 0.0, "accumulated_token_usage": usage}}}
    return {"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "stats", "value": value}


def test_openhands_sdk_statistics_tell_what_one_answer_used_but_not_how_several_share_it() -> None:
    calls = [sdk_call(1), sdk_stats(100), sdk_call(2), sdk_call(3), sdk_stats(400), sdk_call(4), sdk_stats(450)]
    session = read(calls, "openhands-sdk")
    assert inputs(session) == [100, None, None, 50]
    assert session.tokens.input == 450


def test_claude_managed_agents_count_a_request_when_it_ends() -> None:
    def event(number: int, kind: str, **more: object) -> dict[str, Any]:
        return {"id": f"e{number}", "type": kind, "processed_at": "2026-02-01T10:00:00Z", **more}

    def ended(number: int, start: str, sent: int) -> dict[str, Any]:
        usage = {"input_tokens": sent, "output_tokens": 1}
        return event(number, "span.model_request_end", model_request_start_id=start, model_usage=usage)

    session = read(
        [
            event(1, "span.model_request_start"),
            event(2, "agent.tool_use", name="bash", input={"command": "ls"}),
            ended(3, "e1", 10),
            event(4, "span.model_request_start"),
            event(5, "agent.message", content="Well."),
            ended(6, "e4", 20),
            event(7, "span.model_request_start"),
            event(8, "agent.tool_use", name="bash", input={"command": "pwd"}),
            ended(9, "e7", 30),
        ],
        "claude-managed-agents",
    )
    assert (inputs(session), answers(session)) == ([10, 30], [("Well.", 20)])


def test_a_chat_has_the_usage_of_its_messages() -> None:
    def asks(name: str, sent: int) -> dict[str, Any]:
        function = {"name": "bash", "arguments": "{}"}
        usage = {
            "prompt_tokens": sent,
            "completion_tokens": 4,
            "prompt_tokens_details": {"cached_tokens": 3},
            "cost": 0.5,
        }
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": name, "function": function}],
            "usage": usage,
        }

    session = read({"messages": [{"role": "user", "content": "Go."}, asks("a", 10), asks("b", 20)]}, "chat")
    assert spent(session) == [(10, 4, 3, 0.5), (20, 4, 3, 0.5)]
    assert session.tokens == Tokens(30, 8)


def test_terminal_bench_shows_the_cost_so_far_with_each_step() -> None:
    steps = "".join(
        (
            f"mini-swe-agent (step {number}, ${cost}):\nI look.\n\n```bash\nls "
            f"{number}\n```\n\nUser:\n<returncode>0</returncode>\n<output>\nx\n</output>\n"
        )
        for number, cost in ((1, "0.01"), (2, "0.01"), (3, "0.04"))
    )
    log = (
        "root@box:/app# asciinema rec --stdin /logs/agent.cast\nroot@box:/app# mini -m example-1 -t "
        f"x\n{steps}\nroot@box:/app# "
    )
    (session,) = load_bytes(log.encode(), "agent.log", "terminal-bench").sessions
    assert [one for one, made in zip(spent(session), session.calls(), strict=True) if not made.harness] == [
        (None, None, None, 0.01),
        None,
        (None, None, None, 0.03),
    ]
