"""Kiro's command line: a session and the facts about it beside it."""
