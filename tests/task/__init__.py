"""Tests of `analyzer.task`."""
