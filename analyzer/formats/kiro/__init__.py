"""Kiro: sessions of its command line and of its editor, each with the files beside it."""
