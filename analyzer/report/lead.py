"""The first screen of a session's page, the story of its requests, and what the sections below need not say again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analyzer.model.diagnosis import Part, Statement, Where
from analyzer.model.ledger import LedgerEntry
from analyzer.model.postmortem import Deliverable, PostMortem
from analyzer.model.struct import Struct
from analyzer.model.words import DeliverableKind, OutcomeStatus, TurnKind
from analyzer.text.clip import clip_path, quote
from analyzer.text.english import file_changes, listed, plural
from analyzer.text.markdown import code
from analyzer.text.sentences import repeats

SHOWN_TASK = 300
"""Characters up to which the first screen shows a task whole."""
_FILES, _ACTS = 3, 4
_STATES = {"failed": "failed", "refused": "refused", "unknown": "result unknown"}
_PLAIN = frozenset({"commit", "push"})
_SAME = 60
"""Characters by which two texts are known to begin alike."""
_SHOWN = 3
"""How many requests are shown where one of them didn't go well; the others are folded."""


class Request(Struct, frozen=True):
    """A turn of the user: its words, what is noted behind them, and what came of it. One is quiet that nothing speaks
    against, and that another one follows."""

    number: int
    words: str
    notes: str
    text: str
    quiet: bool

    @property
    def mark(self) -> str:
        """What stands behind its words and notes."""
        closed = not self.notes and self.words.rstrip('"').endswith((".", "?", "!", "…"))
        return ":" if self.text else "" if closed else "."


def shown_requests(requests: Sequence[Request], *, troubled: bool) -> tuple[Sequence[Request], Sequence[Request]]:
    """Those that a page shows, and those that it folds: of a calm session with one or many requests all, of a troubled
    one the quiet ones, and of the others all but the last few."""
    few = troubled or 1 < len(requests) <= _SHOWN
    shown = [request for request in requests if few and not (troubled and request.quiet)][-_SHOWN:]
    return shown, [request for request in requests if request not in shown]


def begins_alike(one: str, other: str) -> bool:
    """Whether two texts are the same as far as a cut leaves them."""
    first, second = (" ".join(text.split()).rstrip("…")[:_SAME] for text in (one, other))
    return bool(first) and bool(second) and (first.startswith(second) or second.startswith(first))


def requests_of(session: PostMortem, *, titled: bool) -> Iterator[Request]:
    """The story of a session, a request at a time, as far as the first screen doesn't tell it. The words of an only
    request are left out. `titled` says that the page's title gives those of the first."""
    diagnosis = session.diagnosis
    wrong = " ".join((diagnosis.headline, *(entry.text for entry in diagnosis.lead if entry.part == "wrong")))
    first = [entry.text for entry in diagnosis.lead if entry.first]
    parts = ("said", "known") if len(session.ledger) > 1 else ("delivered", "said", "known")
    below = [entry.text for entry in diagnosis.lead if entry.part in parts and not entry.first]
    worked = any(task.first_step is not None for task in session.ledger)
    for number, task in enumerate(session.ledger):
        last = number == len(session.ledger) - 1
        words = f'"{quote(task.text)}"' if task.text else "A request whose words aren't recorded"
        steps = _turn_steps(task, worked=worked)
        notes = [*([] if task.kind in (TurnKind.OTHER, TurnKind.REQUEST) else [str(task.kind)]), *steps]
        came = list(_came_of(session, number, " ".join((*first, *below)) if last else ""))
        proven = last and session.outcome.status is OutcomeStatus.SUCCEEDED
        if task.known and task.known not in session.outcome.reason and not proven:
            came.append(task.known)
        against = [session.findings[place].title for place in (*task.contradictions, *task.losses)]
        came.extend(f"{title.rstrip('.')}." for title in against if title.rstrip(".") not in wrong)
        reaction = task.reaction.kind if task.reaction is not None else "goes on"
        quiet = not last and not against and reaction in ("goes on", "approves")
        only = len(session.ledger) == 1 and bool(first)
        said = only or (len(words) > _SAME and any(text.endswith(words) for text in first))
        text = " ".join([*came, *(below if last else ())])
        if text or not said:
            above = titled and number == 0 and begins_alike(session.session.task or "", task.text)
            shown = "" if only else "The task" if above else "The request above" if said else words
            yield Request(number + 1, shown, ", ".join(notes), text, quiet)
    if not session.ledger and below:
        yield Request(1, "", "", " ".join(below), quiet=False)


def _came_of(session: PostMortem, number: int, said: str) -> Iterator[str]:
    """What was done for a request, and answered, as far as it isn't said yet."""
    task = session.ledger[number]
    if task.files and (not said or len(session.ledger) > 1):
        yield _done(session, number)
    yield from _acts(task)
    if task.answer and quote(task.answer, _SAME).rstrip("… ") not in said:
        yield f'Answer: "{quote(task.answer)}"'


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
        f"{act.kind if act.kind in _PLAIN else code(act.what, 60)} "
        f"(step {act.steps[-1]}{'' if act.state == 'done' else f', {_STATES[act.state]}'})"
        for act in others
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
    "asked": "Asked",
    "known": "What shows it",
    "delivered": "Done",
    "said": "Said",
    "wrong": "What went wrong",
    "user": "Reaction",
    "cost": "Cost",
    "next": "Next",
}
"""What the parts of the first screen are called, in their order."""
_MOST_RULES = 3
WHERE: Mapping[Where, str] = {
    "guard": "Guard configuration",
    "instructions": "Instructions file",
    "prompt": "Prompt",
    "harness": "Harness",
    "tool": "Tool",
}
"""What an improvement changes."""


class LeadRow(Struct, frozen=True):
    """One line of the lead: its name and its statements."""

    label: str
    statements: Sequence[Statement]


def lead_rows(session: PostMortem, *, titled: bool) -> list[LeadRow]:
    """The first screen, a row for each part. `titled` says that the page's title gives the task, which isn't given
    again then where it's the only one."""
    first = [statement for statement in session.diagnosis.lead if statement.first]
    rows = [LeadRow(label, [entry for entry in first if entry.part == part]) for part, label in LABELS.items()]
    named = titled and len(session.ledger) < 2
    return [row for row in rows if row.statements and not (named and row.label == LABELS["asked"])]


def more_of(session: PostMortem, part: Part) -> list[str]:
    """What the first screen doesn't say of a part."""
    return [entry.text for entry in session.diagnosis.lead if entry.part == part and not entry.first]


def unsaid(sentences: Sequence[str], session: PostMortem, *more: str) -> list[str]:
    """The sentences that say something which neither the headline nor the first screen nor `more` nor a sentence before
    them says."""
    said = [session.diagnosis.headline, *(entry.text for entry in session.diagnosis.lead if entry.first), *more]
    kept: list[str] = []
    for sentence in sentences:
        if not repeats(sentence, (*said, *kept)):
            kept.append(sentence)
    return kept


def guard_line(session: PostMortem) -> str:
    """What guard rules would have done, in one sentence; empty where no loop was replayed."""
    about, policies = session.diagnosis.about, session.early_stop.policies
    if about is None or session.findings[about].category != "loop" or not policies:
        return ""
    stopping = [(policy.at_step, policy.policy) for policy in policies if policy.at_step and policy.saves is not None]
    false = sum(bool(policy.false_alarm) for policy in policies)
    alarms = f"; {false} would have raised a false alarm" if false else ""
    first = min(stopping)[0] if stopping else None
    names = _first([f"*{name}*" for step, name in stopping if step == first], _MOST_RULES)
    which = f"{len(stopping)} would have stopped it, at step {first} at the earliest: {names}" if stopping else ""
    none = "none would have stopped it"
    return f"Of {plural(len(policies), 'common guard rule')} replayed on it, {which or none}{alarms}."
