"""Data about people: e-mail addresses, and the names in home directories."""

from __future__ import annotations

import re

from analyzer.redaction.rule import END, Rule

_NOBODY = re.compile(
    r"(?:no-?reply|do-?not-?reply|git|user|users|username|name|you|your[._-]?(?:name|e?mail)?|me|foo|bar|test"
    r"|tester|test[-_.]?user\d*|admin|info|support|example|email|mail|root|postmaster|noreply[.+-].*|\d+\+[\w-]+"
    r"|x+|user\d+|someone|somebody|john\.?doe|jane\.?doe)@.*"
    r"|.*@(?:.*\.)?(?:example|test|invalid|localhost|local|example\.(?:com|org|net|edu)|noreply\.github\.com"
    r"|users\.noreply\.[\w.]+|(?:your|my|some)?-?(?:domain|company|email|mail|site|host|server)\.\w+|test\.com"
    r"|foo\.com|bar\.com|foo\.bar|internal|gserviceaccount\.com|sentry\.io)",
    re.IGNORECASE,
)
_NO_DOMAIN = re.compile(
    (
        r"v?\d+\.\d.*|.*\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|json|ya?ml|toml|md|rst|txt|html?|css|scss|svg|png|jpe?g|gif"
        r"|webp|ico|pub|pem|key|crt|pdf|zip|tgz|gz|tar|whl|jar|log|lock|rb|rs|go|java|kt|swift|php|cpp|hpp|sh|sql|xml"
        r"|csv|ini|cfg|conf|service|socket|timer|mount|target|slice|scope|device|dtype|shape|inv|dot|transpose|mark"
        r"|fixture|setter|getter|property|staticmethod|classmethod|override|values?|item|data)"
    ),
    re.IGNORECASE,
)
_GENERIC = frozenset(
    [
        "user",
        "users",
        "username",
        "user_name",
        "yourname",
        "your_name",
        "your-name",
        "you",
        "me",
        "name",
        "someone",
        "somebody",
        "ubuntu",
        "debian",
        "fedora",
        "centos",
        "alpine",
        "arch",
        "ec2-user",
        "admin",
        "administrator",
        "root",
        "runner",
        "runneradmin",
        "node",
        "vscode",
        "coder",
        "codespace",
        "gitpod",
        "jovyan",
        "circleci",
        "docker",
        "agent",
        "app",
        "appuser",
        "dev",
        "developer",
        "openhands",
        "swe-agent",
        "sweagent",
        "openclaw",
        "claude",
        "codex",
        "devin",
        "nonroot",
        "nobody",
        "test",
        "tester",
        "testuser",
        "build",
        "builder",
        "jenkins",
        "gitlab-runner",
        "git",
        "www",
        "www-data",
        "web",
        "service",
        "linuxbrew",
        "shared",
        "public",
        "default",
        "guest",
        "pwuser",
        "sandbox",
        "work",
        "workspace",
        "project",
        "code",
        "student",
        "model",
        "computeruse",
        "oai",
        "kasm-user",
        "seluser",
        "containeruser",
        "containeradministrator",
        "swe-bench",
        "swebench",
        "envs",
        "env",
        "assist",
        "assistant",
        "vagrant",
        "travis",
        "pi",
        "foo",
        "bar",
        "baz",
        "x",
        "xxx",
        "xxxx",
        "example",
        "demo",
        "sample",
        "python",
        "postgres",
        "mysql",
        "nginx",
        "hadoop",
        "spark",
        "steam",
        "deploy",
        "bot",
        "assistant",
        "team",
        "lib",
        "bin",
        "etc",
        "opt",
        "tmp",
        "var",
        "usr",
        "mnt",
        "venv",
        "site",
        "all",
    ]
)
_LOCAL = re.compile(r"(?:(?<=\\)[nrt])?[A-Za-z0-9_%+][A-Za-z0-9._%+-]{0,64}\Z")
_USER = re.compile(r"user-\d+")


def _start_of_address(text: str, at: int) -> int:
    """Where the part of an address before its `@` begins."""
    if not text[at + 1 : at + 2].isalnum():
        return at
    found = _LOCAL.search(text, max(0, at - 65), at)
    return found.start() if found is not None else at


def _start_of_drive(text: str, hint: int) -> int:
    return max(0, hint - 1) if text[hint] == ":" else hint


def _nobody(found: re.Match[str]) -> bool:
    address = found["secret"]
    domain = address.rpartition("@")[2]
    return _NO_DOMAIN.fullmatch(domain) is not None or _NOBODY.fullmatch(address) is not None


_SUFFIXES = frozenset(
    {
        "html",
        "htm",
        "js",
        "ts",
        "tsx",
        "jsx",
        "vue",
        "php",
        "py",
        "css",
        "svg",
        "png",
        "json",
        "md",
        "component",
        "module",
        "txt",
        "test",
        "spec",
    }
)


def is_generic_user(name: str) -> bool:
    """Whether many machines have a user of this name, so that it says nothing about a person."""
    lowered = name.lower().strip("._-")
    return (
        not lowered
        or lowered in _GENERIC
        or name.isdigit()
        or _USER.fullmatch(name) is not None
        or ("." in lowered and lowered.rsplit(".")[-1] in _SUFFIXES)
    )


_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,31}+"
_AFTER_NAME = rf"(?=[/\\\s\"'`:;,)\]}}>|…]|{END})"
PERSONAL: tuple[Rule, ...] = (
    Rule(
        "e-mail",
        (
            r"(?:(?<![A-Za-z0-9._%+/@-])|(?<=\\[nrt])|(?<=mailto:)|(?<=[ (<\"'=:,;]/))(?:(?<=\\)[nrt])"
            r"?(?P<secret>[A-Za-z0-9_%+](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_+-])?@"
            r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,18}+)(?![A-Za-z0-9_(-])"
            r"(?!:[\w/~.])(?!\.[A-Za-z0-9])"
        ),
        "e-mail addresses of people",
        "`local@domain`; not `git@host:path`, versions of packages, `noreply@...`, `...@example.com`",
        ("@",),
        keeps=_nobody,
        begin=_start_of_address,
    ),
    Rule(
        "home-directory",
        (
            r"(?:(?<![\w.\-])|(?<=/[a-zA-Z])|(?<=\\[nrt])|(?<=/var)|(?<=/export))/(?:home|Users)"
            rf"/(?P<secret>{_NAME}){_AFTER_NAME}"
            rf"|(?<![A-Za-z0-9])[A-Za-z]:(?:\\{{1,8}}|/)Users(?:\\{{1,8}}|/)(?P<windows>[A-Za-z0-9_]"
            rf"[A-Za-z0-9._\- ]{{0,31}}?)(?=\\|/|[\"'`\n]|{END})"
            rf"|(?<=projects/)-(?:home|Users)-(?P<folder>[A-Za-z0-9_]{{2,31}}+)(?=[-/\"'\s\\]|{END})"
        ),
        "the user's name in a home directory",
        (
            "`/home/NAME/`, `/Users/NAME/`, `C:\\Users\\NAME\\`; not `/root` and names that many machines share "
            "(`ubuntu`, `runner`, `node`)"
        ),
        ("/home/", "/Users/", ":\\Users", ":\\\\Users", ":\\\\\\\\Users", "-home-", "-Users-"),
        keeps=lambda found: is_generic_user(next(name for name in found.groups() if name is not None)),
        begin=_start_of_drive,
        placeholder="user-{number}",
    ),
)
"""Rules for what says who somebody is."""
