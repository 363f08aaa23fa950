"""Bytes -> Session. One file per transcript format, sniffed by content."""

from analyzer.formats.loading.load import load, load_bundle, load_bytes

__all__ = ["load", "load_bundle", "load_bytes"]
