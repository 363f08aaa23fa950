"""The planner: a script that drafts the plan, and repairs it by what the check says."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from .cards import ALIASES, SCHEMAS

Plan = list[dict[str, Any]]


def draft() -> Plan:
    """The plan as the cards of the tools suggest it."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("sensors.read_zone", {"zone": "north"}),
        ("agronomy.water_need", {"samples": "$result.step_1.samples", "crop": "tomato"}),
        ("irrigation.plan_slot", {"zone": "north", "minutes": "$result.step_2.minutes", "window": "dawn"}),
        (
            "logbook.write",
            {
                "path": "logbook.md",
                "text": "Zone north: slot $result.step_3.slot, $result.step_2.minutes minutes at dawn.",
            },
        ),
    ]
    return [{"step": number, "tool": tool, "arguments": given} for number, (tool, given) in enumerate(calls, 1)]


def check(plan: Plan) -> str:
    """What is wrong with a plan; empty for one that may run."""
    said = []
    for step in plan:
        tool = step["tool"]
        given = {ALIASES.get(name, name): value for name, value in step["arguments"].items()}
        try:
            msgspec.convert(given, SCHEMAS[tool])
        except msgspec.ValidationError as error:
            takes = ", ".join(field.name for field in msgspec.structs.fields(SCHEMAS[tool]))
            said.append(f"step {step['step']} ({tool}): {error}; it takes {takes}")
    return "\n".join(said)


def repair(plan: Plan, said: str, attempt: int) -> Plan:
    """The plan with the unknown name replaced: by what the tool is said to take, then by a guess."""
    found = re.search(r"step (\d+) .*unknown field `(\w+)`; it takes (.*)", said)
    if found is None:
        return plan
    number, takes = int(found[1]), found[3].split(", ")
    arguments = plan[number - 1]["arguments"]
    old = next(name for name in arguments if name not in takes or name in ALIASES)
    expected = next(name for name in takes if name not in arguments or name == old)
    new = (expected, "duration", expected)[attempt - 1]
    renamed = {new if name == old else name: value for name, value in arguments.items()}
    return [{**step, "arguments": renamed} if step["step"] == number else step for step in plan]
