"""The families of rules, and what each one's table says of its rules and of the kinds of their findings.

A family is a folder of `analyzer.detectors` with a `table.toml`: a table per rule. It begins with what is declared on
single lines, which decides whether the rule is asked; a kind of finding has what differs from the rule (`severity`,
`confidence`, the words of `title` and `advice`, what to ask and to try). The rule itself is the module of its name: it
has `detect(facts)`, or `detect(facts, options)` where it has options, or the `STATE` that follows a lane step by step.
It isn't loaded before a session holds what the rule needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from types import ModuleType
from typing import Any, Unpack

import analyzer.detectors
from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.interface import Detector, Fields, LiveDetector, Options, Trait, finding_of
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.model.finding import Cost, Finding, Slot, Taxonomy
from analyzer.model.struct import Struct, convert
from analyzer.model.words import Category, FailureKind, Severity
from analyzer.text.clip import clip
from analyzer.text.expressions import KEPT
from analyzer.text.late import late
from analyzer.text.wording import worded

TABLE = "table.toml"


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What a finding says, where its kind alone doesn't settle that."""

    title: str = ""
    """One sentence with its slots."""
    advice: tuple[str, ...] = ()
    """What the agent could have done instead."""


class KindRow(Words, frozen=True, forbid_unknown_fields=True):
    """A kind of finding, or what holds for all kinds of a rule."""

    severity: Severity | None = None
    confidence: float | None = None
    category: Category | None = None
    mast: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    traits: tuple[str, ...] | None = None
    guidance: str | None = None
    cause_name: str | None = None


class RuleRow(KindRow, frozen=True, forbid_unknown_fields=True):
    """A rule: what is declared of it, and its kinds."""

    needs: tuple[str, ...] = ()
    live: bool = False
    explains: tuple[FailureKind, ...] = ()
    cause_rank: int = 0
    first_failure_rank: int = 0
    case_lesson: str | None = None
    kinds: Mapping[str, KindRow] = {}
    words: Mapping[str, Words] = {}


class Rule(Detector):
    """One rule of a family, as its row declares it."""

    def __init__(self, family: str, name: str, row: RuleRow, options: Options | None = None) -> None:
        self.given = options
        assert row.category is not None
        self.family, self.name, self.row, self.category = family, name, row, row.category
        self.taxonomy = Taxonomy(mast=list(row.mast), trail=list(row.trail))
        self.needs = reduce(or_, (Need[_constant(need)] for need in row.needs), Need.NOTHING)
        self.traits = _traits(row)
        self.traits_by_kind = {kind: _traits(one) for kind, one in row.kinds.items() if one.traits is not None}
        self.explains, self.cause_rank = frozenset(row.explains), row.cause_rank
        self.guidance = {kind: one.guidance for kind, one in (("", row), *row.kinds.items()) if one.guidance}
        self.first_failure_rank, self.case_lesson = row.first_failure_rank, row.case_lesson
        self.cause_name = row.cause_name
        self.cause_names_by_kind = {kind: one.cause_name for kind, one in row.kinds.items() if one.cause_name}

    @property
    def whole(self) -> Rule:
        """The rule with all that its row declares."""
        return _whole(self.family)[self.name]

    @property
    def file(self) -> str:
        """The name of its module."""
        return self.name.replace("-", "_")

    @cached_property
    def module(self) -> ModuleType:
        """The module of the rule."""
        return import_module(f"analyzer.detectors.{self.family}.{self.file}")

    @cached_property
    def options(self) -> Options | None:  # type: ignore[override]
        """The options that it runs with; None for a rule that has none."""
        return self.given or getattr(self.module, "OPTIONS", None)

    @property
    def once(self) -> Options | None:  # type: ignore[override]
        """The options with which a single call is enough; None where the usual ones ask for no more."""
        return getattr(self.module, "ONCE", None)

    def with_options(self, options: Options) -> Rule:
        """The same rule with other options."""
        return type(self)(self.family, self.name, self.row, options)

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session."""
        found: Iterable[Finding] = self.module.detect(facts, *filter(None, [self.options]))
        return found


class LiveRule(Rule, LiveDetector):
    """One whose state follows a lane step by step."""

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        state: RuleState = self.module.STATE(lane_context, *filter(None, [self.options]))
        return state

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session: the module's where it has a shorter way, otherwise its states'."""
        return Rule.detect(self, facts) if hasattr(self.module, "detect") else LiveDetector.detect(self, facts)


def _constant(word: str) -> str:
    return word.upper().replace("-", "_")


def _traits(row: KindRow) -> frozenset[Trait]:
    return frozenset(Trait[_constant(word)] for word in row.traits or ())


_HEAD = late(r"^\[[a-z-]+\]\n(?:[a-z_]+ = (?:\"(?!\"\").*\"|\[.*\]|true|\d[\d.]*)\n)*", re.MULTILINE)
"""What stands on single lines at the beginning of a rule's row."""


@cache
def families() -> Mapping[str, Sequence[Rule]]:
    """The rules of each family, by the family's name, as the beginnings of their rows declare them."""
    return {
        path.parent.name.replace("_", "-"): _rules_of(path.parent.name, "".join(_HEAD.findall(path.read_text("utf-8"))))
        for path in sorted(Path(analyzer.detectors.__path__[0]).glob(f"*/{TABLE}"))
    }


@cache
def _whole(family: str) -> Mapping[str, Rule]:
    text = Path(analyzer.detectors.__path__[0], family, TABLE).read_text("utf-8")
    return {rule.name: rule for rule in _rules_of(family, text)}


def _rules_of(family: str, text: str) -> Sequence[Rule]:
    rows = {name: convert(row, RuleRow, strict=False) for name, row in KEPT.table(text).items()}
    return tuple((LiveRule if row.live else Rule)(family, name, row) for name, row in rows.items())


@cache
def _rules() -> Mapping[str, Rule]:
    return {rule.name: rule for rules in families().values() for rule in rules}


class Given(Fields, total=False):
    """What a finding of a table may be given besides; None is as good as nothing."""

    severity: Severity | None
    confidence: float | None
    title: str


def new_finding(
    name: str,
    *,
    steps: Sequence[int],
    cost: Cost,
    detectable_at: int | None = None,
    words: str = "",
    **given: Unpack[Given],
) -> Finding:
    """A finding of the rule and the kind that `name` gives (`loops/cycle`).

    What isn't given comes from the table: from the row of the kind, otherwise from that of the rule. The sentences are
    those of the row, or of the rule's words named `words`, with `slots` filled in. It's detectable at the last of its
    steps, unless another one is given.
    """
    rule_name, _, kind = name.partition("/")
    rule = _rules()[rule_name].whole
    whole, row = rule.row, rule.row.kinds.get(kind, _NO_ROW)
    said, facts = whole.words[words] if words else row, given.setdefault("slots", {})
    more: dict[str, Any] = {"kind": kind, "category": row.category or rule.category, **given, "cost": cost}
    more["title"] = given.get("title") or worded(said.title or row.title or whole.title, facts)
    more["severity"] = given.get("severity") or row.severity or whole.severity
    more["confidence"] = given.get("confidence") or row.confidence or whole.confidence
    more["detectable_at"] = steps[-1] if detectable_at is None else detectable_at
    more["slots"] = {slot: _short(value) for slot, value in facts.items()}
    if given.get("advice") is None:
        more["advice"] = [worded(line, facts) for line in said.advice or row.advice or whole.advice]
    if (row.mast or row.trail) and "taxonomy" not in given:
        more["taxonomy"] = Taxonomy(mast=list(row.mast), trail=list(row.trail))
    return finding_of(rule, steps, more)


def _words_of(rule: str, words: str) -> Words:
    row = _rules()[rule].whole.row
    return row.words.get(words) or row.kinds[words]


def title_of(rule: str, words: str, slots: Mapping[str, Slot]) -> str:
    """The sentence that a rule has under the name of its words or of a kind, with `slots` filled in."""
    return worded(_words_of(rule, words).title, slots)


def advice_of(rule: str, words: str, slots: Mapping[str, Slot]) -> list[str]:
    """The advice that a rule has under the name of its words or of a kind, with `slots` filled in."""
    return [worded(line, slots) for line in _words_of(rule, words).advice]


_NO_ROW = KindRow()
_LONGEST, _MOST = 300, 50
"""Characters of a text, and entries of a list, that the JSON has of a slot."""


def _short(value: Slot) -> Slot:
    if isinstance(value, str):
        return clip(value, _LONGEST)
    return value[:_MOST] if isinstance(value, list) else value
