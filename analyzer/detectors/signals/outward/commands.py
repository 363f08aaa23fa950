"""Commands that have an effect outside of the machine."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.table import from_subcommand
from analyzer.detectors.signals.outward.permission import (
    DELETE,
    DEPLOY,
    FORGE,
    MESSAGE,
    PUBLISH,
    PUSH,
    REMOTE_CODE,
    REQUEST,
    OutwardKind,
)
from analyzer.model.action import Command
from analyzer.text.late import late
from analyzer.text.names import name_set

_LONGEST = 20_000
_MOST_COMMANDS = 100
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
_FETCHED = late(
    r"\b(?:curl|wget)\b(?P<address>[^|;&\n]{0,300})\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:ba|z|da)?sh\b"
    r"|\b(?:ba|z|da)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:curl|wget)\b(?P<inner>[^)\n]{0,300})"
)
_NPX = late(
    r"(?:^|[;&|]\s*|\s)(?:(?:npx|bunx|pnpx)\s+(?:-y|--yes)\s+|(?:pnpm"
    r"|yarn)\s+dlx\s+)(?:-\S+\s+)*(?P<package>@?[\w./-]+(?:@\S+)?)"
)
_PINNED = late(r".@\^?~?\d")

_ROWS: tuple[tuple[str, tuple[str, ...], OutwardKind], ...] = (
    ("npm", ("publish",), PUBLISH),
    ("npm", ("unpublish",), DELETE),
    ("pnpm", ("publish",), PUBLISH),
    ("yarn", ("publish",), PUBLISH),
    ("yarn", ("npm", "publish"), PUBLISH),
    ("bun", ("publish",), PUBLISH),
    ("lerna", ("publish",), PUBLISH),
    ("changeset", ("publish",), PUBLISH),
    ("twine", ("upload",), PUBLISH),
    ("poetry", ("publish",), PUBLISH),
    ("uv", ("publish",), PUBLISH),
    ("flit", ("publish",), PUBLISH),
    ("hatch", ("publish",), PUBLISH),
    ("pdm", ("publish",), PUBLISH),
    ("cargo", ("publish",), PUBLISH),
    ("cargo", ("yank",), DELETE),
    ("gem", ("push",), PUBLISH),
    ("dotnet", ("nuget", "push"), PUBLISH),
    ("vsce", ("publish",), PUBLISH),
    ("docker", ("push",), PUBLISH),
    ("docker", ("image", "push"), PUBLISH),
    ("podman", ("push",), PUBLISH),
    ("helm", ("push",), PUBLISH),
    ("mvn", ("deploy",), PUBLISH),
    ("gh", ("release", "create"), PUBLISH),
    ("gh", ("release", "delete"), DELETE),
    ("gh", ("repo", "delete"), DELETE),
    ("gh", ("repo", "create"), FORGE),
    *(
        ("gh", (noun, verb), FORGE)
        for noun in ("pr", "issue")
        for verb in ("create", "comment", "merge", "close", "reopen", "review", "edit")
    ),
    *(
        ("glab", (noun, verb), FORGE)
        for noun in ("mr", "issue")
        for verb in ("create", "note", "merge", "close", "update")
    ),
    ("gh", ("workflow", "run"), FORGE),
    ("kubectl", ("apply",), DEPLOY),
    ("kubectl", ("rollout",), DEPLOY),
    ("kubectl", ("delete",), DELETE),
    ("helm", ("install",), DEPLOY),
    ("helm", ("upgrade",), DEPLOY),
    ("helm", ("uninstall",), DELETE),
    ("terraform", ("apply",), DEPLOY),
    ("terraform", ("destroy",), DELETE),
    ("tofu", ("apply",), DEPLOY),
    ("tofu", ("destroy",), DELETE),
    ("pulumi", ("up",), DEPLOY),
    ("pulumi", ("destroy",), DELETE),
    ("cdk", ("deploy",), DEPLOY),
    ("cdk", ("destroy",), DELETE),
    ("sam", ("deploy",), DEPLOY),
    ("serverless", ("deploy",), DEPLOY),
    ("netlify", ("deploy",), DEPLOY),
    ("vercel", ("deploy",), DEPLOY),
    ("vercel", ("--prod",), DEPLOY),
    ("wrangler", ("deploy",), DEPLOY),
    ("wrangler", ("publish",), DEPLOY),
    ("firebase", ("deploy",), DEPLOY),
    ("fly", ("deploy",), DEPLOY),
    ("flyctl", ("deploy",), DEPLOY),
    ("eb", ("deploy",), DEPLOY),
    ("cap", ("production", "deploy"), DEPLOY),
    ("aws", ("s3", "rm"), DELETE),
    ("aws", ("s3", "rb"), DELETE),
    ("aws", ("cloudformation", "deploy"), DEPLOY),
    ("aws", ("cloudformation", "delete-stack"), DELETE),
    ("make", ("deploy",), DEPLOY),
    ("make", ("publish",), PUBLISH),
    *((runner, ("run", "deploy"), DEPLOY) for runner in ("npm", "pnpm", "yarn", "bun")),
)
_BY_PROGRAM: dict[str, list[tuple[tuple[str, ...], OutwardKind]]] = {}
for _program, _verbs, _effect in _ROWS:
    _BY_PROGRAM.setdefault(_program, []).append((_verbs, _effect))
_MAILERS = name_set("mail mailx mutt sendmail ssmtp msmtp swaks")
_CLOUDS = name_set("gcloud az heroku aws")
_CLOUD_DELETES = late(r"^(?:delete(?:-\w+)*|destroy|apps:destroy|remove|terminate-\w+)$")
_CLOUD_DEPLOYS = late(r"^(?:deploy|submit)$")
_SENDS = late(r"^(?:-d|--data(?:-\w+)?|-F|--form|--json|-T|--upload-file|--post-data|--post-file)(?:=|$)|^-d.")
_METHOD = late(r"^(?:-X|--request|--method)=?(?P<method>\w*)$")


def command_effects(line: str, commands: tuple[Command, ...]) -> Iterator[tuple[OutwardKind, str]]:
    """What a shell line does outside, with the words that say so. Dry runs, and what stays on this machine, do
    nothing."""
    if _TRIAL_SETTING.search(line[:_LONGEST]):
        return
    for command in commands[:_MOST_COMMANDS]:
        if _is_trial(command) or _LOCAL.search(command.text[:_LONGEST]):
            continue
        kind = _kind(command)
        if kind is not None:
            yield kind, command.text
    found = _FETCHED.search(line[:_LONGEST])
    shells = any(command.program in ("sh", "bash", "zsh", "dash") for command in commands)
    if found is not None and shells and not _LOCAL.search(found[0]):
        yield REMOTE_CODE, found[0].strip()
    for found in _NPX.finditer(line[:2_000]):
        package = found["package"]
        named = any(command.program == package.rsplit("/", 1)[-1] or package in command.args for command in commands)
        if named and _PINNED.search(package) is None:
            yield REMOTE_CODE, found[0].strip(" ;&|")


def is_trial(line: str, commands: tuple[Command, ...]) -> bool:
    """Whether a line only shows what would happen."""
    return _TRIAL_SETTING.search(line[:_LONGEST]) is not None or any(map(_is_trial, commands[:_MOST_COMMANDS]))


def _is_trial(command: Command) -> bool:
    return any(_TRIAL.search(word) for word in command.args)


def _kind(command: Command) -> OutwardKind | None:
    program, args = command.program, command.args
    if program == "git":
        return _pushed(args)
    if program in ("curl", "wget", "http", "https"):
        return _requested(program, args)
    if program in _MAILERS:
        return MESSAGE if any("@" in word for word in args) else None
    args = from_subcommand(program, args)
    plain = tuple(word for word in args if not word.startswith("-") or word == "--prod")
    for words, kind in _BY_PROGRAM.get(program, ()):
        if plain[: len(words)] == words:
            return kind
    if program in _CLOUDS:
        if any(_CLOUD_DELETES.match(word) for word in plain[:4]):
            return DELETE
        return DEPLOY if any(_CLOUD_DEPLOYS.match(word) for word in plain[1:4]) else None
    return None


def _pushed(args: tuple[str, ...]) -> OutwardKind | None:
    """A push that only adds; what a forced push and a deleted branch destroy is judged by what is lost."""
    words = from_subcommand("git", args)
    if words[:1] != ("push",):
        return None
    flags = {word for word in words if word.startswith("-")}
    names = [word for word in words[1:] if not word.startswith("-")]
    if flags & {"-n", "-f", "--force", "--mirror", "--delete", "-d"} or any(
        name.startswith(("+", ":")) for name in names
    ):
        return None
    return None if names and names[0].startswith(("/", ".", "~", "file:")) else PUSH


def _requested(program: str, args: tuple[str, ...]) -> OutwardKind | None:
    hosts = [found for word in args if (found := _URL.match(word.strip("'\""))) is not None]
    if not hosts or any("." not in found["host"] or _ECHO.search(found["host"].lower()) for found in hosts):
        return None
    method = ""
    for number, word in enumerate(args):
        found = _METHOD.match(word)
        if found is not None:
            method = found["method"] or (args[number + 1] if number + 1 < len(args) else "")
        elif program in ("http", "https") and word in ("POST", "PUT", "PATCH", "DELETE"):
            method = word
    method = method.upper()
    if method == "DELETE":
        return DELETE
    sends = method in ("POST", "PUT", "PATCH") or (not method and any(_SENDS.match(word) for word in args))
    if not sends or "-G" in args or "--get" in args or any(_ONLY_ASKS.search(found["path"].lower()) for found in hosts):
        return None
    return REQUEST
