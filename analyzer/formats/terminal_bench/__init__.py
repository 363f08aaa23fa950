"""Terminal-Bench."""
