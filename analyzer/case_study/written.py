"""The files that a run wrote, with their content as far as its calls show it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from analyzer.case_study.phases import fails
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.struct import Struct, replace
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.clip import clip
from analyzer.text.plain import plain
from analyzer.timeline import Timeline
from analyzer.workspace import history_of
from analyzer.workspace.paths import normal
from analyzer.workspace.states import Step

_WRITES = re.compile(
    r"(?:^|[._:/])(?:write|save|create|append|put|store|export|upload)(?=_|[A-Z]|$|\.)|(?:Write|Save|Append|Store"
    r"|Export)(?=[A-Z]|$)"
)
"""How tools that write are called, where nothing else is known of them."""
_PATH_NAME = re.compile(r"path|file|name|target|destination|dest|uri", re.IGNORECASE)
_TEXT_NAME = re.compile(r"content|text|body|data|code|source|markdown|value", re.IGNORECASE)
_NUMBERED = re.compile(r"^[ \t]{0,8}\d{1,7}(?:\t|→|\| ?)", re.MULTILINE)
_NAMED = re.compile(r"[\w.~/\\-]*[\w-]\.\w{1,8}\b")
_SHOWN = 300
_OPENS = re.compile(
    r"\b(?:open\([^)\n]{0,200},\s*['\"][wax]|write_text\(|write_bytes\(|writeFile(?:Sync)?\(|to_csv\("
    r"|to_markdown\(|\.dump\(|fs\.write|Out-File|Set-Content)"
)


class File(Struct):
    """A file that the run wrote: the step of the main lane that last changed it (0: another lane did), and its text,
    None where no call shows it. `maybe` is True where code that ran names the file and opens files for writing,
    `removed` where it was removed or moved away; `by_code` where what replays the workspace doesn't know of it: code or
    a tool that nobody knows wrote it."""

    path: str
    step: int
    text: str | None = None
    shown: str = ""
    maybe: bool = False
    removed: bool = False
    by_code: bool = False

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
    """Every file that an action of any lane wrote with success, by its path, the last written last."""
    history = timeline.history or history_of(timeline.session, timeline.actions)
    files: dict[str, File] = {}
    recorded = any(action.result is not None for action in timeline.actions)
    for action, taken in zip(timeline.actions, history.taken, strict=True):
        if not action.harness and not fails(action, recorded):
            _take(files, action, taken)
    for path, file in files.items():
        document = history.files.get(path)
        if file.by_code:
            continue
        file.removed = not document.exists
        file.text = document.text if document.exists and path not in history.files.captured else None
        file.shown = file.shown or clip(file.text or "", _SHOWN)
    return files


def _take(files: dict[str, File], action: Action, taken: Step) -> None:
    operation, command = action.operation, action.operation.command
    step = action.step if action.lane == MAIN_LANE else 0
    edits = {normal(edit.path, taken.directory): edit for edit in operation.edits}
    # The words of a call that may name a file that it writes.
    words = (word for command in operation.commands for word in command.args if word[:1] != "-")
    names = {normal(name, taken.directory): name for name in (*operation.writes, *words)}
    written = [path for path in names if names[path] in operation.writes and not names[path].startswith(("/dev/", "&"))]
    known = {*files, *edits, *written}
    for path in dict.fromkeys((*(path for path in taken.touched if path not in taken.found), *written)):
        files.pop(path, None)
        edit = edits.get(path)
        name = edit.path if edit is not None else names.get(path, path)
        files[path] = File(name, step, None, clip((edit.after or "") if edit is not None else "", _SHOWN))
    if command is not None and _OPENS.search(command):
        for name in dict.fromkeys(_NAMED.findall(command[:50_000])):
            path = normal(name, taken.directory)
            if path not in known:
                files[path] = File(name, step, None, clip(command, _SHOWN), maybe=True, by_code=True)
            elif action.kind is Kind.RUN:
                files[path] = replace(files[path], text=None, by_code=True)
    elif operation.kind is Kind.READ and operation.path and operation.lines is None and action.result is not None:
        read = files.get(normal(operation.path, taken.directory))
        if read is not None and read.by_code and (read.text is None or read.maybe):
            read.text, read.maybe = _NUMBERED.sub("", plain(action.result)), False
    elif command is None and operation.kind is Kind.OTHER and _WRITES.search(action.tool):
        _written_by_unknown(files, action, taken, step)


def _written_by_unknown(files: dict[str, File], action: Action, taken: Step, step: int) -> None:
    """A tool that nobody knows but whose name says that it writes: a path, and the longest text under a name for
    texts."""
    if not isinstance(action.arguments, Mapping):
        return
    texts = {name: value for name, value in action.arguments.items() if isinstance(value, str)}
    short = {name: value for name, value in texts.items() if len(value) < 500 and "\n" not in value}
    path = next(filter(_PATH_NAME.search, short), None)
    if path is None or not texts[path]:
        return
    contents = [value for name, value in texts.items() if name != path and _TEXT_NAME.search(name)]
    text = max(contents, key=len, default=None)
    place = normal(texts[path], taken.directory)
    before = files.pop(place, None)
    if text is not None and before is not None and "append" in action.tool.casefold():
        text = before.text + text if before.text is not None and not before.removed else None
    files[place] = File(texts[path], step, text, clip(text or "", _SHOWN), by_code=True)
