"""Factory's droid: a session and the settings beside it."""
