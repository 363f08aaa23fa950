"""Secrets that only their context gives away: headers, addresses, names of settings, options."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.redaction.rule import END, Rule
from analyzer.redaction.values import is_code, is_example, is_password, is_placeholder, is_token, turns
from analyzer.text.expressions import compiled
from analyzer.text.names import names

_PASSWORD = r"(?:pass(?:w(?:or)?d|phrase)|pwd|(?<=_)pass|(?<=_)pw)"
_KINDS = names(
    "api access auth account app application bot client consumer deploy encryption license master private secret "
    "service shared signing ssh storage subscription"
)
"""Words before `key` that make it one to keep to oneself; a cache and a dictionary have keys, too."""
_TOKEN = rf"(?:secret|token|credentials?|(?:{'|'.join(f'(?<={kind})|(?<={kind}[_-])' for kind in _KINDS)})key)"
_AFTER = (
    r"(?:[_-]?(?:key(?:[_-]base)?|data|value|hash|base64|b64|prod|production|dev|staging|live|test|old|new|[0-9]{1,3}))"
    r"?(?![A-Za-z0-9_-])"
)
_QUOTE = r"\\{0,8}[\"'`]"
_COLOUR = r"(?:\x1b\[[0-9;]{0,12}m)*"
"""What programs put around names and values that they print in colour."""
_SIGN = (
    rf"{_COLOUR}(?:{_QUOTE})?{_COLOUR}\]?[ \t]{{0,8}}"
    r"(?::[ ]{0,2}(?:str|String|string|&str|SecretStr|Optional\[str\]|str[ ]\|[ ]None)[ ]{0,2}=|:=|=>|==|=|:)"
    rf"{_COLOUR}(?P<gap>[ \t]{{0,8}}){_COLOUR}"
)
_VALUE = (
    rf"(?:[bru]{{0,2}}(?P<quote>{_QUOTE})(?P<inner>[^\"'`\\\s\x00]{{1,400}}+)(?:(?P=quote)|{END})"
    r"|(?P<bare>[^\s\"'`\\,;(){}\[\]<>&|$*\x00\x1b](?:[^\s\"'`\\,;(){}\[\]<>&|$*\x00\x1b]|\$(?![({])|\*(?!\*)){0,400}+)"
    rf"(?=[\s\"'`,;)}}\]&|<\\\x1b]|{END}))"
)


_OPTION = rf"(?:[ ]|(?:{_QUOTE}),\s?)(?:{_QUOTE})?"
_LONG_OPTION = compiled(r"(?<![\w-])--(?:[a-zA-Z0-9]+-)*\Z")
PASSWORD_NAME = compiled(rf"(?i:{_PASSWORD}{_AFTER}\Z)")
"""The end of a name that a password has."""
TOKEN_NAME = compiled(rf"(?i:{_TOKEN}{_AFTER}\Z)")
"""The end of a name that a token, a secret or a key has."""


def _setting(names: str) -> str:
    return rf"(?i:(?P<name>{names}){_AFTER}){_SIGN}{_VALUE}"


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


CONTEXTS: tuple[Rule, ...] = (
    Rule(
        "authorization",
        rf"(?i:authorization(?:{_QUOTE})?[ ]?[:=][ ]?(?:{_QUOTE})?(?:bearer|basic|token|apikey|digest|negotiate)"
        rf"[ ]|\bbearer[ ])(?P<secret>[A-Za-z0-9._~+/=-]{{8,}}(?:…[A-Za-z0-9._~+/=-]*)?)",
        "credentials in an `Authorization` header",
        "`Bearer`, `Basic`, `Token` and the value",
        ("authorization", "bearer"),
        keeps=_no_long_value,
        any_case=True,
        learned=True,
    ),
    Rule(
        "cookie",
        rf"(?i:cookie(?:{_QUOTE})?[ ]?:[ ]?(?:{_QUOTE})?)(?P<secret>[A-Za-z0-9_.%-]{{1,80}}=[^\s\"'`\\;\x00]"
        rf"{{8,}}(?:;[ ]?[A-Za-z0-9_.%-]{{1,80}}=[^\s\"'`\\;\x00]{{1,4000}}){{0,60}})",
        "cookies in a header",
        "`Cookie:` or `Set-Cookie:` and pairs of names and values",
        ("cookie",),
        keeps=_no_cookie,
        any_case=True,
    ),
    Rule(
        "url-password",
        r"://[^\s:/@\"'`<>\\\x00]{0,64}:(?P<secret>[^\s/@\"'`<>\\\x00]{1,256}+)@",
        "the password of an address",
        "`scheme://user:password@host`",
        ("://",),
        keeps=_no_credentials,
        learned=True,
    ),
    Rule(
        "url-token",
        r"://(?P<secret>[A-Za-z0-9_-]{20,256}+)@",
        "a token in the place of an address's user",
        "`https://token@host`",
        ("://",),
        keeps=lambda found: turns(found["secret"]) < 4 or is_placeholder(found["secret"]),
        learned=True,
    ),
    Rule(
        "password",
        _setting(_PASSWORD),
        "the value of a setting, key, field or variable that is called a password",
        '`password=...`, `"passwd": "..."`, `DB_PASSWORD=...`, `pwd: ...`',
        ("pass", "pw"),
        keeps=_unless(is_password),
        any_case=True,
        learned=True,
    ),
    Rule(
        "secret",
        _setting(_TOKEN),
        "the value of a setting, key, field or variable that is called a token, a secret or a key, if it looks "
        "drawn at random",
        '`api_key=...`, `"client_secret": "..."`, `FOO_TOKEN=...`, AWS\'s `secret_access_key`',
        ("secret", "token", "credential", "key"),
        keeps=_unless(is_token),
        any_case=True,
        learned=True,
    ),
    Rule(
        "option",
        rf"(?i:(?<=-)(?:password|passwd|passphrase){_OPTION}|sshpass[ ]+-p[ ]?(?:{_QUOTE})?)"
        rf"(?P<secret>[^\s\"'`\\\x00…]{{1,200}})"
        rf"|(?i:\bcurl\b[^\n\x00]{{0,200}}?[ ](?:-u|--user)[ =](?:{_QUOTE})?[^\s:\"'`\\\x00]{{1,64}}:)"
        rf"(?P<curl>[^\s\"'`\\\x00…]{{1,200}})",
        "the value of an option of a command that is called a password",
        "`--password ...`, `sshpass -p ...`, `curl -u user:...`",
        ("pass", "sshpass", "curl"),
        keeps=_no_option,
        any_case=True,
        learned=True,
    ),
    Rule(
        "option-token",
        rf"(?i:(?<=-)(?:token|secret|api-?key|access-key|secret-key|private-key){_OPTION})"
        rf"(?P<secret>[^\s\"'`\\\x00…]{{8,400}})",
        "the value of an option that is called a token, a secret or a key",
        "`--token ...`, `--api-key ...`",
        ("token", "secret", "api", "access-key", "private-key"),
        keeps=lambda found: not _is_option(found) or not is_token(found["secret"], quoted=True, setting=True),
        any_case=True,
        learned=True,
    ),
    Rule(
        "element",
        r"(?i:<(?P<name>[a-z.:_-]{0,30}(?:password|passwd|passphrase|apikey|api_key|secret|token)))"
        r">(?P<secret>[^<>\s\x00]{6,400})</",
        "the content of an XML element that is called a password, a token, a secret or a key",
        "`<password>...</password>`",
        ("password>", "passwd>", "passphrase>", "apikey>", "api_key>", "secret>", "token>"),
        keeps=lambda found: (
            not (is_password if "pass" in found["name"].lower() else is_token)(
                found["secret"], quoted=True, setting=False
            )
        ),
        begin=_start_of_element,
        any_case=True,
        learned=True,
    ),
)
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
