"""The tools of the greenhouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOG = [
    ("North", "04:00", 21.5),
    ("North", "05:00", 20.0),
    ("North", "06:00", 18.5),
    ("South", "06:00", 31.0),
]
NEEDS = {"tomato": 24.0, "basil": 20.0}


@dataclass
class Context:
    """What the kernel knows beside the arguments: who asks, and where files go."""

    requested_by: str
    folder: Path


def read_zone(zone: str) -> dict[str, Any]:
    """The moisture that the sensors of a zone measured."""
    found = [{"at": at, "moisture": moisture} for name, at, moisture in LOG if name.casefold() == zone.casefold()]
    return {"zone": zone, "samples": found}


def water_need(samples: list[dict[str, Any]], crop: str) -> dict[str, Any]:
    """How much water a crop lacks by the driest sample."""
    if not samples:
        return {"crop": crop, "litres": 0.0, "minutes": 0}
    driest = min(sample["moisture"] for sample in samples)
    litres = max(0.0, NEEDS[crop] - driest) * 8
    return {"crop": crop, "litres": litres, "minutes": round(litres / 3.2)}


def plan_slot(zone: str, minutes: int, window: str = "dawn", context: Context | None = None) -> dict[str, Any]:
    """Reserve the valves of a zone for some minutes."""
    starts = {"dawn": "05:30", "dusk": "20:15"}[window]
    asked = context.requested_by if context is not None else "nobody"
    return {"slot": "IRR-0412", "zone": zone, "starts": starts, "minutes": minutes or 0, "for": asked}


def write(path: str, text: str, context: Context | None = None) -> str:
    """Write a text into a file of the logbook."""
    folder = context.folder if context is not None else Path()
    (folder / path).write_text(text, encoding="utf-8")
    return f"{path}: {len(text)} characters written"


TOOLS: dict[str, Callable[..., Any]] = {
    "sensors.read_zone": read_zone,
    "agronomy.water_need": water_need,
    "irrigation.plan_slot": plan_slot,
    "logbook.write": write,
}
NEED_CONTEXT = frozenset({"irrigation.plan_slot", "logbook.write"})
