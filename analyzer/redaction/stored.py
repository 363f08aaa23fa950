"""Secrets as systems store them: hashes of passwords, files with the logins of machines and registries, the short
options of database clients."""

from __future__ import annotations

import base64
import binascii
import re

from analyzer.redaction.rule import END, Rule, before
from analyzer.redaction.values import is_code, is_placeholder, turns

_QUOTE = r"\\{0,8}[\"'`]"
_CLIENTS = r"mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mariadb|mariadb-dump|mariadb-admin"
_ARGUMENT = r"[^\s\"'`\\\x00…]"
_SESSIONS = (
    r"(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]{8}|ASP\.NET_SessionId|connect\.sid|laravel_session|_?session_?(?:id)?"
    r"|sid|csrftoken|XSRF-TOKEN|remember_(?:user_)?token|auth_?token|[a-z]{1,20}_session(?:_id)?)"
)


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


STORED: tuple[Rule, ...] = (
    Rule(
        "password-hash",
        r"\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2(?:id|i|d)|scrypt|pbkdf2-sha(?:256|512))\$[A-Za-z0-9./$=,+_-]{22,400}+",
        "hashes of passwords, as `/etc/shadow`, `htpasswd` and databases hold them",
        "`$6$`, `$2b$`, `$argon2id$` and their like, a salt and a digest",
        ("$1$", "$2", "$5$", "$6$", "$7$", "$y$", "$gy$", "$apr1$", "$argon2", "$scrypt$", "$pbkdf2-"),
    ),
    Rule(
        "login",
        rf"(?i:(?<![A-Za-z0-9])_?auth(?:{_QUOTE})?[ ]?[:=][ ]?(?:{_QUOTE})?)"
        rf"(?P<secret>[A-Za-z0-9+/]{{8,400}}+={{0,2}})",
        "a name and its password in base64, as registries' settings hold them",
        '`"auth": "..."` of Docker, `_auth=...` of npm, where the value is a name, a colon and more in base64',
        ("auth",),
        keeps=lambda found: not _is_login(found["secret"]),
        begin=lambda text, hint: hint - 1 if text[hint - 1 : hint] == "_" else hint,
        any_case=True,
        learned=True,
    ),
    Rule(
        "netrc-password",
        r"login[ \t]{1,8}\S{1,128}\s{1,40}(?:account[ \t]{1,8}\S{1,128}\s{1,40})?"
        rf"password[ \t]{{1,8}}(?P<secret>{_ARGUMENT}{{4,256}})",
        "passwords in `.netrc`",
        "`login NAME password ...`",
        ("login ", "login\t"),
        keeps=_is_no_argument,
        learned=True,
    ),
    Rule(
        "short-option",
        rf"(?:\b(?:{_CLIENTS})\b[^\n\x00|;&]{{0,200}}?[ ]-p(?:{_QUOTE})?"
        rf"|\bredis-cli\b[^\n\x00|;&]{{0,200}}?[ ]-a[ ](?:{_QUOTE})?"
        rf"|\b(?:docker|podman)[ ]login\b[^\n\x00|;&]{{0,200}}?[ ]-p[ ](?:{_QUOTE})?"
        rf"|\b(?:ldapsearch|ldapmodify|ldapadd|ldapwhoami)\b[^\n\x00|;&]{{0,200}}?[ ]-w[ ](?:{_QUOTE})?"
        rf"|\bsmbclient\b[^\n\x00|;&]{{0,200}}?[ ]-U[ ](?:{_QUOTE})?[^\s%\x00]{{1,64}}%"
        rf"|[ ]-pass(?:in|out)?[ ](?:{_QUOTE})?pass:)(?P<secret>{_ARGUMENT}{{4,200}})",
        "the password that a client of a database, a registry or a directory is given by a short option",
        "`mysql -p...`, `redis-cli -a ...`, `docker login -p ...`, `ldapsearch -w ...`, `openssl -passin pass:...`",
        ("mysql", "mariadb", "redis-cli", "docker", "podman", "ldap", "smbclient", " -pass"),
        keeps=_is_no_argument,
        learned=True,
    ),
    Rule(
        "session-cookie",
        rf"(?<![A-Za-z0-9_])(?i:{_SESSIONS})=(?P<secret>[A-Za-z0-9%._~+/|-]{{12,2000}}+)(?=[\s\"'`;,&)\]}}<\\\x00]|{END})",
        "what a cookie of a session holds",
        "`sessionid=...`, `PHPSESSID=...`, `connect.sid=...` and their like",
        ("session", "sid=", "csrftoken", "xsrf-token", "remember_", "auth"),
        keeps=lambda found: is_placeholder(found["secret"]) or turns(found["secret"]) < 4,
        begin=before(lambda sign: sign.isalnum() or sign in "_.", 30),
        any_case=True,
        learned=True,
    ),
)
"""Rules for stored credentials; they come after those that go by the context."""
