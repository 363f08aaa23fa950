"""A value of a call is bound to a different parameter than the call intended.

What it flags
    A call whose answer returns two of its arguments in swapped positions (`exchanged`): `from` and `to`, each with
    the other's value. A call that fails because a parameter holds what the call didn't give for it (`context`): it got
    a value by name and another by position, or the tool's own function fails on a parameter that the call left out,
    so that something else, such as a context that the framework adds, was bound to it.

Why it matters
    The call was right; the code that binds it to the function isn't. Where both parameters have the same type, nothing
    fails, and the result is wrong.

What it does not flag
    A call whose answer doesn't repeat its arguments; a failure inside of code that the tool's function calls; arguments
    that the function doesn't know.

Options
    None.

Example:
    `book(collect="A", deliver="B")` answers `{"collect": "B", "deliver": "A"}`.

"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.rule_state import cost_of
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.rejected_calls.binding import Misbinding, exchanged, misbound
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.text.clip import clip
from analyzer.timeline.references import as_text


def detect(facts: Facts) -> Iterable[Finding]:
    """The findings of every lane."""
    for lane in facts.timeline.lanes():
        cases: dict[tuple[str, str], list[tuple[Action, Misbinding]]] = {}
        for action in facts.lane(lane):
            found = exchanged(action) or misbound(action) if not action.harness else None
            if found is not None:
                cases.setdefault((action.tool, found.kind), []).append((action, found))
        yield from (_finding(entries, lane) for entries in cases.values())


def _finding(entries: list[tuple[Action, Misbinding]], lane: str) -> Finding:
    action, found = entries[0]
    steps = [entry.step for entry, _ in entries]
    quotes = [(entry.step, f"{entry.tool} {as_text(entry.arguments)}", entry.result or "") for entry, _ in entries[:2]]
    return new_finding(
        f"misbound-arguments/{found.kind}",
        words="by-position" if found.positional and found.frame else "" if found.parameters else "foreign",
        confidence=0.85 if found.sure else 0.7,
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[
            Evidence(step=step, quote=clip(text, 200))
            for step, call, result in quotes
            for text in (call, result.strip())
        ],
        cost=cost_of(entries[0][0], entries[-1][0]),
        slots={
            "tool": action.tool,
            "calls": len(steps),
            "names": list(found.parameters),
            "type": found.function,
            "positional": list(found.positional),
            "file": found.frame.file if found.frame is not None else None,
        },
    )
