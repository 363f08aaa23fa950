"""What a commit holds beside what the session changed: the files that its own result lists as new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.detectors.signals.commits.arguments import git_call
from analyzer.detectors.signals.commits.printed import made
from analyzer.diagnosis.end import End
from analyzer.failures.roles import is_among, last_part
from analyzer.model.action import Action, Command
from analyzer.model.diagnosis import Statement
from analyzer.text.clip import clip_path
from analyzer.text.english import listed, plural
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.workspace.paths import derived

_MULTILINE = 8
_COUNT = late(r"^ (?P<files>\d{1,6}) files? changed\b", _MULTILINE)
_NEW = late(r"^ create mode \d{6} (?P<path>[^\n]+)$", _MULTILINE)
_GENERATED = late(r"(?:^|[/.-])(?:lock|lockb|shrinkwrap)(?:[./-]|$)|\.(?:lock|snap|sum)$")
"""Files that installations and runs of tests write."""
_MOST = 4
"""More new files than these come from something that makes many at once: a generator, an archive."""
_EARLIER = frozenset({"--amend"})
_PUTS = frozenset({"mv", "checkout", "restore", "apply", "stash", "merge", "pull", "cherry-pick", "am", "rebase"})
"""Calls of version control that bring files into the folder."""


def committed(end: End) -> Iterator[Statement]:
    """Of each commit the new files that no edit before it had written, and that no command had named."""
    for place, action in enumerate(end.actions):
        if not _commits(action):
            continue
        result = action.result or ""
        counted, new = _COUNT.search(result), [row["path"].strip('"') for row in _NEW.finditer(result)]
        before = end.actions[:place]
        taken = [path for path in new if not derived(path) and not _GENERATED.search(path)]
        taken = [path for path in taken if not _was_made(end, before, path)]
        if len(taken) > _MOST:
            continue
        if counted is not None and taken:
            files = listed([code(clip_path(path, 80)) for path in taken])
            text = (
                f"The commit of step {action.step} holds {plural(int(counted['files']), 'file')}: it also takes in "
                f"{files}, which no edit before it had written."
            )
            yield Statement(part="delivered", text=text, steps=[action.step])


def _commits(action: Action) -> bool:
    """Whether an action made one commit, not the first of a repository, and not one that takes in an earlier one."""
    calls = [call for command in action.operation.commands if (call := git_call(command)) is not None]
    own = [call for call in calls if call.verb == "commit"]
    return (
        len(own) == 1
        and action.failure is None
        and not _EARLIER & set(own[0].options)
        and len(list(made(action.result or ""))) == 1
        and "(root-commit)" not in (action.result or "")
    )


def _was_made(end: End, before: Sequence[Action], path: str) -> bool:
    """Whether a call before the commit wrote a file, or may have: one that names it, or brings files in."""
    if is_among(path, end.delivery.made) or is_among(path, (change.file for change in end.delivery.files)):
        return True
    return any(
        is_among(path, (*(edit.path for edit in action.operation.edits), *action.operation.writes))
        or any(_may_make(command, last_part(path)) for command in action.operation.commands)
        for action in before
    )


def _may_make(command: Command, name: str) -> bool:
    call = git_call(command)
    return name in command.text if call is None else call.verb in _PUTS
