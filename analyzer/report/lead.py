"""The lead of a session's page, with the turns of the user as lines of it, and what the sections below it need not say
again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analyzer.model.diagnosis import Approach, Part, PolicyResult, Statement, Where
from analyzer.model.ledger import LedgerEntry
from analyzer.model.postmortem import Deliverable, PostMortem
from analyzer.model.struct import Struct
from analyzer.model.words import DeliverableKind, TurnKind
from analyzer.text.clip import clip_path, clip_words
from analyzer.text.english import file_changes, listed, one_or_many, plural
from analyzer.text.expressions import compiled
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
        steps = _turn_steps(task, worked=worked)
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


def _turn_steps(task: LedgerEntry, *, worked: bool) -> list[str]:
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
        yield f"Also: {_first(told, _ACTS)}."


def _first(named: Sequence[str], most: int) -> str:
    more = [f"{len(named) - most} more"] if len(named) > most else []
    return listed([*named[:most], *more])


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


LABELS: Mapping[Part, str] = {
    "asked": "Task",
    "delivered": "Delivered",
    "known": "Outcome",
    "wrong": "What went wrong",
    "cost": "Cost",
    "next": "Next",
}
"""What the parts of the lead are called."""
_MOST_RULES = 3
TASKS = "Tasks"
"""What the turns of the user are called where there are several."""
WHERE: Mapping[Where, str] = {
    "guard": "Guard configuration",
    "instructions": "Instructions file",
    "prompt": "Prompt",
    "harness": "Harness",
    "tool": "Tool",
}
"""What an improvement changes."""
_WORD = compiled(r"[A-Za-z]{4,}|\d+|[\w./]{5,}")
_SAID = 0.85
"""The share of its words that make a sentence one that was said already."""


class LeadRow(Struct, frozen=True):
    """One line of the lead: its name and its statements."""

    label: str
    statements: Sequence[Statement]


def lead_rows(session: PostMortem, *, titled: bool) -> list[LeadRow]:
    """The lead, a row for each part; several turns of the user share a row with a line for each. `titled` says that the
    page's title gives the task already, which isn't given again then."""
    rows: list[LeadRow] = []
    tasks = task_lines(session, titled=titled)
    for part, label in LABELS.items():
        own = [statement for statement in session.diagnosis.lead if statement.part == part]
        if part == "asked" and tasks:
            rows.append(LeadRow(TASKS, tasks))
        elif own and not (part == "asked" and titled):
            rows.append(LeadRow(label, own))
    return rows


def unsaid(sentences: Sequence[str], session: PostMortem) -> list[str]:
    """The sentences that say something which neither the headline nor the lead nor a sentence before them says."""
    known = set(_words(session.diagnosis.headline))
    for statement in session.diagnosis.lead:
        known.update(_words(statement.text))
    kept = []
    for sentence in sentences:
        words = _words(sentence)
        if sum(word in known for word in words) < _SAID * len(words):
            kept.append(sentence)
            known.update(words)
    return kept


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def other_ways(session: PostMortem) -> list[Approach]:
    """The proposals that the lead doesn't give."""
    said = {statement.text for statement in session.diagnosis.lead if statement.part == "next"}
    return [entry for entry in session.diagnosis.approaches if f"{entry.title}: {entry.text}" not in said]


def guard_line(session: PostMortem) -> str:
    """What guard rules would have done, in one sentence; empty where no loop was replayed."""
    about = session.diagnosis.about
    main = session.findings[about] if about is not None else None
    if main is None or main.category != "loop" or not session.early_stop.policies:
        return ""
    return " ".join(_replayed(session))


def _replayed(session: PostMortem) -> Iterator[str]:
    policies = session.early_stop.policies
    stopping = [policy for policy in policies if policy.saves is not None and policy.at_step is not None]
    false = [policy for policy in policies if policy.false_alarm]
    elsewhere = [policy for policy in policies if policy.fires and policy not in stopping and policy not in false]
    silent = len(policies) - len(stopping) - len(false) - len(elsewhere)
    if silent == len(policies):
        yield f"Replayed on it, none of {plural(silent, 'common guard rule')} would have stopped it."
        return
    yield f"Of {plural(len(policies), 'guard rule')} replayed,"
    parts = []
    if stopping:
        first = min(policy.at_step or 0 for policy in stopping)
        firing = [policy for policy in stopping if policy.at_step == first]
        stop = one_or_many(len(firing), "stops", "stop")
        parts.append(f"{_names(firing)} {stop} it first, at step {first}{_own(session, first)}")
    if elsewhere:
        fires = one_or_many(len(elsewhere), "fires", "fire")
        parts.append(f"{_names(elsewhere)} {fires} inside another finding ({_steps(elsewhere)})")
    if false:
        parts.append(f"{_names(false)} would have raised a false alarm ({_steps(false)})")
    if silent:
        parts.append(f"{silent} stay{'s' if silent == 1 else ''} silent")
    yield f"{'; '.join(parts)}."


def _names(policies: Sequence[PolicyResult]) -> str:
    return _first([f"*{policy.policy}*" for policy in policies], _MOST_RULES)


def _steps(policies: Sequence[PolicyResult]) -> str:
    steps = sorted({policy.at_step for policy in policies if policy.at_step is not None})
    return f"{one_or_many(len(steps), 'step')} {listed([str(step) for step in steps])}"


def _own(session: PostMortem, first: int) -> str:
    """From when on the loop's own rule applies, where that's another step than the one at which a rule stops it."""
    known = session.early_stop.detectable_at
    return f" (by its own rule the loop is detectable from step {known})" if known not in (None, first) else ""
