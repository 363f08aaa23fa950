"""Which detectors there are, and their manual pages. Others register theirs under the entry point group
`analyze_session.detectors`.

A manual page is the docstring of a detector's class or, where it has a module for itself, that of the module."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from analyzer.detectors.engine.aspects import folded, joined, reported_once, weighed, with_stretches
from analyzer.detectors.engine.facts import Facts, priced
from analyzer.detectors.engine.interface import Detector, LiveDetector, Trait, retired
from analyzer.detectors.engine.outside import findings_of
from analyzer.detectors.engine.table import Rule, families
from analyzer.model.errors import BadConfiguration
from analyzer.model.finding import Finding
from analyzer.model.plugins import registered
from analyzer.model.struct import ValidationError, convert, fields, replace
from analyzer.model.words import Category
from analyzer.text.english import did_you_mean
from analyzer.timeline import Timeline

ENTRY_POINT_GROUP = "analyze_session.detectors"

_CATEGORIES = tuple(Category)

Settings = Mapping[str, Mapping[str, Any]]
"""Options of detectors, by the detector's name and the option's."""


@cache
def detectors() -> Sequence[Detector]:
    """All known detectors with their usual options: the rules of our families by category and name, then those that
    others registered, by name."""
    own: list[Detector] = [rule for rules in families().values() for rule in rules]
    own.sort(key=lambda detector: (_CATEGORIES.index(detector.category), detector.name))
    others = registered(ENTRY_POINT_GROUP)
    for entry in others:
        if not isinstance(entry, Detector) or not entry.name or not hasattr(entry, "category"):
            raise BadConfiguration(
                f"what is registered under {ENTRY_POINT_GROUP} as {entry!r:.100} is not a detector: derive its class "
                "from analyzer.detectors.engine.interface.Detector or LiveDetector, give it a name and a category, and "
                "register an object of it."
            )
    return (*own, *others)


@cache
def live_detectors() -> Mapping[str, LiveDetector]:
    """Those whose rules can follow a running agent, by name."""
    return {entry.name: entry for entry in detectors() if isinstance(entry, LiveDetector)}


class _Absent(Detector):
    """What is known of a detector that isn't there, as in findings that were stored by somebody who had more."""

    def detect(self, facts: Facts) -> Iterable[Finding]:  # noqa: ARG002
        return ()


_ABSENT = _Absent()


@cache
def _by_name() -> Mapping[str, Detector]:
    return {entry.name: entry for entry in detectors()}


def declared(finding: Finding) -> Detector:
    """The detector that made a finding, with what it declares of itself; one that declares nothing where it isn't
    there."""
    known = _by_name().get(finding.detector, _ABSENT)
    return known.whole if isinstance(known, Rule) else known


def has(finding: Finding, trait: Trait) -> bool:
    """Whether a finding means this, going by the detector that made it and its kind."""
    known = declared(finding)
    return trait in known.traits_by_kind.get(finding.kind, known.traits)


def first_with(findings: Iterable[Finding], trait: Trait) -> Finding | None:
    """The first of some findings that means this."""
    return next((finding for finding in findings if has(finding, trait)), None)


def detector_with(trait: Trait) -> Detector:
    """The first detector whose findings mean this; one that declares nothing where there's none."""
    known = next((known for known in detectors() if trait in known.traits), _ABSENT)
    return known.whole if isinstance(known, Rule) else known


def configured(settings: Settings) -> Sequence[Detector]:
    """All known detectors, those that `settings` names with these options.

    Raises `BadConfiguration` for a name that no detector has, an option that it doesn't know and a value that it can't
    use.
    """
    check_names(settings, of_old=True)
    return [_with(entry, settings[entry.name]) if settings.get(entry.name) else entry for entry in detectors()]


def detect(
    timeline: Timeline, *, select: Collection[str] = (), ignore: Collection[str] = (), settings: Settings | None = None
) -> list[Finding]:
    """What the detectors say about a session: the worst first, then the surest, then the earliest. What only shows
    another side of a loop is an aspect of that finding, and a loop names the finding that explains its failure.

    `select` names the detectors to ask (all when empty), `ignore` those to leave out, `settings` has options for some
    of them. Raises `BadConfiguration` for a name that no detector has and for options that can't be used. A detector of
    another package that raises an error loses its findings, which a warning of the session says.
    """
    check_names(select, of_families=True)
    check_names(ignore, of_old=True, of_families=True)
    facts = Facts(timeline)
    known = configured(settings) if settings else detectors()
    asked = [entry for entry in known if is_asked(entry, select, ignore)]
    able = [entry for entry in asked if entry.needs in facts.holds]
    found = [weighed(priced(finding, facts)) for detector in able for finding in findings_of(detector, facts)]
    ranked = sorted(found, key=_place)
    loops = folded(ranked, lambda finding: has(finding, Trait.ASPECT_OF_LOOP))
    told = with_stretches(reported_once(loops, lambda finding: has(finding, Trait.RECOUNTS)))
    # How directly a finding says why steps failed; 0 where it is about the result.
    found = joined(told, lambda one: 0 if has(one, Trait.RESULT_ONLY) else declared(one).cause_rank)
    return sorted(found, key=_place) if [one.severity for one in found] != [one.severity for one in told] else found


def _place(finding: Finding) -> tuple[int, float, int, str]:
    """A key that puts the worst finding first, then the surest, then the earliest."""
    return -finding.severity.rank, -finding.confidence, finding.first_step, finding.detector


def is_asked(entry: Detector, select: Collection[str], ignore: Collection[str]) -> bool:
    """Whether a detector is among those that `select` names (all when empty), by its own name or its family's, and
    none of those that `ignore` names."""
    names = {entry.name, entry.family.replace("_", "-")}
    return (not select or not names.isdisjoint(select)) and names.isdisjoint(ignore)


def check_names(names: Collection[str] | Settings, *, of_old: bool = False, of_families: bool = False) -> None:
    """Raise `BadConfiguration` for a name that no detector has. With `of_old` those that detectors had before are
    accepted: they leave nothing out and set nothing; with `of_families` those of families mean all their rules."""
    known = [entry.name for entry in detectors()] if names else []
    for name in names:
        rules = families().get(name, ()) if name not in known else ()
        if rules and not of_families:
            hint = f"Name one of its detectors: {', '.join(rule.name for rule in rules)}."
            raise BadConfiguration(f"{name!r} is a family of detectors.", hint=hint)
        if rules:
            continue
        if name in (gone := retired()) and name not in known:
            if not of_old:
                raise BadConfiguration(f"the detector {name!r} is no longer there.", hint=gone[name])
        elif name not in known:
            raise BadConfiguration(f"unknown detector {name!r}.", hint=did_you_mean(name, known))


def known_detector(name: str) -> Detector:
    """The detector called `name`; raises `BadConfiguration` with the nearest name where there is none."""
    check_names([name])
    return _by_name()[name]


def manual_page(detector: Detector) -> str:
    """The whole manual page of a detector."""
    if isinstance(detector, Rule):
        return inspect.cleandoc(detector.module.__doc__ or "There is no manual page.")
    module, own = sys.modules.get(type(detector).__module__), type(detector).__doc__ or ""
    page = own if "What it flags" in own else (module and module.__doc__) or own
    return inspect.cleandoc(page or "There is no manual page.")


def manual_pages(select: Collection[str] = (), ignore: Collection[str] = ()) -> dict[str, str]:
    """The manual pages of the detectors that these options choose, by name."""
    return {entry.name: manual_page(entry) for entry in detectors() if is_asked(entry, select, ignore)}


def _with(detector: Detector, values: Mapping[str, Any]) -> Detector:
    options = detector.options
    if options is None:
        raise BadConfiguration(f"the detector {detector.name!r} has no options.")
    known = {field.name: field.type for field in fields(type(options))}
    made = {}
    for name, value in values.items():
        if name not in known:
            hint = did_you_mean(name, known)
            raise BadConfiguration(f"the detector {detector.name!r} has no option {name!r}.", hint=hint)
        try:
            made[name] = convert(value, known[name], strict=False)
        except ValidationError as error:
            raise BadConfiguration(f"the option {name!r} of the detector {detector.name!r}: {error}.") from None
    return detector.with_options(replace(options, **made))
