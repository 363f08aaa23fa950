"""What brought each failure in, as the pages show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.postmortem import FailureRow, PostMortem
from analyzer.text.markdown import code

KINDS: Mapping[ProvenanceKind, str] = MappingProxyType(
    {
        ProvenanceKind.OWN_EDIT: "the agent's own edit",
        ProvenanceKind.TEST_DATA: "test data",
        ProvenanceKind.TEST_CODE: "the test's own code",
        ProvenanceKind.ENVIRONMENT: "the environment",
        ProvenanceKind.OUTDATED_VIEW: "an outdated view of the file",
        ProvenanceKind.INVENTED: "made up by the agent",
        ProvenanceKind.DIFFERENT_CALL: "unlike a call that worked",
        ProvenanceKind.BASELINE: "there before",
    }
)
"""What the kinds are called."""


@dataclass(slots=True, frozen=True)
class BroughtIn:
    """One failure whose cause is known: the steps that show it, and what brought it in. `quote` is empty where the
    reason has the words already."""

    failure: FailureRow
    steps: Sequence[int]
    found: Provenance
    kind: str
    place: str
    quote: str


def brought_in(session: PostMortem) -> list[BroughtIn]:
    """Every failure of which something shows what brought it in, in the order of their first steps."""
    steps = {(group.lane, group.group): group.steps for group in session.failure_groups}
    return [
        BroughtIn(
            failure,
            steps.get((failure.lane, failure.group or ""), [failure.step]),
            failure.provenance,
            KINDS[failure.provenance.kind],
            place(failure.provenance),
            _unsaid_quote(failure),
        )
        for failure in session.failures
        if failure.provenance is not None
    ]


def place(found: Provenance) -> str:
    """Where the cause is, as a code span; empty where no file is known or the reason names it."""
    if found.file is None:
        return ""
    where = found.file if found.line is None else f"{found.file}:{found.line}"
    return "" if where in found.reason else code(where)


def sentence(found: Provenance, quote: str = "") -> str:
    """All of it in one line."""
    at = f" ({where})" if (where := place(found)) else ""
    said = f": {code(quote, 200)}" if quote else ""
    return f"{KINDS[found.kind].capitalize()}{at}. {found.reason} (confidence {found.confidence:.0%}){said}"


def _unsaid_quote(failure: FailureRow) -> str:
    found = failure.provenance
    if found is None or not found.quote:
        return ""
    said = " ".join(f"{failure.type}: {failure.message} {found.reason}".split())
    return "" if " ".join(found.quote.rstrip("…").split())[:60] in said else found.quote
