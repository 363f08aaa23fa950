"""What workers import before they are forked, so that each starts with the program already loaded."""

from __future__ import annotations

import analyzer.audit.workers.examine
import analyzer.detectors.engine.registry
import analyzer.diagnosis
import analyzer.formats.loading.registry
import analyzer.timeline

analyzer.formats.loading.registry.formats()
analyzer.detectors.engine.registry.detectors()
