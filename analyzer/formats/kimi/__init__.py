"""Kimi CLI: the wire between its parts, and the context that it sends to the model."""
