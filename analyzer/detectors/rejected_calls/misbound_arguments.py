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
from analyzer.model.words import Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, times
from analyzer.text.markdown import code
from analyzer.timeline.references import as_text

_BY_NAME = """Ask: How does the program pass the arguments of step {first} on: by name or by position?
    Try: Pass by name: Bind each argument to the parameter of its name, and let a test call with another order.
    Try: Keep the framework's values apart: Give a context or session that the program adds a parameter of its own that
      no call can name.
    Change: Bind arguments by name: Pass the arguments of a call by name, never in the order in which the call lists
      them, and make parameters that the program fills in keyword-only.
    Learn: """


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
    names = listed([code(name) for name in found.parameters])
    what = (
        f"{names}, to which something is bound that the call doesn't give for it"
        if names
        else f"an object of type {code(found.function, 80)}, which no call can hold and which is bound to a parameter"
    )
    often = "" if len(steps) == 1 else f" {times(len(steps))}"
    title = (
        f"{action.tool} swaps the values of {names}{often}"
        if found.kind == "exchanged"
        else f"{action.tool} fails{often} over {what}"
    )
    quotes = [(entry.step, f"{entry.tool} {as_text(entry.arguments)}", entry.result or "") for entry, _ in entries[:2]]
    return new_finding(
        f"misbound-arguments/{found.kind}",
        severity=Severity.HIGH if found.kind == "exchanged" else Severity.MEDIUM,
        confidence=0.85 if found.sure else 0.7,
        title=title,
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[
            Evidence(step=step, quote=clip(text, 200))
            for step, call, result in quotes
            for text in (call, result.strip())
        ],
        advice=[
            f"Bind the arguments of {code(action.tool)} by name; {names or 'one parameter'} got what was meant for "
            f"another parameter{_passed(found)}."
        ],
        cost=cost_of(entries[0][0], entries[-1][0]),
    )


def _passed(found: Misbinding) -> str:
    """What the program passes by position, where the trace shows it."""
    if not found.positional or found.frame is None:
        return ""
    return f": {listed([code(word, 60) for word in found.positional])}, passed by position at {code(found.frame.file)}"
