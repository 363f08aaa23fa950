"""The commands, each with what belongs to it."""
