"""A failed run made a different call or gave a different answer than its task expects, or none.

What it flags
    In sessions whose log records both what the task expects and the verdict that it wasn't solved: an expected call
    that changes something and was made with other arguments (`differs`), that was never made or was refused
    (`missing`), a call that changes something and that the task doesn't expect (`unexpected`), information that the
    user should have received and didn't (`unsaid`), and an answer that was judged wrong (`answer`). The first of them
    is the finding; it lists the others.

Why it matters
    The verdict says that the result is wrong; the differing argument shows why.

What it does not flag
    Sessions that the verdict calls solved, since there may be several ways to a result; calls that only read;
    arguments that the task doesn't compare or that are whole sentences; a hand-over to a
    human in addition to the expected calls; the order of calls and of the items in a list; another answer than an
    expected one that is itself an error; an answer that is what a command printed; values that a run makes up as it
    goes (an id that one of its own calls was given).

Options
    None.

Example:
    The task expects `change_address(order="7", zip="10115")`; step 4 calls it with `zip="10117"`.

"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import advice_of, new_finding, title_of
from analyzer.detectors.reference.answers_judged import as_written, doubtful_reference, judged
from analyzer.detectors.reference.expectations import (
    Difference,
    differences,
    equal,
    other_arguments,
    said_by,
    shown,
    unsaid,
    without_more,
)
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, OtherCall
from analyzer.model.session import ExpectedCall
from analyzer.model.words import MAIN_LANE, Ending
from analyzer.text.clip import around, clip
from analyzer.text.markdown import code
from analyzer.timeline.calls.arguments import read_value

_MOST = 5
_SHORTEST = 3
"""Characters of a value that is worth looking for."""


def detect(facts: Facts) -> Iterable[Finding]:
    """The first difference, with the others beside it."""
    session = facts.timeline.session
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    if session.expected is None or session.ending is not Ending.UNSOLVED or not actions:
        return []
    calls = session.expected.calls
    found = list(differences(calls, actions)) if calls is not None else []
    found.extend(unsaid(session.expected, facts.timeline.messages))
    if doubtful_reference(session, actions) is None:
        found.extend(judged(session.expected.answer, actions, facts.timeline.closing()))
    if not found:
        return []
    first = found[0]
    details = _details(first, actions, facts)
    places = (entry.action for entry in found)
    steps = sorted({action.step for action in places if action is not None}) or [actions[-1].step]
    evidence = (_evidence(entry, actions[-1], facts) for entry in found[:_MOST])
    return [
        new_finding(
            f"expected-calls/{first.kind}",
            words=first.words,
            steps=steps,
            detectable_at=steps[0],
            pattern=_mode(first),
            differed=[_sentence(entry) for entry in found[:_MOST]],
            evidence=list({(one.step, one.quote): one for one in evidence}.values()),
            advice=_advice(details),
            cost=facts.cost(MAIN_LANE, steps[0], steps[-1]),
            details=details,
            slots={**first.slots, "found": len(found), "more": len(found) - 1},
        )
    ]


def _sentence(entry: Difference) -> str:
    return title_of("expected-calls", entry.words or entry.kind, {**entry.slots, "found": 1, "more": 0})


def _advice(details: OtherCall) -> list[str]:
    """Advice that a step or the user's words support; none where the record holds nothing to go by."""
    match details.how:
        case "differs" if details.argument is not None and details.expected_from == "the user":
            name = "hold-against-user"
        case "differs" if details.argument is not None and details.expected_from and details.given_from == "nothing":
            name = "look-up"
        case "missing" if details.never_shown is not None:
            name = "look-up-first"
        case "answer" | "unsaid" if (details.expected_from or "").startswith("step "):
            name = "compare-answer"
        case _:
            return []
    return advice_of("expected-calls", name, details.model_dump())


def _mode(entry: Difference) -> str:
    """What failures of this kind have in common over the trials of many tasks: without the values."""
    tool = code(entry.call.tool if entry.call is not None else entry.action.tool if entry.action is not None else "")
    match entry.kind:
        case "differs" if entry.call is not None and entry.action is not None:
            names = other_arguments(entry.call, entry.action)
            return f"{tool} called with another {code(names[0])}" if names else f"{tool} called otherwise"
        case "missing":
            return f"{tool} {entry.words or 'never called'}"
        case "unexpected":
            return f"{tool} called without need"
        case "answer":
            return "another answer"
        case _:
            return "words that the user never heard"


def _evidence(entry: Difference, last: Action, facts: Facts) -> Evidence:
    answer, closing = entry.answer, " ".join(facts.timeline.closing().split())
    if answer is not None and answer.why and answer.why != facts.timeline.closing():
        return Evidence(step=last.step, quote=clip(" ".join(answer.why.split()), 200))
    if answer is not None and closing and answer.given:
        given = as_written(answer.given, [], closing)
        at = closing.find(given)
        return Evidence(step=last.step, quote=around(closing, max(at, 0), max(at, 0) + len(given), 200))
    if answer is None and entry.action is not None:
        return _as_called(entry.action)
    if not closing and answer is None:
        spoken = (" ".join(text.split()) for text in reversed(said_by("assistant", facts.timeline.messages)))
        closing = next(filter(None, spoken), "")
    return Evidence(step=last.step, quote=clip(closing, 200)) if closing else _as_called(last)


def _as_called(action: Action) -> Evidence:
    """A call: the command line, or the arguments with the tool before the quote."""
    if action.operation.command:
        return Evidence(step=action.step, quote=clip(" ".join(action.operation.command.split()), 200))
    arguments = action.arguments
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return Evidence(step=action.step, label=f"{action.tool} was called with", quote=clip(text, 200))


def _details(entry: Difference, actions: Sequence[Action], facts: Facts) -> OtherCall:
    """The difference as data, with where its values stood before."""
    call, action, heard = entry.call, entry.action, said_by("user", facts.timeline.messages)
    if entry.answer is not None:
        return OtherCall(
            how="answer",
            expected=clip(entry.answer.wanted, 200),
            given=clip(entry.answer.given or "", 200),
            expected_from=_stood(entry.answer.wanted, actions, heard),
            given_from=_stood(entry.answer.given, actions, heard),
        )
    if entry.heard is not None:
        return OtherCall(how="unsaid", expected=entry.heard, expected_from=_stood(entry.heard, actions, heard))
    if call is None:
        return OtherCall(how="unexpected", tool=action.tool if action is not None else None)
    if entry.kind != "differs" or action is None:
        return OtherCall(
            how="refused" if entry.words else "missing",
            tool=call.tool,
            expected=shown(dict(call.arguments)),
            ended_with=actions[-1].step,
            never_shown=_never_shown(call, actions, heard) if not entry.words else None,
        )
    given = action.arguments if isinstance(action.arguments, Mapping) else {}
    names = other_arguments(call, action)
    place, wanted, got = _apart(names[0], call.arguments.get(names[0]), given.get(names[0])) if names else ("", "", "")
    before = [earlier for earlier in actions if earlier.step < action.step]
    return OtherCall(
        how="differs",
        tool=action.tool,
        argument=place,
        expected=shown(wanted),
        given=shown(got) if got is not None else None,
        expected_from=_stood(wanted, before, heard),
        given_from=_stood(got, before, heard),
    )


def _never_shown(call: ExpectedCall, actions: Sequence[Action], heard: Sequence[str]) -> str | None:
    """The first argument of an expected call that names a thing, a single word with a digit in it, which nothing in the
    run holds."""
    for name, argument in call.arguments.items():
        value = argument[0] if argument and isinstance(argument, list) else argument
        single = isinstance(value, str) and " " not in value and any(one.isalpha() or one == "#" for one in value)
        if single and any(map(str.isdigit, value)) and _stood(value, actions, heard) == "nothing":
            return name
    return None


def _apart(place: str, wanted: Any, given: Any) -> tuple[str, Any, Any]:
    """The first part in which two values differ, with the way to it."""
    wanted, given = (read_value(value) if isinstance(value, str) else value for value in (wanted, given))
    given = without_more(wanted, given)
    if isinstance(wanted, Mapping) and isinstance(given, Mapping):
        name = next((name for name in wanted if not equal(wanted[name], given.get(name))), None)
        if name is not None:
            return _apart(f"{place}.{name}", wanted[name], given.get(name))
    if isinstance(wanted, list) and isinstance(given, list):
        lacking = [entry for entry in wanted if all(not equal(entry, other) for other in given)]
        more = [entry for entry in given if all(not equal(other, entry) for other in wanted)]
        if len(lacking) == 1 and len(more) == 1:
            return _apart(f"{place}[{wanted.index(lacking[0])}]", lacking[0], more[0])
    return place, wanted, given


def _stood(value: Any, before: Sequence[Action], heard: Sequence[str]) -> str | None:
    """Where a value stood before a call: what the user said, or the last result that holds it."""
    if not isinstance(value, str | int | float) or isinstance(value, bool) or len(str(value)) < _SHORTEST:
        return None
    word = re.compile(rf"(?<!\w){re.escape(str(value))}(?!\w)", re.IGNORECASE)
    if any(map(word.search, heard)):
        return "the user"
    step = next((action.step for action in reversed(before) if action.result and word.search(action.result)), None)
    return f"step {step}" if step is not None else "nothing"
