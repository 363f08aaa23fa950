"""Many transcripts at once: find them, read each in a worker, keep the results in a database, look at them as tables.

    from analyzer import audit

    runs = audit("runs/")
    runs.sessions.groupby("model").outcome.value_counts()

The package can be called, as `analyzer.audit.audit.audit`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.audit.audit import Audit


class _Callable(ModuleType):
    """`from analyzer import audit` gives this package once a module of it was imported, and what people want is the
    call."""

    def __call__(self, *arguments: Any, **more: Any) -> Audit:
        from analyzer.audit.audit import audit

        return audit(*arguments, **more)


sys.modules[__name__].__class__ = _Callable
