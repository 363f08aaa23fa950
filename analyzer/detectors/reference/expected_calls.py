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
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.reference.answers_judged import advice_for, as_written, doubtful_reference, judged
from analyzer.detectors.reference.expectations import (
    SHORTEST,
    Difference,
    differences,
    equal,
    names_in,
    other_arguments,
    read_value,
    shown,
    stands_in,
    unsaid,
    without_more,
)
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, OtherCall
from analyzer.model.session import ExpectedCall, Message
from analyzer.model.words import MAIN_LANE, Ending, Severity
from analyzer.text.clip import around, clip
from analyzer.text.english import plural
from analyzer.text.markdown import code

_MOST = 5


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
    more = f" ({plural(len(found) - 1, 'more difference')})" if len(found) > 1 else ""
    return [
        new_finding(
            f"expected-calls/{first.kind}",
            severity=Severity.HIGH,
            confidence=0.9,
            title=f"{first.words}{more}",
            steps=steps,
            detectable_at=steps[0],
            pattern=_mode(first),
            differed=[entry.words for entry in found[:_MOST]],
            evidence=_all_evidence(found[:_MOST], actions[-1], facts),
            advice=advice_for(details)[:1],
            cost=facts.cost(MAIN_LANE, steps[0], steps[-1]),
            details=details,
        )
    ]


def _mode(entry: Difference) -> str:
    """What failures of this kind have in common over the trials of many tasks: without the values."""
    tool = code(entry.call.tool if entry.call is not None else entry.action.tool if entry.action is not None else "")
    match entry.kind:
        case "differs" if entry.call is not None and entry.action is not None:
            names = other_arguments(entry.call, entry.action)
            return f"{tool} called with another {code(names[0])}" if names else f"{tool} called otherwise"
        case "missing":
            refused = entry.action is not None and entry.action.failure is not None
            return f"{tool} {'refused' if refused else 'never called'}"
        case "unexpected":
            return f"{tool} called without need"
        case "answer":
            return "another answer"
        case _:
            return "words that the user never heard"


def _all_evidence(found: Sequence[Difference], last: Action, facts: Facts) -> list[Evidence]:
    """A quote for each difference; the same one only once."""
    quotes = {(one.step, one.quote): one for entry in found for one in (_evidence(entry, last, facts),)}
    return list(quotes.values())


def _evidence(entry: Difference, last: Action, facts: Facts) -> Evidence:
    answer, closing = entry.answer, " ".join(facts.timeline.closing().split())
    if answer is not None and answer.why and answer.why != facts.timeline.closing():
        return Evidence(step=last.step, quote=clip(" ".join(answer.why.split()), 200))
    if answer is not None and closing and answer.given:
        given = as_written(answer.given, [], closing)
        at = closing.find(given)
        return Evidence(step=last.step, quote=around(closing, max(at, 0), max(at, 0) + len(given), 200))
    called = None if answer is not None else entry.action
    said = closing if answer is not None else closing or _last_said(facts)
    return Evidence(step=last.step, quote=clip(said, 200)) if said and called is None else _as_called(called or last)


def _as_called(action: Action) -> Evidence:
    """A call: the command line, or the arguments with the tool before the quote."""
    if action.operation.command:
        return Evidence(step=action.step, quote=clip(" ".join(action.operation.command.split()), 200))
    arguments = action.arguments
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return Evidence(step=action.step, label=f"{action.tool} was called with", quote=clip(text, 200))


def _last_said(facts: Facts) -> str:
    """What the agent last said aloud."""
    said = (
        " ".join(event.text.split())
        for event in reversed(facts.timeline.messages)
        if event.lane == MAIN_LANE and event.role == "assistant" and not event.thought
    )
    return next((text for text in said if text), "")


def _details(entry: Difference, actions: Sequence[Action], facts: Facts) -> OtherCall:
    """The difference as data, with where its values stood before."""
    call, action = entry.call, entry.action
    if entry.answer is not None:
        heard = _heard(facts)
        return OtherCall(
            how="answer",
            expected=clip(entry.answer.wanted, 200),
            given=clip(entry.answer.given or "", 200),
            expected_from=_stood(entry.answer.wanted, actions, heard),
            given_from=_stood(entry.answer.given, actions, heard),
        )
    if entry.heard is not None:
        return OtherCall(how="unsaid", expected=entry.heard, expected_from=_stood(entry.heard, actions, _heard(facts)))
    if call is None:
        return OtherCall(how="unexpected", tool=action.tool if action is not None else None)
    if entry.kind != "differs" or action is None:
        refused = action is not None and action.failure is not None
        return OtherCall(
            how="refused" if refused else "missing",
            tool=call.tool,
            expected=shown(dict(call.arguments)),
            ended_with=actions[-1].step,
            never_shown=_never_shown(call, actions, _heard(facts)) if not refused else None,
        )
    given = action.arguments if isinstance(action.arguments, Mapping) else {}
    names = other_arguments(call, action)
    place, wanted, got = _apart(names[0], call.arguments.get(names[0]), given.get(names[0])) if names else ("", "", "")
    before = [earlier for earlier in actions if earlier.step < action.step]
    heard = _heard(facts)
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
    """The first argument of an expected call whose value nothing in the run holds."""
    for name, argument in call.arguments.items():
        value = argument[0] if argument and isinstance(argument, list) else argument
        named = isinstance(value, str) and value.casefold() in names_in({name: value})
        if named and _stood(value, actions, heard) == "nothing":
            return name
    return None


def _heard(facts: Facts) -> list[str]:
    """What the user said."""
    return [
        event.text
        for event in facts.events(MAIN_LANE)
        if isinstance(event, Message) and event.role == "user" and not event.thought
    ]


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
    if not isinstance(value, str | int | float) or isinstance(value, bool) or len(str(value)) < SHORTEST:
        return None
    if any(stands_in(str(value), text) for text in heard):
        return "the user"
    held = (action for action in reversed(before) if action.result and stands_in(str(value), action.result))
    step = next((action.step for action in held), None)
    return f"step {step}" if step is not None else "nothing"
