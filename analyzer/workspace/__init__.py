"""The states that the files of a session went through: what each step changed, and on which state it ran."""

from analyzer.workspace.history import History, StepState, history_of

__all__ = ["History", "StepState", "history_of"]
