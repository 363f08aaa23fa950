"""Folders full of made-up sessions, from our own samples: as many as wanted, each with names, errors, length, times and
ids of its own."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

from benchmarks.sessions import word

SAMPLES = Path(__file__).resolve().parent.parent / "sample_sessions"
_NAMES = ("clamp_splines", "import_orders", "moving_numbers", "ImportBatchError", "customer_ref", "degree", "orders")
"""What gets another name in every family of sessions."""
_FAMILIES = 97
_MODELS = ("example-model-1", "example-model-2", "example-model-2-small")
_PER_FOLDER = 1_000
_MOMENT = re.compile(r"2025-1[12]-\d\d(T[\d:]+\.\d{3})Z")


def write(folder: Path, sessions: int, first: int = 0, steps: int | None = None) -> int:
    """Write the sessions with the numbers from `first` to `sessions` - 1 into `folder`, a thousand files per folder
    below it; their size in bytes. With `steps` a session has only so many actions."""
    samples = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*.json"))]
    texts = [json.dumps(sample) for sample in samples]
    size = 0
    for number in range(first, sessions):
        place = folder / f"{number // _PER_FOLDER:04}"
        if number % _PER_FOLDER == 0 or number == first:
            place.mkdir(parents=True, exist_ok=True)
        data = json.dumps(session(texts[number % len(texts)], number, steps)).encode()
        (place / f"run-{number:07}.json").write_bytes(data)
        size += len(data)
    return size


def session(text: str, number: int, steps: int | None = None) -> dict[str, Any]:
    """The sample with this JSON text as session `number`: the same number gives the same session."""
    name = word(number % _FAMILIES)
    for old in _NAMES:
        text = text.replace(old, f"{name}_{old}" if old.islower() else name.title() + old)
    # No two sessions began in the same moment, or an audit would take them for copies and forks of one another.
    day = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
    made: dict[str, Any] = json.loads(_MOMENT.sub(rf"{day}\g<1>{number // 336 % 1000:03}Z", text))
    header = made["session"]
    header.update(
        id=f"{name}-{number}",
        model=_MODELS[number % 3],
        agent_version=f"1.{number // 5_000}",
        task=f"{header.get('task')} ({name})",
    )
    actions = made["actions"]
    del actions[len(actions) - number % 5 :]
    if steps is not None:
        del actions[steps:]
    for action in actions:
        if isinstance(action.get("result"), str) and "Error" in action["result"]:
            action["result"] += f"\nseen in run {number} at 0x{number * 2654435761 % 2**32:08x}"
    last = [
        message
        for message in made.get("messages", [])
        if "before_action" not in message or message["before_action"] <= len(actions)
    ]
    made["messages"] = last
    return made


def long_session() -> dict[str, object]:
    """A session of a megabyte or a little more, in our own form."""
    sources = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*.json"))]
    made: dict[str, object] = copy.deepcopy(sources[0])
    actions, size, round_number = [], 0, 0
    while size < 1_000_000:
        for source in sources:
            for action in source["actions"]:
                one = {key: value for key, value in action.items() if key != "started_at"}
                one["intent"] = f"Part {round_number}: {one.get('intent', '')}"
                actions.append(one)
                size += len(json.dumps(one))
        round_number += 1
    made["actions"], made["messages"] = actions, []
    return made
