"""What a step makes when it goes well, and what a failure says is missing: files, names, packages, tables, servers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.late import late

_LONGEST = 20_000
_FILE_MISSING = late(
    r"No such file or directory:? [`'\"](?P<a>[^`'\"\n]{1,300})['\"`]|(?:can(?:not|'t) (?:open|access|stat|cd to"
    r"|find)(?: file)?|could not open|unable to open) [`'\"‘]?(?P<b>[^\s`'\"‘’:]{1,300})"
    r"|(?P<c>[\w./~@+-]{1,300})['\"`]?: (?:No such file or directory|not found|does not exist)|\bENOENT\b[^\n]"
    r"{0,80}'(?P<d>[^'\n]{1,300})'|\b(?:[Ff]ile|[Pp]ath|[Dd]irectory) [`'\"]?(?P<e>[\w./~@+-]{1,300})[`'\"]? "
    r"(?:does not exist|not found)"
)
_NAME_MISSING = late(
    r"\bname '(?P<a>\w{1,100})' is not defined|\bcannot import name '(?P<b>\w{1,100})'|\bhas no attribute "
    r"'(?P<c>\w{1,100})'|\bundefined: (?P<d>\w{1,100})|\b(?P<e>\w{1,100}) is not defined|\bCannot find name "
    r"'(?P<f>\w{1,100})'"
)
_MODULE_MISSING = late(
    r"\bNo module named '?(?P<a>[\w.]{1,120})|\bCannot find (?:module|package) '(?P<b>[^'\n]{1,200})'"
    r"|\b(?P<c>[\w.+-]{1,60}): (?:command )?not found"
)
_TABLE_MISSING = late(
    (
        r"\bno such table: [`'\"]?(?P<a>[\w.]{1,100})|\brelation \"(?P<b>[\w.]{1,100})\" does not exist|\bTable "
        r"'(?P<c>[\w.]{1,100})' doesn't exist"
    ),
    re.IGNORECASE,
)
_MISSING = (
    ("module", _MODULE_MISSING, ("No module named", "Cannot find", "not found")),
    (
        "name",
        _NAME_MISSING,
        ("not defined", "cannot import name", "has no attribute", "undefined: ", "Cannot find name"),
    ),
    ("table", _TABLE_MISSING, ("exist", "no such table")),
    (
        "file",
        _FILE_MISSING,
        (
            "No such file",
            "not found",
            "does not exist",
            "ENOENT",
            "can't ",
            "cannot ",
            "could not open",
            "unable to open",
        ),
    ),
)
"""What may be missing, the expression that finds its name, and texts of which one must be there; they're looked for
first."""
_REFUSED = late(
    r"\b(?:ECONNREFUSED|Connection refused|Failed to connect|Couldn't connect to server|ERR_CONNECTION_REFUSED)\b"
)
_PORT = late(r"(?::|\bport[ =]|--port[ =]|-p[ =]?)(?P<port>\d{2,5})\b")
_CREATES_TABLE = late(r"\bCREATE TABLE (?:IF NOT EXISTS )?[`'\"\[]?(?P<name>[\w.]{1,100})", re.IGNORECASE)
_DEFINES = late(
    r"^[ \t]*(?:export )?(?:async )?(?:def|class|func|function|fn|const|let|interface|type) (?P<name>\w{3,100})",
    re.MULTILINE,
)
_ASSIGNS = late(
    (
        r"^(?P<name>[A-Za-z_]\w{0,99}) *=(?!=)|^import (?P<module>\w{1,99})(?: as (?P<alias>\w{1,99}))?|^(?:def"
        r"|class) (?P<made>\w{1,99})"
    ),
    re.MULTILINE,
)
_INSTALLERS = {
    "pip": ("install",),
    "pip3": ("install",),
    "npm": ("install", "i", "add"),
    "yarn": ("add",),
    "pnpm": ("add",),
    "apt-get": ("install",),
    "apt": ("install",),
    "brew": ("install",),
    "conda": ("install",),
    "cargo": ("install",),
    "gem": ("install",),
    "uv": ("add", "pip"),
    "poetry": ("add",),
    "apk": ("add",),
}
_ALL = {"*npm": ("npm", "yarn", "pnpm", "bun"), "*pip": ("pip", "pip3", "poetry", "pipenv", "uv", "pdm")}
"""Installers of all that a project needs, by what stands for every package of theirs."""
_SERVES = late(r"\b(?:serve|server|runserver|start|uvicorn|gunicorn|flask|http\.server|dev|listen|docker run)\b")
_TRIVIAL = frozenset({"cd", "echo", "export", "set", "source", "sleep", "true"})

Artifact = tuple[str, str]
"""What is missing: `file`, `name`, `module`, `table` or `port`, and its name."""


def named(artifact: Artifact) -> str:
    """A thing as a sentence names it."""
    if artifact[1].startswith("*"):
        return "packages that it should have installed"
    words = {
        "file": "the file ",
        "name": "",
        "module": "the package ",
        "table": "the table ",
        "port": "the server on port ",
    }
    return f"{words[artifact[0]]}{artifact[1]}"


def missing_artifacts(action: Action) -> Iterator[tuple[Artifact, str]]:
    """What a failure says is missing, with its words."""
    failure = action.failure
    if failure is None or (
        action.operation.commands and all(command.program == "rm" for command in action.operation.commands)
    ):
        return
    text = f"{failure.headline[:2_000]}\n{(action.result or '')[:2_000]}\n{(action.result or '')[-2_000:]}"
    low = text.casefold()
    for what, pattern, hints in _MISSING:
        if not any(hint.casefold() in low for hint in hints):
            continue
        for found in pattern.finditer(text):
            name = next(value for value in found.groups() if value)
            yield _artifact(what, name), found[0]
            if what == "module" and found["c"] is None and not name.startswith((".", "/", "@/")):
                yield (what, "*pip" if found["a"] else "*npm"), found[0]
            if what == "module":
                yield ("file", f"{name.rsplit('.', 1)[-1].rsplit('/', 1)[-1]}.py"), found[0]
    if (refused := _REFUSED.search(text)) is not None:
        for found in _PORT.finditer(f"{text}\n{(action.operation.command or '')[:2_000]}"):
            yield ("port", found["port"]), refused[0]


def key_of(artifact: Artifact) -> Artifact:
    """What a thing is found by: of a file its last name, since the later error may spell the path differently."""
    return (artifact[0], artifact[1].rsplit("/", 1)[-1]) if artifact[0] == "file" else artifact


def _artifact(what: str, name: str) -> Artifact:
    if what == "file":
        return what, name.strip("'\"").rstrip("/").removeprefix("./")
    if what == "module":
        return what, re.split(r"[./]", name.lstrip("@./"))[0].lower().replace("-", "_")
    return what, name.rsplit(".", 1)[-1] if what == "table" else name


def created_artifacts(action: Action) -> Iterator[Artifact]:
    """What an action makes where it goes well."""
    for edit in action.operation.edits:
        if edit.created and edit.path:
            yield _artifact("file", edit.path)
        known = set(_DEFINES.findall((edit.before or "")[:_LONGEST]))
        yield from (("name", name) for name in _DEFINES.findall((edit.after or "")[:_LONGEST]) if name not in known)
    if action.operation.command is None:
        return
    if not action.operation.commands:
        for found in _ASSIGNS.finditer(action.operation.command[:_LONGEST]):
            yield "name", found["alias"] or found["module"] or found["name"] or found["made"]
        return
    commands = [command for command in action.operation.commands if command.program not in _TRIVIAL]
    if not commands or (action.failed and len(commands) > 2):
        return
    yield from _made_by(commands[-1])
    if len(commands) > 1 and not action.failed:
        for command in commands[:-1]:
            yield from _made_by(command)


def _made_by(command: Command) -> Iterator[Artifact]:
    words = [word for word in command.args if not word.startswith("-")]
    installs = ["pip", "install"] if command.args[:2] == ("-m", "pip") else list(_INSTALLERS.get(command.program, ()))
    if (
        words
        and words[0] in ("install", "ci", "sync")
        and (len(words) == 1 or {"-r", "-e", "--requirement", "--editable"} & set(command.args))
    ):
        yield from (("module", kind) for kind, programs in _ALL.items() if command.program in programs)
    elif words[:2] == ["pip", "install"] and {"-r", "-e"} & set(command.args):
        yield "module", "*pip"
    elif words and installs and words[0] in installs:
        yield from (
            ("module", _package(word))
            for word in words[1:]
            if word not in ("install", ".", "./") and "=" not in word[:1]
        )
    elif command.program == "git" and words[:1] == ["clone"] and len(words) > 1:
        yield _artifact("file", words[2] if len(words) > 2 else words[1].removesuffix(".git"))
    elif command.program in ("mkdir", "touch"):
        yield from (_artifact("file", word) for word in words)
    elif command.program in ("cp", "mv", "ln") and len(words) > 1:
        yield _artifact("file", words[-1])
    for option, word in zip(command.args, command.args[1:], strict=False):
        if option in ("-o", "-O", "--output", "--out", "--output-document"):
            yield _artifact("file", word)
    if command.program in ("wget", "curl") and words and ("-O" in command.args or command.program == "wget"):
        yield _artifact("file", words[-1].split("?")[0])
    yield from (("table", name) for name in _CREATES_TABLE.findall(command.text[:_LONGEST]))
    if _SERVES.search(command.text[:2_000]):
        yield from (("port", found["port"]) for found in _PORT.finditer(command.text[:2_000]))


def _package(word: str) -> str:
    return re.split(r"[=<>~!@\[;]", word.lstrip("@"))[0].rsplit("/", 1)[-1].lower().replace("-", "_")


def shown_artifacts(action: Action) -> Iterator[Artifact]:
    """What must be there, since an action that went well used it."""
    if action.operation.path is not None and action.kind in (Kind.READ, Kind.EDIT):
        yield _artifact("file", action.operation.path)
