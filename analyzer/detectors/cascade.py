"""One failure that others follow from: what it should have made is missing later, again and again.

What it flags
    A step that fails (a file that couldn't be written, a package that didn't install, a repository that wasn't cloned, a server that
    didn't start, a table that wasn't created, a cell that stopped before its names were defined) and two later failures or more that
    say that just this thing is missing. Calls that the harness cancelled because a call of the same message failed are one
    group.

Why it matters
    The later errors are shadows. Whoever mends them one by one mends nothing; the first one is the one to look at.

What it does not flag
    Further tries to make the missing thing, failures after it was made after all, and failures that only resemble each other. Which
    thing is missing must be said in so many words in the later error.

Options
    dependants: how many later failures must follow from the first (2).

Example:
    `pip install oarlock` fails at step 3; steps 4, 7 and 9 end with `No module named 'oarlock'`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pydantic import Field

from analyzer.detectors.interface import Live, Options
from analyzer.detectors.watch import Scene, Watch, cost_of, spread
from analyzer.failures.roles import same_file
from analyzer.failures.text import clip, code
from analyzer.model.action import Action, Command
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import Category, FailureKind, Kind, Mark, Severity

_LONGEST = 20_000
_MOST = 400
_MOST_STEPS = 50
_FILE_MISSING = re.compile(
    r"No such file or directory:? [`'\"](?P<a>[^`'\"\n]{1,300})['\"`]|(?:can(?:not|'t) (?:open|access|stat|cd to|find)(?: file)?|could not open|unable to open) [`'\"‘]?(?P<b>[^\s`'\"‘’:]{1,300})"
    r"|(?P<c>[\w./~@+-]{1,300})['\"`]?: (?:No such file or directory|not found|does not exist)|\bENOENT\b[^\n]{0,80}'(?P<d>[^'\n]{1,300})'|\b(?:[Ff]ile|[Pp]ath|[Dd]irectory) [`'\"]?(?P<e>[\w./~@+-]{1,300})[`'\"]? (?:does not exist|not found)"
)
_NAME_MISSING = re.compile(
    r"\bname '(?P<a>\w{1,100})' is not defined|\bcannot import name '(?P<b>\w{1,100})'|\bhas no attribute '(?P<c>\w{1,100})'|\bundefined: (?P<d>\w{1,100})|\b(?P<e>\w{1,100}) is not defined|\bCannot find name '(?P<f>\w{1,100})'"
)
_MODULE_MISSING = re.compile(
    r"\bNo module named '?(?P<a>[\w.]{1,120})|\bCannot find (?:module|package) '(?P<b>[^'\n]{1,200})'|\b(?P<c>[\w.+-]{1,60}): (?:command )?not found"
)
_TABLE_MISSING = re.compile(
    r"\bno such table: [`'\"]?(?P<a>[\w.]{1,100})|\brelation \"(?P<b>[\w.]{1,100})\" does not exist|\bTable '(?P<c>[\w.]{1,100})' doesn't exist",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:ECONNREFUSED|Connection refused|Failed to connect|Couldn't connect to server|ERR_CONNECTION_REFUSED)\b"
)
_PORT = re.compile(r"(?::|\bport[ =]|--port[ =]|-p[ =]?)(?P<port>\d{2,5})\b")
_CREATES_TABLE = re.compile(r"\bCREATE TABLE (?:IF NOT EXISTS )?[`'\"\[]?(?P<name>[\w.]{1,100})", re.IGNORECASE)
_DEFINES = re.compile(
    r"^[ \t]*(?:export )?(?:async )?(?:def|class|func|function|fn|const|let|interface|type) (?P<name>\w{3,100})", re.MULTILINE
)
_ASSIGNS = re.compile(
    r"^(?P<name>[A-Za-z_]\w{0,99}) *=(?!=)|^import (?P<module>\w{1,99})(?: as (?P<alias>\w{1,99}))?|^(?:def|class) (?P<made>\w{1,99})",
    re.MULTILINE,
)
_INSTALLERS = {"pip": ("install",), "pip3": ("install",), "npm": ("install", "i", "add"), "yarn": ("add",), "pnpm": ("add",), "apt-get": ("install",), "apt": ("install",),
               "brew": ("install",), "conda": ("install",), "cargo": ("install",), "gem": ("install",), "uv": ("add", "pip"), "poetry": ("add",), "apk": ("add",)}  # fmt: skip
_ALL = {"*npm": ("npm", "yarn", "pnpm", "bun"), "*pip": ("pip", "pip3", "poetry", "pipenv", "uv", "pdm")}
"""Installers of all that a project needs, by what stands for every package of theirs."""
_SERVES = re.compile(r"\b(?:serve|server|runserver|start|uvicorn|gunicorn|flask|http\.server|dev|listen|docker run)\b")
_TRIVIAL = frozenset({"cd", "echo", "export", "set", "source", "sleep", "true"})
_NO_CAUSE = frozenset({FailureKind.DENIED, FailureKind.CASCADE, FailureKind.LIMIT})

Thing = tuple[str, str]
"""What is missing: `file`, `name`, `module`, `table` or `port`, and its name."""


class CascadeOptions(Options):
    """What may be set."""

    dependants: int = Field(default=2, ge=2)
    """How many later failures must follow from the first."""


class Cascade(Live):
    """One finding per first failure."""

    name = "cascade"

    def __init__(self, options: CascadeOptions | None = None) -> None:
        self.options = options or CascadeOptions.usual()

    def watch(self, scene: Scene) -> Watch:
        """A fresh watch over one lane."""
        return _Watch(scene, self.options)


DETECTOR = Cascade()


@dataclass(slots=True)
class _Root:
    """A failure, and what it has cost since."""

    action: Action
    last: Action
    thing: Thing | None = None
    steps: list[int] = field(default_factory=list)
    quotes: dict[int, str] = field(default_factory=dict)
    count: int = 0
    raised: int | None = None


class _Watch(Watch):
    def __init__(self, scene: Scene, options: CascadeOptions) -> None:
        super().__init__(scene)
        self._needed = options.dependants
        self._missing: dict[Thing, tuple[_Root, Thing]] = {}
        self._kept: list[_Root] = []
        self._batch: tuple[str, _Root] | None = None
        self._waiting: tuple[str, list[Action]] | None = None

    def see(self, action: Action) -> Iterable[Finding]:
        root = self._cancelled(action) if action.mark is Mark.CASCADE else None
        if action.mark is Mark.REJECTED:
            self._note(action, _makes(action))
        elif action.mark is None or action.mark is Mark.TIMEOUT:
            makes = list(dict.fromkeys(_makes(action)))[:_MOST_STEPS]
            root = self._follows(action, makes) if action.failed else None
            if action.failed and root is None:
                self._note(action, makes)
            elif not action.failed:
                for thing in (*makes, *_shows(action)):
                    self._missing.pop(_key(thing), None)
        if action.failed and action.batch is not None and (self._batch is None or self._batch[0] != action.batch):
            self._batch = action.batch, _Root(action, action)
            root = self._late(action) or root
        if root is not None and root.count >= self._needed and root.raised is None:
            root.raised = action.step
            if not self.scene.live:
                self._kept.append(root)
            yield self._finding(root)

    def found(self) -> Iterable[Finding]:
        return [self._finding(root) for root in self._kept]

    def _note(self, action: Action, makes: Iterable[Thing]) -> None:
        """Take a failure as the possible cause of later ones."""
        if action.failure is None or action.failure.expected or action.failure.kind in _NO_CAUSE:
            return
        root = _Root(action, action)
        for thing in makes:
            self._missing.setdefault(_key(thing), (root, thing))
        while len(self._missing) > _MOST:
            del self._missing[next(iter(self._missing))]

    def _follows(self, action: Action, makes: list[Thing]) -> _Root | None:
        """The failure that this one follows from, counted there; None for another try to make the missing thing."""
        again = {_key(thing) for thing in makes}
        for thing, quote in _lacks(action):
            root, made = self._missing.get(_key(thing), (None, thing))
            if root is None or _key(thing) in again or (thing[0] == "file" and not same_file(thing[1], made[1])):
                continue
            if root.action.keys.call_masked != action.keys.call_masked:
                root.thing = root.thing or (made if thing[1].startswith("*") else thing)
                _add(root, action, quote)
                return root
        return None

    def _cancelled(self, action: Action) -> _Root | None:
        """The failure for which a call was cancelled: the failing call of the same message, which may come later in it."""
        if action.batch is None:
            return None
        if self._batch is not None and self._batch[0] == action.batch:
            _add(self._batch[1], action, clip(action.result or "cancelled", 200))
            return self._batch[1]
        if self._waiting is None or self._waiting[0] != action.batch:
            self._waiting = action.batch, []
        if len(self._waiting[1]) < _MOST_STEPS:
            self._waiting[1].append(action)
        return None

    def _late(self, action: Action) -> _Root | None:
        """Calls that were cancelled before the failing call of their message was seen."""
        if self._batch is None or self._waiting is None or self._waiting[0] != action.batch:
            return None
        for other in self._waiting[1]:
            _add(self._batch[1], other, clip(other.result or "cancelled", 200))
        return self._batch[1]

    def _finding(self, root: _Root) -> Finding:
        failure = root.action.failure
        assert failure is not None
        assert root.raised is not None
        headline = clip(failure.headline, 140)
        if root.thing is None:
            kind, severity = "cancelled-calls", Severity.LOW
            title = f"{root.count} calls were cancelled because step {root.action.step} of the same message failed: {headline}"
            advice = f"Mend the call at step {root.action.step} ({code(root.action.operation.target, 80)}) and send the {root.count} cancelled ones again: none of them ran."
        else:
            kind, severity = "cascade", Severity.HIGH if root.count >= 2 * self._needed + 1 else Severity.MEDIUM
            title = f"Step {root.action.step} failed ({headline}), and {root.count} later failures miss {_named(root.thing)}"
            advice = f"Mend step {root.action.step} first ({code(headline, 100)}): {_named(root.thing)} must be there before what needs it is run."
        steps = sorted({root.action.step, *root.steps})
        return Finding(
            detector="cascade",
            category=Category.ERROR,
            kind=kind,
            severity=severity,
            confidence=0.85 if root.thing is not None else 0.95,
            title=title,
            lane=self.scene.lane,
            first_step=steps[0],
            last_step=max(root.last.step, steps[-1]),
            steps=steps,
            detectable_at=root.raised,
            rounds=root.count,
            evidence=[
                Evidence(step=root.action.step, quote=clip(failure.headline, 300)),
                *(Evidence(step=step, quote=clip(root.quotes[step], 300)) for step in spread(sorted(root.quotes))),
            ],
            advice=[advice],
            taxonomy=Taxonomy(mast=["FM-2.5"], trail=["Tool Output Misinterpretation" if root.thing else "Task Orchestration"]),
            cost=cost_of(min(root.action, root.last, key=_step), max(root.action, root.last, key=_step)),
            group=failure.group,
        )


def _step(action: Action) -> int:
    return action.step


def _add(root: _Root, action: Action, quote: str) -> None:
    root.count += 1
    root.last = action
    if len(root.steps) < _MOST_STEPS:
        root.steps.append(action.step)
        root.quotes[action.step] = quote


def _named(thing: Thing) -> str:
    if thing[1].startswith("*"):
        return "packages that it should have installed"
    words = {"file": "the file ", "name": "", "module": "the package ", "table": "the table ", "port": "the server on port "}
    return f"{words[thing[0]]}{thing[1]}"


def _lacks(action: Action) -> Iterator[tuple[Thing, str]]:
    """What a failure says is missing, with its words."""
    failure = action.failure
    if failure is None or (action.operation.commands and all(command.program == "rm" for command in action.operation.commands)):
        return
    text = f"{failure.headline[:2_000]}\n{(action.result or '')[:2_000]}\n{(action.result or '')[-2_000:]}"
    for what, pattern in (
        ("module", _MODULE_MISSING),
        ("name", _NAME_MISSING),
        ("table", _TABLE_MISSING),
        ("file", _FILE_MISSING),
    ):
        for found in pattern.finditer(text):
            name = next(value for value in found.groups() if value)
            yield _thing(what, name), found[0]
            if what == "module" and found["c"] is None and not name.startswith((".", "/", "@/")):
                yield (what, "*pip" if found["a"] else "*npm"), found[0]
            if what == "module":
                yield ("file", f"{name.rsplit('.', 1)[-1].rsplit('/', 1)[-1]}.py"), found[0]
    if (refused := _REFUSED.search(text)) is not None:
        for found in _PORT.finditer(f"{text}\n{(action.operation.command or '')[:2_000]}"):
            yield ("port", found["port"]), refused[0]


def _key(thing: Thing) -> Thing:
    """What a thing is found by: of a file its last name, since the later error may spell the path differently."""
    return (thing[0], thing[1].rsplit("/", 1)[-1]) if thing[0] == "file" else thing


def _thing(what: str, name: str) -> Thing:
    if what == "file":
        return what, name.strip("'\"").rstrip("/").removeprefix("./")
    if what == "module":
        return what, re.split(r"[./]", name.lstrip("@./"))[0].lower().replace("-", "_")
    return what, name.rsplit(".", 1)[-1] if what == "table" else name


def _makes(action: Action) -> Iterator[Thing]:
    """What an action makes where it goes well."""
    for edit in action.operation.edits:
        if edit.created and edit.path:
            yield _thing("file", edit.path)
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


def _made_by(command: Command) -> Iterator[Thing]:
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
            ("module", _package(word)) for word in words[1:] if word not in ("install", ".", "./") and "=" not in word[:1]
        )
    elif command.program == "git" and words[:1] == ["clone"] and len(words) > 1:
        yield _thing("file", words[2] if len(words) > 2 else words[1].removesuffix(".git"))
    elif command.program in ("mkdir", "touch"):
        yield from (_thing("file", word) for word in words)
    elif command.program in ("cp", "mv", "ln") and len(words) > 1:
        yield _thing("file", words[-1])
    for option, word in zip(command.args, command.args[1:], strict=False):
        if option in ("-o", "-O", "--output", "--out", "--output-document"):
            yield _thing("file", word)
    if command.program in ("wget", "curl") and words and ("-O" in command.args or command.program == "wget"):
        yield _thing("file", words[-1].split("?")[0])
    yield from (("table", name) for name in _CREATES_TABLE.findall(command.text[:_LONGEST]))
    if _SERVES.search(command.text[:2_000]):
        yield from (("port", found["port"]) for found in _PORT.finditer(command.text[:2_000]))


def _package(word: str) -> str:
    return re.split(r"[=<>~!@\[;]", word.lstrip("@"))[0].rsplit("/", 1)[-1].lower().replace("-", "_")


def _shows(action: Action) -> Iterator[Thing]:
    """What must be there, since an action that went well used it."""
    if action.operation.path is not None and action.kind in (Kind.READ, Kind.EDIT):
        yield _thing("file", action.operation.path)
