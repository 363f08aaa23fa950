"""The table of what is redacted. docs/redaction.md shows it; a test holds the two equal."""

from __future__ import annotations

from analyzer.redaction.contexts import CONTEXTS, STORED
from analyzer.redaction.personal import HOMES, PERSONAL
from analyzer.redaction.providers import PROVIDERS, SERVICES
from analyzer.redaction.rule import Rule
from analyzer.text.expressions import compiled

__all__ = ["RULES", "RULES_VERSION", "Rule", "without_numbers"]

RULES_VERSION = 5
"""Rises with every change of what the rules find."""

RULES: tuple[Rule, ...] = (*PROVIDERS, *SERVICES, *CONTEXTS, *STORED, *PERSONAL, *HOMES)
"""In the order in which they're applied: what a rule has replaced the next ones don't see."""

_NUMBERED = compiled(rf"\[({'|'.join(rule.name for rule in RULES)})-\d{{1,6}}\]|(?<=/(?:home)/)(user)-\d{{1,6}}")


def without_numbers(text: str) -> str:
    """A redacted text with placeholders that don't tell one secret from another, so that texts of several sessions can
    be compared."""
    return _NUMBERED.sub(lambda found: f"[{found[1]}]" if found[1] else "user", text) if "-" in text else text
