"""Copies that were put aside under a name that goes on from the name of what was copied: `rates_backup.json` of
`rates.json`."""

from __future__ import annotations

from analyzer.text.late import late
from analyzer.workspace.history import History
from analyzer.workspace.paths import last, normal

_ASIDE = late(r"[._-]?(?:backup|bak|bkp|orig(?:inal)?|old|copy|saved?|before|prev(?:ious)?)[._-]?\d{0,4}", 2)


def backups(history: History) -> set[str]:
    """The files that a command copied so, and that nothing edited afterwards."""
    found: set[str] = set()
    for action, state in zip(history.actions, history.steps, strict=True):
        found.difference_update(normal(edit.path, state.directory) for edit in action.operation.edits)
        for command in action.operation.commands:
            names = [word for word in command.args if not word.startswith("-")]
            if command.program == "cp" and len(names) == 2 and _is_put_aside(last(names[0]), last(names[1])):
                found.add(normal(names[1], state.directory))
    return found


def _is_put_aside(name: str, copy: str) -> bool:
    stem, dot, ending = name.rpartition(".")
    stem = stem or name
    if not copy.startswith(stem):
        return False
    rest = copy.removeprefix(stem)
    rest = (
        rest.removesuffix(f"{dot}{ending}") if rest.endswith(f"{dot}{ending}") else rest.removeprefix(f"{dot}{ending}")
    )
    return _ASIDE.fullmatch(rest) is not None
