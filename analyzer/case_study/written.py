"""The files that a run wrote, with their content as far as its calls show it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from analyzer.case_study.phases import fails, has_results
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Command, Edit
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.clip import clip
from analyzer.text.plain import plain
from analyzer.timeline import Timeline

_WRITES = re.compile(
    r"(?:^|[._:/])(?:write|save|create|append|put|store|export|upload)(?=_|[A-Z]|$|\.)|(?:Write|Save|Append|Store"
    r"|Export)(?=[A-Z]|$)"
)
"""How tools that write are called, where nothing else is known of them."""
_PATH_NAME = re.compile(r"path|file|name|target|destination|dest|uri", re.IGNORECASE)
_TEXT_NAME = re.compile(r"content|text|body|data|code|source|markdown|value", re.IGNORECASE)
_APPENDS = re.compile(r">>\s*['\"]?(?P<name>[^\s'\";&|]+)|\btee\s+(?:-a|--append)\s+['\"]?(?P<tee>[^\s'\";&|]+)")
_NUMBERED = re.compile(r"^[ \t]{0,8}\d{1,7}(?:\t|→|\| ?)", re.MULTILINE)
_NAMED = re.compile(r"[\w.~/\\-]*[\w-]\.\w{1,8}\b")
_OPENS = re.compile(
    r"\b(?:open\([^)\n]{0,200},\s*['\"][wax]|write_text\(|write_bytes\(|writeFile(?:Sync)?\(|to_csv\("
    r"|to_markdown\(|\.dump\(|fs\.write|Out-File|Set-Content)"
)
_SHELL_PRINTS = frozenset({"echo", "printf"})


@dataclass(slots=True)
class File:
    """A file that the run wrote: the step of the main lane that last changed it (0: another lane did), and its text,
    None where no call shows it. `maybe` is True where code that ran names the file and opens files for writing,
    `removed` where it was removed or moved away."""

    path: str
    step: int
    text: str | None = None
    shown: str = ""
    maybe: bool = False
    removed: bool = False

    def is_called(self, pattern: str) -> bool:
        """Whether a scenario's `path`, in which `*` stands for any part, means this file; one that isn't rooted is
        looked for from the end."""
        path, wanted = posixpath.normpath(self.path.replace("\\", "/")), posixpath.normpath(pattern.replace("\\", "/"))
        if any(sign in wanted for sign in "*?["):
            return fnmatchcase(path, wanted) or (not wanted.startswith("/") and fnmatchcase(path, f"*/{wanted}"))
        return path == wanted or (
            (path.startswith(("/", "~", "..")) or path[1:2] == ":" or wanted.startswith("/"))
            and same_file(path, wanted)
        )


def files_of(timeline: Timeline) -> dict[str, File]:
    """Every file that an action of any lane wrote with success, by its path."""
    files: dict[str, File] = {}
    recorded = has_results(timeline.actions)
    for action in timeline.actions:
        if not action.harness and not fails(action, recorded):
            _take(files, action)
    return files


def _step(action: Action) -> int:
    return action.step if action.lane == MAIN_LANE else 0


def _take(files: dict[str, File], action: Action) -> None:
    operation = action.operation
    for edit in operation.edits:
        _edited(files, action, edit)
    if operation.command is not None:
        _ran(files, action, operation.command)
    elif operation.kind is Kind.READ and operation.path and operation.lines is None and action.result is not None:
        known = files.get(_key(operation.path))
        if known is not None and (known.text is None or known.maybe) and not known.removed:
            known.text, known.maybe = _NUMBERED.sub("", plain(action.result)), False
    elif operation.kind is Kind.OTHER and _WRITES.search(action.tool):
        _written_by_unknown(files, action)


def _edited(files: dict[str, File], action: Action, edit: Edit) -> None:
    before = files.get(_key(edit.path))
    known = before.text if before is not None and not before.removed else None
    text: str | None = None
    if edit.created and edit.after is not None:
        text = edit.after
        if action.operation.command is not None and _appended(action.operation.command, edit.path):
            text = _joined(known, edit.after, is_new=before is None or before.removed)
    elif edit.before is not None and edit.after is not None:
        once = known is not None and edit.before and edit.before in known
        text = (
            known.replace(edit.before, edit.after, 1)
            if known is not None and once
            else edit.after
            if known == "" and not edit.before
            else None
        )
    _set(files, action, edit.path, text, edit.after or "")


def _ran(files: dict[str, File], action: Action, command: str) -> None:
    operation = action.operation
    done = {edit.path for edit in operation.edits}
    for name in operation.writes:
        if name in done or name.startswith(("/dev/", "&")):
            continue
        printed = (
            _printed(operation.commands[0]) if len(operation.commands) == 1 and len(operation.writes) == 1 else None
        )
        before = files.get(_key(name))
        if printed is not None and _appended(command, name):
            printed = _joined(
                before.text if before is not None and not before.removed else None,
                printed,
                is_new=before is None or before.removed,
            )
        if (
            printed is None
            and operation.commands
            and operation.commands[0].program == "cat"
            and len(operation.commands) == 1
        ):
            copied = [files.get(_key(word)) for word in operation.commands[0].args if not word.startswith("-")]
            texts = [file.text for file in copied if file is not None and file.text is not None]
            printed = "".join(texts) if texts and len(texts) == len(copied) and not _appended(command, name) else None
        _set(files, action, name, printed, printed or clip(command, 300))
    for entry in operation.commands:
        _moved(files, action, entry)
    if _OPENS.search(command):
        for found in dict.fromkeys(_NAMED.findall(command[:50_000])):
            if _key(found) not in files:
                files[_key(found)] = File(found, _step(action), None, clip(command, 300), maybe=True)
            elif files[_key(found)].text is not None and action.kind is Kind.RUN:
                files[_key(found)].text = None


def _moved(files: dict[str, File], action: Action, command: Command) -> None:
    words = [word for word in command.args if not word.startswith("-")]
    if command.program in ("cp", "mv") and len(words) == 2:
        source, target = files.get(_key(words[0])), words[1]
        if target.endswith("/") or target == ".":
            target = posixpath.join(target, posixpath.basename(words[0]))
        _set(files, action, target, source.text if source is not None and not source.removed else None, command.text)
        if command.program == "mv" and source is not None and _key(target) != _key(words[0]):
            source.removed, source.step = True, _step(action)
    elif command.program in ("rm", "unlink"):
        for word in words:
            for key, file in files.items():
                if key == _key(word) or ("-r" in command.text and key.startswith(f"{_key(word)}/")):
                    file.removed, file.step = True, _step(action)
    elif command.program == "tee" and words:
        for word in words:
            if _key(word) not in files:
                _set(files, action, word, None, command.text)


def _written_by_unknown(files: dict[str, File], action: Action) -> None:
    """A tool that nobody knows but whose name says that it writes: a path, and the longest text under a name for
    texts."""
    if not isinstance(action.arguments, Mapping):
        return
    texts = {name: value for name, value in action.arguments.items() if isinstance(value, str)}
    path = next(
        (name for name, value in texts.items() if _PATH_NAME.search(name) and len(value) < 500 and "\n" not in value),
        None,
    )
    if path is None or not texts[path]:
        return
    contents = [value for name, value in texts.items() if name != path and _TEXT_NAME.search(name)]
    text = max(contents, key=len, default=None)
    before = files.get(_key(texts[path]))
    if text is not None and "append" in action.tool.casefold():
        text = _joined(
            before.text if before is not None and not before.removed else None,
            text,
            is_new=before is None or before.removed,
        )
    _set(files, action, texts[path], text, text or "")


def _set(files: dict[str, File], action: Action, path: str, text: str | None, shown: str) -> None:
    if path:
        files.pop(_key(path), None)
        files[_key(path)] = File(path, _step(action), text, clip(shown, 300))


def _joined(before: str | None, after: str, *, is_new: bool) -> str | None:
    """What a file holds after text was put behind what it held; unknown where that is, unless the run is what made
    it."""
    if before is None:
        return after if is_new else None
    return before + after


def _appended(command: str, path: str) -> bool:
    return any(path in (found["name"], found["tee"]) for found in _APPENDS.finditer(command))


def _printed(command: Command) -> str | None:
    """What `echo` or `printf` prints, where no variable or substitution is in it."""
    if command.program not in _SHELL_PRINTS:
        return None
    words = list(command.args)
    escapes = command.program == "printf"
    while command.program == "echo" and words and re.fullmatch(r"-[neE]+", words[0]):
        escapes = escapes or "e" in words[0]
        words.pop(0)
    if any("$" in word or "`" in word for word in words) or (
        command.program == "printf" and (len(words) != 1 or "%" in words[0])
    ):
        return None
    text = " ".join(words)
    return text.replace("\\n", "\n").replace("\\t", "\t") if escapes else text


def _key(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/"))
