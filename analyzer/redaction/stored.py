"""Secrets as systems store them: hashes of passwords, files with the logins of machines and registries, the short
options of database clients."""

from __future__ import annotations

import base64
import binascii
import re

from analyzer.redaction.rule import END, TABLE, Begins, Keeps, before, rules_of
from analyzer.redaction.values import is_code, is_placeholder, turns


def _is_login(value: str) -> bool:
    """Whether a value in base64 is a name and a password."""
    try:
        text = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    name, colon, password = text.partition(":")
    return bool(colon and name and password) and text.isprintable()


def _is_no_argument(found: re.Match[str]) -> bool:
    value = found["secret"]
    return is_placeholder(value) or is_code(value) or len(value) < 4


_KEEPS: Keeps = {
    "login": lambda found: not _is_login(found["secret"]),
    "netrc-password": _is_no_argument,
    "short-option": _is_no_argument,
    "session-cookie": lambda found: is_placeholder(found["secret"]) or turns(found["secret"]) < 4,
}
_BEGINS: Begins = {
    "login": lambda text, hint: hint - 1 if text[hint - 1 : hint] == "_" else hint,
    "session-cookie": before(lambda sign: sign.isalnum() or sign in "_.", 30),
}
STORED = rules_of(TABLE["stored"], {**TABLE["parts"], "END": END}, _KEEPS, _BEGINS)
"""Rules for stored credentials; they come after those that go by the context."""
