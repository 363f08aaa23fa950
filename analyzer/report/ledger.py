"""The turns of the user as lines of a page: what was asked, its steps, what was delivered, and how that's known."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.diagnosis import Statement
from analyzer.model.ledger import LedgerEntry
from analyzer.model.postmortem import Deliverable, PostMortem
from analyzer.model.words import DeliverableKind, TurnKind
from analyzer.text.clip import clip_path, clip_words
from analyzer.text.english import file_changes, listed, plural
from analyzer.text.markdown import code

MOST = 6
"""How many turns the lead gives; of more, the first and the last, unless only one would be left out."""
SHOWN_TASK = 260
"""Characters of the task that the lead shows."""
_TEXT, _ANSWER = 120, 120
_FILES, _ACTS = 3, 4
_STATES = {"failed": "failed", "refused": "refused", "unknown": "result unknown"}
_SAME = 60
"""Characters by which two texts are known to begin alike."""


def task_lines(session: PostMortem, *, titled: bool) -> list[Statement]:
    """The turns that the lead gives, where there are several; empty where there is one. `titled` says that the page's
    title gives the task already."""
    tasks = session.ledger
    if len(tasks) < 2:
        return []
    lines = list(_lines(session, titled=titled))
    if len(lines) <= MOST + 1:
        return lines
    left = len(lines) - MOST
    between = Statement(part="asked", text=f"{plural(left, 'more turn')}, listed below.", steps=[])
    return [*lines[: MOST // 2], between, *lines[-(MOST - MOST // 2) :]]


def all_task_lines(session: PostMortem) -> list[Statement]:
    """All turns, where the lead leaves out some of them; none where it gives all."""
    lines = list(_lines(session, titled=False))
    return lines if len(lines) > MOST + 1 else []


def begins_alike(one: str, other: str) -> bool:
    """Whether two texts are the same as far as a cut leaves them."""
    first, second = (" ".join(text.split()).rstrip("…")[:_SAME] for text in (one, other))
    return bool(first) and bool(second) and (first.startswith(second) or second.startswith(first))


def _lines(session: PostMortem, *, titled: bool) -> Iterator[Statement]:
    lead = session.diagnosis.lead
    said = " ".join(entry.text for entry in lead if entry.part == "delivered")
    wrong = " ".join((session.diagnosis.headline, *(entry.text for entry in lead if entry.part != "delivered")))
    worked = any(task.first_step is not None for task in session.ledger)
    whole = " ".join((session.session.task or "").split())
    for number, task in enumerate(session.ledger):
        above = titled and number == 0 and whole.startswith(" ".join(task.text.split()).rstrip("…"))
        shown = "The task" if above else f'"{clip_words(task.text, _TEXT if number else SHOWN_TASK)}"'
        shown = shown if task.text else "A request whose words aren't recorded"
        steps = _steps(task, worked=worked)
        notes = [*([] if task.kind in (TurnKind.OTHER, TurnKind.REQUEST) else [str(task.kind)]), *steps]
        parts = [f"{shown} ({', '.join(notes)})." if notes else shown if task.text or above else f"{shown}."]
        if task.files:
            parts.append(_done(session, number))
        parts.extend(_acts(task))
        if task.answer and clip_words(task.answer, _SAME).rstrip("…") not in said:
            parts.append(f'Answer: "{clip_words(task.answer, _ANSWER)}"')
        if task.known and task.known not in session.outcome.reason:
            parts.append(task.known)
        against = [session.findings[place].title for place in (*task.contradictions, *task.losses)]
        parts.extend(f"{title.rstrip('.')}." for title in against if title.rstrip(".") not in wrong)
        yield Statement(
            part="asked",
            text=" ".join(parts),
            steps=[step for step in (task.first_step, task.last_step) if step is not None],
        )


def _steps(task: LedgerEntry, *, worked: bool) -> list[str]:
    """The steps of a turn in words; that there are none is only said where other turns have some."""
    if task.first_step is None or task.last_step is None:
        return ["no step"] if worked else []
    if task.first_step == task.last_step:
        return [f"step {task.first_step}"]
    return [f"steps {task.first_step}-{task.last_step}"]


def _acts(task: LedgerEntry) -> Iterator[str]:
    """What was done besides edits of files, and what became of it where that's another thing than that it was done."""
    others = [act for act in task.acts if act.kind != "edit" and f"step {act.steps[-1]} " not in task.known]
    told = [
        f"{act.kind} (step {act.steps[-1]}{'' if act.state == 'done' else f', {_STATES[act.state]}'})" for act in others
    ]
    if told:
        more = [f"{len(told) - _ACTS} more"] if len(told) > _ACTS else []
        yield f"Also: {listed([*told[:_ACTS], *more])}."


def _done(session: PostMortem, number: int) -> str:
    """What a turn did to its files: created or wrote those that the session did and no earlier turn had touched."""
    left, task = session.outcome.deliverable, session.ledger[number]
    earlier = {path for before in session.ledger[:number] for path in before.files}
    created, written = (left.created, left.written) if left is not None else ([], [])
    done = Deliverable(
        kind=DeliverableKind.CHANGE,
        created=[path for path in created if path not in earlier],
        written=[path for path in written if path not in earlier],
        deleted=task.deleted,
    )
    return file_changes(done, task.files, lambda path: code(clip_path(path, 60)), _FILES)
