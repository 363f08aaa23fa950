"""What the guard takes per step, and what it holds, over a long run.

python benchmarks/guard.py [STEPS]
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc

from analyzer.guard import Guard
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from benchmarks.sessions import session

PARTS = 10


def main() -> None:
    """Print one row per tenth of the run: time per step, then the memory held at its end."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    made = session(steps)
    guard = Guard(made.task or "")
    print(f"{'steps':>7} {'us/step':>8} {'slowest ms':>11} {'alarms':>7}")
    _run(guard, made, steps, memory=False)
    guard = Guard(made.task or "")
    gc.collect()
    tracemalloc.start()
    print(f"{'steps':>7} {'held MB':>8}")
    _run(guard, made, min(steps, 20_000), memory=True)


def _run(guard: Guard, made: Session, steps: int, *, memory: bool) -> None:
    done = alarms = 0
    spent = slowest = 0.0
    calls: dict[str, ToolCall] = {}
    for event in made.events:
        start = time.perf_counter()
        if isinstance(event, Message):
            guard.take_message(event)
        elif isinstance(event, ToolCall):
            calls[event.id or ""] = event
        elif isinstance(event, ToolResult):
            alarms += len(guard.take(calls.pop(event.call_id or ""), event))
            done += 1
        took = time.perf_counter() - start
        spent, slowest = spent + took, max(slowest, took)
        if isinstance(event, ToolResult) and done % (steps // PARTS) == 0:
            if memory:
                gc.collect()
                print(f"{done:7} {tracemalloc.get_traced_memory()[0] / 1e6:8.2f}")
            else:
                print(f"{done:7} {1e6 * spent / (steps // PARTS):8.0f} {1e3 * slowest:11.1f} {alarms:7}")
            spent = slowest = 0.0
        if done >= steps:
            return


if __name__ == "__main__":
    main()
