"""Cline and Roo Code."""
