"""Tests of `analyzer.serving`."""
