"""What a call does: its tool, its arguments and its command line -> Operation."""
