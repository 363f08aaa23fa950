"""Data about people: their names in version control, e-mail addresses, and the names of their accounts, in home
directories, however they're written, and where a system says who somebody is."""

from __future__ import annotations

import re

from analyzer.redaction.rule import TABLE, before, rules_of
from analyzer.text.late import late
from analyzer.text.names import name_set

_NOBODY = late(
    r"(?:no-?reply|do-?not-?reply|git|user|users|username|name|you|your[._-]?(?:name|e?mail)?|me|foo|bar|test"
    r"|tester|test[-_.]?user\d*|admin|info|support|example|email|mail|root|postmaster|noreply[.+-].*|\d+\+[\w-]+"
    r"|x+|user\d+|someone|somebody|john\.?doe|jane\.?doe)@.*"
    r"|.*@(?:.*\.)?(?:example|test|invalid|localhost|local|example\.(?:com|org|net|edu)|noreply\.github\.com"
    r"|users\.noreply\.[\w.]+|(?:your|my|some)?-?(?:domain|company|email|mail|site|host|server)\.\w+|test\.com"
    r"|foo\.com|bar\.com|foo\.bar|internal|gserviceaccount\.com|sentry\.io)",
    re.IGNORECASE,
)
_NO_DOMAIN = late(
    r"v?\d+\.\d.*|.*\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|json|ya?ml|toml|md|rst|txt|html?|css|scss|svg|png|jpe?g|gif"
    r"|webp|ico|pub|pem|key|crt|pdf|zip|tgz|gz|tar|whl|jar|log|lock|rb|rs|go|java|kt|swift|php|cpp|hpp|sh|sql|xml"
    r"|csv|ini|cfg|conf|service|socket|timer|mount|target|slice|scope|device|dtype|shape|inv|dot|transpose|mark"
    r"|fixture|setter|getter|property|staticmethod|classmethod|override|values?|item|data|htm|vue|component|module|test"
    r"|spec)",
    re.IGNORECASE,
)
_GENERIC = name_set("""
user users username user_name yourname your_name your-name you me name someone somebody ubuntu debian fedora
centos alpine arch ec2-user admin administrator root runner runneradmin node vscode coder codespace gitpod jovyan
circleci docker agent app appuser dev developer openhands swe-agent sweagent openclaw claude codex devin nonroot
nobody test tester testuser build builder jenkins gitlab-runner git www www-data web service linuxbrew shared
public default guest pwuser sandbox work workspace project code student model computeruse oai kasm-user seluser
containeruser containeradministrator swe-bench swebench envs env assist assistant vagrant travis pi foo bar baz
example demo sample python postgres mysql nginx hadoop spark steam deploy bot team lib bin etc opt tmp var usr mnt
venv site all 用户 用户名 usuario utilisateur benutzer
""")
"""The names of users that many machines have, in small letters."""
_LOCAL = late(r"(?:(?<=\\)[nrt])?[A-Za-z0-9_%+][A-Za-z0-9._%+-]{0,64}\Z")


def _start_of_address(text: str, at: int) -> int:
    """Where the part of an address before its `@` begins."""
    if not text[at + 1 : at + 2].isalnum():
        return at
    found = _LOCAL.search(text, max(0, at - 65), at)
    return found.start() if found is not None else at


def _is_nobody(address: str) -> bool:
    return _NO_DOMAIN.fullmatch(address.rpartition("@")[2]) is not None or _NOBODY.fullmatch(address) is not None


_NO_PERSON = late(
    r"(?i:your name|(?:full )?name|you|user|author|.*\bbot|.*\bagent|root|test(?: user)?"
    r"|(?:claude|codex|cursor|copilot|gemini|gpt|chatgpt|devin|aider|openhands|opencode|amp|qwen|kimi|deepseek|llama)\b.*)"
)


_start_of_trailer = before(lambda sign: sign.isalpha() or sign == "-", 16)
"""Where the name of a trailer begins that ends at a hint."""


def is_generic_user(name: str) -> bool:
    """Whether many machines have a user of this name, so that it says nothing about a person."""
    lowered = name.lower().strip("._-")
    plain = lowered in _GENERIC or not lowered.strip("x") or lowered.removeprefix("user-").isdecimal()
    return (
        plain or all(sign.isdecimal() or sign in "_.-" for sign in lowered) or _NO_DOMAIN.fullmatch(lowered) is not None
    )


_LAST_WORDS = late(rf"(?:{TABLE['parts']['CAPITAL']}{TABLE['parts']['LETTERS']}[ ]){{2,4}}\Z")
_BLAME = 100


def _start_of_person(text: str, hint: int) -> int:
    """Where the name of a trailer, of the owner of an address or of the author of a line begins, by a hint behind or
    within it."""
    if text[hint] == "<":
        found = _LAST_WORDS.search(text, max(0, hint - 80), hint)
        return found.start() if found is not None else hint
    if text.startswith(" +", hint) or text.startswith(" -", hint):
        return text.rfind("(", max(0, hint - _BLAME), hint) + 1
    if text[hint].isupper() and text.startswith("_NAME=", hint + 3):
        return hint
    return _start_of_trailer(text, hint)


def _no_person(found: re.Match[str]) -> bool:
    name = next(name for name in found.group("secret", "addressed", "set", "blamed") if name is not None)
    mail = found["mail"]
    hidden = mail is not None and mail.endswith("users.noreply.github.com")
    return _NO_PERSON.fullmatch(name) is not None or (mail is not None and not hidden and _is_nobody(mail))


PERSONAL = rules_of(
    "personal",
    {"person": _no_person, "e-mail": lambda found: _is_nobody(found["secret"])},
    {"person": _start_of_person, "e-mail": _start_of_address},
)
"""Rules for what says who somebody is."""


def _start_of_home(text: str, hint: int) -> int:
    """Where what a hint belongs to begins: the slash of a path as it's written, a drive, a folder's name, the mode of a
    file in a listing."""
    if text.startswith(("2F", "2f"), hint):
        return max(text.rfind("%", max(0, hint - 8), hint), 0)
    if text[hint] in "\\/u:" and not text.startswith("uid", hint):
        start = hint
        while start > 0 and hint - start < 32 and text[start - 1] == "\\":
            start -= 1
        if text[start] in "\\:" and start > 0 and text[start - 1] == ":":
            start -= 1
        drive = text[start] == ":" and start > 0
        return start - 1 if drive else start
    if text.startswith(("-home-", "-Users-"), hint):
        return hint - 2 if hint > 1 and text[hint - 1] == "-" and text[hint - 2].isalpha() else hint
    start = hint
    while text[hint] in "r-" and start > 0 and hint - start < 9 and text[start - 1] in "-rwxsStTdlbcp":
        start -= 1
    return start


HOMES = rules_of(
    "home",
    {"home-directory": lambda found: is_generic_user(next(filter(None, found.groups())))},
    {"home-directory": _start_of_home},
)
"""Rules for names of accounts."""
