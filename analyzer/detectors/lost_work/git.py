"""What commands destroy besides folders, as the table of programs has it: edits that weren't committed, stashes,
branches, history on a server; disks, containers, processes, tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from analyzer.commands.git import git_call
from analyzer.commands.harm import destroyed, removed_names
from analyzer.commands.table import Does, file_act, from_subcommand, knows
from analyzer.detectors.lost_work.files import EVERYTHING, trees_effect, trees_of
from analyzer.detectors.lost_work.loss import Loss, clean, is_below, may_lie_in
from analyzer.detectors.lost_work.memory import DATABASES, Memory, is_recursive
from analyzer.detectors.signals.effects import tool_verb
from analyzer.detectors.signals.git_output import output_of, overwritten, same_hash
from analyzer.model.action import Action, Command
from analyzer.model.finding import Slot
from analyzer.model.struct import replace
from analyzer.model.words import Severity
from analyzer.task.acts import DELETING, FORCING, KILLING, SIDES, TIDYING, UNDOING, AskedAct
from analyzer.text.late import late
from analyzer.workspace.command_effects.command_words import unpacked
from analyzer.workspace.ownership import TEMPORARY

_LOSSES: Mapping[str, tuple[str, str, AskedAct | None]] = {
    "branch": ("branch-deleted", "", DELETING),
    "branch on the server": ("branch-deleted", "on-the-server", DELETING),
    "history": ("force-push", "", FORCING),
    "permissions": ("permissions", "", None),
    "skipped": ("lost-changes", "skipped", None),
    "mirrored": ("deleted", "mirrored", DELETING),
    "disk": ("disk", "", None),
    "containers": ("pruned", "", DELETING),
    "data": ("dropped", "data", DELETING),
    "processes": ("killed", "", KILLING),
    "side": ("side-dropped", "", SIDES),
    "some rows": ("dropped", "some-rows", None),
    "rows": ("dropped", "rows", DELETING),
}
"""What is destroyed (`destroys` in the table of programs): the kind of the loss, its words, and what a user asks for
who wants it."""
_MAY_BE_OWN = ("branch-deleted", "deleted", "dropped")
"""Kinds that are none where the agent made what is named."""
_UPSTREAM = ("@{u}", "@{upstream}", "FETCH_HEAD")
_TRUNKS = ("main", "master")


def command_effect(
    command: Command, action: Action, place: str | None, memory: Memory, *, went: bool, made_again: bool
) -> Loss | None:
    """What a command of an action destroys. `place` is the directory in which it runs, where the line says so;
    `made_again` says that the same line makes again what it deletes."""
    loss = trees_effect(trees_of(command), place, memory, made_again=made_again)
    loss = loss or _besides_trees(command, place, memory) or (_unpacked_over(action, command, memory) if went else None)
    old = overwritten(output_of(action)) if loss is not None and loss.kind == "force-push" else None
    if loss is None or old is None:
        return loss
    # A commit that the agent had made itself is none to lose, as after an amendment.
    own = any(same_hash(old, made) for made in memory.commits)
    return None if own else replace(loss, words="commit-overwritten", slots={"commit": old[:10]})


def _besides_trees(command: Command, place: str | None, memory: Memory) -> Loss | None:
    if command.program in DATABASES:
        return _rows_lost(command.args, memory)
    lost = destroyed(command.program, command.args)
    if lost is None:
        return _put_back(command, memory) or _copied_over(command, memory)
    place = next((there for option, there in pairwise(command.args) if option == "-C"), place)
    words, call = from_subcommand(command.program, command.args), git_call(command)
    names = [word for word in words[1:] if not word.startswith("-")] if call is None else list(call.names)
    if lost == "work":
        return _work_lost(words, names, place, memory)
    if lost == "mirrored":
        return _loss(lost, f"{memory.deleted:,}", memory) if memory.deleted else None
    if lost == "copy":
        copy = names[-1].rstrip("/").rpartition("/")[2] if names else ""
        seen = memory.seen_at.rstrip("/").endswith(copy) and memory.dirty is not None
        return _theirs(memory.changed, memory) if copy and seen else None
    if lost == "branch" and (left := [name for name in names if name in memory.unmerged and name not in memory.made]):
        return Loss("branch-deleted", "refused", {"name": left[0]}, severity=Severity.MEDIUM)
    if lost == "stash":
        if memory.put_aside is not None:
            return _of_others("stash", memory.put_aside, memory)
        own = "drop" in words[:2] and memory.own_stashes > 0
        if own or memory.stashed or memory.stashes is None:
            return _edits_lost(memory.stashed, "stash", memory)
        return _of_others("stash-listed", memory.stashes, memory)
    if lost == "untracked":
        return _cleaned(words, names, place, memory)
    if lost == "permissions" and not (is_recursive(command.args) and EVERYTHING & set(command.args)):
        return None
    if lost in ("branch", "data") and any(word in memory.made for word in words):
        return None
    named = names[-1:] if lost == "branch on the server" else names[:1]
    main = lost == "history" and any(name.rsplit(":", 1)[-1].lstrip("+") in _TRUNKS for name in names)
    severity = Severity.HIGH if main else Severity.MEDIUM if lost == "skipped" else None
    return _loss(lost, (named or [""])[0], memory, severity)


def _loss(lost: str, name: str, memory: Memory, severity: Severity | None = None) -> Loss | None:
    """The loss, unless the user wanted it, or the agent had made what is lost."""
    (kind, words, act), bare = _LOSSES[lost], name.lstrip(":").removeprefix("refs/heads/")
    wanted = act is not None and memory.requests.wants(act)
    own = bare and bare in memory.made and kind in _MAY_BE_OWN
    return None if wanted or own else Loss(kind, words, {"name": bare}, severity=severity)


def _work_lost(words: Sequence[str], names: Sequence[str], place: str | None, memory: Memory) -> Loss | None:
    """What an undoing of everything costs."""
    if "--staged" in words and not {"--worktree", "-W"} & set(words):
        return None
    if place is not None and (TEMPORARY.match(place) or memory.made.touch(clean(place))):
        return None
    above = words[0] == "reset" and any("/" in name or name in _UPSTREAM for name in names)
    if memory.ahead is not None and above:
        step, count = memory.ahead
        return _of_others("unpushed", step, memory, count)
    if memory.dirty is not None and memory.changed:
        return _theirs(memory.changed, memory)
    changed = (path for path in memory.unsaved if path not in memory.made and may_lie_in(path, place))
    return _edits_lost({path: memory.unsaved[path] for path in changed}, f"git {words[0]}", memory)


def _edits_lost(lost: Mapping[str, list[int]], how: str, memory: Memory) -> Loss | None:
    """What an undoing costs of the agent's own edits, unless the user wanted it."""
    if not lost or memory.requests.wants(UNDOING):
        return None
    steps = sorted({step for entry in lost.values() for step in entry})
    shown = ", ".join(map(str, steps[:6])) + (" ..." if len(steps) > 6 else "")
    slots: dict[str, Slot] = {"files": ", ".join(list(lost)[:3]), "edited": shown, "how": how}
    # What was tried and failed is taken back.
    return Loss("lost-edits", "", slots, tuple(steps), Severity.LOW if steps[-1] < memory.failed else None)


def _theirs(paths: Sequence[str], memory: Memory) -> Loss | None:
    files = [*paths[:3], *([f"{len(paths) - 3} more"] if len(paths) > 3 else [])]
    return _of_others("", memory.dirty or 0, memory, files=files)


def _of_others(words: str, step: int, memory: Memory, commits: int = 0, files: Sequence[str] = ()) -> Loss | None:
    """What is lost of somebody else's work that a step shows, unless the user wanted it."""
    if memory.requests.wants(UNDOING, to_others=True):
        return None
    return Loss("lost-changes", words, {"step": step, "commits": commits, "files": list(files)}, (step,))


def _put_back(command: Command, memory: Memory) -> Loss | None:
    """What is lost of somebody else's changes in the files that git is to put back."""
    call = git_call(command) if memory.dirty is not None else None
    if call is None or call.verb not in ("checkout", "restore") or "--staged" in call.options:
        return None
    gone = [path for path in memory.changed if any(is_below(path, clean(name)) for name in call.names)]
    return _theirs(gone, memory) if gone else None


def _cleaned(words: Sequence[str], names: Sequence[str], place: str | None, memory: Memory) -> Loss | None:
    """What a cleaning removes of the agent's own new files, or else of somebody else's that git doesn't keep."""
    own = (path for path in memory.unsaved if path in memory.made and may_lie_in(path, place))
    new = {path: memory.unsaved[path] for path in own if not memory.worthless(path)}
    folders = any(word.startswith("-") and not word.startswith("--") and "d" in word for word in words)
    gone = [
        path
        for path in memory.untracked
        if (folders or not path.endswith("/"))
        and (bare := path.rstrip("/")) not in memory.made
        and may_lie_in(bare, place)
        and not memory.worthless(bare)
    ]
    below = [clean(name) for name in names]
    if below and "." not in below:
        gone = [path for path in gone if any(is_below(clean(path), name) for name in below)]
        new = {path: steps for path, steps in new.items() if any(is_below(path, name) for name in below)}
    return _edits_lost(new, "git clean", memory) or _untracked_lost(gone, memory, "deleted")


def _copied_over(command: Command, memory: Memory) -> Loss | None:
    """A file of somebody else's that git doesn't keep, and that is removed by its name, or another one is copied or
    moved over it."""
    if not memory.untracked:
        return None
    named = map(clean, removed_names(command)) if knows(command.program, Does.REMOVES) else ()
    gone = [
        name if name in memory.untracked else f"{name}/"
        for name in named
        if {name, f"{name}/"} & memory.untracked.keys()
        and name not in memory.copied
        and name not in memory.made
        and (TEMPORARY.match(name) or not memory.worthless(name))
    ]
    if gone:
        return _untracked_lost(gone, memory, "deleted")
    name = clean(command.args[-1]) if len(command.args) > 1 else ""
    copies = file_act(command.program) in ("copy", "move") and name in memory.untracked and name not in memory.copied
    spared = any(word.startswith(("--backup", "-b", "-n", "--no-clobber")) for word in command.args)
    if not copies or spared or memory.requests.speak_of(name):
        return None
    return _untracked_lost([name], memory, "overwritten")


def _untracked_lost(gone: list[str], memory: Memory, how: str) -> Loss | None:
    """What a cleaning or a copy costs of somebody else's files that git doesn't keep, unless the user wanted it."""
    asks = memory.requests
    if not gone or ((asks.wants(TIDYING) or asks.wants(DELETING)) and not asks.mean_output()):
        return None
    files = ", ".join(gone[:3]) + (f" and {len(gone) - 3} more" if len(gone) > 3 else "")
    step = memory.untracked[gone[0]]
    return Loss("lost-changes", "untracked", {"files": files, "step": step, "count": len(gone), "how": how}, (step,))


def _unpacked_over(action: Action, command: Command, memory: Memory) -> Loss | None:
    """What somebody else had changed in the files that an archive is unpacked over."""
    names = unpacked(command.args, action.result or "") if file_act(command.program) == "unpack" else []
    step = memory.dirty
    gone = [path for path in memory.changed if path in map(clean, names)] if step is not None else []
    return Loss("lost-changes", "unpacked", {"files": gone[:3], "step": step}, (step or 0,)) if gone else None


_LONGEST = 20_000
_TRIAL = late(r"test|tmp|temp|:memory:", re.IGNORECASE)
"""Databases that may lose everything."""
_DELETES, _CONDITIONS = frozenset({"delete", "remove"}), frozenset({"filter", "query", "where", "selector"})
_DROP = late(
    r"\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)(?:\s+IF\s+EXISTS)?|TRUNCATE(?:\s+TABLE)?|DELETE\s+\w{4}(?=\s+\S+\s*(?:;|$)))"
    r"\s+[`'\"\[]?(?P<name>[\w.]{1,80})",
    re.IGNORECASE,
)


def rows_dropped(action: Action, memory: Memory) -> Loss | None:
    """What a query drops that a tool is given, or what a tool deletes that is given a filter without a condition."""
    arguments = action.arguments if isinstance(action.arguments, Mapping) else {}
    if tool_verb(action.tool) in _DELETES and any(arguments.get(key) in ({}, "{}") for key in _CONDITIONS):
        return memory.requests.unless(DELETING, Loss("dropped", "no-condition", {"tool": action.tool}))
    return _rows_lost(tuple([value for value in arguments.values() if isinstance(value, str)]), memory)


def _rows_lost(args: tuple[str, ...], memory: Memory) -> Loss | None:
    """What a query drops, unless the database is there for trials. One that deletes without a condition may be meant
    for some rows only."""
    queries = [found for word in args if (found := _DROP.search(word[:_LONGEST]))]
    if not queries or any(_TRIAL.search(word) for word in args if not _DROP.search(word[:_LONGEST])):
        return None
    some = queries[0][0][:6].upper() == "DELETE" and not memory.requests.means_all()
    return _loss("some rows" if some else "rows", queries[0]["name"], memory)
