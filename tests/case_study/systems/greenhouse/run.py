"""One run of the greenhouse agent: prints what happened as JSON."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from .cards import CARDS
from .kernel import Kernel
from .planner import check, draft, repair
from .tools import Context

TASK = (
    "Water the north zone for the tomatoes at dawn: read its sensors, work out how long, reserve the valves, and note "
    "slot and minutes in logbook.md."
)
REPAIRS = 3


class Recorder:
    """Everything that was said and called."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = [{"said": TASK, "by": "user"}]

    def say(self, text: str) -> None:
        """Record a sentence of the agent."""
        self.events.append({"said": text, "by": "assistant"})

    def call(self, tool: str, arguments: dict[str, Any], result: str, *, failed: bool) -> None:
        """Record one call."""
        self.events.append({"tool": tool, "arguments": arguments, "result": result, "failed": failed})


def main() -> None:
    """Plan, check, repair, carry out."""
    log = Recorder()
    log.say("I'll make a plan and have it checked before anything runs.")
    plan = draft()
    log.call("planner.draft", {"goal": TASK, "tools": CARDS}, json.dumps({"plan": plan}, indent=1), failed=False)
    wrong = check(plan)
    log.call(
        "planner.check", {"plan": plan}, f"Plan rejected.\n{wrong}" if wrong else "Plan accepted.", failed=bool(wrong)
    )
    attempt = 0
    while wrong and attempt < REPAIRS:
        attempt += 1
        plan = repair(plan, wrong, attempt)
        log.call(
            "planner.repair", {"attempt": attempt, "problem": wrong}, json.dumps({"plan": plan}, indent=1), failed=False
        )
        wrong = check(plan)
        log.call(
            "planner.check",
            {"plan": plan},
            f"Plan rejected.\n{wrong}" if wrong else "Plan accepted.",
            failed=bool(wrong),
        )
    if wrong:
        log.say(f"I have no plan that passes the check after {REPAIRS} repairs, so nothing was watered.")
    else:
        with tempfile.TemporaryDirectory() as folder:
            stopped = Kernel(Context("the gardener", Path(folder)), log).run(plan)
        log.say(f"I stopped: {stopped}." if stopped else "All 4 steps are done; the slot is noted in logbook.md.")
    json.dump({"task": TASK, "events": log.events}, sys.stdout)


main()
