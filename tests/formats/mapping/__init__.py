"""Mappings of logs that nobody but their author knows."""
