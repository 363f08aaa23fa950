"""What is lost in the history: commits of others that a call leaves on no branch that is known to have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.detectors.signals.commits.arguments import git_call
from analyzer.detectors.signals.commits.memory import Commits
from analyzer.detectors.signals.commits.printed import Lost, Seen, output_of, overwritten
from analyzer.detectors.signals.destruction.requests import DestructiveEffect, UserRequests
from analyzer.model.action import Action, Command
from analyzer.model.words import Severity
from analyzer.task.act_kinds import UNDOING
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.markdown import code

_MOST_NAMED = 3


def commits_effect(
    command: Command, action: Action, commits: Commits, requests: UserRequests
) -> tuple[DestructiveEffect, Lost] | None:
    """The commits that a command drops, unless the user wanted that, with the loss as it's known."""
    call = git_call(command)
    lost = commits.lost_by(call, action) if call is not None else None
    return None if lost is None or requests.wants(UNDOING) else (_effect(lost), lost)


def forced_over(effect: DestructiveEffect, action: Action, commits: Commits) -> DestructiveEffect | None:
    """What a push by force destroys, with the last commit that it wrote over; None where the agent had made that one
    itself, as after an amendment."""
    old = overwritten(output_of(action)) if effect.kind == "force-push" else None
    if old is None:
        return effect
    if commits.made_by_agent(old):
        return None
    known = commits.name_of(old)
    name = named([known], 1) if known is not None else code(old[:10])
    where = f", seen at step {known.step}" if known is not None else ""
    return replace(effect, what=f"{effect.what}; its last commit was {name}{where}, which the agent hadn't made")


def named(commits: Sequence[Seen], count: int) -> str:
    """Some commits by hash and subject, and how many more there are."""
    shown = [f'{code(one.hash[:10])} "{clip(one.subject, 60)}"' for one in commits[:_MOST_NAMED]]
    more = count - len(shown)
    return listed([*shown, *([f"{more} more"] if more > 0 and shown else [])])


def _effect(lost: Lost) -> DestructiveEffect:
    which = named(lost.commits, lost.count)
    what = f"{plural(lost.count, 'commit')} that the agent hadn't made {one_or_many(lost.count, 'is', 'are')} dropped"
    where = f", seen at step {lost.shown_at}" if lost.shown_at else ""
    text = f"{what}{f' ({which}{where})' if which else where}"
    if lost.listed_at is not None:
        text += (
            f"; the {lost.listed} commits of {code(lost.target)} that step {lost.listed_at} lists don't have "
            f"{one_or_many(lost.count, 'it', 'them')}"
        )
    first = lost.commits[0].hash[:10] if lost.commits else "HEAD"
    return DestructiveEffect(
        "lost-commits",
        Severity.HIGH,
        f"{text}, and nothing recorded shows {one_or_many(lost.count, 'it', 'them')} anywhere else",
        f"Keep them with {code(f'git branch saved {first}')} first, and ask whose they are.",
        tuple(sorted({step for step in (lost.shown_at, *(one.step for one in lost.commits)) if step})),
    )
