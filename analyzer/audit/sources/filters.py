"""Which sessions an audit covers: by time, agent and format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import Struct
from analyzer.text.english import did_you_mean, plural

_AGO = re.compile(r"(?P<count>\d{1,5})\s*(?P<unit>[mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NO_LETTER = re.compile(r"[^0-9a-z]+")
REASONS = {
    "format": "of another format",
    "agent": "of another or an unknown agent",
    "time unknown": "without a recorded time",
    "time": "from another time",
}
"""Why a session is left out, in the order in which they're asked, and in words."""


class Filter(Struct, frozen=True):
    """Sessions that began at `since` or later and before `until`, of one of the agents and one of the formats; None and
    empty mean all.

    A session whose log has no time is left out where times are asked for. A time without a zone is taken for UTC.
    """

    since: datetime | None = None
    until: datetime | None = None
    agents: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()

    @classmethod
    def parse(
        cls,
        *,
        since: str | None = None,
        until: str | None = None,
        agents: Collection[str] = (),
        formats: Collection[str] = (),
        now: datetime | None = None,
    ) -> Filter:
        """The filter that these texts ask for: times are dates (`2025-03-01`, as `until` with the whole day), times
        (`2025-03-01T12:00`, `...Z`, `...+02:00`) or how long before `now` (`7d`, `12h`, `30m`, `2w`). Raises
        `BadConfiguration` for anything else, and for a format that doesn't exist."""
        at = now or datetime.now(UTC)
        first, last = _moment(since, "--since", at, end=False), _moment(until, "--until", at, end=True)
        if first is not None and last is not None and first >= last:
            raise BadConfiguration(f"--since {since} isn't before --until {until}.")
        if formats:
            from analyzer.formats.loading.registry import formats as registered

            known = [entry.name for entry in registered()]
            for name in formats:
                if name.casefold() not in known:
                    raise BadConfiguration(f"unknown format {name!r}.", hint=did_you_mean(name, known))
        return cls(first, last, frozenset(map(_plain, agents)), frozenset(name.casefold() for name in formats))

    def __bool__(self) -> bool:
        """Whether anything is left out at all."""
        return self != EVERYTHING

    def reason(self, started_at: str | None, agent: str | None, form: str) -> str | None:
        """Why a session is left out, one of `REASONS`; None for one that isn't."""
        # An archive may hold several formats; files that are kept as a folder are a format of their own.
        if self.formats and self.formats.isdisjoint(
            name for part in form.split("+") for name in (part, part.removesuffix("-folder"))
        ):
            return "format"
        if self.agents and (agent is None or _plain(agent) not in self.agents):
            return "agent"
        if self.since is None and self.until is None:
            return None
        began = _parsed(started_at) if started_at else None
        if began is None:
            return "time unknown"
        outside = (self.since is not None and began < self.since) or (self.until is not None and began >= self.until)
        return "time" if outside else None

    def check_agents(self, there: Collection[str]) -> None:
        """Raise `BadConfiguration` where none of the agents that were asked for is among those that are there: a gate
        mustn't pass because of a slip of the pen."""
        if self.agents and there and self.agents.isdisjoint(map(_plain, there)):
            raise BadConfiguration(
                "--agent names none of the agents that these sessions are of.", hint=f"There are: {', '.join(there)}."
            )


EVERYTHING = Filter()
"""The filter that leaves nothing out."""


class LeftOut(Counter[str]):
    """How many sessions a filter left out, by reason."""

    def sentence(self) -> str:
        """One sentence; empty where nothing was left out."""
        if not self:
            return ""
        parts = ", ".join(f"{self[reason]} {words}" for reason, words in REASONS.items() if reason in self)
        return f"{plural(self.total(), 'session')} left out by the filters: {parts}."


def _moment(text: str | None, option: str, now: datetime, *, end: bool) -> datetime | None:
    if text is None:
        return None
    if ago := _AGO.fullmatch(text.strip().lower()):
        return now - timedelta(**{_UNITS[ago["unit"]]: int(ago["count"])})
    found = _parsed(text.strip())
    if found is None:
        hint = "Write a date (2025-03-01), a time (2025-03-01T12:00Z), or how long ago (7d, 12h)."
        raise BadConfiguration(f"{option} {text!r} is no time.", hint=hint)
    return found + timedelta(days=1) if end and _DATE.fullmatch(text.strip()) else found


def _parsed(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo is not None else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _plain(name: str) -> str:
    """`claudecode` for `Claude Code` and `claude-code`."""
    return _NO_LETTER.sub("", name.casefold()) or name.casefold()
