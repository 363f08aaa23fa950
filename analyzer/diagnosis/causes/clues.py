"""What the transcript shows and the agent overlooked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.diagnosis.case import Case
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, FrameRole, Kind
from analyzer.text.expressions import compiled
from analyzer.text.plain import plain
from analyzer.text.similarity import alike

_PATH = compiled(r"[\w.~+@-]*/[\w./+@-]+|[\w+@-]+\.[A-Za-z]\w{0,8}\b|^[\w+@.-]+/?$", re.MULTILINE)
_MISSING = compiled(
    r"(?:cd: |File |open |read |stat |access |: )?['‘`\"]?(?P<path>[\w./~+@-]+)['’\"]?(?:: No such file|: Not a "
    r"directory| not found| does not exist)"
)
_MOST = 60_000
_COMMON = frozenset(
    {
        "error",
        "could",
        "would",
        "should",
        "written",
        "failed",
        "value",
        "batch",
        "column",
        "object",
        "argument",
        "expected",
        "module",
        "cannot",
        "there",
        "which",
    }
)
_RULES = (
    compiled(r"\b(?:must|at least|exactly|needs?|requires?|always|never|smallest|fewest)\b", re.IGNORECASE),
    compiled(r"\w ?[+*] ?[\w(]"),
    compiled(r"\b(?:\d+|two|three|four|six|eight)\b"),
)
_CODE = compiled(r"^(?:raise|return|def|class|if|for|import|from|assert)\b|[;{}]$|\w = ")
_PRINTS = compiled(
    r"\b(?:print|printf|println!?|eprintln!|dbg!|console\.(?:log|error|debug)|logg(?:er|ing)\.\w+|sys\.std(?:err"
    r"|out)\.write|fmt\.Print\w*|var_dump|System\.(?:out|err)\.print\w*)\s*\("
)
_BESIDE = compiled(r"^(?:if .*:|else:|import (?:sys|logging|traceback|pprint)|pass|[})]+;?)$")


@dataclass(frozen=True, slots=True)
class Clue:
    """A path that a step showed and that is probably the one meant."""

    step: int
    path: str


def missing_path(case: Case) -> str | None:
    """The path that the main failure says doesn't exist."""
    failure = case.failure
    if failure is None or failure.kind is not FailureKind.NOT_FOUND:
        return None
    found = _MISSING.search(failure.message)
    return found["path"] if found else None


def shown_instead(case: Case) -> Clue | None:
    """Where an earlier step showed the missing path under another directory, or a name much like it."""
    path = missing_path(case)
    if path is None or case.main is None:
        return None
    name = path.rstrip("/").rsplit("/", 1)[-1]
    similar: Clue | None = None
    for action in reversed(case.lane[: case.main.detectable_at]):
        if action.failure is not None or not action.result:
            continue
        for shown in _PATH.findall(plain(action.result)[:_MOST]):
            if shown.rstrip("/") == path.rstrip("/"):
                continue
            last = shown.rstrip("/").rsplit("/", 1)[-1]
            if last == name and "/" in shown:
                return Clue(action.step, shown)
            if (
                similar is None
                and len(name) > 4
                and last != name
                and last[:3].lower() == name[:3].lower()
                and alike(last.lower(), name.lower(), 45.0)
            ):
                similar = Clue(action.step, shown)
    return similar


@dataclass(frozen=True, slots=True)
class Regression:
    """A check that passed at one step and fails at a later one, with the edits in between."""

    passed: int
    failed: int
    command: str
    edits: tuple[Action, ...]
    options: tuple[str, ...] = ()
    """Options that only the call that failed was given."""


def regression(case: Case) -> Regression | None:
    """The last time that the failing check of the main finding had passed before it first failed, if anything was
    edited in between. Options are left out of the comparison: they change what is printed, seldom what is tested."""
    if case.main is None or case.failure is None or case.main.group is None:
        return None
    failed = case.action(case.main.steps[0])
    key = _check(failed)
    if key is None:
        return None
    for action in reversed(case.lane[: failed.step - 1]):
        if _check(action) == key:
            if action.failure is not None:
                return None
            edits = tuple(
                edit
                for edit in case.lane[action.step : failed.step - 1]
                if edit.operation.edits and edit.failure is None
            )
            given = set(action.operation.commands[-1].args)
            options = tuple(
                word for word in failed.operation.commands[-1].args if word.startswith("-") and word not in given
            )
            return Regression(action.step, failed.step, " ".join(key), edits, options) if edits else None
    return None


def _check(action: Action) -> tuple[str, ...] | None:
    """The program and the files or names that a test or a run is given, without options."""
    if action.kind not in (Kind.TEST, Kind.RUN) or not action.operation.commands:
        return None
    command = action.operation.commands[-1]
    words = tuple(word for word in command.args if not word.startswith("-"))
    return (command.program, *words) if words else None


def instruments(action: Action) -> bool:
    """Whether an edit only adds or takes out output for diagnosis: print and log lines."""
    texts = [text for edit in action.operation.edits for text in (edit.before, edit.after) if text] or [
        action.operation.command or ""
    ]
    if action.operation.command and not any(edit.after for edit in action.operation.edits):
        return _PRINTS.search(action.operation.command) is not None
    changed: set[str] = set()
    for edit in action.operation.edits:
        before, after = set((edit.before or "").splitlines()), set((edit.after or "").splitlines())
        changed |= {line.strip() for line in before ^ after if line.strip()}
    return (
        bool(changed)
        and bool(texts)
        and all(_PRINTS.search(line) or _BESIDE.match(line) for line in changed)
        and any(_PRINTS.search(line) for line in changed)
    )


def never_opened(case: Case) -> list[str]:
    """Files of the main failure's trace that the agent neither read nor edited within the main finding."""
    failure = case.failure
    if failure is None or case.main is None:
        return []
    own = dict.fromkeys(
        frame.file
        for frame in failure.frames
        if frame.role in (FrameRole.TEST, FrameRole.PROJECT) and not frame.file.startswith("<")
    )
    edited = set(case.edited_paths)
    return [
        path
        for path in list(own)[-3:]
        if not case.read_within(path) and not any(_same(path, other) for other in edited)
    ]


def one_range(case: Case) -> tuple[int, int] | None:
    """The line range that every edit of the main finding replaced, if it was always the same."""
    ranges = {edit.lines for action in case.edits for edit in action.operation.edits}
    return next(iter(ranges)) if len(ranges) == 1 else None


def lines_text(span: tuple[int, int]) -> str:
    """A range of lines for people: `line 149`, `lines 264-265`."""
    return f"line {span[0]}" if span[0] == span[1] else f"lines {span[0]}-{span[1]}"


def unopened_by_name(case: Case) -> Clue | None:
    """A file that an earlier step listed, whose name the main failure's message speaks of, and that was never
    opened."""
    failure, main = case.failure, case.main
    if failure is None or main is None:
        return None
    words = {word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]{5,}", failure.message)} - _COMMON
    touched = [action.operation.path for action in case.lane if action.operation.path]
    commands = "\n".join(action.operation.command or "" for action in case.lane)
    for action in case.lane[: main.detectable_at]:
        if action.kind is not Kind.SEARCH or action.failure is not None or not action.result:
            continue
        folder = ""
        for line in plain(action.result)[:_MOST].splitlines():
            shown = line.strip()
            if shown.endswith(":") and " " not in shown:
                folder = shown[:-1]
                continue
            if not re.fullmatch(r"[\w./@+-]+\.[A-Za-z]\w{0,8}", shown):
                continue
            path = shown if "/" in shown or folder in ("", ".") else f"{folder.removeprefix('./')}/{shown}"
            parts = {part.lower().rstrip("s") for part in re.split(r"[^A-Za-z]+", path) if len(part) > 4}
            name = path.rsplit("/", 1)[-1]
            if parts & words and name not in commands and not any(_same(path, other) for other in touched):
                return Clue(action.step, path)
    return None


def stated_rule(case: Case, noun: str) -> Clue | None:
    """A line of a document or file that the agent had read before the error and that states a rule about what the
    message demands."""
    if case.main is None:
        return None
    stem = noun.lower().rstrip("s")
    best: tuple[int, Clue] | None = None
    for action in case.lane[: case.main.steps[0] - 1]:
        if action.kind is Kind.READ and action.failure is None and action.result:
            for line in plain(action.result)[:_MOST].splitlines():
                text = " ".join(line.split()).lstrip("-*# ")
                if not 15 < len(text) < 220 or stem not in text.lower() or _CODE.search(text):
                    continue
                weight = sum(2 if pattern.search(text) else 0 for pattern in _RULES)
                if weight > (best[0] if best else 2):
                    best = weight, Clue(action.step, text)
    return best[1] if best else None


def written_at(case: Case, path: str, line: str | None) -> int | None:
    """The step at which the agent itself wrote a line into a file, if it did."""
    if not line:
        return None
    wanted = "".join(line.split())[:80]
    for action in case.lane:
        for edit in action.operation.edits:
            if edit.after and same_file(edit.path, path) and wanted in "".join(edit.after.split()):
                return action.step
    return None


def distinct_edits(case: Case) -> int:
    """How many different edits the main finding holds."""
    return len({action.keys.call for action in case.edits})


def said_alike(case: Case) -> list[Action]:
    """The actions of the main finding whose stated intents are nearly the same as the first one's."""
    spoken = [action for action in case.stretch if action.said]
    return [action for action in spoken if alike(spoken[0].said, action.said, 80.0)] if len(spoken) > 2 else []


def _same(one: str, other: str) -> bool:
    return one.rsplit("/", 1)[-1] == other.rsplit("/", 1)[-1]
