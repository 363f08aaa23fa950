"""Secrets that only their context gives away: headers, addresses, names of settings, options."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.redaction.rule import END, TABLE, Keeps, Rule, rules_of
from analyzer.redaction.values import is_code, is_example, is_password, is_placeholder, is_token, turns
from analyzer.text.expressions import compiled
from analyzer.text.names import names

_KINDS = names(
    "api access auth account app application bot client consumer deploy encryption license master private secret "
    "service shared signing ssh storage subscription"
)
"""Words before `key` that make it one to keep to oneself; a cache and a dictionary have keys, too."""
_TOKEN = rf"(?:secret|token|credentials?|(?:{'|'.join(f'(?<={kind})|(?<={kind}[_-])' for kind in _KINDS)})key)"
_PARTS = {**TABLE["parts"], "TOKEN": _TOKEN, "END": END}
_LONG_OPTION = compiled(r"(?<![\w-])--(?:[a-zA-Z0-9]+-)*\Z")
PASSWORD_NAME = compiled(rf"(?i:{_PARTS['PASSWORD']}{_PARTS['AFTER']}\Z)")
"""The end of a name that a password has."""
TOKEN_NAME = compiled(rf"(?i:{_TOKEN}{_PARTS['AFTER']}\Z)")
"""The end of a name that a token, a secret or a key has."""


def value_of(found: re.Match[str]) -> tuple[str, bool, bool]:
    """A setting's value, whether it's quoted, and whether it's written as in an environment: a name in capitals, and
    nothing between."""
    bare = found["bare"]
    if bare is None:
        return found["inner"].rstrip("…"), True, False
    return bare.rstrip("…"), False, found["name"].isupper() and not found["gap"] and "=" in found.group()


def _unless(is_secret: Callable[..., bool]) -> Callable[[re.Match[str]], bool]:
    def keeps(found: re.Match[str]) -> bool:
        value, quoted, setting = value_of(found)
        return not is_secret(value, quoted=quoted, setting=setting)

    return keeps


def _is_option(found: re.Match[str]) -> bool:
    """Whether the name belongs to a long option: `--password`, `--db-password`."""
    return _LONG_OPTION.search(found.string, max(0, found.start() - 34), found.start()) is not None


def _start_of_element(text: str, hint: int) -> int:
    """Where the element's tag begins that ends at a hint."""
    return max(text.rfind("<", max(0, hint - 40), hint), 0)


def _no_option(found: re.Match[str]) -> bool:
    value = found["secret"] or found["curl"]
    if found["curl"] is None and not found.group().lower().startswith("sshpass") and not _is_option(found):
        return True
    return is_placeholder(value) or is_code(value) or value.startswith("-") or len(value) < 4


def _no_long_value(found: re.Match[str]) -> bool:
    value = found["secret"]
    return is_placeholder(value) or is_code(value) or (turns(value) < 2 and len(value) < 24)


def _no_credentials(found: re.Match[str]) -> bool:
    value = found["secret"]
    return is_placeholder(value) or (value.isalpha() and len(value) < 6)


def _no_cookie(found: re.Match[str]) -> bool:
    return is_placeholder(found["secret"].partition("=")[2]) or is_example(found["secret"])


_KEEPS: Keeps = {
    "authorization": _no_long_value,
    "cookie": _no_cookie,
    "url-password": _no_credentials,
    "url-token": lambda found: turns(found["secret"]) < 4 or is_placeholder(found["secret"]),
    "password": _unless(is_password),
    "secret": _unless(is_token),
    "option": _no_option,
    "option-token": lambda found: not _is_option(found) or not is_token(found["secret"], quoted=True, setting=True),
    "element": lambda found: (
        not (is_password if "pass" in found["name"].lower() else is_token)(found["secret"], quoted=True, setting=False)
    ),
}
CONTEXTS = rules_of(TABLE["context"], _PARTS, _KEEPS, {"element": _start_of_element})
"""Rules that go by the context of a secret; they come after those that go by its form."""
_BY_NAME = {rule.name: rule for rule in CONTEXTS}


def rule_of_setting(name: str, value: str) -> Rule | None:
    """The rule by which the value is a secret as a whole; None where it isn't, or where it's a text in which secrets
    have to be looked for."""
    if not 6 <= len(value) <= 4_000 or len(name) > 100 or len(value.split()) > 1:
        return None
    if PASSWORD_NAME.search(name):
        return _BY_NAME["password"] if is_password(value, quoted=True, setting=False) else None
    if TOKEN_NAME.search(name):
        return _BY_NAME["secret"] if is_token(value, quoted=True, setting=False) else None
    return None
