"""Session -> Timeline: pair calls with results, say what each does, attach failures."""

from analyzer.timeline.timeline import Timeline
from analyzer.timeline.trace import build_timeline

__all__ = ["Timeline", "build_timeline"]
