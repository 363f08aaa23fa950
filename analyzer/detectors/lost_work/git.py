"""What commands destroy besides folders, as the table of programs has it: edits that weren't committed, stashes,
branches, history on a server; disks, containers, processes, tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from analyzer.commands.git import git_call
from analyzer.commands.harm import destroyed, removed_names
from analyzer.commands.table import Does, file_act, from_subcommand, knows
from analyzer.detectors.lost_work.files import EVERYTHING
from analyzer.detectors.lost_work.memory import DATABASES, Memory
from analyzer.detectors.lost_work.paths import clean, is_below, is_recursive, may_lie_in
from analyzer.detectors.lost_work.requests import DestructiveEffect, UserRequests
from analyzer.detectors.signals.effects import tool_verb
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct
from analyzer.model.words import Severity
from analyzer.task.acts import DELETING, FORCING, KILLING, SIDES, TIDYING, UNDOING, AskedAct
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.rows import table_beside
from analyzer.workspace.command_effects.command_words import unpacked
from analyzer.workspace.ownership import TEMPORARY


class _Loss(Struct, frozen=True):
    """What is said of a loss and what to do about it, by what is destroyed; `act` is what a user asks for who wants
    it."""

    kind: str
    severity: Severity
    what: str
    advice: str
    act: AskedAct | None


_ACTS = {"deleting": DELETING, "forcing": FORCING, "killing": KILLING, "sides": SIDES}
_LOSSES = {
    name: _Loss(row["kind"], Severity(row["severity"]), row["what"], row["advice"], _ACTS.get(row.get("act")))
    for name, row in table_beside(__file__)["losses"].items()
}
_MOST_NAMED = 3
_UPSTREAM = ("@{u}", "@{upstream}", "FETCH_HEAD")
_TRUNKS = ("main", "master")


def command_effect(
    command: Command, place: str | None, memory: Memory, requests: UserRequests
) -> DestructiveEffect | None:
    """What a command destroys besides whole folders. `place` is the directory in which it runs, where the line says
    so."""
    if command.program in DATABASES:
        return _rows_lost(command.args, memory, requests)
    lost = destroyed(command.program, command.args)
    if lost is None:
        return (_put_back(command, memory, requests) if memory.dirty is not None else None) or _copied_over(
            command, memory, requests
        )
    place = next((there for option, there in pairwise(command.args) if option == "-C"), place)
    words = from_subcommand(command.program, command.args)
    call = git_call(command)
    names = [word for word in words[1:] if not word.startswith("-")] if call is None else list(call.names)
    if lost == "work":
        if {"--staged"} <= set(words) and not {"--worktree", "-W"} & set(words):
            return None
        if place is not None and (TEMPORARY.match(place) or memory.made.touch(clean(place))):
            return None
        above = words[0] == "reset" and any("/" in name or name in _UPSTREAM for name in names)
        if memory.ahead is not None and above:
            step, count = memory.ahead
            are = one_or_many(count, "is", "are")
            what = f"{plural(count, 'commit')} that step {step} shows as not pushed {are} dropped from the branch"
            advice = "Rebase them, or keep them on another branch first."
            effect = DestructiveEffect("lost-changes", Severity.HIGH, what, advice, (step,))
            return None if requests.wants(UNDOING, to_others=True) else effect
        changed = {
            path: steps for path, steps in memory.unsaved.items() if path not in memory.made and may_lie_in(path, place)
        }
        return _lost(changed, f"git {words[0]}", memory, requests, all_changes=True)
    if lost == "mirrored":
        return _effect(lost, f"{memory.deleted:,}", memory, requests) if memory.deleted else None
    if lost == "copy":
        copy = names[-1].rstrip("/").rpartition("/")[2] if names else ""
        seen = memory.seen_at.rstrip("/").endswith(copy) and memory.dirty is not None
        return _theirs(memory.changed, memory, requests) if copy and seen else None
    if lost == "branch" and (left := [name for name in names if name in memory.unmerged and name not in memory.made]):
        what = f"git had refused to delete the branch {left[0]}, which isn't merged"
        return DestructiveEffect("branch-deleted", Severity.MEDIUM, what, "Name the branch, and ask what is in it.")
    if lost == "stash" and memory.put_aside is not None:
        return _of_others(memory.put_aside, "the changes in the stash, shown at step {} by `git status`,", requests)
    if lost == "stash" and "drop" in words[:2] and memory.own_stashes > 0:
        return _lost(memory.stashed, "stash", memory, requests) if memory.stashed else None
    if lost == "stash":
        if memory.stashed or memory.stashes is None:
            return _lost(memory.stashed, "stash", memory, requests) if memory.stashed else None
        return _of_others(memory.stashes, "what step {} lists as stashed, which the agent hadn't put aside,", requests)
    if lost == "untracked":
        new = {
            path: steps
            for path, steps in memory.unsaved.items()
            if path in memory.made and may_lie_in(path, place) and not memory.worthless(path)
        }
        folders = any(word.startswith("-") and not word.startswith("--") and "d" in word for word in words)
        gone = [
            path
            for path in memory.untracked
            if (folders or not path.endswith("/"))
            and path.rstrip("/") not in memory.made
            and may_lie_in(path.rstrip("/"), place)
            and not memory.worthless(path.rstrip("/"))
        ]
        below = [clean(name) for name in names]
        if below and "." not in below:
            gone = [path for path in gone if any(is_below(clean(path), name) for name in below)]
            new = {path: steps for path, steps in new.items() if any(is_below(path, name) for name in below)}
        return _lost(new, "git clean", memory, requests) or _untracked_lost(gone, memory, requests)
    if lost == "permissions" and not (is_recursive(command.args) and EVERYTHING & set(command.args)):
        return None
    if lost in ("branch", "data") and any(word in memory.made for word in words):
        return None
    named = names[-1:] if lost == "branch on the server" else names[:1]
    main = any(name.rsplit(":", 1)[-1].lstrip("+") in _TRUNKS for name in names)
    return _effect(lost, (named or [""])[0], memory, requests, main=main)


def _effect(
    lost: str, name: str, memory: Memory, requests: UserRequests, *, main: bool = False
) -> DestructiveEffect | None:
    """The loss as it's said, unless the user wanted it, or the agent had made what is lost."""
    loss, bare = _LOSSES[lost], name.lstrip(":").removeprefix("refs/heads/")
    if (loss.act is not None and requests.wants(loss.act)) or (bare and bare in memory.made and "{name}" in loss.what):
        return None
    severity = Severity.HIGH if main and lost == "history" else loss.severity
    what, advice = (text.format(name=bare, code=code(bare)) for text in (loss.what, loss.advice))
    return DestructiveEffect(loss.kind, severity, what, advice)


def _put_back(command: Command, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    """What is lost of somebody else's changes in the files that git is to put back."""
    call = git_call(command)
    if call is None or call.verb not in ("checkout", "restore") or "--staged" in call.options:
        return None
    gone = [path for path in memory.changed if any(is_below(path, clean(name)) for name in call.names)]
    return _theirs(gone, memory, requests) if gone else None


def _copied_over(command: Command, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
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
        return _untracked_lost(gone, memory, requests)
    name = clean(command.args[-1]) if len(command.args) > 1 else ""
    if (
        name not in memory.untracked
        or name in memory.copied
        or requests.speak_of(name)
        or file_act(command.program) not in ("copy", "move")
    ):
        return None
    spared = any(word.startswith(("--backup", "-b", "-n", "--no-clobber")) for word in command.args)
    return None if spared else _untracked_lost([name], memory, requests, "overwritten")


def _theirs(paths: Sequence[str], memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    files = listed([*paths[:3], *([f"{len(paths) - 3} more"] if len(paths) > 3 else [])])
    what = f"the changes in {files} that `git status` had shown at step {{}} and that the agent hadn't made"
    return _of_others(memory.dirty or 0, what, requests)


def _of_others(step: int, what: str, requests: UserRequests) -> DestructiveEffect | None:
    advice = "Ask whose changes they are, and keep them on a branch or in a patch first."
    effect = DestructiveEffect("lost-changes", Severity.HIGH, f"{what.format(step)} are lost", advice, (step,))
    return None if requests.wants(UNDOING, to_others=True) else effect


def _untracked_lost(
    gone: list[str], memory: Memory, requests: UserRequests, how: str = "deleted"
) -> DestructiveEffect | None:
    """What a cleaning or a copy costs of somebody else's files that git doesn't keep, unless the user wanted it."""
    if not gone or (requests.wants(TIDYING) and not requests.mean_output()):
        return None
    step, are = memory.untracked[gone[0]], one_or_many(len(gone), "is", "are")
    files = ", ".join(gone[:3]) + (f" and {len(gone) - 3} more" if len(gone) > 3 else "")
    effect = DestructiveEffect(
        "lost-changes",
        Severity.HIGH,
        f"{files}, which step {step} shows as untracked, {are} {how}, and git keeps no copy",
        "Look at what is there first, and move aside or ask for what the agent hadn't made itself.",
        (step,),
    )
    return effect if requests.mean_output() else requests.unless(DELETING, effect)


def unpacked_over(action: Action, command: Command, memory: Memory) -> DestructiveEffect | None:
    """What somebody else had changed in the files that an archive is unpacked over."""
    names = unpacked(command.args, action.result or "") if file_act(command.program) == "unpack" else []
    gone = [path for path in memory.changed if path in map(clean, names)] if memory.dirty is not None else []
    files = listed(gone[:_MOST_NAMED])
    what = f"{files}, which `git status` had shown as changed at step {memory.dirty}, is written over"
    advice = "Unpack it elsewhere first, and compare."
    return DestructiveEffect("lost-changes", Severity.HIGH, what, advice, (memory.dirty or 0,)) if gone else None


def _lost(
    lost: Mapping[str, list[int]], how: str, memory: Memory, requests: UserRequests, *, all_changes: bool = False
) -> DestructiveEffect | None:
    """What an undoing of everything costs, unless the user wanted it."""
    theirs = memory.changed if all_changes and memory.dirty is not None else ()
    if not (lost or theirs) or requests.wants(UNDOING, to_others=bool(theirs)):
        return None
    if not theirs:
        steps = sorted({step for entry in lost.values() for step in entry})
        shown = ", ".join(map(str, steps[:6])) + (" ..." if len(steps) > 6 else "")
        files = ", ".join(list(lost)[:3])
        return DestructiveEffect(
            "lost-edits",
            # What was tried and failed is taken back.
            Severity.LOW if steps[-1] < memory.failed else Severity.HIGH,
            f"the edits of {files} (steps {shown}) weren't committed and are lost",
            f"Commit or stash {code(files)} before `{how}`, or undo single files by name.",
            tuple(steps),
        )
    return _theirs(theirs, memory, requests)


_LONGEST = 20_000
_TRIAL = late(r"test|tmp|temp|:memory:", re.IGNORECASE)
"""Databases that may lose everything."""
_DELETES, _CONDITIONS = frozenset({"delete", "remove"}), frozenset({"filter", "query", "where", "selector"})
_DROP = late(
    r"\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)(?:\s+IF\s+EXISTS)?|TRUNCATE(?:\s+TABLE)?|DELETE\s+\w{4}(?=\s+\S+\s*(?:;|$)))"
    r"\s+[`'\"\[]?(?P<name>[\w.]{1,80})",
    re.IGNORECASE,
)


def rows_dropped(action: Action, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    """What a query drops that a tool is given, or what a tool deletes that is given a filter without a condition."""
    arguments = action.arguments if isinstance(action.arguments, Mapping) else {}
    if tool_verb(action.tool) in _DELETES and any(arguments.get(key) in ({}, "{}") for key in _CONDITIONS):
        what = f"the condition of {code(action.tool)} is empty, which takes everything"
        effect = DestructiveEffect("dropped", Severity.HIGH, what, "Delete by the ids of what is to go.")
        return requests.unless(DELETING, effect)
    return _rows_lost(tuple([value for value in arguments.values() if isinstance(value, str)]), memory, requests)


def _rows_lost(args: tuple[str, ...], memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    """What a query drops, unless the database is there for trials. One that deletes without a condition may be meant
    for some rows only."""
    if any(_TRIAL.search(word) for word in args if not _DROP.search(word[:_LONGEST])):
        return None
    found = next((found for word in args if (found := _DROP.search(word[:_LONGEST]))), None)
    if found is None:
        return None
    some = found[0][:6].upper() == "DELETE" and not requests.means_all()
    return _effect("some rows" if some else "rows", found["name"], memory, requests)
