"""Acts against what the user or a rules file says."""
