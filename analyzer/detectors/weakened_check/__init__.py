"""Checks that pass because they were made to say less."""
