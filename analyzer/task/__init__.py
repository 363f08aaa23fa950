"""What the user said: requests, names, prohibitions, corrections and approvals, turn by turn."""

from analyzer.task.corrections import Correction, CorrectionKind, corrections_of
from analyzer.task.turns import Request, UserTurn, read_turn

__all__ = ["Correction", "CorrectionKind", "Request", "UserTurn", "corrections_of", "read_turn"]
