"""Measures and numbers of tests that an answer gives, held against all numbers that were shown before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations, repeat

from analyzer.detectors.signals.check_claims import UNSURE, WORD
from analyzer.speech.acts import acts_of
from analyzer.text.late import late
from analyzer.text.markdown import without_fences
from analyzer.text.names import name_set, names

_MEASURE = late(
    r"(?<![\w.,#$/~:-])(?P<number>\d{1,3}(?:[\xa0\u202f ]\d{3})+|\d[\d,]*(?:\.\d+)?)"
    r"(?: ?(?P<unit>%|[mnµu]?s|sec\w*|min\w*|[kKMG]i?B|fps"
    r"|(?P<tests>tests|specs))(?:/op)?)?(?![\w/:-]|\.\d)"
)
_SPELLED = names("zero one two three four five six seven eight nine ten eleven twelve")
_TESTS_IN_WORDS = late(rf"\b(?:{'|'.join(_SPELLED[3:])})(?= (?:tests|specs)\b)", re.IGNORECASE)
_PLAIN = name_set(
    "line lines step steps page section version python node port issue the and for with are was were that"
)
"""Words beside which a number is a name."""
_LABEL = late(r"\bp\(?\d{1,2}(?:\.\d{1,3})?\)?(?= ?[=:])")
"""The name of a percentile, which is no measure."""
_NUMBER = late(r"(?:\d{1,3}(?:[,\xa0\u202f ]\d{3})+(?!\d)|\d+)(?:\.\d+)?")
_SEPARATORS = dict.fromkeys(map(ord, ",\xa0\u202f "))
"""What stands between thousands."""
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b\.?"
_DATED = late(rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}", re.IGNORECASE)
_MOST_MEASURES, _MOST_NUMBERS, _MOST_SHOWN, _NEAR = 50, 60, 2_000_000, 24
_UNITS = (1.0, 1e3, 1e6, 1e9, 1_024.0, 1_024.0**2, 1_024.0**3, 60.0, 0.01, 1e-3, 1e-6, 1 / 1_024, 1 / 60)
"""By how much a number may be written in another unit than it was shown."""


def unshown_measures(text: str, known: Callable[[], str], *, counted: bool) -> Iterator[tuple[str, str]]:
    """The first measures in an answer, a number with its unit or with a word that has a number in what was `known`
    before it, that stand nowhere in that and follow from no two of its last numbers; each with its sentence. Numbers of
    tests only where each run was `counted`."""
    ordered, last, shown = None, list[float](), ""
    own = [_DATED.sub("", part) for part in without_fences(text).splitlines() if not part.startswith(">")]
    own = [_TESTS_IN_WORDS.sub(lambda found: str(_SPELLED.index(found[0].lower())), part) for part in own]
    for line, found in islice(((part, one) for part in own for one in _MEASURE.finditer(part)), _MOST_MEASURES):
        clause = re.split(r"[,;.:] ", line[: found.start()])[-1]
        if (found["tests"] and not counted) or acts_of(f"{clause}{found[0]}", among=UNSURE):
            continue
        if ordered is None:
            shown = known()
            last = list(dict.fromkeys(map(_value, _NUMBER.findall(_LABEL.sub("", shown)))))
            ordered, last = sorted(last), last[-4 * _MOST_NUMBERS :]
        value, step = _value(found["number"]), 10 ** -len(found["number"].partition(".")[2]) / 2
        bare, share = found["unit"] is None, found[0].endswith("%")
        units = (1.0,) if bare or found["tests"] else _UNITS
        # Of a share in percent the rest of the whole may have been shown.
        if _is_among(ordered, value, step, units) or (share and _is_among(ordered, 100 - value, step, (1.0, 0.01))):
            continue
        near = line[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        label = _label(near, value, shown) if bare else ""
        pairs = list(permutations(last if bare else last[-_MOST_NUMBERS:], 2))
        sums = sorted(one + other for one, other in pairs if one < other) if not bare else []
        if label is None or _is_among(sums, value, step, units):
            continue
        if not any(map(_follows, pairs, repeat((value, step)), repeat(share))):
            yield line.strip(), f"{label} {found[0]}".strip()


def _label(near: str, value: float, shown: str) -> str | None:
    """The first word near a number without a unit that has a number beside it in what was `shown`; None for numbers
    that are small, of years, or large, and where too much was shown."""
    if (value.is_integer() and not 10 <= value < 1900) or len(shown) > _MOST_SHOWN:
        return None
    words = (word for word in WORD.findall(near.lower()) if word not in _PLAIN)
    beside = r"(?i)\b{0}\b['\"]?\s?[:=|]?\s?\d|\d%?\s{0}\b"
    return next((word for word in words if re.search(beside.format(word), shown)), None)


def _is_among(ordered: Sequence[float], value: float, step: float, units: Sequence[float]) -> bool:
    """Whether a number, rounded to a step, is among others in one of some units."""
    places = ((bisect_left(ordered, (value - step) * unit), (value + step) * unit) for unit in units)
    return any(place < len(ordered) and ordered[place] <= most for place, most in places)


def _follows(pair: tuple[float, float], said: tuple[float, float], share: bool) -> bool:
    """Whether a number is the sum or the difference of two others or, of what may be a share, their ratio or the change
    in percent."""
    (one, other), (value, step) = pair, said
    ratio = one / other if other else 0.0
    made = (one + other, one - other, ratio, 100 * ratio, 100 * (1 - ratio), 100 * (ratio - 1))
    return bool([entry for entry in made[: None if share else 2] if abs(entry - value) <= step])


def _value(number: str) -> float:
    return float(number.translate(_SEPARATORS))
