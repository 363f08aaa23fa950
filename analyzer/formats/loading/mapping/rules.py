"""The rules of a declared format, chosen by what they read and by the kinds that they're for."""

from __future__ import annotations

from analyzer.formats.loading.mapping.values import fulfils
from analyzer.formats.record.warnings import Form, forms
from analyzer.model.mapping import LogMapping
from analyzer.model.rules import Condition, KindRule, Rule
from analyzer.model.struct import Struct

_MOST_KINDS = 1_000
Forms = tuple[tuple[str | None, Form], ...]


class _Plan(Struct, frozen=True):
    """A rule for objects of a kind: what else they must fulfil, and the forms that they must have."""

    rule: Rule
    when: Condition
    forms: Forms


class Rules:
    """The rules of a mapping by what they read and by the kinds that they're for."""

    def __init__(self, mapping: LogMapping) -> None:
        self.mapping = mapping
        self.kinds = {"record": KindRule(), **mapping.kind}
        self._forms: dict[int, Forms] = {
            id(rule): tuple((form.at, forms({"": form.model_dump()})[""]) for form in rule.form)
            for rules in mapping.rules.values()
            for rule in rules
        }
        self._of_kind: dict[tuple[str, str | None], tuple[_Plan, ...]] = {}

    def of(self, name: str, kind: str | None) -> tuple[_Plan, ...]:
        """The rules of a name that may apply to an object of a kind."""
        found = self._of_kind.get((name, kind))
        if found is None:
            about = self.kinds.get(name)
            key = about.key if about is not None and kind is not None else ""
            found = tuple(
                _Plan(rule, {way: rule.when[way] for way in rule.when if way != key}, self._forms[id(rule)])
                for rule in self.mapping.rules.get(name, ())
                if key not in rule.when or fulfils(kind, rule.when[key])
            )
            if len(self._of_kind) < _MOST_KINDS:
                self._of_kind[name, kind] = found
        return found
