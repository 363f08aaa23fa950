"""Edits where they can have no effect on what fails."""
