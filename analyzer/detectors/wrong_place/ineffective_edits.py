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
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many
from analyzer.text.late import late
from analyzer.text.plain import is_partly_blanked

_MOST = 20
"""Steps that a title names one by one."""
_SUBSTITUTES = late(
    r"(?:^|[;\s'\"\d$/,])s(?P<mark>[/|#,@!~])(?P<old>(?:(?!(?P=mark))[^\\\n]){1,400})(?P=mark)(?P=old)(?P=mark)"
)
"""A substitution of a text without special characters by itself."""


def detect(facts: Facts) -> Iterable[Finding]:
    """The edits after which the files were as before."""
    history = facts.timeline.history
    if history is None:
        return
    idle: dict[str, list[Action]] = {}
    for action, taken in zip(facts.timeline.actions, history.taken, strict=True):
        if not taken.changes and _would_change(action):
            idle.setdefault(action.lane, []).append(action)
    for lane, actions in idle.items():
        yield _finding(facts, lane, actions)


def _would_change(action: Action) -> bool:
    """Whether an edit of one file went well, nothing but the edit itself could have changed the file, and its words say
    what was to be changed."""
    done = action.kind is Kind.EDIT and action.failure is None and action.status is not Status.ERROR
    if not done or action.mark is not None or len({edit.path for edit in action.operation.edits}) != 1:
        return False
    if commands := action.operation.commands:
        return len(commands) == 1 and edits_in_place(commands[0].program, commands[0].args)
    # What somebody blanked out may have been another text.
    texts = [edit.before if edit.before == edit.after else None for edit in action.operation.edits]
    return all(text is not None and text.strip() and not is_partly_blanked(text) for text in texts)


def _same_text(action: Action) -> bool:
    """Whether the edit replaces a text by itself."""
    command = action.operation.command
    return command is None or _SUBSTITUTES.search(command[:2_000]) is not None


def _finding(facts: Facts, lane: str, actions: list[Action]) -> Finding:
    steps = [action.step for action in actions]
    several, same = len(steps) > 1, sum(map(_same_text, actions))
    sort = "same-text" if same == len(actions) else "some-same-text" if same else "no-match"
    where = f"{one_or_many(len(steps), 'step')} {listed(list(map(str, steps)))}"
    if len(steps) > _MOST:
        where = f"between steps {steps[0]} and {steps[-1]}"
    return new_finding(
        "ineffective-edits/no-effect",
        severity=Severity.MEDIUM if several else Severity.LOW,
        words=sort if several else f"one-{sort}",
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[
            Evidence(step=action.step, quote=clip(done.command or done.edits[0].before or done.target, 300))
            for action in actions[:5]
            for done in (action.operation,)
        ],
        cost=facts.cost(lane, steps[0], steps[-1]),
        slots={
            "edits": len(actions),
            "files": list(dict.fromkeys(action.operation.edits[0].path for action in actions)),
            "where": where,
            "same": same,
        },
    )
