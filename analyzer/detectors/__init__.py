"""Timeline -> Findings. One file per detector; pure; they share one episode finder."""

from analyzer.detectors.engine.registry import detect, detectors

__all__ = ["detect", "detectors"]
