"""Our own guard, replayed: the very `Guard` that watches a running agent, shown a recorded session event by event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import check_names, detector_with, detectors
from analyzer.detectors.episodes.episode import ROUNDS
from analyzer.guard import Alarm, Guard
from analyzer.model.errors import BadConfiguration
from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.model.words import Category, Severity
from analyzer.timeline.pairing import pair

GUARD = "guard"
GUARD_TITLE = "This program's guard, with the detectors, the options and the least severity that are named."
_USUAL_LEAST = "medium"
Settings = Sequence[tuple[str, int | str]]


@cache
def loop_detector() -> str:
    """The name of the detector of loops."""
    return next((entry.name for entry in detectors() if entry.category is Category.LOOP), "")


def guard_grid() -> Mapping[str, Sequence[int | str]]:
    """What a sweep tries; an empty text is no setting."""
    loops = loop_detector()
    beside = (detector_with(trait).name for trait in (Trait.RECOUNTS, Trait.TEST_AT_FAULT))
    return {
        "rounds": (3, 4, 5),
        "least": ("low", "medium", "high"),
        "select": (loops, *(f"{loops}+{name}" for name in beside if name), ""),
    }


def check_setting(name: str, value: int | str) -> int | str:
    """The value as it's kept. Raises `BadConfiguration` for a setting or a value that the guard doesn't take."""
    if name == "least":
        if value not in list(Severity):
            raise BadConfiguration(f"the policy 'guard': least must be one of {', '.join(Severity)}, not {value!r}.")
    elif name in ("select", "ignore"):
        check_names(str(value).split("+"))
    elif name == "rounds" or "." in name:
        value = int(value) if str(value).isdigit() else value
        Guard(settings=_options([(name, value)]))
    else:
        hint = "It has: least, select, ignore (names joined by +), rounds, and DETECTOR.OPTION as in loops.rounds."
        raise BadConfiguration(f"the policy 'guard' has no parameter {name!r}.", hint=hint)
    return value


def first_alarms(settings: Sequence[Settings], session: Session, masks: Mapping[str, str] | None) -> list[int | None]:
    """For each of the settings: how many actions had been taken when the guard first raised an alarm, or None.

    Detectors know nothing of each other, so that one guard serves all settings, with one more for every detector that
    some of them give options to.
    """
    variants = [_Variant(values) for values in settings]
    plain = [variant for variant in variants if not variant.select or variant.select - variant.options.keys()]
    chosen = frozenset().union(*(variant.select for variant in plain)) if all(v.select for v in plain) else frozenset()
    guards: dict[str, tuple[dict[str, Any], frozenset[str], list[_Variant]]] = {"": ({}, chosen, plain)}
    for variant in variants:
        for name, options in variant.options.items():
            guards.setdefault(f"{name}{options}", ({name: options}, frozenset({name}), []))[2].append(variant)
    for options, select, waiting in guards.values():
        for taken, alarm in _alarms(session, masks, options, sorted(select)) if waiting else ():
            for variant in [entry for entry in waiting if entry.accepts(alarm, with_options=bool(options))]:
                waiting.remove(variant)
                variant.fired = taken if variant.fired is None else min(variant.fired, taken)
            if not waiting:
                break
    return [variant.fired for variant in variants]


class _Variant:
    """One of several settings: which alarms it accepts, and after how many actions the first of them came."""

    def __init__(self, values: Settings) -> None:
        given = dict(values)
        self.select = frozenset(filter(None, str(given.get("select", "")).split("+")))
        self.options = {
            name: table for name, table in _options(values).items() if not self.select or name in self.select
        }
        self.fired: int | None = None
        self._ignore = frozenset(filter(None, str(given.get("ignore", "")).split("+")))
        self._least = Severity(str(given.get("least", _USUAL_LEAST))).rank

    def accepts(self, alarm: Alarm, *, with_options: bool) -> bool:
        """Whether this alarm, of a guard with options for its detector or without, stops a run under these settings."""
        finding = alarm.finding
        return (
            finding.severity.rank >= self._least
            and (not self.select or finding.detector in self.select)
            and finding.detector not in self._ignore
            and (finding.detector in self.options) is with_options
        )


def _alarms(
    session: Session, masks: Mapping[str, str] | None, options: Mapping[str, Mapping[str, Any]], select: Sequence[str]
) -> Iterator[tuple[int, Alarm]]:
    """The alarms of one guard, each with how many actions had been taken."""
    guard = Guard(session.task or "", select=select, settings=options or None, masks=masks or None)
    results = iter(pair(session.events).results)
    taken = 0
    for event in session.events:
        alarms: list[Alarm] = []
        if isinstance(event, Message):
            alarms = guard.take_message(event)
        elif isinstance(event, ToolCall):
            taken += not event.harness
            alarms = guard.take(event, next(results))
        elif isinstance(event, Compaction):
            guard.compacted(event.lane)
        yield from ((taken, alarm) for alarm in alarms)


def _options(values: Settings) -> dict[str, dict[str, Any]]:
    """The options of detectors among the settings."""
    table: dict[str, dict[str, Any]] = {}
    for name, value in values:
        detector, dot, option = (loop_detector(), ".", "rounds") if name == "rounds" else name.partition(".")
        if dot and (name, value) != ("rounds", ROUNDS):
            table.setdefault(detector, {})[option] = value
    return table
