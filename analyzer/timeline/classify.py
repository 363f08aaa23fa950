"""Say what a call does: tool name and arguments -> Operation.

Tools are known by families of names, since every agent calls its file editor something else; arguments are found under
any of the names in use. A tool that nobody has heard of is `other`, named by its shortest telling argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from analyzer.model.action import Command, Edit, Operation
from analyzer.model.session import ToolCall
from analyzer.model.words import Kind
from analyzer.timeline import patch, programs, shell

_PATH_KEYS = (
    "path",
    "file_path",
    "filepath",
    "filePath",
    "filename",
    "file",
    "target_file",
    "notebook_path",
    "relative_path",
    "absolute_path",
    "AbsolutePath",
    "TargetFile",
    "uri",
)
_BEFORE_KEYS = ("old", "old_string", "old_str", "oldString", "oldText", "old_text", "search", "find", "target")
_AFTER_KEYS = (
    "new",
    "new_string",
    "new_str",
    "newString",
    "newText",
    "new_text",
    "replace",
    "replacement",
    "text",
    "insert",
    "new_source",
)
_WHOLE_KEYS = ("content", "file_text", "contents", "fileText", "code", "source")
_COMMAND_KEYS = ("command", "cmd", "script", "commands", "CommandLine", "input")
_QUERY_KEYS = ("pattern", "query", "regex", "search_term", "file_name", "name", "glob", "dir", "directory", "q")

_SHELLS = frozenset(
    {
        "bash",
        "shell",
        "sh",
        "run",
        "terminal",
        "executebash",
        "runcommand",
        "runterminalcmd",
        "runshellcommand",
        "execcommand",
        "executecommand",
        "localshell",
        "localshellcall",
        "cmd",
        "exec",
        "command",
        "runinterminal",
        "shellcommand",
        "powershell",
        "console",
        "zsh",
        "bashtool",
        "terminaltool",
        "executeshell",
        "runbash",
    }
)
_READS = frozenset(
    {
        "read",
        "readfile",
        "fileread",
        "view",
        "viewfile",
        "open",
        "openfile",
        "cat",
        "goto",
        "scrollup",
        "scrolldown",
        "readmanyfiles",
        "viewimage",
        "notebookread",
        "getfile",
        "showfile",
        "filemap",
        "webfetch",
        "fetch",
        "readfiles",
        "filesystemread",
    }
)
_SEARCHES = frozenset(
    {
        "grep",
        "glob",
        "search",
        "searchfile",
        "searchdir",
        "findfile",
        "find",
        "ls",
        "list",
        "listdir",
        "listfiles",
        "listdirectory",
        "codebasesearch",
        "grepsearch",
        "filesearch",
        "searchfiles",
        "toolsearch",
        "websearch",
        "searchfilecontent",
        "searchcode",
        "roversearchclass",
        "roversearchmethod",
        "recall",
        "lsp",
        "googlewebsearch",
        "semanticsearch",
        "listcodedefinitionnames",
    }
)
_EDITS = frozenset(
    {
        "edit",
        "fileedit",
        "editfile",
        "write",
        "filewrite",
        "writefile",
        "create",
        "createfile",
        "strreplace",
        "replace",
        "insert",
        "applypatch",
        "multiedit",
        "notebookedit",
        "replaceinfile",
        "writetofile",
        "searchreplace",
        "patch",
        "applydiff",
        "undoedit",
        "deletefile",
        "insertcontent",
        "updatefile",
        "replacelines",
        "appendfile",
        "replacestringinfile",
        "inserteditintofile",
    }
)
_EDITORS = frozenset(
    {
        "strreplaceeditor",
        "fileeditor",
        "strreplacebasededittool",
        "editor",
        "strreplacebasedittool",
        "texteditor",
        "fileeditortool",
        "strreplaceedittool",
    }
)
_TESTS = frozenset({"runtests", "runtest", "test", "pytest", "executetests"})
_THINKS = frozenset({"think", "thought", "reflect", "sequentialthinking"})
_PLANS = frozenset(
    {
        "todowrite",
        "todoread",
        "updateplan",
        "plan",
        "taskcreate",
        "taskupdate",
        "tasklist",
        "taskget",
        "tasktracker",
        "tasktracking",
        "exitplanmode",
        "enterplanmode",
        "writetodos",
        "todo",
        "updatetodolist",
    }
)
_FINISHES = frozenset(
    {
        "finish",
        "submit",
        "done",
        "attemptcompletion",
        "complete",
        "exit",
        "succeed",
        "fail",
        "taskcomplete",
        "exitforfeit",
        "finaloutput",
        "respond",
    }
)
_WAITS = frozenset(
    {
        "wait",
        "sleep",
        "bashoutput",
        "taskoutput",
        "poll",
        "getterminaloutput",
        "commandstatus",
        "buildstatus",
        "checkstatus",
        "awaitshell",
        "readbash",
    }
)
_WAIT_COMMAND = re.compile(r"\b(?:status|watch|wait|poll|rollout|view|checks|list|ps|jobs|progress)\b")
_POLLED = frozenset(
    {
        "gh",
        "kubectl",
        "docker",
        "ci",
        "squeue",
        "qstat",
        "systemctl",
        "curl",
        "glab",
        "az",
        "aws",
        "gcloud",
        "heroku",
        "vercel",
        "fly",
    }
)


_LOOKED_AT = frozenset({"pr", "issue", "repo", "release", "label", "gist", "search", "project"})
"""What GitHub's program shows as it is, unless it's told to watch; runs and workflows go on elsewhere."""

_PATCHERS = ("apply_patch", "applypatch")


def operation_of(call: ToolCall) -> Operation:
    """What `call` does."""
    name = re.sub(r"[^a-z0-9]", "", call.name.lower().rsplit("__", 1)[-1].rsplit(".", 1)[-1])
    arguments = call.arguments if isinstance(call.arguments, Mapping) else {}
    raw = call.arguments if isinstance(call.arguments, str) else ""
    if call.harness:
        return Operation(Kind.OTHER, call.name)
    if call.task_done or name in _FINISHES:
        return Operation(Kind.FINISH, call.name)
    if name in _THINKS:
        return Operation(Kind.THINK, "")
    if name in _PLANS:
        return Operation(Kind.PLAN, call.name)
    if name in _WAITS:
        return Operation(Kind.WAIT, _telling(arguments) or call.name)
    if name in ("writestdin", "writebash"):
        typed = _one_line(_first(arguments, ("chars", "input", "text")) or "")
        return Operation(Kind.RUN if typed else Kind.WAIT, typed or _telling(arguments) or call.name)
    if name in _EDITORS:
        return _editor(call, arguments)
    if name in _EDITS:
        return _edit(call, arguments, raw, name)
    command = _command_text(arguments) or raw
    if name in _SHELLS and command:
        return _shell(command)
    if name in _READS:
        path = _path(call, arguments) or raw or None
        return Operation(Kind.READ, path or _telling(arguments) or call.name, path=path, lines=_lines(arguments))
    if name in _SEARCHES:
        pattern = _first(arguments, _QUERY_KEYS) or raw
        place = _first(arguments, _PATH_KEYS)
        return Operation(Kind.SEARCH, " in ".join(part for part in (pattern, place) if part) or call.name, path=place)
    if name in _TESTS:
        return Operation(Kind.TEST, _telling(arguments) or call.name, runner=call.name)
    if command and _first(arguments, _COMMAND_KEYS[:2]):
        return _shell(command)
    code = _first(arguments, _WHOLE_KEYS)
    if name in (
        "python",
        "ipython",
        "executeipython",
        "executeipythoncell",
        "runipython",
        "executepython",
        "ipythonruncell",
        "jupyter",
        "runpython",
        "node",
    ) and (code or raw):
        return _notebook(code or raw)
    return Operation(Kind.OTHER, _telling(arguments) or _one_line(raw))


_HELPER = re.compile(
    r"^\s*(?P<name>edit_file(?:_by_\w+)?|insert_content_at_line|append_file|create_file|open_file|goto_line"
    r"|scroll_(?:up|down))\("
    r"(?:\s*(?:file_name|path)\s*=)?\s*['\"](?P<path>[^'\"]+)",
    re.MULTILINE,
)


def _notebook(code: str) -> Operation:
    """Code in a notebook's cell; some agents edit and read files by helper functions there."""
    helper = _HELPER.search(code)
    if helper is None:
        return Operation(Kind.RUN, _one_line(code), command=code)
    path = helper["path"]
    if helper["name"].startswith(("open", "goto", "scroll")):
        return Operation(Kind.READ, path, path=path)
    return Operation(
        Kind.EDIT, path, path=path, edits=(Edit(path, None, code, created=helper["name"] == "create_file"),)
    )


def _editor(call: ToolCall, arguments: Mapping[str, Any]) -> Operation:
    word = _first(arguments, ("command",)) or ""
    if word in ("view", "read", ""):
        path = _path(call, arguments)
        return Operation(Kind.READ, path or call.name, path=path, lines=_lines(arguments))
    return _edit(call, arguments, "", word.replace("_", ""))


def _edit(call: ToolCall, arguments: Mapping[str, Any], raw: str, name: str) -> Operation:
    text = _first(arguments, ("patch", "patchText", "input", "diff")) or raw
    if "patch" in name and text:
        edits = tuple(patch.edits_of(text))
        path = edits[0].path if edits else None
        return Operation(
            Kind.EDIT, ", ".join(dict.fromkeys(edit.path for edit in edits)) or call.name, path=path, edits=edits
        )
    path = _path(call, arguments)
    several = arguments.get("edits")
    if isinstance(several, list) and several:
        edits = tuple(
            Edit(path or "", _first(entry, _BEFORE_KEYS), _first(entry, _AFTER_KEYS))
            for entry in several
            if isinstance(entry, Mapping)
        )
        return Operation(Kind.EDIT, path or call.name, path=path, edits=edits)
    whole = _first(arguments, _WHOLE_KEYS)
    before, after = _text(arguments, _BEFORE_KEYS), _text(arguments, _AFTER_KEYS)
    created = before is None and (
        whole is not None or name in ("create", "write", "createfile", "writefile", "filewrite", "writetofile")
    )
    edit = Edit(path or "", before, after if after is not None else whole, _range(arguments), created)
    return Operation(Kind.EDIT, path or call.name, path=path, edits=(edit,) if path else ())


def _shell(command: str) -> Operation:
    if command.startswith(tuple(f"{name} " for name in _PATCHERS)) and "*** Begin Patch" in command:
        edits = tuple(patch.edits_of(command))
        names = ", ".join(dict.fromkeys(edit.path for edit in edits))
        return Operation(Kind.EDIT, names or "apply_patch", path=edits[0].path if edits else None, edits=edits)
    line = shell.parse(command)
    kinds = [(entry, programs.kind_of(entry)) for entry in line.commands]
    runners = [
        name for find in (programs.test_runner, programs.compiler) for entry, _ in kinds if (name := find(entry))
    ]
    runner = next(iter(runners), None)
    present = {kind for _, kind in kinds if kind is not None}
    writes = [(name, body) for name, body in line.writes if not name.startswith(("/dev/", "&"))]
    edits = tuple(Edit(name, None, body, created=True) for name, body in writes if body is not None)
    for entry, kind in kinds:
        if kind is Kind.EDIT:
            edits = (*edits, *_in_place(entry), *(patch.edits_of(command) if entry.program in _PATCHERS else ()))
    if "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" in command:
        kind = Kind.FINISH
    elif Kind.TEST in present:
        kind = Kind.TEST
    elif Kind.WAIT in present or (line.commands and all(_polls(entry) for entry in line.commands)):
        kind = Kind.WAIT
    elif Kind.RUN in present and not (
        edits and all(entry.program in programs.FILE_MOVERS for entry, k in kinds if k is Kind.RUN)
    ):
        kind = Kind.RUN
    elif Kind.EDIT in present or edits:
        kind = Kind.EDIT
    elif Kind.READ in present and not (Kind.SEARCH in present and line.commands[0].program in programs.SEARCHERS):
        kind = Kind.READ
    elif Kind.SEARCH in present:
        kind = Kind.SEARCH
    else:
        kind = Kind.OTHER if not line.commands else Kind.RUN if writes else Kind.OTHER
    path = edits[0].path if kind is Kind.EDIT and edits else _read_path(line.commands) if kind is Kind.READ else None
    target = path if kind is Kind.EDIT and path else _one_line(command)
    return Operation(
        kind,
        target,
        path=path,
        command=command,
        commands=tuple(line.commands),
        runner=runner,
        runners=tuple(runners),
        edits=edits,
        writes=tuple(name for name, _ in writes),
        directory=line.directory,
    )


def _polls(command: Command) -> bool:
    if command.program == "gh" and command.args[:1] and command.args[0] in _LOOKED_AT:
        return "--watch" in command.args
    return command.program in _POLLED and _WAIT_COMMAND.search(" ".join(command.args)) is not None


def _in_place(command: Command) -> list[Edit]:
    if command.program not in ("sed", "perl"):
        return []
    words, has_expression = [], False
    for before, word in zip(("", *command.args), command.args, strict=False):
        gives = re.fullmatch(r"-\w*e|--expression", before) is not None
        has_expression = has_expression or gives or word.startswith("--expression=")
        if not gives and not word.startswith("-"):
            words.append(word)
    files = words if has_expression else words[1:]
    return [Edit(name, None, None) for name in files if "/" in name or "." in name]


def _read_path(commands: list[Command]) -> str | None:
    for command in commands:
        if command.program in programs.READERS:
            words = [word for word in command.args if not word.startswith(("-", "+")) and not word.isdigit()]
            names = words[1:] if command.program in ("sed", "awk", "jq", "yq") else words
            if names:
                return names[-1]
    return None


def _path(call: ToolCall, arguments: Mapping[str, Any]) -> str | None:
    return _first(arguments, _PATH_KEYS) or call.path


def _command_text(arguments: Mapping[str, Any]) -> str | None:
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            if len(value) == 3 and value[1] in ("-c", "-lc", "-ic"):
                return str(value[2])
            return " ".join(value)
    return None


def _first(arguments: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((value for key in keys if isinstance(value := arguments.get(key), str) and value), None)


def _text(arguments: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((value for key in keys if isinstance(value := arguments.get(key), str)), None)


def _telling(arguments: Mapping[str, Any]) -> str:
    found = _first(
        arguments,
        (*_COMMAND_KEYS, *_PATH_KEYS, *_QUERY_KEYS, "url", "description", "prompt", "id", "task_id", "session_id"),
    )
    if found is None:
        found = next((value for value in arguments.values() if isinstance(value, str) and value), "")
    return _one_line(found)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _lines(arguments: Mapping[str, Any]) -> tuple[int, int | None] | None:
    view = arguments.get("view_range")
    if isinstance(view, list) and len(view) == 2 and all(isinstance(end, int) for end in view):
        return view[0], view[1] if view[1] >= 0 else None
    start = arguments.get("offset", arguments.get("start_line", arguments.get("line")))
    count, end = arguments.get("limit"), arguments.get("end_line")
    if isinstance(start, int):
        if isinstance(end, int):
            return start, end
        return start, start + count - 1 if isinstance(count, int) else None
    return None


def _range(arguments: Mapping[str, Any]) -> tuple[int, int] | None:
    start, end = arguments.get("start", arguments.get("start_line")), arguments.get("end", arguments.get("end_line"))
    return (start, end) if isinstance(start, int) and isinstance(end, int) else None
