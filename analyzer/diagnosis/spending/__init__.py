"""Where the actions, the time, the tokens and the money of a session went."""

from analyzer.diagnosis.spending.spent import spending_of

__all__ = ["spending_of"]
