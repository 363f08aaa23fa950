"""Calls that a tool refuses or takes otherwise than they were meant."""
