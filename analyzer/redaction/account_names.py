"""The names of accounts: in home directories, however they're written, and where a system says who somebody is."""

from __future__ import annotations

import re

from analyzer.redaction.personal import is_generic_user
from analyzer.redaction.rule import END, Rule

_ENCODED = r"%(?:25){0,3}2[Ff]"
_SLASH = rf"(?:\\{{0,32}}/|{_ENCODED}|\\{{1,32}}u002[Ff])"
"""A slash, also as JSON within JSON or an address writes it."""
_NAME = r"(?:[A-Za-z0-9_\u00c0-\u024f][A-Za-z0-9._\u00c0-\u024f-]{0,63}+|(?![A-Za-z0-9_\u00c0-\u024f])[^\W\x00]{1,24}+)"
"""In Latin letters, so that what is written around it in another script isn't taken for a part of it; or in these."""
_AFTER = (
    rf"(?=[/\\\s\"'`:;,)\]}}>|…<\x1b]|{_ENCODED}|%(?:25){{0,3}}(?:5[Cc]|2[027]|3[AaBb])|&(?:[a-z]{{2,6}}|\#[0-9]{{1,5}});"
    rf"|[?!](?:[\s\"')]|{END})|[\u0250-\U0010ffff]|{END})"
)
_BEFORE = (
    r"(?:(?<![A-Za-z0-9_.\\-])|(?<=/[a-zA-Z])|(?<=[\s\x00][ab])|(?<=\\[nrt])|(?<=\[\dm)|(?<=\d\dm)|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=%25[0-9A-Fa-f]{2})|(?<=-[A-Za-z])(?<![^\s\"'=,\x00(\[`]-[A-Za-z])|(?<=-isystem)|(?<=-iquote)"
    r"|(?<=/(?:var|mnt|nfs|net|usr))|(?<=/export)|(?<=/(?:data|Data|host))|(?<=/rootfs)|(?<=Macintosh\ HD)|(?<=://file))"
)
"""What may stand before the folder of all homes: nothing that makes it a part of another path, apart from the places
where such folders are mounted."""
_FOLDER = r"(?:(?<=/)|(?<![A-Za-z0-9_.-]))-(?:home|Users)-"
"""An agent's name for the folder of a project: its path with dashes."""
_WINDOWS = (
    r"(?:(?<![A-Za-z0-9])[A-Za-z](?::|%3[Aa])(?:\\{1,32}|/)[Uu]sers(?:\\{1,32}|/)|Documents\ and\ Settings\\{1,32})"
    rf"(?P<windows>[A-Za-z0-9_][A-Za-z0-9._\ -]{{0,31}}?)(?=\\|/|[\"'`\n]|{END})"
)
_MODE = r"[dlbcps-]?(?:[r-][w-][xsS-]){2}[r-][w-][xtT-][.+@]?"
_LISTED = rf"{_MODE}[ \t]{{1,6}}(?:[0-9]{{1,6}}[ \t]{{1,6}})?(?P<owner>[A-Za-z_][A-Za-z0-9._-]{{0,31}}+)(?=[ \t/])"
_KNOWN = (
    r"\bu?id=[0-9]{1,10}\((?P<account>[A-Za-z_][A-Za-z0-9._-]{0,31}+)(?=\))"
    r"|\b[Uu]id:[ ]\([ ]{0,8}[0-9]{1,10}/[ ]{0,12}(?P<stat>[A-Za-z_][A-Za-z0-9._-]{0,31}+)(?=\))"
    rf"|(?<![^\n\x00])(?:SUDO_USER|USERNAME|USER|LOGNAME)=(?P<variable>[A-Za-z_][A-Za-z0-9._-]{{0,31}}+)(?=\n|{END})"
    r"|\[sudo\][ ]password[ ]for[ ](?P<asked>[A-Za-z_][A-Za-z0-9._-]{0,31}+)(?=:)"
)
"""Where a system says whose account it is."""
_MODES = ("r--", "r-x", "rwx", "---")
_VARIABLES = ("SUDO_USER=", "USERNAME=", "USER=", "LOGNAME=")
_ROOTS = tuple(
    f"{before}{root}{after}"
    for root in ("home", "Users")
    for before, after in (("/", "/"), ("/", "\\"), ("/", "%"), ("2F", ""), ("2f", ""), ("u002f", ""), ("u002F", ""))
)


def _start(text: str, hint: int) -> int:
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


def _generic(found: re.Match[str]) -> bool:
    return is_generic_user(next(name for name in found.groups() if name is not None))


HOMES: tuple[Rule, ...] = (
    Rule(
        "home-directory",
        rf"{_BEFORE}{_SLASH}(?:home|Users){_SLASH}(?P<secret>{_NAME}){_AFTER}"
        rf"|(?<=%[0-9A-Fa-f]{{2}}){_ENCODED}(?:home|Users){_ENCODED}(?P<encoded>{_NAME}){_AFTER}"
        rf"|{_WINDOWS}"
        rf"|(?:{_FOLDER}|(?<![A-Za-z0-9])[A-Za-z]--Users-)(?P<folder>[A-Za-z0-9_]{{2,31}}+)(?=[-/\"'\s\\]|{END})"
        rf"|{_LISTED}|{_KNOWN}",
        "the user's name in a home directory, as a file's owner in a listing, or as a system shows whose account it is",
        "`/home/NAME/`, `/Users/NAME/`, `C:\\Users\\NAME\\`, also percent-encoded or as JSON writes them; "
        "`-rw-r--r-- 1 NAME ...`, `uid=501(NAME)`, `LOGNAME=NAME`; not `/root` and names that many machines share "
        "(`ubuntu`, `runner`, `node`)",
        (
            *(
                *_ROOTS,
                "\\Users\\",
                "\\users\\",
                ":/users/",
                "%3A/Users/",
                "Documents and Settings\\",
                "-home-",
                "-Users-",
            ),
            *(*_MODES, "uid=", "Uid: (", *_VARIABLES, "[sudo] password for "),
        ),
        keeps=_generic,
        begin=_start,
        placeholder="user-{number}",
    ),
)
"""Rules for names of accounts."""
