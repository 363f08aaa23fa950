"""Timeline -> Findings. A folder per family of rules, with their table; pure; they share one episode finder."""

from analyzer.detectors.engine.registry import detect, detectors

__all__ = ["detect", "detectors"]
