"""How a session ends: its last words, decisions of a person, limits, refusals and evaluations."""
