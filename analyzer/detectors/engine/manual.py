"""A detector's manual page: the docstring of its class or, where it has a module for itself, that of the module."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection

from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.registry import check_names, detectors, is_asked
from analyzer.detectors.engine.table import Rule


def known_detector(name: str) -> Detector:
    """The detector called `name`; raises `BadConfiguration` with the nearest name where there is none."""
    check_names([name])
    return next(detector for detector in detectors() if detector.name == name)


def manual_page(detector: Detector) -> str:
    """The whole manual page of a detector."""
    if isinstance(detector, Rule):
        return inspect.cleandoc(detector.module.__doc__ or "There is no manual page.")
    module, own = sys.modules.get(type(detector).__module__), type(detector).__doc__ or ""
    page = own if "What it flags" in own else (module and module.__doc__) or own
    return inspect.cleandoc(page or "There is no manual page.")


def manual_pages(select: Collection[str] = (), ignore: Collection[str] = ()) -> dict[str, str]:
    """The manual pages of the detectors that these options choose, by name."""
    return {entry.name: manual_page(entry) for entry in detectors() if is_asked(entry, select, ignore)}
