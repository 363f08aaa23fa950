"""What the planner is told of each tool, and what the check of a plan holds its arguments against."""

from __future__ import annotations

from typing import Literal

import msgspec

CARDS = {
    "sensors.read_zone": "zone",
    "agronomy.water_need": "samples, crop",
    "irrigation.plan_slot": "zone, minutes, window",
    "logbook.write": "path, text",
}
ALIASES = {"duration_min": "minutes", "file": "path"}
"""Names of arguments that older plans use, and today's."""


class ReadZone(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of `sensors.read_zone`."""

    zone: str


class WaterNeed(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of `agronomy.water_need`."""

    samples: str
    crop: Literal["tomato", "basil"]


class PlanSlot(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of `irrigation.plan_slot`."""

    zone: str
    minutes: int | str
    window: Literal["dawn", "dusk"] = "dawn"


class Write(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of `logbook.write`."""

    path: str
    text: str


SCHEMAS: dict[str, type[msgspec.Struct]] = {
    "sensors.read_zone": ReadZone,
    "agronomy.water_need": WaterNeed,
    "irrigation.plan_slot": PlanSlot,
    "logbook.write": Write,
}
