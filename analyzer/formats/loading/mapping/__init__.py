"""Logs that nobody but their author knows, read by a mapping of their keys."""
