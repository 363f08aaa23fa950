"""How the arguments of a call compare with those that a step of the plan wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from analyzer.case_study.success import holds, in_words
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.case_study import ArgumentDifference, Reference
from analyzer.model.scenario import PlanStep, TextCheck
from analyzer.model.struct import Struct
from analyzer.text.clip import clip
from analyzer.text.similarity import alike
from analyzer.timeline.calls.arguments import read_value
from analyzer.timeline.references import (
    REFERENCE,
    as_text,
    folded,
    has_in_order,
    literal_parts,
    passing,
    references_in,
)

_SHOWN = 200
_CLOSE = 80.0
"""Similarity of two values, in percent, from which one may have been meant for the other."""
_folded_once = lru_cache(maxsize=1024)(folded)


class Call:
    """The arguments of one action, with what is compared of them kept."""

    __slots__ = ("_folded", "_raw", "action", "given")

    def __init__(self, action: Action) -> None:
        self.action = action
        self._folded: dict[str, str] = {}
        self._raw: str | None = None
        if isinstance(action.arguments, Mapping):
            self.given: Mapping[str, Any] = action.arguments
        else:
            parsed = read_value(action.arguments)
            self.given = parsed if isinstance(parsed, dict) else {}
            self._raw = action.arguments if not isinstance(parsed, dict) else None

    def value(self, name: str) -> Any:
        """The argument `name`, None where the call hasn't got it; a call without names has its text under every
        name."""
        if name in self.given:
            return self.given[name]
        if self._raw is not None:
            return self._raw
        return self.action.operation.command if name in ("command", "cmd") else None

    def has(self, name: str) -> bool:
        """Whether the call has the argument `name`."""
        return name in self.given or self.value(name) is not None

    def text(self, name: str) -> str:
        """The argument, folded for comparison."""
        if name not in self._folded:
            self._folded[name] = folded(as_text(self.value(name)))
        return self._folded[name]


class Wanted(Struct, frozen=True):
    """One argument that a step wants, made ready for comparison.

    `is_open` is True where the value says nothing by itself: only a reference, or a check without conditions. `own` is
    what a check asks for apart from references, `around` what surrounds each of those.
    """

    name: str
    expected: Any
    is_open: bool
    own: TextCheck | None = None
    around: tuple[tuple[str, ...], ...] = ()


def wanted_by(step: PlanStep) -> list[Wanted]:
    """The arguments that a step wants."""
    found = []
    for name, expected in step.arguments.items():
        if isinstance(expected, TextCheck):
            # What it asks for without its references, and the texts that hold them.
            own, texts = expected, (*expected.contains, expected.equals)
            templates = [text for text in texts if text is not None and REFERENCE.search(text)]
            if templates:
                contains = [text for text in expected.contains if text not in templates]
                equals = None if expected.equals in templates else expected.equals
                own = expected.model_copy(update={"contains": contains, "equals": equals})
            around = tuple(literal_parts(template) for template in templates)
            found.append(Wanted(name, expected, own == TextCheck() and not any(around), own, around))
        else:
            is_open = isinstance(expected, str) and bool(REFERENCE.search(expected)) and not literal_parts(expected)
            found.append(Wanted(name, expected, is_open))
    return found


class Fit(Struct, frozen=True):
    """How well a call fits a step before results are looked at.

    `wrong` is the share (0 to 1) of the expected arguments that aren't as expected, a renamed one counting half;
    `judged` and `agreeing` count those with a text or a check of their own, and those of them that are right or only
    renamed; `close` is True where none of them agrees and one is nearly right.
    """

    wrong: float
    judged: int
    agreeing: int
    close: bool = False

    @property
    def related(self) -> bool:
        """Whether anything speaks for the call being meant for the step, or nothing could."""
        return self.agreeing > 0 or self.judged == 0


def fit(wanted: Sequence[Wanted], call: Call) -> Fit:
    """Compare without the results of earlier steps: a value that is nothing but a reference is taken to be right where
    it's there at all."""
    wrong, judged, agreeing, close = 0.0, 0, 0, False
    for entry in wanted:
        place, right = _judged(entry, wanted, call, None)
        missed = not right and place != ""
        wrong += 1.0 if missed else 0.5 if place != entry.name else 0.0
        judged += not entry.is_open
        agreeing += right and not entry.is_open
        close = close or (missed and _close(entry, call))
    return Fit(wrong / len(wanted) if wanted else 0.0, judged, agreeing, close and not agreeing)


def _judged(
    entry: Wanted, beside: Sequence[Wanted], call: Call, results: dict[str, str | None] | None
) -> tuple[str | None, bool]:
    """Under which name a call has a wanted argument (see `_renamed`), and whether it's as wanted there."""
    place = entry.name if call.has(entry.name) else _renamed(entry, beside, call, results)
    return place, bool(place) and (entry.is_open or agrees(entry, place or "", call))


def agrees(wanted: Wanted, name: str, call: Call) -> bool:
    """Whether the call's argument `name` is what the plan wants, references apart."""
    expected, given = wanted.expected, call.value(name)
    if wanted.own is not None:
        return holds(wanted.own, as_text(given)) and all(
            has_in_order(call.text(name), parts) for parts in wanted.around
        )
    if isinstance(expected, str):
        if "$" in expected and REFERENCE.search(expected):
            return has_in_order(call.text(name), literal_parts(expected))
        if _folded_once(expected) == call.text(name):
            return True
        if isinstance(given, str) and _number(expected) is None:
            return _same_path(expected, given)
        return _same_scalar(expected, given)
    return same_value(expected, given)


def same_value(expected: Any, given: Any) -> bool:
    """Whether a value is as expected, texts compared without white space and quoting, numbers by value, JSON texts by
    what they hold. As with arguments, keys of a mapping that the plan doesn't name don't count."""
    if isinstance(expected, dict | list) and isinstance(given, str):
        given = read_value(given)
    if isinstance(expected, dict):
        return (
            isinstance(given, Mapping)
            and expected.keys() <= given.keys()
            and all(same_value(value, given[key]) for key, value in expected.items())
        )
    if isinstance(expected, list):
        return (
            isinstance(given, list)
            and len(expected) == len(given)
            and all(same_value(one, other) for one, other in zip(expected, given, strict=True))
        )
    if isinstance(expected, str) and REFERENCE.search(expected):
        return has_in_order(folded(as_text(given)), literal_parts(expected))
    return _same_scalar(expected, given)


def compare(
    wanted: Sequence[Wanted], call: Call, results: dict[str, str | None], sources: dict[str, int | None]
) -> tuple[list[ArgumentDifference], list[Reference], float]:
    """The differences, what became of the references, and the share (0 to 1) of the expected arguments that are wrong.

    `results` has what each step returned in this run (None where it wasn't done), `sources` the action that did it.
    """
    differences: list[ArgumentDifference] = []
    references: list[Reference] = []
    wrong = 0.0
    for entry in wanted:
        name, expected = entry.name, entry.expected
        place, right = _judged(entry, wanted, call, results)
        given = call.value(place) if place else None
        passed = [(source, passing(expected, given, results, source)) for source in references_in(expected)]
        shown = clip(as_text(given), _SHOWN) if given is not None else None
        loss = 0.0
        for source, found in passed:
            how, share, by = found.passed, found.share, sources.get(source)
            if how not in ("passed-on", "unknown"):
                loss = max(loss, 1.0 - (share or 0.0) if how == "cut" else 1.0)
            made = Reference(argument=name, source=source, source_step=by, passed=how, share=share, given=shown)
            references.append(made)
        if not right or place != name:
            wants = in_words(expected) if isinstance(expected, TextCheck) else clip(as_text(expected), _SHOWN)
            other = place if place != name else None
            had = clip(as_text(call.value(name)), _SHOWN) if call.has(name) else None
            differences.append(ArgumentDifference(name=name, expected=wants, given=had, renamed_to=other))
        wrong += max(1.0 if not right else 0.5 if place != name else 0.0, loss)
    return differences, references, wrong / len(wanted) if wanted else 0.0


def _renamed(wanted: Wanted, beside: Sequence[Wanted], call: Call, results: dict[str, str | None] | None) -> str | None:
    """Another argument of the call that has what the wanted one should have; an empty text where there is one that may
    have it, once results are known."""
    names, expected = {entry.name for entry in beside}, wanted.expected
    others = [other for other in call.given if other not in names]
    if not wanted.is_open:
        return next(
            (other for other in others if as_text(call.given[other]).strip() and agrees(wanted, other, call)), None
        )
    sources = references_in(expected)
    if results is None:
        return "" if others and sources else None
    pairs = ((other, passing(expected, call.given[other], results, source)) for other in others for source in sources)
    return next((other for other, found in pairs if found.passed in ("passed-on", "cut")), None)


def _close(wanted: Wanted, call: Call) -> bool:
    if not isinstance(wanted.expected, str) or not call.has(wanted.name):
        return False
    expected, given = _folded_once(wanted.expected), call.text(wanted.name)
    return max(len(expected), len(given)) <= 300 and alike(expected, given, _CLOSE)


def _same_scalar(expected: Any, given: Any) -> bool:
    if isinstance(expected, bool) or isinstance(given, bool):
        return as_text(expected).casefold() == as_text(given).casefold()
    one = _number(expected)
    if one is not None:
        return one == _number(given)
    if expected is None or given is None or isinstance(expected, int | float):
        return expected is given
    return _folded_once(expected) == folded(as_text(given))


def _number(value: Any) -> Decimal | None:
    if isinstance(value, str) and not value.strip()[:1].isdigit() and value.strip()[:1] not in ("-", "+", "."):
        return None
    try:
        number = Decimal(str(value)) if isinstance(value, int | float | str) and len(str(value)) < 60 else None
    except (InvalidOperation, ValueError):
        return None
    return number if number is not None and number.is_finite() else None


def _same_path(expected: str, given: str) -> bool:
    """Whether two texts name one file: `plugins.md`, `./plugins.md` and `/srv/app/plugins.md` do, `plugins.md` and
    `docs/plugins.md` don't."""
    parted = "/" in given or "\\" in given or "/" in expected
    if len(given) > 1_000 or "\n" in given or not parted or " " in given + expected:
        return False
    rooted = given.startswith(("/", "./", "~", ".\\")) or given[1:3] in (":\\", ":/")
    return (rooted or expected.startswith(("/", "./", "~"))) and same_file(expected, given)
