"""What the call of a file tool does to the files, and what its result or that of a shell line shows of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain

from analyzer.commands.table import Does, file_act, knows
from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command, Edit
from analyzer.model.words import Kind, Status
from analyzer.text.late import late
from analyzer.text.names import WORD, digest
from analyzer.text.plain import holds_any
from analyzer.workspace import patches, shown
from analyzer.workspace.document import Document, replaced, replaced_lines, whole
from analyzer.workspace.files import Files
from analyzer.workspace.paths import last, normal

_EVERYWHERE = ("replace_all", "replaceAll", "global", "allow_multiple")
_INSERT_AT = ("insert_line", "insertLine", "line", "line_number")
_DELETES = late(r"(?:delete|remove)_?file|^rm$|^delete$", re.IGNORECASE)
_PATH_PARTS = ("path", "file", "source", "destination", "target", "from", "to")
_MOVES = late(r"(?:move|rename)_?(?:file|path)?$", re.IGNORECASE)
_WAS_THERE = late(r"\boverwr\w+|\b(?:has been )?updated\b|\bmodified\b", re.IGNORECASE)
_WAS_NOT = late(r"\bcreated\b|\bnew file\b", re.IGNORECASE)
_WHOLE = late(r"<final_file_content[^>]*>\n(?P<text>[\s\S]*?)\n?</final_file_content>")
_HEAD = 300
_ADDED = ("\n+++ ", "\n@@ ")
_LISTS = Does.ASKS | Does.RECORDS


def changed_by(files: Files, action: Action, directory: str) -> list[str]:
    """Do what an edit that succeeded does; the paths that it names."""
    word = _word(action)
    operation = action.operation
    text = _patch_in(action.arguments)
    if text is not None:
        return patches.apply(files, text, directory)
    path = normal(operation.path, directory) if operation.path else None
    if path is not None and _DELETES.search(word):
        files.remove(path)
        return [path]
    if path is not None and "undo" in word.lower():
        files.undo(path)
        return [path]
    if _MOVES.search(word) and isinstance(action.arguments, Mapping):
        texts = ((key.lower(), value) for key, value in action.arguments.items() if isinstance(value, str))
        names = [value for key, value in texts if any(part in key for part in _PATH_PARTS)]
        if len(names) == 2:
            files.move(normal(names[0], directory), normal(names[1], directory))
            return [normal(name, directory) for name in names]
    touched = []
    for edit in operation.edits:
        if edit.path:
            touched.append(normal(edit.path, directory))
            _edit(files, edit, action, touched[-1], word)
    return touched


def seen_by(files: Files, action: Action, directory: str, touched: list[str]) -> None:
    """Learn what the result of a file tool shows of the file that it names."""
    result = action.result
    operation = action.operation
    if not result or action.status is Status.ERROR:
        return
    path = normal(operation.path, directory) if operation.path else touched[0] if len(set(touched)) == 1 else None
    if path is None or (operation.path and "://" in operation.path):
        return
    if operation.kind is not Kind.EDIT:
        found = shown.shown_part(action)
        if found is not None:
            files.see(path, found[1])
        return
    if (whole_text := _WHOLE.search(result)) is not None:
        _seen_whole(files, path, whole_text["text"])
        return
    lines = shown.numbered(result) if not holds_any(f"\n{result[:_HEAD]}", _ADDED) else None
    if lines is not None and not (lines.whole and files.get(path).text is not None):
        files.see(path, lines, step_changed=True)


def seen(files: Files, action: Action, directory: str) -> None:
    """Learn what the result of a shell line shows of files."""
    if not action.result:
        return
    result = printed(action.result)
    commands = shown.telling(action)
    if any(knows(command.program, _LISTS) for command in commands):
        files.list_names(result, _listed_folder(commands, directory))
    found = shown.shown_part(action)
    if found is not None:
        files.see(normal(found[0], directory), found[1])


def _seen_whole(files: Files, path: str, text: str) -> None:
    """The text that a tool says it has left in a file is the file's, whatever was expected."""
    document, new = files.get(path), whole(text)
    if document.text is None:
        files.see(path, shown.Lines(1, tuple(new.text.split("\n") if new.text else ()), whole=True))
    elif document.token != new.token:
        files.put(path, new)


def _edit(files: Files, edit: Edit, action: Action, path: str, word: str) -> None:
    arguments = action.arguments if isinstance(action.arguments, Mapping) else {}
    document = files.get(path)
    everywhere = any(arguments.get(key) is True for key in _EVERYWHERE)
    if edit.before is not None and edit.after is not None:
        if not edit.before:
            # Some editors make a new file from an empty text.
            if not files.known(path) or not document.text:
                files.write(path, edit.after, existed=None)
            return
        made = replaced(document, edit.before, edit.after, everywhere=everywhere)
        if made is None:
            # The tool found the text, so the file isn't what it was taken for.
            made = replaced(Document(origin="x" + digest(document.token)), edit.before, edit.after)
        if made is not None:
            files.put(path, made)
        return
    if edit.lines is not None and edit.after is not None:
        made = replaced_lines(document, edit.lines[0], edit.lines[1], edit.after)
        files.put(path, made or files.opaque(path, repr(edit)))
        return
    if edit.created:
        head = (action.result or "")[:_HEAD]
        there, new = _WAS_THERE.search(head), _WAS_NOT.search(head)
        said = there if not new else None
        existed = True if said is not None and files.claims.hold(said[0], path, known=files.known(path)) else None
        if new:
            files.claims.tells_apart()
        for other in files.claims.disproved():
            files.made[other] = True
            files.absent_before(other)
        if new and not there and path not in files.documents:
            files.listed.discard(path)
        files.write(path, edit.after if edit.after is not None else "", key=repr(edit), existed=existed)
        return
    at = next((value for key in _INSERT_AT if isinstance(value := arguments.get(key), int)), None)
    if edit.after is not None and edit.before is None and "insert" in word.lower() and at is not None:
        first = at + 1 if "insert_line" in arguments or "insertLine" in arguments else at
        files.put(path, replaced_lines(document, first, first - 1, edit.after) or files.opaque(path, repr(edit)))
    elif edit.after is not None and "append" in word.lower():
        files.append(path, edit.after, repr(edit))
    else:
        files.put(path, files.opaque(path, f"{edit!r}{json.dumps(arguments, sort_keys=True, default=str)}"))


def _word(action: Action) -> str:
    """What the call is named by: its own name, with the command of an editor that has several."""
    command = action.arguments.get("command") if isinstance(action.arguments, Mapping) else None
    named = isinstance(command, str) and len(command) <= 20 and WORD.fullmatch(command)
    return f"{action.tool} {command}" if named else action.tool


def _patch_in(arguments: Mapping[str, object] | str) -> str | None:
    if isinstance(arguments, str):
        return arguments if "*** Begin Patch" in arguments else None
    lists = (value for value in arguments.values() if isinstance(value, list))
    texts = [value for value in (*arguments.values(), *chain.from_iterable(lists)) if isinstance(value, str)]
    named = any(key in arguments for key in ("patch", "diff", "patchText", "input"))
    return next((text for text in texts if "*** Begin Patch" in text or (named and patches.is_patch(text))), None)


def _listed_folder(commands: Sequence[Command], directory: str) -> str:
    """The folder whose files a line lists by their names alone."""
    if len(commands) == 1 and file_act(commands[0].program) == "folder":
        names = [word for word in commands[0].args if not word.startswith("-")]
        if len(names) == 1 and "." not in last(names[0]) and not any(sign in names[0] for sign in "*?$[{~"):
            return normal(names[0], directory)
    return directory
