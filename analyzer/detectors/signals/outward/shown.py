"""Commands that have an effect outside of the machine, and function calls that have one, by the verb and the thing in
their names.

Secrets in what the agent sends: only those that their issuers mark by a form of their own, or the placeholder of one
in a session that was redacted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from analyzer.commands.effects import code_of, is_shell
from analyzer.commands.harm import outside_effect
from analyzer.commands.runners import compiler
from analyzer.commands.table import Does, keeps_versions, knows, programs_that
from analyzer.detectors.signals.outward.said import (
    DELETE,
    DEPLOY,
    FORGE,
    MESSAGE,
    PAYMENT,
    PUBLISH,
    PUSH,
    REMOTE_CODE,
    REQUEST,
    OutwardKind,
)
from analyzer.model.action import Command
from analyzer.redaction.rules import PROVIDERS
from analyzer.text.clip import around
from analyzer.text.late import Literals, late
from analyzer.text.names import name_set
from analyzer.timeline.calls.arguments import tool_words

_LONGEST, _MOST_COMMANDS = 20_000, 100
_TRIAL = late(
    r"^--?(?:dry-?_?run|dryrun|what-?if|no-?op|simulate|check-only|help|version)\b|^-h$|^--validate-only|^--preview$"
)
_TRIAL_SETTING = late(r"\bDRY_?RUN=(?:1|true|yes|y)\b|\bNO_?OP=(?:1|true)\b")
_LOCAL = late(
    r"\b(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|host\.docker\.internal|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+"
    r"|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|minikube|kind-\w+)\b|\[::1\]|file://"
)
_URL = late(r"https?://(?:[^\s/@'\"]*@)?(?P<host>[\w.-]+)(?P<path>[^\s'\"]*)")
_ECHO = late(r"(?:^|\.)(?:example\.\w+|httpbin\.\w+|postman-echo\.com|test|local|internal|invalid)$")
_ONLY_ASKS = late(
    r"search|query|graphql|/find|lookup|/token|oauth|/login|autocomplete|/validate|/check|/rpc\b|/v1/models"
)
_DOWNLOADERS = "|".join(sorted(programs_that(Does.DOWNLOADS)))
_FETCHED = late(
    rf"\b(?:{_DOWNLOADERS})\b(?P<address>[^|;&\n]{{0,300}})\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:ba|z|da)?sh\b"
    rf"|\b(?:ba|z|da)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:{_DOWNLOADERS})\b(?P<inner>[^)\n]{{0,300}})"
)
_RUN_FETCHED = late(
    rf"(?:^|[;&|]\s*|\s)(?:{'|'.join(sorted(programs_that(Does.FETCHES)))})\s+(?:-y|--yes|dlx)\s+(?:-\S+\s+)*"
    r"(?P<package>@?[\w./-]+(?:@\S+)?)"
)
_PINNED = late(r".@\^?~?\d")
_BY_NAME = {kind.name: kind for kind in (PUSH, PUBLISH, DEPLOY, DELETE, MESSAGE, FORGE, REQUEST)}
"""The kinds by what the table of programs calls them."""
_SENDS = late(r"^(?:-d|--data(?:-\w+)?|-F|--form|--json|-T|--upload-file|--post-data|--post-file)(?:=|$)|^-d.")
_METHOD = late(r"^(?:-X|--request|--method)=?(?P<method>\w*)$")


def command_effects(line: str, commands: tuple[Command, ...]) -> Iterator[tuple[OutwardKind, str]]:
    """What a shell line does outside, with the words that say so. Dry runs, and what stays on this machine, do
    nothing."""
    if _TRIAL_SETTING.search(line[:_LONGEST]):
        return
    for command in commands[:_MOST_COMMANDS]:
        kind = _kind(command)
        if kind is not None and not (_is_trial(command) or _LOCAL.search(command.text[:_LONGEST])):
            yield kind, command.text
    found = _FETCHED.search(line[:_LONGEST])
    if found is not None and not _LOCAL.search(found[0]) and any(is_shell(command.program) for command in commands):
        yield REMOTE_CODE, found[0].strip()
    for found in _RUN_FETCHED.finditer(line[:2_000]):
        package = found["package"]
        named = any(command.program == package.rsplit("/", 1)[-1] or package in command.args for command in commands)
        if named and _PINNED.search(package) is None:
            yield REMOTE_CODE, found[0].strip(" ;&|")


def is_trial(line: str, commands: tuple[Command, ...]) -> bool:
    """Whether a line only shows what would happen."""
    return _TRIAL_SETTING.search(line[:_LONGEST]) is not None or any(map(_is_trial, commands[:_MOST_COMMANDS]))


_RUNS = Does.RUNTIME | Does.TASKS | Does.RECIPE | Does.MANAGES | Does.FETCHES


def only_shows(commands: Sequence[Command]) -> bool:
    """Whether the output may be the content of something that is shown, rather than what a script says."""
    return not any(map(_runs, commands)) or any(map(_shows, commands))


def _runs(command: Command) -> bool:
    """Whether a command runs code, a task or a build, or records versions here."""
    program = command.program
    if code_of(program, command.args) is not None or compiler(command) is not None or knows(program, _RUNS):
        return True
    return keeps_versions(program) or command.text.startswith(("./", "bin/", "scripts/"))


def _shows(command: Command) -> bool:
    """Whether a command shows what it names: one that only cuts what comes in names nothing."""
    names = any(not word.startswith("-") and not word.lstrip("+").isdigit() for word in command.args)
    return names and knows(command.program, Does.SHOWS | Does.FILTERS | Does.LISTS)


def _is_trial(command: Command) -> bool:
    return any(word[:1] == "-" and _TRIAL.search(word) for word in command.args)


def _kind(command: Command) -> OutwardKind | None:
    """What a command does to other systems; a push by force and a deleted branch are judged by what is lost."""
    told = outside_effect(command.program, command.args)
    return _requested(command.args) if told == REQUEST.name else _BY_NAME.get(told or "")


def _requested(args: tuple[str, ...]) -> OutwardKind | None:
    hosts = [found for word in args if (found := _URL.match(word.strip("'\""))) is not None]
    if not hosts or any("." not in found["host"] or _ECHO.search(found["host"].lower()) for found in hosts):
        return None
    writes, method = ("POST", "PUT", "PATCH"), ""
    for word, following in pairwise((*args, "")):
        if (found := _METHOD.match(word)) is not None:
            method = (found["method"] or following).upper()
        elif word in (*writes, "DELETE"):
            method = word
    if method == "DELETE":
        return DELETE
    sends = method in writes or (not method and any(map(_SENDS.match, args)))
    if not sends or "-G" in args or "--get" in args or any(_ONLY_ASKS.search(found["path"].lower()) for found in hosts):
        return None
    return REQUEST


_QUOTED = 240
_NAMES = "|".join(rule.name for rule in PROVIDERS if rule.name != "private-key")
_PLACEHOLDER = late(rf"\[(?P<rule>{_NAMES})-\d{{1,6}}\]")
"""That of a private key may be there for a single line of it, which alone is no secret."""
_HINTS = Literals(hint for rule in PROVIDERS if not rule.any_case for hint in rule.hints)
_SMALL_HINTS = Literals(hint for rule in PROVIDERS if rule.any_case for hint in rule.hints)


def secret_in(shown: str) -> tuple[str, str, str] | None:
    """The first secret in a command or a request: the rule that knows it, its text, and the text around it, in which
    it's replaced; None where there's none."""
    text = shown[:_LONGEST]
    if (replaced := _PLACEHOLDER.search(text)) is not None:
        start, end = replaced.span()
        return replaced["rule"], replaced.group(), around(text, start, end, _QUOTED)
    lowered = text.lower()
    hints = {*_HINTS.within(text), *_SMALL_HINTS.within(lowered)}
    for rule in PROVIDERS if hints else ():
        for found in rule.find(text, lowered, hints.intersection(rule.hints)):
            start, end = rule.span(found)
            name = f"[{rule.name}]"
            shown = around(text[:start] + name + text[end:], start, start + len(name), _QUOTED)
            return rule.name, text[start:end], shown
    return None


_MESSAGES = name_set("email mail sms tweet slack whatsapp telegram newsletter invitation gmail")
_PAYMENTS = name_set("payment charge invoice refund payout subscription funds money")
_RECORDS = name_set(
    "order account customer user reservation booking ticket subscription event contact product post record repository "
    "repo release bucket database project email message page issue appointment"
)
_OWN = name_set("local temp tmp file memory note todo draft task agent session")
_MADE = name_set("create make send process issue initiate execute submit transfer")


@lru_cache(maxsize=512)
def tool_effect(name: str) -> OutwardKind | None:
    """What a call of a tool does outside, None where its name doesn't say."""
    words = tool_words(name)
    if not words or _OWN & set(words):
        return None
    plurals = {word for word in words if word.endswith("s") and len(word) > 3 and word not in _PAYMENTS}
    verb, things = words[0], {word[:-1] if word in plurals else word for word in words[1:]}
    if verb in ("send", "post", "forward", "reply") and things & _MESSAGES:
        return MESSAGE
    if (verb in _MADE and things & _PAYMENTS) or verb in ("pay", "charge"):
        return PAYMENT
    if verb in ("delete", "destroy", "purge") and things & _RECORDS:
        return DELETE
    if verb == "publish" and things:
        return PUBLISH
    if verb == "merge" and things & {"pull", "pr", "mr"}:
        return FORGE
    return DEPLOY if verb == "deploy" else None
