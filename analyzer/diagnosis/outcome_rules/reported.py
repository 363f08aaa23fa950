"""What the agent's last words say of its own work."""

from __future__ import annotations

from analyzer.detectors.signals.stance import puts_off, says_done, takes_for_granted
from analyzer.diagnosis.end import End
from analyzer.text.clip import clip
from analyzer.timeline.closing.ending import handed_in

_QUOTED = 120


def reported(end: End) -> str:
    """How the agent ended its work, as the first half of a sentence: what it claims, or what it did without claiming
    anything."""
    closing = end.closing
    granted = takes_for_granted(closing)
    if granted is not None:
        return f'The agent takes for granted that its change works ("{clip(granted, _QUOTED)}")'
    if says_done(closing):
        return "The agent reports that it is done"
    left = puts_off(closing)
    if left is not None:
        return f'The agent ends with "{clip(left, _QUOTED)}"'
    if handed_in(end.session, end.last):
        return "The work was handed in" if closing else "The work was handed in without a word"
    return "The agent ended its work with a message"
