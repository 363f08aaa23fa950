"""Which pairs of files in a folder are one session: its records, and something about it beside them."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.formats.container.tree import Claim, Folder, Unit

_LINES = ".jsonl"


@dataclass(frozen=True, slots=True)
class _Pair:
    """A session `X.jsonl` with the file that is called `beside` in place of its suffix. One of the words stands near
    the beginning of the session, where the name alone doesn't tell. What `repeats` the session isn't read."""

    beside: str
    words: tuple[bytes, ...] = ()
    repeats: bool = False


_PAIRS = (
    _Pair(".settings.json", (b'"session_start"',)),  # droid
    _Pair(".json", (b'"AssistantMessage"', b'"kind": "Prompt"', b'"kind":"Prompt"')),  # Kiro's command line
    _Pair(".trajectory.jsonl", repeats=True),  # OpenClaw: the messages of a session's runs
    _Pair(".json", (b'"responderUsername"', b'"initialLocation"'), repeats=True),  # VS Code: an older version's state
)


def claim(folder: Folder) -> Claim | None:
    """The sessions of the first kind of pairs that a folder holds."""
    return next((found for pair in _PAIRS if (found := _claimed(folder, pair)) is not None), None)


def _claimed(folder: Folder, pair: _Pair) -> Claim | None:
    names = frozenset(folder.files)
    both = [
        (name, other)
        for name in sorted(names)
        if name.endswith(_LINES)
        and (other := name.removesuffix(_LINES) + pair.beside) in names
        and (not pair.words or folder.holds(name, *pair.words))
    ]
    if not both or (pair.repeats and folder.named):
        return None
    taken = frozenset(name for pair_of_names in both for name in pair_of_names)
    if pair.repeats:
        return Claim(tuple(Unit(folder.place(name)) for name, _ in both), taken)
    return Claim(tuple(Unit(folder.place(lines), folder.path, (lines, facts)) for lines, facts in both), taken)
