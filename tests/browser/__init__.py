"""The pages that the program writes, in a real Chromium."""
