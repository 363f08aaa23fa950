"""The table of what is redacted, and in it the keys that their issuers mark by a prefix or another form of their own
(`rows.toml`), and private keys. docs/redaction.md shows it; a test holds the two equal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from analyzer.redaction.contexts import CONTEXTS, PRIVATE_KEY, STORED, has_body
from analyzer.redaction.personal import HOMES, PERSONAL
from analyzer.redaction.rule import END, START, START_OF_WORD, TABLE, Rule, at_hint, before, token
from analyzer.redaction.values import is_example, turns
from analyzer.text.late import joined, late

__all__ = ["PROVIDERS", "RULES", "RULES_VERSION", "Rule", "without_numbers"]

_LEAST_TURNS = 4
_SPOKEN = ("live_", "API-", "tk-us-", "fo1_", "fm1_", "fm2_")
"""Prefixes that may as well begin a name: what comes after them has to look drawn at random."""
_PARTS = {**TABLE["parts"], "START": START, "START_OF_WORD": START_OF_WORD, "END": END}


def _pattern(prefixes: str, behind: str, least: int = 0, start: str = START, kind: str = "") -> str:
    prefix = f"(?:{'|'.join(map(re.escape, prefixes.split()))}){kind}"
    return f"(?:{token(prefix, behind, least, start) if least else f'{start}{prefix}{behind}'})"


def _is_none(found: re.Match[str]) -> bool:
    key = found.group()
    return is_example(key) or (key.startswith(_SPOKEN) and turns(key) < _LEAST_TURNS)


def _key(row: Mapping[str, Any]) -> Rule:
    forms: list[dict[str, Any]] = [
        {name: joined(value, _PARTS)[0] if isinstance(value, str) else value for name, value in form.items()}
        for form in row["forms"]
    ]
    hints = tuple(prefix for form in forms for prefix in form["prefixes"].split())
    pattern = "|".join(_pattern(**form) for form in forms)
    begin = before(row["back"].__contains__, row["most"]) if "back" in row else at_hint
    return Rule(row["name"], pattern, row["what"], row["fact"], hints, keeps=_is_none, begin=begin)


PROVIDERS: tuple[Rule, ...] = (
    Rule(
        "private-key",
        PRIVATE_KEY,
        "private keys in PEM, OpenSSH and PGP armour, whole or cut",
        "`-----BEGIN ... PRIVATE KEY-----`, then lines of base64",
        ("-----BEGIN ",),
        keeps=lambda found: not has_body(found.group()),
    ),
    *map(_key, TABLE["provider"]),
)
"""Rules that need no context: the form alone identifies it."""
SERVICES: tuple[Rule, ...] = tuple(map(_key, TABLE["service"]))
"""Rules for keys that were made known by their issuers or by public rule sets."""

RULES_VERSION = 5
"""Rises with every change of what the rules find."""

RULES: tuple[Rule, ...] = (*PROVIDERS, *SERVICES, *CONTEXTS, *STORED, *PERSONAL, *HOMES)
"""In the order in which they're applied: what a rule has replaced the next ones don't see."""

_NUMBERED = late(rf"\[({'|'.join(rule.name for rule in RULES)})-\d{{1,6}}\]|(?<=/(?:home)/)(user)-\d{{1,6}}")


def without_numbers(text: str) -> str:
    """A redacted text with placeholders that don't tell one secret from another, so that texts of several sessions can
    be compared."""
    return _NUMBERED.sub(lambda found: f"[{found[1]}]" if found[1] else "user", text) if "-" in text else text
