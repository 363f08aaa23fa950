"""Processes and clusters that examine one source at a time."""
