"""Times and counts for people."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Seconds for people: `4.2 s`, `4 min 45 s`, `2 h 05 min`."""
    if round(seconds) < 60:
        return f"{seconds:.0f} s" if round(seconds, 1) >= 10 or seconds == int(seconds) else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02d} min"
    return f"{hours // 24} days {hours % 24} h"


def number(value: float) -> str:
    """A number with thin groups of three: `12 345 678`."""
    return f"{value:,}".replace(",", " ")


def dollars(usd: float, bound: str | None = None) -> str:
    """An amount of USD: `$0.58`, `at least $0.58`, `less than $0.01`. A bound of a small amount keeps its digits, since
    `at least less than` says nothing."""
    if not 0 < usd < 0.005:
        amount = f"${usd:,.2f}".replace(",", " ")
        return f"{bound} {amount}" if bound else amount
    if not bound:
        return "less than $0.01"
    digits = f"{usd:.7f}" if usd < 0.0001 else f"{usd:.4f}"
    return f"{bound} ${digits.rstrip('0')}"


_PAUSES = 60.0
"""Seconds of pauses from which on they're named."""


def time_taken(seconds: float, active: float | None) -> str:
    """How long a session took: `4 min 45 s`; where pauses make up most of it, `4 min 45 s of work in 36 days 4 h`."""
    if active is None or seconds - active < max(_PAUSES, active):
        return duration(seconds)
    return f"{duration(active)} of work in {duration(seconds)}"
