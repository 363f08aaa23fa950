"""Guard policies, replayed over past runs: what they would have stopped, and what they would have disturbed."""
