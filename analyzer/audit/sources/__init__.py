"""Paths, patterns, addresses and default log folders -> the sources that an audit reads."""
