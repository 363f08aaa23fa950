"""What workers import before they are forked, so that each starts with the program already loaded."""

from __future__ import annotations

import analyzer.audit.examine
import analyzer.detectors
import analyzer.diagnosis
import analyzer.formats.registry
import analyzer.timeline

analyzer.formats.registry.formats()
analyzer.detectors.registry.detectors()
