"""Aider's chat histories and benchmark results."""
