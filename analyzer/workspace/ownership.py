"""Which files are only the agent's own trials, and which `git status` shows as not tracked, or as changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.commands import effects
from analyzer.commands.git import git_call
from analyzer.commands.harm import plain_words
from analyzer.commands.runners import test_runner
from analyzer.commands.table import keeps_versions
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.task.names import asked_for, spoken_of
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.workspace.document import BASE, known_texts
from analyzer.workspace.history import History
from analyzer.workspace.paths import last, normal, under

_TRIAL_NAME = late(
    r"(?:^|[_.-])(?:repro\w*|debug\w*|scratch\w*|tmp|temp|try|demo|check\w*|verify\w*|validat\w*|explore\w*|issue\w*|bug"
    r"|poc|example|experiment\w*|final|simple|quick|edge|comprehensive|minimal|sanity)(?:[_.-]|\d|$)|^(?:test|t|a|x|foo)\d*\.\w+$",
    re.IGNORECASE,
)
_ABSOLUTE = late(r"(?<![\w/\\.~:-])(?:[A-Za-z]:[\\/]|/)[\w.-]+(?:[\\/][\w.-]+)*")
_SURELY_OWN = late(
    r"(?:^|[_.-])(?:repro(?:duc\w*)?|debug|scratch)(?:[_.-]|\d|$)|\.(?:bak|orig|rej|backup|old|save|swp|patch|diff)\d*$|~$",
    re.IGNORECASE,
)
"""How a trial or a copy is called."""
_SCRIPTS = names(".sh .bash .js .cjs .mjs .ts .rb .pl .php .lua .R .jl .ps1")
_NOTES = names(".md .mdx .rst .adoc .txt .json .jsonc .yml .yaml .toml .ini .cfg .conf")
_KEPT_FOLDER = late(r"/\.\w[^/]*/")
"""A hidden folder, in which programs keep their settings and agents their notes."""
TEMPORARY = late(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)(?:/|$)|^\$\{?(?:TMP|TEMP)\w*|^[A-Za-z]:[\\/](?:.*[\\/])?[Tt]e?mp[\\/]"
)
"""A folder for what may go."""

_STATUS = late(r"^(?: M|MM|M |MD| D)[ \t]+(?P<path>[^\s>][^\n>]*?)$|^\s+modified: +(?P<long>\S[^\n]*?)$", re.MULTILINE)
_OLD = late(r"^--- a/(?P<path>[^\n\t]+?)[ \t]*$", re.MULTILINE)
_MOST_STATUS = 40_000


def scratch_paths(history: History, task: str = "", words: str = "") -> set[str]:
    """The files that the agent made for itself: trial scripts that it ran, copies, patches, what programs printed, and
    what lies outside the folder it worked in. A file that the task names is none, nor is one in another folder that it
    names, nor a script that it asks for or that other files refer to, nor a note that is kept, nor what version control
    knew before, nor what lies where something was committed. `words` are all that the user said, and the agent's last
    words."""
    files = history.files
    made = [path for path, by_agent in files.made.items() if by_agent and _differs(history, path)]
    if not made and not files.captured:
        return set()
    asked = asked_for(task)
    ran = scripts_run(history)
    known = _tracked(history) if made else set()
    named = [normal(found.rstrip(".,")) for found in _ABSOLUTE.findall(words or task)] + list(_kept_in(history))
    folders = [folder for folder in named if not under(history.root, folder)]
    return {
        path
        for path in [*made, *files.captured]
        if path not in known
        and (
            not (task and re.search(rf"(?<![\w.-]){re.escape(last(path))}(?![\w-])", task))
            and (
                path in files.captured
                or _SURELY_OWN.search(last(path)) is not None
                or (TEMPORARY.match(path) is not None and not (history.root and under(path, history.root)))
                or (
                    history.root != ""
                    and not under(path, history.root)
                    and not any(under(path, folder) for folder in folders)
                    # There programs keep their settings and agents their notes.
                    and not (
                        path.lower().endswith(_NOTES) and (_KEPT_FOLDER.search(path) or _referred_to(history, path))
                    )
                )
                or (path in ran and _TRIAL_NAME.search(last(path)) is not None and not spoken_of(asked, path))
                or (path in ran and not asked and _is_loose_script(history, path) and not _referred_to(history, path))
            )
        )
    }


def _is_loose_script(history: History, path: str) -> bool:
    """Whether a script stands outside all folders: one in Python, or in any language beside work on what was there."""
    if path.rpartition("/")[0] != history.root:
        return False
    files = history.files
    return effects.is_python(path) or (
        path.endswith(_SCRIPTS)
        and any(not files.made.get(other, False) and _differs(history, other) for other in files.documents)
    )


def _referred_to(history: History, path: str) -> bool:
    """Whether another file that is left speaks of a script, or takes something from it."""
    name = last(path).rpartition(".")[0]
    stem = re.escape(name)
    pattern = re.compile(rf"(?<![\w.-]){stem}\.\w+\b|\b(?:import|from|require)\b[^\n]{{0,40}}(?<![\w-]){stem}(?![\w-])")
    return any(
        name in text and pattern.search(text) is not None
        for other, document in history.files.documents.items()
        if other != path and document.exists
        for text in known_texts(document)
    )


def scripts_run(history: History) -> set[str]:
    """The files that commands of the agent named to be run."""
    found: set[str] = set()
    for action, state in zip(history.actions, history.steps, strict=True):
        for command in action.operation.commands:
            name = command.text.split(" ", 1)[0]
            code = effects.code_of(name if "/" in name else command.program, command.args)
            if code is not None and code[0] == "file":
                found.add(normal(code[1], state.directory))
            elif test_runner(command) is not None:
                named = (word.split("::")[0] for word in command.args if "." in word and word[:1] != "-")
                found.update(normal(name, state.directory) for name in named)
    return found


def _differs(history: History, path: str) -> bool:
    equal = history.files.equal
    return equal.of(path, history.files.get(path).token) != equal.of(path, BASE)


def _kept_in(history: History) -> Iterator[str]:
    """The folders in which the agent committed something: what lies there is work."""
    for action, state in zip(history.actions, history.steps, strict=True):
        for call in map(git_call, action.operation.commands if action.failure is None else ()):
            if call is not None and call.verb == "commit":
                yield normal(call.folder or "", normal(action.operation.directory or state.directory))


def _tracked(history: History) -> set[str]:
    """The files that a status shows as modified, a difference as one with an earlier content, or a listing of version
    control by name. What is shown after the agent's first commit may be its own, and so may be what a difference shows
    after it put anything up for a commit."""
    found: set[str] = set()
    added = False
    for action, state in zip(history.actions, history.steps, strict=True):
        kept = (plain_words(entry) for entry in action.operation.commands if keeps_versions(entry.program))
        verbs = {words[0] for words in kept if words}
        text = (action.result or "")[:_MOST_STATUS]
        if verbs and action.failure is None and not added:
            for name in _names_shown(action, verbs, text):
                found.update((normal(name, state.directory), normal(name, history.root or state.directory)))
        if verbs & {"commit", "stash", "apply", "merge", "pull", "checkout"}:
            break
        added = added or "add" in verbs
    return found


def _names_shown(action: Action, verbs: set[str], text: str) -> Iterator[str]:
    if "status" in verbs:
        yield from (found["path"] or found["long"] for found in _STATUS.finditer(text))
    if verbs & {"diff", "show"}:
        yield from (found["path"] for found in _OLD.finditer(text))
    commands = action.operation.commands
    if verbs == {"ls-files"} and len(commands) == 1 and {"-o", "--others"}.isdisjoint(commands[0].args):
        yield from filter(None, map(str.strip, text.splitlines()))


_SHORT = late(r"(?P<index>[ MADRCUT?!])(?P<copy>[ MADRCUT?!]) (?P<path>\S.*)")
_LONG = late(r"(?:modified|deleted|renamed|new file|both modified|typechange): +(?P<path>\S.*)")
_SECTION = late(r"^(?:Changes |Untracked files:|Unmerged paths:|On branch |no changes added|nothing )")


class WorkingCopy(Struct, frozen=True):
    """The paths that aren't tracked, and those with changes that aren't committed, as git wrote them: a folder ends
    with a slash."""

    untracked: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def working_copy_shown(text: str) -> WorkingCopy:
    """What the output of a command line with `git status` in it shows, in the short form or the long one."""
    untracked: list[str] = []
    changed: list[str] = []
    in_untracked = False
    for line in text[:_MOST_STATUS].splitlines():
        if _SECTION.match(line):
            in_untracked = line.startswith("Untracked files:")
        elif (found := _SHORT.fullmatch(line)) is not None and found["index"] + found["copy"] != "  ":
            unknown = found["index"] == "?"
            if unknown or "!" not in (found["index"], found["copy"]):
                (untracked if unknown else changed).append(_path(found["path"]))
        elif line[:1] in ("\t", " ") and (named := line.strip()) and not named.startswith("("):
            if (long := _LONG.match(named)) is not None:
                changed.append(_path(long["path"]))
            elif in_untracked:
                untracked.append(_path(named))
    return WorkingCopy(tuple(untracked), tuple(changed))


def _path(text: str) -> str:
    """A path without quotes and without the name before a renaming."""
    return text.rpartition(" -> ")[2].strip().strip('"')
