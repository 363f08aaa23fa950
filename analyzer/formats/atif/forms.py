"""What the objects of a trajectory hold, as far as the format says."""

from __future__ import annotations

from analyzer.formats.record.warnings import ANYTHING, GIVEN, LIST, OBJECT, WORDS, Form

STEP = Form(
    "a step",
    may={
        "message": (*WORDS, *OBJECT),
        "reasoning_content": WORDS,
        "tool_calls": LIST,
        "observation": OBJECT,
        "metrics": OBJECT,
        "extra": ANYTHING,
    },
    others=frozenset({"step_id", "timestamp", "source", "model_name", "reasoning_effort", "llm_call_count"}),
)
CALL = Form(
    "a tool call",
    may={"arguments": (*GIVEN, *LIST), "extra": ANYTHING},
    others=frozenset({"tool_call_id", "function_name", "id", "name", "timestamp", "type"}),
)
OBSERVATION = Form("an observation", may={"results": LIST, "extra": ANYTHING}, others=frozenset())
RESULT = Form(
    "a result",
    may={"content": (*WORDS, *OBJECT), "subagent_trajectory_ref": (*LIST, *OBJECT), "extra": ANYTHING},
    others=frozenset({"source_call_id", "timestamp"}),
)
