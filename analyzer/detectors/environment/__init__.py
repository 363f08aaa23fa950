"""Trouble that is not of the work: what is missing, hangs, waits or overflows."""
