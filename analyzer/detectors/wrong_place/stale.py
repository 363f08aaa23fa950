"""Signs that a run hasn't loaded what was edited: it still shows what was replaced, or doesn't find what was added."""

from __future__ import annotations

import re

from analyzer.detectors.wrong_place.copies import Barrier, Occurrence
from analyzer.failures.envelope import printed
from analyzer.failures.roles import same_file
from analyzer.model.failure import Failure
from analyzer.model.finding import Place
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_UNKNOWN_NAME = late(
    r"(?:cannot find|can't find|could not find|undefined|unresolved|no attribute|no member)"
    r"(?P<behind>[^\n]{1,60})|\b(?P<before>[A-Za-z_]\w{2,80})['\"`)(]{0,3}:? (?:(?:is|was|does) )?"
    r"(?:not defined|not found|undefined|unbound|not declared|not exist)",
    re.IGNORECASE,
)
"""How a message says that a name isn't known."""
_WORD = late(r"[A-Za-z_]\w{2,}")
_DEFINES = late(
    r"^[ \t]*(?:[^\s()=;]+[ \t]+){0,6}?(?P<name>[A-Za-z_]\w{2,})[ \t]*(?:\([^()\n]*\)[^\n;{=]{0,60}[{:]|[:=](?!=))"
    r"|\b(?:class|struct|enum|interface|trait|type|const|let|var|val|def|fn|func|function|sub|module)[ \t]+"
    r"(?P<other>[A-Za-z_]\w{2,})",
    re.MULTILINE,
)
"""How a line defines a name: a function with its body, a type, a variable or a key."""
_VALUE = late(r"(?<![\w./:@+-])(?=[\w.:@+-]*[/\d])[\w./:@+-]{6,}(?<![.:])")
"""A word that names one thing: a path, an address, a version, a number of some length."""
_LONGEST = 20_000


def still_old(shown: Occurrence) -> Barrier | None:
    """What runs still shows a line, or a value, that an edit had replaced before the failure came back twice."""
    failure, steps = shown.failure, shown.recurrence.steps
    text, command = printed(shown.action.result or "")[-_LONGEST:], shown.action.operation.command or ""
    before = [entry for entry in shown.edits if sum(step > entry.step for step in steps) > 1]
    made = [(entry.step, edit) for entry in before for edit in entry.accepted_edits]
    left = "\n".join(edit.after or "" for entry in shown.edits for edit in entry.accepted_edits)
    for step, edit in made:
        gone = [line.strip() for line in (edit.before or "").splitlines() if line.strip() not in left]
        frames = [frame for frame in failure.frames if same_file(frame.file, edit.path)]
        code = next((line for line in gone for frame in frames if (frame.code or "").strip() == line), None)
        values = [] if failure.kind is FailureKind.TEST else [word for line in gone for word in _VALUE.findall(line)]
        value = next((one for one in values if one in text and one not in left and one not in command), None)
        if (old := code or value) is not None:
            slots = {"old": old, "file": edit.path, "edit": step, "step": steps[-1]}
            return Barrier("still-old", slots, Place(file=edit.path), shown.edited, words="" if code else "value")
    return None


def missed_names(failure: Failure) -> list[str]:
    """The names that a message says aren't known."""
    found = _UNKNOWN_NAME.finditer(f"{failure.message}\n{failure.headline}")
    return [name for one in found for name in _WORD.findall(one["before"] or one["behind"])]


def defined_names(code: str) -> list[str]:
    """The names that a piece of code defines."""
    return [name or other for name, other in _DEFINES.findall(code)]
