"""Tests of `analyzer.pricing`."""
