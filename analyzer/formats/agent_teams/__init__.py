"""Dialogues of agent teams: Magentic-One and the Who&When data set."""
