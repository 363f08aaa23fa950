"""Secrets that only their context gives away: headers, addresses, names of settings, options; and those that systems
store: hashes of passwords, files with the logins of machines and registries, the short options of database clients.

Private keys in armour: the whole block, a block that was cut off, and lines of it that are quoted elsewhere without its
header."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

from analyzer.redaction.rule import END, TABLE, Begins, Keeps, Rule, before, rules_of
from analyzer.redaction.values import is_code, is_example, is_password, is_placeholder, is_token, turns
from analyzer.text.late import late
from analyzer.text.names import names

_KINDS = names(
    "api access auth account app application bot client consumer deploy encryption license master private secret "
    "service shared signing ssh storage subscription"
)
"""Words before `key` that make it one to keep to oneself; a cache and a dictionary have keys, too."""
_TOKEN = rf"(?:secret|token|credentials?|(?:{'|'.join(f'(?<={kind})|(?<={kind}[_-])' for kind in _KINDS)})key)"
_LONG_OPTION = late(r"(?<![\w-])--(?:[a-zA-Z0-9]+-)*\Z")
PASSWORD_NAME = late(rf"(?i:{TABLE['parts']['PASSWORD']}{TABLE['parts']['AFTER']}\Z)")
"""The end of a name that a password has."""
TOKEN_NAME = late(rf"(?i:{_TOKEN}{TABLE['parts']['AFTER']}\Z)")
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


def _no_option(found: re.Match[str]) -> bool:
    value = found["secret"] or found["curl"]
    if found["curl"] is None and not found.group().lower().startswith("sshpass") and not _is_option(found):
        return True
    return is_placeholder(value) or is_code(value) or value.startswith("-") or len(value) < 4


def _no_long_value(found: re.Match[str]) -> bool:
    value = found["secret"]
    return is_placeholder(value) or is_code(value) or (turns(value) < 2 and len(value) < 24)


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
    "authorization": _no_long_value,
    "cookie": lambda found: is_placeholder(found["secret"].partition("=")[2]) or is_example(found["secret"]),
    "url-password": lambda found: (
        is_placeholder(found["secret"]) or (found["secret"].isalpha() and len(found["secret"]) < 6)
    ),
    "url-token": lambda found: turns(found["secret"]) < 4 or is_placeholder(found["secret"]),
    "password": _unless(is_password),
    "secret": _unless(is_token),
    "option": _no_option,
    "option-token": lambda found: not _is_option(found) or not is_token(found["secret"], quoted=True, setting=True),
    "element": lambda found: (
        not (is_password if "pass" in found["name"].lower() else is_token)(found["secret"], quoted=True, setting=False)
    ),
    "login": lambda found: not _is_login(found["secret"]),
    "netrc-password": _is_no_argument,
    "short-option": _is_no_argument,
    "session-cookie": lambda found: is_placeholder(found["secret"]) or turns(found["secret"]) < 4,
}
_BEGINS: Begins = {
    "element": lambda text, hint: max(text.rfind("<", max(0, hint - 40), hint), 0),
    "login": lambda text, hint: hint - 1 if text[hint - 1 : hint] == "_" else hint,
    "session-cookie": before(lambda sign: sign.isalnum() or sign in "_.", 30),
}
CONTEXTS = rules_of("context", _KEEPS, _BEGINS, TOKEN=_TOKEN)
"""Rules that go by the context of a secret; they come after those that go by its form."""
STORED = rules_of("stored", _KEEPS, _BEGINS)
"""Rules for stored credentials; they come after those that go by the context."""
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


_LINE_END = r"(?:\\{1,8}r)?(?:\\{1,8}n|\n|\r\n?|[ ])"
"""The end of a line as such or as an escape; a blank, where lines were joined."""
_MARGIN = r"(?:[ \t]{0,12}(?:[0-9]{1,5}[ ]?[\t:|→][ \t]?|[+>|\-][ \t]{0,4}|[\"'][ ]?)?)"
"""What tools put before a line: its number, the sign of a difference or of a quote."""
_BASE64 = r"[A-Za-z0-9+/]"
_HEADER = r"(?:[A-Z][A-Za-z-]{2,20}:[ ][^\n\\\x00]{0,100}|)"
PRIVATE_KEY = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_LINE_END}{{1,3}}+{_MARGIN}(?:{_BASE64}{{16,}}+={{0,2}}|{_HEADER}(?=\\|\n|\r)))*+"
    rf"(?:{_LINE_END}{{0,3}}{_MARGIN}(?:{_BASE64}{{1,64}}+={{0,2}}(?={_LINE_END}{{0,3}}{_MARGIN}-----END|…|{END})"
    rf"|{_BASE64}{{2,64}}+={{1,2}}(?=\\|\s)|=[A-Za-z0-9+/]{{4}}(?=\\|\s)))?"
    rf"(?:…{_BASE64}*={{0,2}}|{_LINE_END}{{0,3}}{_MARGIN}-----END [A-Z0-9 ]{{1,60}}-----)?"
)
"""A block with at least one line of its body; the header alone, as in a program's source, is no key."""
_LONG = late(rf"{_BASE64}{{20,}}={{0,2}}")
LEAST = 20
"""A line of a key is known again from so many characters on."""


def body_lines(block: str) -> list[str]:
    """The lines of a block's body that are long enough to be known again."""
    return _LONG.findall(block)


def has_body(block: str) -> bool:
    """Whether the block holds some of a key."""
    inside = block.split("-----", 3)
    rest = inside[2] if len(inside) > 2 else ""
    return sum(letter.isalnum() for letter in rest) >= 8


class KeyLines:
    """The lines of private keys that were seen whole, by which they're known again in pieces."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._starts: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def learn(self, block: str) -> None:
        """Remember the lines of a block."""
        for line in body_lines(block):
            self._lines.setdefault(line, block)
            self._starts.setdefault(line[:LEAST], block)

    def pieces(self, text: str) -> list[tuple[int, int, str]]:
        """Where lines of known keys are in a text, whole or cut, with the key's block."""
        found = []
        for match in _LONG.finditer(text):
            line = match.group().lstrip("+")  # The sign of a difference is a letter of base64, too.
            block = self._lines.get(line) or self._starts.get(line[:LEAST])
            if block is not None:
                found.append((match.end() - len(line), match.end(), block))
        return found
