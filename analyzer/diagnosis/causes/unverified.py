"""What there is to say about a claim of success, by what is wrong with the checks that it rests on."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, call_text
from analyzer.model.finding import UnprovenClaim
from analyzer.text.clip import middle
from analyzer.text.markdown import code

_FAILED = ("failed-check", "failed-as-before")


def cause(case: Case) -> str:
    """The root cause: what the claim rests on, as far as the log shows it."""
    main = case.main
    assert main is not None
    shown = case.action(main.evidence[0].step if main.evidence else main.first_step)
    if main.kind in _FAILED and shown.failure is not None:
        return (
            f"The last thing that ran on the change was {code(call_text(shown), 100)} at step {shown.step}. It "
            f"answered {code(middle(shown.failure.headline, 160), 160)}, and the agent submitted despite that."
        )
    said = main.details.doubt if isinstance(main.details, UnprovenClaim) else main.title
    return f"{said[:1].upper()}{said[1:]}."
