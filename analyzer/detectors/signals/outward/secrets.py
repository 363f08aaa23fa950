"""Secrets in what the agent sends: only those that their issuers mark by a form of their own, or the placeholder of one
in a session that was redacted."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.redaction.providers import PROVIDERS
from analyzer.text.clip import around
from analyzer.text.expressions import compiled
from analyzer.text.late import Literals

_LONGEST = 20_000
_QUOTED = 240
_NAMES = "|".join(rule.name for rule in PROVIDERS if rule.name != "private-key")
_PLACEHOLDER = compiled(rf"\[(?P<rule>{_NAMES})-\d{{1,6}}\]")
"""That of a private key may be there for a single line of it, which alone is no secret."""
_HINTS = Literals(hint for rule in PROVIDERS if not rule.any_case for hint in rule.hints)
_SMALL_HINTS = Literals(hint for rule in PROVIDERS if rule.any_case for hint in rule.hints)


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: the rule that knows it, its text, and the text around it, in which it's replaced."""

    name: str
    text: str
    around: str


def secret_in(shown: str) -> Secret | None:
    """The first secret in a command or a request; None where there's none."""
    text = shown[:_LONGEST]
    if (replaced := _PLACEHOLDER.search(text)) is not None:
        start, end = replaced.span()
        return Secret(replaced["rule"], replaced.group(), around(text, start, end, _QUOTED))
    lowered = text.lower()
    hints = {*_HINTS.within(text), *_SMALL_HINTS.within(lowered)}
    for rule in PROVIDERS if hints else ():
        for found in rule.find(text, lowered, hints.intersection(rule.hints)):
            start, end = rule.span(found)
            name = f"[{rule.name}]"
            shown = around(text[:start] + name + text[end:], start, start + len(name), _QUOTED)
            return Secret(rule.name, text[start:end], shown)
    return None
