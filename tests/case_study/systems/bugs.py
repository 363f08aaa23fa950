"""The bugs of the two systems, as texts of their sources, and the versions that have them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """One bug: what stands in a file of the last version, and what stood there before it was fixed."""

    file: str
    fixed: str
    broken: str


@dataclass(frozen=True)
class Version:
    """One recorded version: its name, when it ran, and the bugs that it has."""

    name: str
    day: str
    bugs: tuple[Bug, ...] = ()


_RENAMED_FIELD = Bug("cards.py", "    minutes: int | str\n", "    duration_min: int | str\n")
_LIST_AS_TEXT = Bug(
    "kernel.py",
    "            return self.found(whole)\n",
    "            found = self.found(whole)\n"
    "            return found if isinstance(found, str | int) else json.dumps(found)\n",
)
_CONTEXT_FIRST = Bug("kernel.py", "function(**arguments, context=self.context)", "function(self.context, **arguments)")
_OTHER_KEY = Bug("kernel.py", "self.results[f\"step_{step['step']}\"]", "self.results[f\"step-{step['step']}\"]")
_CASE = Bug("tools.py", "name.casefold() == zone.casefold()", "name == zone")

GREENHOUSE = (
    Version("2.0", "2025-03-03", (_RENAMED_FIELD, _LIST_AS_TEXT, _CONTEXT_FIRST)),
    Version("2.1", "2025-03-04", (_LIST_AS_TEXT, _CONTEXT_FIRST)),
    Version("2.2", "2025-03-05", (_CONTEXT_FIRST,)),
    Version("2.3", "2025-03-06", (_OTHER_KEY,)),
    Version("2.4", "2025-03-07", (_CASE,)),
    Version("2.5", "2025-03-08"),
)

_LOWER_CASE = Bug("src/registry.ts", "z.string().toUpperCase()", "z.string().toLowerCase()")
_CONTEXT_LAST = (
    Bug(
        "src/tools.ts",
        "context: Context, rateId: string, collectFrom: string, deliverTo: string, note?: string",
        "rateId: string, collectFrom: string, deliverTo: string, note?: string, context?: Context",
    ),
    Bug("src/tools.ts", "account: context.account", "account: context!.account"),
    Bug("src/tools.ts", "day: context.clock", "day: context!.clock"),
    Bug(
        "src/registry.ts",
        "bookPickup(context, given.rateId, given.collectFrom, given.deliverTo, given.note)",
        "(bookPickup as any)(...Object.values(given), context)",
    ),
)
_ORDER_OF_THE_CALL = (
    Bug(
        "src/registry.ts",
        "bookPickup(context, given.rateId, given.collectFrom, given.deliverTo, given.note)",
        "(bookPickup as any)(context, ...Object.values(given))",
    ),
    Bug("src/registry.ts", "HANDLERS[name](parsed.data, context)", "HANDLERS[name](given, context)"),
)
_FRESH_MEMORY = Bug(
    "src/agent.ts",
    "    const { booking, collectFrom, deliverTo, price } = this.memory.booking;\n",
    "    this.memory = {};\n    const { booking, collectFrom, deliverTo, price } = this.memory.booking ?? {};\n",
)
_GRAMS = Bug("src/tools.ts", "weightKg <= rate.maxKg", "weightKg * 1000 <= rate.maxKg")

COURIER = (
    Version("0.3.0", "2025-04-07", (_LOWER_CASE, *_CONTEXT_LAST)),
    Version("0.3.1", "2025-04-08", _CONTEXT_LAST),
    Version("0.3.2", "2025-04-09", _ORDER_OF_THE_CALL),
    Version("0.3.3", "2025-04-10", (_FRESH_MEMORY,)),
    Version("0.3.4", "2025-04-11", (_GRAMS,)),
    Version("0.3.5", "2025-04-14"),
)
