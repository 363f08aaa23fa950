"""What matters most in an audit, in a few sentences."""

from __future__ import annotations

from analyzer.model.audit_figures import Metrics, Share
from analyzer.model.audit_report import AcrossGroup, FindingTheme
from analyzer.text.english import number, plural


def headline(sessions: int, figures: Metrics, common: list[FindingTheme], groups: list[AcrossGroup]) -> list[str]:
    """At most four sentences: success, loops, what is found most, and the failure that hit most sessions. Empty without
    sessions, of which there are so many."""
    if not sessions:
        return []
    sentences = []
    if figures.success.of:
        sentences.append(_success(figures.success_recorded, figures.success_judged))
    if figures.loop_rate.count:
        inside = next(entry for entry in figures.inside if entry.what == "actions")
        rate = "" if figures.loop_rate.of == 1 else f" ({_percent(figures.loop_rate.share)})"
        sentences.append(
            f"{_of(figures.loop_rate)} with actions ran into a loop{rate}; {_percent(inside.share)} of all actions "
            "were spent there."
        )
    elif figures.loop_rate.of == 1:
        sentences.append(f"{_ONLY} with actions ran into no loop.")
    elif figures.loop_rate.of:
        sentences.append(f"None of {_sessions(figures.loop_rate.of)} with actions ran into a loop.")
    other = next(
        (
            theme
            for theme in common
            if theme.category != "loop" and theme.sessions.count > 1 and theme.severity != "low"
        ),
        None,
    )
    if other is not None:
        sentences.append(
            f"Apart from loops, the most frequent finding is `{other.detector}/{other.kind}` "
            f"({number(other.sessions.count)} sessions)."
        )
    if groups and groups[0].sessions > 2:
        sentences.append(
            f"The failure that hit most sessions ({number(groups[0].sessions)}): `{_code(groups[0].template)}`."
        )
    return sentences


def _success(recorded: Share, judged: Share) -> str:
    """What the logs record, and apart from it what is judged by the sessions' course, of which no share is said."""
    if not recorded.of:
        seem = "seem" if judged.of > 1 else "seems" if judged.count else "doesn't seem"
        return f"{_of(judged)} with a known outcome {seem} to have succeeded; no recorded verdict says so."
    if recorded.of == 1:
        text = f"{_ONLY} whose end the log records {'succeeded' if recorded.count else 'did not succeed'}"
    else:
        text = f"{_of(recorded)} whose end the log records succeeded ({_percent(recorded.share)})"
    if judged.of == 1:
        text += f"; the one judged by what happened {'seems' if judged.count else 'does not seem'} to have"
    elif judged.of:
        text += f"; of {number(judged.of)} judged by what happened {number(judged.count)} seem to have"
    return f"{text}."


_ONLY = "The only session"


def _of(part: Share) -> str:
    """`3 of 9 sessions`, or the only one."""
    if part.of == 1:
        return _ONLY
    return f"{number(part.count)} of {_sessions(part.of)}"


def _sessions(count: int) -> str:
    return plural(count, "session", number=number)


def _percent(value: float | None) -> str:
    if value is None:
        return "an unknown share"
    return "less than 1%" if 0 < value < 0.01 else "more than 99%" if 0.99 < value < 1 else f"{100 * value:.0f}%"


def _code(text: str) -> str:
    """Text for a code span of ours: no backtick ends it."""
    line = " ".join(text.replace("`", "'").split())
    return line if len(line) <= 120 else f"{line[:119]}…"
