"""Commits as a session shows them: which were there before the agent made its own, and what became of them."""
