"""Tests of `analyzer.text`."""
