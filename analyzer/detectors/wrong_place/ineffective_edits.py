"""Edits that left their file as it was.

What it flags
    Edits by a stream editor, and edits whose new text is the old one, that were reported as done but left the file
    unchanged, as far as the content that the session had shown tells (`no-effect`). A stream editor that matches
    nothing prints nothing, just like one that worked; a tool that inserts the same text that it removes may say
    that it applied the edit.

Why it matters
    The agent goes on as if the change were there: the next check fails as before, and it looks for the cause
    elsewhere.

What it does not flag
    Edits of files whose lines at that place aren't known, edits that were refused, several files at once.

Options
    None.

Example:
    Step 7 runs `sed -i '25s/depth/height/' pier.py`; line 25, which step 5 had shown, is a comment without that
    word.

"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.commands.table import edits_in_place
from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import new_finding
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.words import Kind, Severity, Status
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed, one_or_many
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import is_partly_blanked

_MOST = 20
"""Steps that a title names one by one."""
_SUBSTITUTES = late(
    r"(?:^|[;\s'\"\d$/,])s(?P<mark>[/|#,@!~])(?P<old>(?:(?!(?P=mark))[^\\\n]){1,400})(?P=mark)(?P=old)(?P=mark)"
)
"""A substitution of a text without special characters by itself."""
_SAME = "the text to replace and the one put in its place are the same"
_NO_MATCH = "nothing matches where {who} looked"
_COMPARE = (
    "Compare the two texts before the call; where they are the same, the file holds what was wanted, or something is "
    "missing from the new text."
)
_LOOK = "Look at the lines that were to be changed after each such edit; a stream editor prints nothing either way."


def detect(facts: Facts) -> Iterable[Finding]:
    """The edits after which the files were as before."""
    history = facts.timeline.history
    if history is None:
        return
    idle: dict[str, list[Action]] = {}
    for action, taken in zip(facts.timeline.actions, history.taken, strict=True):
        if not taken.changes and _edits_one_file(action) and _would_change(action):
            idle.setdefault(action.lane, []).append(action)
    for lane, actions in idle.items():
        yield _finding(facts, lane, actions)


def _edits_one_file(action: Action) -> bool:
    done = action.kind is Kind.EDIT and action.failure is None and action.status is not Status.ERROR
    return done and action.mark is None and len({edit.path for edit in action.operation.edits}) == 1


def _would_change(action: Action) -> bool:
    """Whether nothing but the edit itself could have changed the file, and its words say what was to be changed."""
    commands = action.operation.commands
    if commands:
        return len(commands) == 1 and edits_in_place(commands[0].program, commands[0].args)
    # What somebody blanked out may have been another text.
    texts = [edit.before if edit.before == edit.after else None for edit in action.operation.edits]
    return all(text is not None and text.strip() and not is_partly_blanked(text) for text in texts)


def _same_text(action: Action) -> bool:
    """Whether the edit replaces a text by itself."""
    command = action.operation.command
    if command is not None:
        return _SUBSTITUTES.search(command[:2_000]) is not None
    return bool(action.operation.edits)


def _finding(facts: Facts, lane: str, actions: list[Action]) -> Finding:
    steps = [action.step for action in actions]
    names = dict.fromkeys(action.operation.edits[0].path for action in actions)
    files = listed([code(clip_path(path, 60)) for path in names])
    several = len(steps) > 1
    where = f"{one_or_many(len(steps), 'step')} {listed([str(step) for step in steps])}"
    if len(steps) > _MOST:
        where = f"between steps {steps[0]} and {steps[-1]}"
    what = f"{len(actions)} edits" if several else "An edit"
    same = sum(map(_same_text, actions))
    no_match = _NO_MATCH.format(who="they" if several else "it")
    if same == len(actions):
        why = f": {_SAME}"
    elif same:
        why = f": in {same} of them {_SAME}, and for the others {no_match}"
    else:
        why = f": {no_match}"
    return new_finding(
        "ineffective-edits/no-effect",
        severity=Severity.MEDIUM if several else Severity.LOW,
        confidence=0.8,
        title=f"{what} of {files} changed nothing ({where}){why}",
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[
            Evidence(step=action.step, quote=clip(action.operation.command or _quoted(action), 300))
            for action in actions[:5]
        ],
        advice=[*([_COMPARE] if same else []), *([_LOOK] if same < len(actions) else [])],
        cost=facts.cost(lane, steps[0], steps[-1]),
    )


def _quoted(action: Action) -> str:
    edits = action.operation.edits
    return (edits[0].before if edits else "") or action.operation.target
