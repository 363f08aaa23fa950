"""How the runs of a harness's own hooks ended, counted by hook."""

from __future__ import annotations

from dataclasses import replace

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none
from analyzer.model.session import Event, HookRuns, ToolCall
from analyzer.model.words import MAIN_LANE


class HookTally:
    """The hooks of one session, in the order of their first runs."""

    def __init__(self) -> None:
        self._hooks: dict[str, HookRuns] = {}

    def ran(self, hook: str, events: list[Event], errors: list[str], runs: int = 1) -> None:
        """Count runs of a hook behind some events, and the errors of those that failed."""
        known = self._hooks.get(hook, HookRuns(hook, 0))
        if errors and not known.failures:
            calls = sum(isinstance(event, ToolCall) and event.lane == MAIN_LANE for event in events)
            known = replace(known, error=errors[0], after=calls)
        runs = max(runs, len(errors))
        self._hooks[hook] = replace(known, runs=known.runs + runs, failures=known.failures + len(errors))

    def hooks(self) -> tuple[HookRuns, ...]:
        """What was counted."""
        return tuple(self._hooks.values())


def hooks_of(value: object) -> tuple[HookRuns, ...]:
    """The hooks of the project's own form; what has no name or wasn't run is left out."""
    made = (_hook(dict_of(entry)) for entry in list_of(value))
    return tuple(hook for hook in made if hook is not None)


def _hook(entry: dict[str, object]) -> HookRuns | None:
    name, runs = str_or_none(entry.get("hook")), int_or_none(entry.get("runs")) or 0
    failures, after = int_or_none(entry.get("failures")) or 0, int_or_none(entry.get("after")) or 0
    if name is None or runs < 1 or not 0 <= failures <= runs or after < 0:
        return None
    return HookRuns(name, runs, failures, str_or_none(entry.get("error")), after)
