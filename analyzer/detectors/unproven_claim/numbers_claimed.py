"""What an answer says in numbers, held against the record: that all of so many things, or the whole of one, was done;
measures and numbers of tests, held against all numbers that were shown before it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, islice
from math import inf

from analyzer.commands.git import git_call
from analyzer.detectors.signals.check_claims import OTHERWISE, TESTS, UNSURE, WORD
from analyzer.detectors.signals.effects import QUIET, words_of
from analyzer.detectors.signals.git_output import output_of
from analyzer.model.action import Action
from analyzer.model.finding import Slot
from analyzer.model.words import Kind
from analyzer.speech.acts import Act, acts_of
from analyzer.speech.heard import heard
from analyzer.text.late import late
from analyzer.text.markdown import without_fences
from analyzer.text.names import name_set, names
from analyzer.text.required import folded

_WORDS = names("zero one two three four five six seven eight nine ten eleven twelve")
_N = rf"(?:[1-9]\d{{0,8}}(?:,\d{{3}}){{0,3}}(?!\d)|{'|'.join(_WORDS[2:])})"
_CLAIM = late(
    rf"\ball (?:of )?(?:(?:the|your|our|these|those) )?(?P<total>{_N}) (?=[a-z])"
    rf"|\b(?P<part>{_N}) ?(?:of|out of|/) ?(?P=part)\b"
    r"|(?P<whole>\b100 ?%|\b(?:full|complete|total) (?:line )?coverage\b)",
    2,
)
"""All of so many things, and the whole of one."""
_PERCENT = late(r"(?<![\w.])(?P<value>\d{1,3}(?:\.\d+)?) ?%")
_BAD = (
    r"(?:skipped|failed|failures?|rejected|errors?|missing|ignored|invalid|unsupported|pending"
    r"|un(?!defined)[a-z]{3,15}ed)"
)
_SKIPPED = (" skipped", " failed", " rejected", " missing")
"""How a row ends that is about one of several things, which was left out."""
_COUNTED = r"\d{1,9}(?:,\d{3}){0,3}"
_LEFT_OUT = late(
    rf"\b(?P<part>{_COUNTED}) (?:\w+ ){{0,2}}?{_BAD}\b|\b{_BAD}(?:(?:_\w+)?['\"]?\s?[:=]\s?| )(?P<more>{_COUNTED})\b", 2
)
_OF = late(rf"(?<![\w./-])(?P<some>{_COUNTED}) ?(?:of|out of|/) ?(?P<whole>{_COUNTED})(?![\w./-])", 2)
_NUMBER = late(r"(?<!\d)(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,15}(?!\d))(?:\.\d+)?")
_LONGEST, _END, _FEWEST = 20_000, 4_000, 2
_STEM, _SMALL, _NEAR = 5, 6, 30


Shown = tuple[Action, str, dict[str, Slot]]
"""The call that shows otherwise than a claim, the words for what it shows, and what they name."""


def overcounted(text: str, actions: Sequence[Action]) -> Iterator[tuple[str, Shown]]:
    """The sentences of an answer that say more than there is, each with what shows it."""
    for said in heard(text):
        for claim in _CLAIM.finditer(said.quote):
            acts = acts_of(_clause(said.quote, claim.start(), claim.end()))
            if Act.DONE not in acts and not OTHERWISE.isdisjoint(acts):
                continue
            if (found := _against(claim, said.quote, actions)) is not None:
                yield said.quote, found
                break


def _against(claim: re.Match[str], quote: str, actions: Sequence[Action]) -> Shown | None:
    """The call that shows otherwise than a claim, and what it shows."""
    if (count := claim["total"] or claim["part"]) is None:
        return _less(quote, actions)
    thing = quote[claim.end() : claim.end() + _NEAR].lower()
    return _left_out(_value(count), actions, "" if claim["part"] else thing.split(" ")[0])


def _clause(sentence: str, start: int, end: int) -> str:
    """The part of a sentence between commas in which a claim stands."""
    first = max(sentence.rfind(mark, 0, start) for mark in ",;:") + 1
    ends = [place for mark in ",;:(" if (place := sentence.find(mark, end)) >= 0]
    return sentence[first : min(ends, default=len(sentence))]


def _value(number: str) -> int:
    return _WORDS.index(number.lower()) if number.lower() in _WORDS else int(number.replace(",", "").partition(".")[0])


def _left_out(total: int, actions: Sequence[Action], thing: str) -> Shown | None:
    """The last result that counts so many things, where it says of a part that it was left out or failed. A small
    number may be that of anything: the result has to speak of the thing; a test run counts tests."""
    later = set[int]()
    for action in reversed(actions):
        if action.operation.commands and git_call(action.operation.commands[-1]) is not None:
            continue  # it counts lines
        result = output_of(action)[-_LONGEST:]
        known = total >= _SMALL or thing[:_STEM] in result.lower()
        if not (not thing or thing.startswith(TESTS) if action.kind is Kind.TEST else known):
            continue
        numbers = set(map(_value, _NUMBER.findall(result)))
        parts = [(one[0], _value(one["part"] or one["more"])) for one in _LEFT_OUT.finditer(result)]
        rows = [line.strip() for line in result.splitlines() if line.rstrip().lower().endswith(_SKIPPED)]
        rows = [row for row in rows if _NUMBER.search(row)] if action.kind not in QUIET else []
        parts += [(rows[0], len(rows))] if len(rows) >= _FEWEST else []
        parts += [
            (one[0], total - _value(one["some"])) for one in _OF.finditer(result) if _value(one["whole"]) == total
        ]
        sums = {sum(map(_value, _NUMBER.findall(line))) for line in result[-_END:].splitlines()}
        rest = total in sums and total not in numbers
        left = (one for one, count in parts if 0 < count < total and (rest or total - count in numbers | later))
        if (found := next(left, None)) is not None:
            by_hand = sum(len(one.accepted_edits) for one in actions if one.step > action.step)
            return None if by_hand >= dict(parts)[found] else (action, "shows-otherwise", {"line": found})
        if total in numbers or action.kind is Kind.TEST:
            return None  # what an earlier run counted is over
        later |= numbers
    return None


def _less(quote: str, actions: Sequence[Action]) -> Shown | None:
    """The last share that a run shows of what a sentence speaks of, where that isn't the whole."""
    stems = {word[:_STEM] for word in words_of(quote)}
    for action in reversed([one for one in actions if one.kind in (Kind.RUN, Kind.TEST)]):
        for line in reversed(output_of(action)[-_END:].splitlines()):
            shares = [float(found["value"]) for found in _PERCENT.finditer(line)]
            if shares and stems & {word[:_STEM] for word in words_of(line)}:
                return (action, "shows-otherwise", {"line": line}) if max(shares) < 100 else None
    return None


_MEASURE = late(
    r"(?<![\w.,#$/~:-])(?P<number>\d{1,3}(?:[\xa0\u202f ]\d{3})+|\d[\d,]*(?:\.\d+)?)"
    r"(?: ?(?P<unit>%|[mnµu]?s|sec\w*|min\w*|[kKMG]i?B|fps"
    r"|(?P<tests>tests|specs))(?:/op)?)?(?![\w/:-]|\.\d)"
)
_TESTS_IN_WORDS = late(rf"\b(?:{'|'.join(_WORDS[3:])})(?= (?:tests|specs)\b)", re.IGNORECASE)
_PLAIN = name_set(
    "line lines step steps page section version python node port issue the and for with are was were that"
)
"""Words beside which a number is a name."""
_LABEL = late(r"p(?<!\wp)\(?\d{1,2}(?:\.\d{1,3})?\)?(?= ?[=:])")
"""The name of a percentile, which is no measure."""
_FIGURE = late(r"\d(?:\d{0,2}(?:[,\xa0\u202f ]\d{3})+(?!\d)|\d*)(?:\.\d+)?")
_SEPARATORS = dict.fromkeys(map(ord, ",\xa0\u202f "))
"""What stands between thousands."""
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b\.?"
_DATED = late(rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}", re.IGNORECASE)
_MOST_MEASURES, _MOST_NUMBERS, _MOST_SHOWN, _BESIDE = 50, 60, 2_000_000, 24
_UNITS = (1.0, 1e3, 1e6, 1e9, 1_024.0, 1_024.0**2, 1_024.0**3, 60.0, 0.01, 1e-3, 1e-6, 1 / 1_024, 1 / 60)
"""By how much a number may be written in another unit than it was shown."""


class ShownNumbers:
    """The numbers in what was shown before an answer: all of them, and the last ones, from which others may follow."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _all(self) -> tuple[list[float], list[float]]:
        """All in order of their size, and the last ones in that order."""
        written = dict.fromkeys(_FIGURE.findall(_LABEL.sub("", self._text)))
        amounts = list(dict.fromkeys(map(_amount, written)))
        return sorted(amounts), amounts[-4 * _MOST_NUMBERS :]

    def holds(self, value: float, step: float, units: Sequence[float]) -> bool:
        """Whether a number, rounded to a step, is among them in one of some units."""
        return _is_among(self._all[0], value, step, units)

    def label(self, near: str, value: float) -> str | None:
        """The first word near a number without a unit that has a number beside it here; None for numbers that are
        small, of years, or large, and where too much was shown."""
        if (value.is_integer() and not 10 <= value < 1900) or len(self._text) > _MOST_SHOWN:
            return None
        small = folded(self._text)
        words = (word for word in WORD.findall(near.lower()) if word not in _PLAIN and folded(word) in small)
        beside = r"(?i)\b{0}\b['\"]?\s?[:=|]?\s?\d|\d%?\s{0}\b"
        return next((word for word in words if re.search(beside.format(word), self._text)), None)

    def imply(self, value: float, step: float, units: Sequence[float], *, bare: bool, share: bool) -> bool:
        """Whether a number is the sum or the difference of two of the last ones or, of what may be a share, their
        ratio or the change in percent; of one with a unit, their sum in one of some units."""
        among = sorted(self._all[1][0 if bare else -_MOST_NUMBERS :])
        if not bare and _is_among(sorted(map(sum, combinations(among, 2))), value, step, units):
            return True
        shares = (value, value / 100, 1 - value / 100, 1 + value / 100) if share else ()
        for other in among:
            for one in (value - other, value + other, *(each * other for each in shares)):
                # What is looked for is a little wider than what counts, which is worked out from the pair.
                wide = (step * max(1.0, other) + 1e-9 * abs(one)) * 1.001 if other or not share else inf
                for entry in among[bisect_left(among, one - wide) : bisect_right(among, one + wide)]:
                    ratio = entry / other if other else 0.0
                    made = entry + other, entry - other, ratio, 100 * ratio, 100 * (1 - ratio), 100 * (ratio - 1)
                    if entry != other and any(abs(it - value) <= step for it in made[: None if share else 2]):
                        return True
        return False


def unshown_measures(text: str, known: Callable[[], ShownNumbers], *, counted: bool) -> Iterator[tuple[str, str]]:
    """The first measures in an answer, a number with its unit or with a word that has a number in what was `known`
    before it, that stand nowhere in that and follow from no two of its last numbers; each with its sentence. Numbers of
    tests only where each run was `counted`."""
    own = [_DATED.sub("", part) for part in without_fences(text).splitlines() if not part.startswith(">")]
    own = [_TESTS_IN_WORDS.sub(lambda found: str(_WORDS.index(found[0].lower())), part) for part in own]
    for line, found in islice(((part, one) for part in own for one in _MEASURE.finditer(part)), _MOST_MEASURES):
        clause = re.split(r"[,;.:] ", line[: found.start()])[-1]
        if (found["tests"] and not counted) or acts_of(f"{clause}{found[0]}", among=UNSURE):
            continue
        shown = known()
        value, step = _amount(found["number"]), 10 ** -len(found["number"].partition(".")[2]) / 2
        bare, share = found["unit"] is None, found[0].endswith("%")
        units = (1.0,) if bare or found["tests"] else _UNITS
        # Of a share in percent the rest of the whole may have been shown.
        if shown.holds(value, step, units) or (share and shown.holds(100 - value, step, (1.0, 0.01))):
            continue
        near = line[max(0, found.start() - _BESIDE) : found.end() + _BESIDE]
        label = shown.label(near, value) if bare else ""
        if label is not None and not shown.imply(value, step, units, bare=bare, share=share):
            yield line.strip(), f"{label} {found[0]}".strip()


def _is_among(ordered: Sequence[float], value: float, step: float, units: Sequence[float]) -> bool:
    """Whether a number, rounded to a step, is among others in one of some units."""
    places = ((bisect_left(ordered, (value - step) * unit), (value + step) * unit) for unit in units)
    return any(place < len(ordered) and ordered[place] <= most for place, most in places)


def _amount(number: str) -> float:
    return float(number.translate(_SEPARATORS))
