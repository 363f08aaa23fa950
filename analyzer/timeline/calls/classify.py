"""Say what a call does: tool name and arguments -> Operation.

A tool that nobody has heard of is `other`, named by its shortest telling argument, unless what it's given can only be
a shell line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from analyzer.commands.table import Does, knows, row_of
from analyzer.model.action import Edit, Operation
from analyzer.model.session import ToolCall
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.clip import one_line
from analyzer.text.late import late
from analyzer.timeline import patch
from analyzer.timeline.calls.arguments import Arguments, Family, family_of, plain_name, tool_words
from analyzer.timeline.calls.shell_line import operation_of_line

_OF_FILES = frozenset({"fs", "file", "files", "filesystem", "disk", "doc", "document"})
_VERBS = {
    **dict.fromkeys(("get", "load", "show", "retrieve"), Family.READ),
    **dict.fromkeys(("lookup", "query", "locate"), Family.SEARCH),
    **dict.fromkeys(("put", "save", "store", "update"), Family.EDIT),
}
"""Words in the names of tools that nobody has heard of."""
_CREATORS = frozenset({"create", "write", "createfile", "writefile", "filewrite", "writetofile"})
_NOTEBOOK_HELPER = late(
    r"^\s*(?P<name>edit_file(?:_by_\w+)?|insert_content_at_line|append_file|create_file|open_file|goto_line"
    r"|scroll_(?:up|down))\("
    r"(?:\s*(?:file_name|path)\s*=)?\s*['\"](?P<path>[^'\"]+)",
    re.MULTILINE,
)
_FIRST = late(
    r"(?:[A-Za-z_]\w{0,60}=\S{0,200} ){0,9}(?P<path>(?:\.{0,2}/)?(?:[\w.+-]{1,60}/){0,20})"
    r"(?P<program>[\w.+\[-]{1,60})(?=\s|$)"
)
_SURELY = late(r"\s--?[A-Za-z]|&&|\|\||[<>;]|\s\.{1,2}/|^\s+(?:[./~$*\"'-]|\S{0,200}[/.*=]\S)")
"""What options, operators and paths look like."""
_ALSO = late(r"(?:^|\s)~?/|[\w-]/[\w.-]|\w\.\w{1,5}(?:[\s:]|$)|[$*\"'|]")
_PIPED = late(r"2>&1|\|\s{0,4}(?P<program>[\w.-]{1,60})")
_LONGEST, _FEW_WORDS = 4_000, 4
_HANDLES = Does.SHOWS | Does.ASKS | Does.WRITES | Does.MOVES | Does.RECORDS | Does.REMOTE | Does.TRANSFERS
_BEGINS = _HANDLES | Does.MANAGES | Does.FORMATS | Does.TASKS | Does.RECIPE | Does.RUNTIME


class _Request(Struct, frozen=True):
    """A call of a tool: the tool's name as written and folded, the arguments, and the file that the call works on."""

    tool: str
    name: str
    arguments: Arguments
    path: str | None


def operation_of(call: ToolCall) -> Operation:
    """What `call` does."""
    if call.harness:
        return Operation(Kind.OTHER, call.name)
    name = plain_name(call.name)
    arguments = Arguments({}, call.arguments) if isinstance(call.arguments, str) else Arguments(call.arguments)
    request = _Request(call.name, name, arguments, arguments.path or call.path)
    family = Family.FINISH if call.task_done else family_of(name)
    return _READERS[family](request) if family is not None else _unknown(request)


def _wait(request: _Request) -> Operation:
    return Operation(Kind.WAIT, request.arguments.subject or request.tool)


def _read(request: _Request) -> Operation:
    arguments = request.arguments
    path = request.path or arguments.raw or None
    return Operation(Kind.READ, path or arguments.subject or request.tool, path=path, lines=arguments.lines_read)


def _search(request: _Request) -> Operation:
    pattern, path = request.arguments.pattern or request.arguments.raw, request.arguments.path
    path = path if path != pattern else None
    target = " in ".join(part for part in (pattern, path) if part)
    return Operation(Kind.SEARCH, target or request.tool, path=path)


def _shell(request: _Request) -> Operation:
    line = request.arguments.shell_line or request.arguments.only_text
    return operation_of_line(line) if line else _unknown(request)


def _notebook(request: _Request) -> Operation:
    """Code in a notebook's cell; some agents edit and read files by helper functions there."""
    code = request.arguments.content or request.arguments.raw
    if request.arguments.has_shell_line or not code:
        return _unknown(request)
    helper = _NOTEBOOK_HELPER.search(code)
    if helper is None:
        return Operation(Kind.RUN, one_line(code), command=code)
    path = helper["path"]
    if helper["name"].startswith(("open", "goto", "scroll")):
        return Operation(Kind.READ, path, path=path)
    edit = Edit(path, None, code, created=helper["name"] == "create_file")
    return Operation(Kind.EDIT, path, path=path, edits=(edit,))


def _editor(request: _Request) -> Operation:
    command = request.arguments.editor_command
    if command in ("view", "read", ""):
        return Operation(Kind.READ, request.path or request.tool, path=request.path, lines=request.arguments.lines_read)
    named = Arguments(request.arguments.named)
    return _edit(_Request(request.tool, command.replace("_", ""), named, request.path))


def _edit(request: _Request) -> Operation:
    arguments, path = request.arguments, request.path
    text = arguments.patch or arguments.raw
    if "patch" in request.name and text:
        return patch.operation_of(text, request.tool)
    blocks = tuple(patch.blocks_of(text, path)) if path and text and "SEARCH" in text else ()
    if blocks:
        return Operation(Kind.EDIT, path or request.tool, path=path, edits=blocks)
    several = [Arguments(each) for each in arguments.several]
    if several:
        edits = tuple(Edit(each.path or path or "", *each.replacement) for each in several)
        path = path or next((each.path for each in several if each.path), None)
        return Operation(Kind.EDIT, path or request.tool, path=path, edits=edits)
    content, before, after = arguments.content, arguments.before, arguments.after
    created = before is None and (content is not None or request.name in _CREATORS)
    edit = Edit(path or "", before, after if after is not None else content, arguments.lines_replaced, created)
    return Operation(Kind.EDIT, path or request.tool, path=path, edits=(edit,) if path else ())


def _is_replacement(request: _Request) -> bool:
    """Whether the arguments name a file, a text in it and another one in its place, which is an edit whatever the tool
    is called."""
    parts = [request.arguments, *map(Arguments, request.arguments.several)]
    return any(part.path for part in parts) and any(
        all(text is not None for text in part.replacement) for part in parts
    )


def _of_files(request: _Request) -> Operation | None:
    """What a tool that nobody has heard of does with a file that it names, by the first or the last word of its own
    name: `fs_read`, `workspace_put`. One that is given no text to write, or writes something of its own
    (`writeReceipt`), is no editor of files."""
    words = tool_words(request.tool)
    for word in dict.fromkeys((*words[:1], *words[-1:])):
        family = _VERBS.get(word) or family_of(word)
        if family in (Family.READ, Family.SEARCH):
            return _READERS[family](_Request(request.tool, word, request.arguments, request.path))
        # With an ending and lines to hold it's a file, whatever the tool calls it.
        text = "\n" in (request.arguments.content or "") and "." in (request.path or "").rpartition("/")[2]
        if family is Family.EDIT and (text or not _OF_FILES.isdisjoint(words)):
            return _edit(_Request(request.tool, word, request.arguments, request.path))
    return None


def _unknown(request: _Request) -> Operation:
    if family_of(request.name) is None:
        inner = request.arguments.opened
        request = _Request(request.tool, request.name, inner, inner.path or request.path)
        # One tool for all names in an argument what it does.
        done = next((family for word in inner.deeds if (family := family_of(plain_name(word))) is not None), None)
        if done is not None and done not in (Family.FINISH, Family.SHELL):
            return _READERS[done](request)
        if _is_replacement(request):
            return _edit(request)
        if request.path is not None and (known := _of_files(request)) is not None:
            return known
    if request.arguments.has_shell_line:
        return operation_of_line(request.arguments.shell_line)
    given = (request.arguments.only_text, request.arguments.shell_line) if family_of(request.name) is None else ()
    line = next((text for text in given if is_shell_line(text)), None)
    if line is not None:
        return operation_of_line(line)
    return Operation(Kind.OTHER, request.arguments.subject or one_line(request.arguments.raw))


_READERS: Mapping[Family, Callable[[_Request], Operation]] = MappingProxyType(
    {
        Family.SHELL: _shell,
        Family.READ: _read,
        Family.SEARCH: _search,
        Family.EDIT: _edit,
        Family.EDITOR: _editor,
        Family.TEST: lambda request: Operation(
            Kind.TEST, request.arguments.subject or request.tool, runner=request.tool
        ),
        Family.NOTEBOOK: _notebook,
        Family.THINK: lambda _: Operation(Kind.THINK, ""),
        Family.PLAN: lambda request: Operation(Kind.PLAN, request.tool),
        Family.FINISH: lambda request: Operation(Kind.FINISH, request.tool),
        Family.WAIT: _wait,
        Family.KEYBOARD: lambda request: (
            Operation(Kind.RUN, typed) if (typed := request.arguments.typed) else _wait(request)
        ),
    }
)


def is_shell_line(text: str) -> bool:
    """Whether a text begins with a program that is known and goes on as sentences don't. A program that is named by
    its path is enough."""
    line = text.strip()
    found = _FIRST.match(line[:300])
    if found is None or len(line) > _LONGEST or line.endswith(("?", "!")):
        return False
    program, rest = found["program"], line[found.end() :]
    if found["path"].startswith(("./", "../", "/")):
        return True
    if any(pipe["program"] is None or _is_program(pipe["program"]) for pipe in _PIPED.finditer(rest[:_LONGEST])):
        return True
    if not _is_program(program):
        return False
    if knows(program, Does.WORD) or _SURELY.search(rest):
        return _SURELY.search(rest) is not None
    return _ALSO.search(rest) is not None or len(rest.split()) < _FEW_WORDS


def _is_program(word: str) -> bool:
    """Whether a word is a program with which people begin shell lines."""
    row = row_of(word)
    if row is None:
        return False
    return bool(row.check or row.build or row.does & Does.TYPED or (row.does & _BEGINS and not row.does & Does.SPEAKS))
