"""Logs of the Agent Client Protocol."""
