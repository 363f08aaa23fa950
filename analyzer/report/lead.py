"""The lead of a session's page, and what the sections below it need not say again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from analyzer.model.diagnosis import Approach, Part, PolicyResult, Statement, Where
from analyzer.model.postmortem import PostMortem
from analyzer.model.struct import Struct
from analyzer.report.ledger import task_lines
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.expressions import compiled

LABELS: Mapping[Part, str] = MappingProxyType(
    {
        "asked": "Task",
        "delivered": "Delivered",
        "known": "Outcome",
        "wrong": "What went wrong",
        "cost": "Cost",
        "next": "Next",
    }
)
"""What the parts of the lead are called."""
_MOST_RULES = 3
TASKS = "Tasks"
"""What the turns of the user are called where there are several."""
WHERE: Mapping[Where, str] = MappingProxyType(
    {
        "guard": "Guard configuration",
        "instructions": "Instructions file",
        "prompt": "Prompt",
        "harness": "Harness",
        "tool": "Tool",
    }
)
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
    more = [f"{len(policies) - _MOST_RULES} more"] if len(policies) > _MOST_RULES else []
    return listed([*(f"*{policy.policy}*" for policy in policies[:_MOST_RULES]), *more])


def _steps(policies: Sequence[PolicyResult]) -> str:
    steps = sorted({policy.at_step for policy in policies if policy.at_step is not None})
    return f"{one_or_many(len(steps), 'step')} {listed([str(step) for step in steps])}"


def _own(session: PostMortem, first: int) -> str:
    """From when on the loop's own rule applies, where that's another step than the one at which a rule stops it."""
    known = session.early_stop.detectable_at
    return f" (by its own rule the loop is detectable from step {known})" if known not in (None, first) else ""
