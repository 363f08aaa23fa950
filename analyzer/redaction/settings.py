"""Values that the name of their field gives away, where name and value come apart: arguments of a call, keys of
JSON."""

from __future__ import annotations

from analyzer.redaction.contexts import PASSWORD_NAME, TOKEN_NAME
from analyzer.redaction.rule import Rule
from analyzer.redaction.rules import RULES
from analyzer.redaction.values import is_password, is_token
from analyzer.text.expressions import compiled

_BY_NAME = {rule.name: rule for rule in RULES}
_SPACE = compiled(r"\s")


def rule_of_setting(name: str, value: str) -> Rule | None:
    """The rule by which the value is a secret as a whole; None where it isn't, or where it's a text in which secrets
    have to be looked for."""
    if not 6 <= len(value) <= 4_000 or len(name) > 100 or _SPACE.search(value):
        return None
    if PASSWORD_NAME.search(name):
        return _BY_NAME["password"] if is_password(value, quoted=True, setting=False) else None
    if TOKEN_NAME.search(name):
        return _BY_NAME["secret"] if is_token(value, quoted=True, setting=False) else None
    return None
