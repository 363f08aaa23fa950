"""What one action did to the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.workspace.states import Change, Version


@dataclass(slots=True)
class Step:
    """What one action did. `directory` is where it ran (empty: not known), `changes` the files that it changed,
    `versions` what they were before and after, `touched` all that it names as changed, `unknown` the commands whose
    effects aren't known, `outside` the files that it found changed by something else, `found` those whose change it
    only showed and no step is known to have made, `moved` the old and new names of what it moved, `mark` the name of
    all unknown effects up to here, `rewritten` that of all rewriting of files that outputs report up to here, where
    this one does."""

    number: int
    lane: str
    directory: str = ""
    changes: tuple[Change, ...] = ()
    versions: tuple[Version, ...] = ()
    touched: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    mark: str | None = None
    rewritten: str | None = None
