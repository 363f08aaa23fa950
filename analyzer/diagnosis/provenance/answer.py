"""What is said of where a cause came in, put together in one place."""

from __future__ import annotations

from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.text.clip import clip

_LONGEST_QUOTE = 300


def answer(
    kind: ProvenanceKind,
    confidence: float,
    reason: str,
    *,
    quote: str | None,
    step: int | None = None,
    file: str | None = None,
    line: int | None = None,
) -> Provenance:
    """One answer: how the cause came in, how sure that is, what shows it, and as far as they are known the step, the
    place and the words."""
    return Provenance(
        kind=kind,
        introduced_at=step,
        file=file or None,
        line=line,
        quote=clip(quote, _LONGEST_QUOTE) or None if quote else None,
        confidence=confidence,
        reason=reason,
    )
