"""What the record itself says about how a call that differs from the expected one could have been made."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.model.finding import OtherCall
from analyzer.text.clip import clip
from analyzer.text.markdown import code

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the run had shown before an expected call was left out: whether all of its values stood there, and whether
    the call that hands over is the first of the run."""

    all_known: bool = False
    at_once: bool = False


def advice_for(details: OtherCall, grounds: Grounds) -> list[str]:
    """Advice that a step or the user's words support; none where the record holds nothing to go by."""
    tool = code(details.tool or "")
    match details.how:
        case "differs" if details.argument is not None and details.expected_from is not None:
            return _of_argument(code(details.argument), details)
        case "refused" if details.too_late_after is not None:
            return [f"Call {tool} before the call of step {details.too_late_after}: after it, {tool} is refused."]
        case "missing" if grounds.at_once:
            return [
                f"Ask the user or look something up before step {details.instead_at} calls "
                f"{code(details.instead or '')}: it's the first call of the run."
            ]
        case "missing" if details.never_shown is not None:
            return [f"Look up {code(details.never_shown)} for {tool}, or ask for it: nothing in the run holds it."]
        case "missing" if details.instead is not None and details.instead_at is not None and grounds.all_known:
            return [f"Call {tool} before step {details.instead_at} calls {code(details.instead)} in its place."]
        case "answer" | "unsaid" if _step_of(details.expected_from) is not None:
            return [
                f"Compare the answer with {details.expected_from}: its result holds {_value(details.expected)}, "
                "which was expected."
            ]
        case _:
            return []


def _of_argument(name: str, details: OtherCall) -> list[str]:
    if _step_of(details.expected_from) is not None:
        return [f"Take {name} from {details.expected_from}: its result holds {_value(details.expected)}."]
    if details.expected_from == "the user":
        return [f"Take {name} from the user's words: they hold {_value(details.expected)}."]
    if details.given_from == "nothing":
        return [
            f"Look up {name} before the call, or ask for it: nothing before it holds {_value(details.given)}, the "
            "value that was given."
        ]
    return []


def _step_of(place: str | None) -> str | None:
    return place if place is not None and place.startswith("step ") else None


def _value(text: str | None) -> str:
    return code(clip(text or "", _LONGEST))
