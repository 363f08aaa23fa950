"""A session in the Agent Trajectory Interchange Format (ATIF), version 1.7.

One step per message or group of parallel calls. Error flags and exit codes go into the `extra` of a result; what only
this project knows (the session's task and end, marks, hand-ins, durations) stands under `analyze_session` in the
`extra` of trajectory, call or result. Lanes of sub-agents become trajectories of their own inside the parent's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.export.own import Turn, header_of, known, of_call, of_result, rfc3339, timestamp, turns
from analyzer.formats.atif.steps import OURS
from analyzer.formats.record.token_counts import CACHE_WRITTEN, kept_for_hour, put_into_cache
from analyzer.formats.record.usage import together
from analyzer.model.session import Compaction, Message, Session, Tokens, Usage
from analyzer.model.words import MAIN_LANE

VERSION = "ATIF-v1.7"
_SOURCES = {"user": "user", "assistant": "agent", "system": "system", "harness": "system"}
_ELSEWHERE = frozenset({"id", "agent", "agent_version", "model", "tokens", "cost_usd"})
_PLAIN = frozenset({"exit_code", "is_error"})
_Event = Turn | Message | Compaction


def document(session: Session) -> dict[str, Any]:
    """The trajectory of a session."""
    events = list(turns(session))
    lanes = list(dict.fromkeys(event.lane for event in events if event.lane != MAIN_LANE))
    made = _trajectory(session, session.id, [event for event in events if event.lane == MAIN_LANE])
    made["final_metrics"] = known(
        {
            "total_prompt_tokens": session.tokens.input,
            "total_completion_tokens": session.tokens.output,
            "total_cached_tokens": session.tokens.cached,
            "total_cost_usd": session.cost_usd,
            "total_steps": len(made["steps"]),
            "extra": put_into_cache(session.tokens) or None,
        }
    )
    made.update(_extra({key: value for key, value in header_of(session).items() if key not in _ELSEWHERE}))
    if lanes:
        made["subagent_trajectories"] = [
            {**_trajectory(session, lane, [event for event in events if event.lane == lane]), **_extra({"lane": lane})}
            for lane in lanes
        ]
    return made


def _trajectory(session: Session, ident: str, events: Sequence[_Event]) -> dict[str, Any]:
    agent = {"name": session.agent or "unknown", "version": session.agent_version or "unknown"}
    steps: list[dict[str, Any]] = []
    batch: str | None = None
    for event in events:
        if isinstance(event, Compaction):
            extra = {"context_management": known({"type": "compaction", "trigger": event.trigger})}
            steps.append({"source": "system", "message": "", "extra": extra, **timestamp(event.time, session)})
        elif isinstance(event, Message):
            said = {"source": _SOURCES[event.role], "message": event.text, **timestamp(event.time, session)}
            steps.append({**said, **({"message": "", "reasoning_content": event.text} if event.thought else {})})
        else:
            if event.call.batch is None or event.call.batch != batch or "tool_calls" not in steps[-1]:
                # A group of calls begins in the step of the words before it if there are any.
                if not steps or steps[-1]["source"] != "agent" or "tool_calls" in steps[-1]:
                    steps.append({"source": "agent", "message": "", **timestamp(event.call.time, session)})
                steps[-1] |= {"tool_calls": [], "observation": {"results": []}}
            _add(session, steps[-1], event)
        batch = event.call.batch if isinstance(event, Turn) else None
    for number, step in enumerate(steps, 1):
        step["step_id"] = number
        if not step.get("observation", {"results": [0]})["results"]:
            del step["observation"]
    head = {"schema_version": VERSION, "session_id": session.id, "trajectory_id": ident}
    return {**head, "agent": {**agent, **known({"model_name": session.model})}, "steps": steps}


def _add(session: Session, step: dict[str, Any], turn: Turn) -> None:
    call, result = turn.call, turn.result
    ident = f"{call.id or 'call'}-{len(step['tool_calls']) + 1}"
    free = isinstance(call.arguments, str)
    arguments = {"input": call.arguments} if isinstance(call.arguments, str) else dict(call.arguments)
    started = rfc3339(call.time, session)
    facts = {key: value for key, value in of_call(call).items() if key not in ("lane", "batch")}
    if call.usage is not None:
        usage = together(_usage(step), call.usage)
        sent, received, cached = usage.tokens.input, usage.tokens.output, usage.tokens.cached
        counts = {"prompt_tokens": sent, "completion_tokens": received, "cached_tokens": cached}
        step["metrics"] = known({**counts, "cost_usd": usage.cost_usd, "extra": put_into_cache(usage.tokens) or None})
    facts |= known({"free_text": free or None, "started_at": started if started != step.get("timestamp") else None})
    step["tool_calls"].append(
        {"tool_call_id": ident, "function_name": call.name, "arguments": arguments, **_extra(facts)}
    )
    if result is not None:
        of = of_result(turn)
        plain = {key: value for key, value in of.items() if key in _PLAIN}
        found = {"source_call_id": ident, "content": result.text}
        step["observation"]["results"].append(
            {**found, **_extra({key: value for key, value in of.items() if key not in _PLAIN}, plain)}
        )


def _usage(step: dict[str, Any]) -> Usage | None:
    if "metrics" not in step:
        return None
    found = step["metrics"].get
    more = found("extra") or {}
    sent, received, cached = (found(f"{kind}_tokens") for kind in ("prompt", "completion", "cached"))
    return Usage(Tokens(sent, received, cached, more.get(CACHE_WRITTEN), kept_for_hour(more)), found("cost_usd"))


def _extra(ours: dict[str, Any], plain: dict[str, Any] | None = None) -> dict[str, Any]:
    extra = {**(plain or {}), **({OURS: ours} if ours else {})}
    return {"extra": extra} if extra else {}
