"""The kernel: carries a plan out, step by step, and puts earlier results where later arguments refer to them."""

from __future__ import annotations

import json
import re
import traceback
from typing import Any, Protocol

from .planner import Plan
from .tools import NEED_CONTEXT, TOOLS, Context

REFERENCE = re.compile(r"\$result\.(step_\d+)((?:\.\w+)*)")


class Log(Protocol):
    """Where calls are recorded."""

    def call(self, tool: str, arguments: dict[str, Any], result: str, *, failed: bool) -> None:
        """Record one call."""


class Kernel:
    """Runs one plan."""

    def __init__(self, context: Context, log: Log) -> None:
        self.context = context
        self.log = log
        self.results: dict[str, Any] = {}

    def run(self, plan: Plan) -> str | None:
        """Carry a plan out. The step that failed, with its error; None where all ran."""
        for step in plan:
            tool = step["tool"]
            arguments = {name: self.filled(value) for name, value in step["arguments"].items()}
            try:
                result = self.call(tool, arguments)
            except Exception as error:  # noqa: BLE001
                text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
                self.log.call(tool, arguments, text.strip(), failed=True)
                return f"step {step['step']} ({tool}) raised {type(error).__name__}"
            self.results[f"step_{step['step']}"] = result
            self.log.call(tool, arguments, result if isinstance(result, str) else json.dumps(result), failed=False)
        return None

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Call one tool."""
        function = TOOLS[tool]
        if tool in NEED_CONTEXT:
            return function(**arguments, context=self.context)
        return function(**arguments)

    def filled(self, value: Any) -> Any:
        """An argument with its references replaced."""
        if not isinstance(value, str):
            return value
        whole = REFERENCE.fullmatch(value)
        if whole is not None:
            return self.found(whole)
        return REFERENCE.sub(lambda found: str(self.found(found)), value)

    def found(self, reference: re.Match[str]) -> Any:
        """What a reference stands for."""
        value = self.results.get(reference[1])
        for key in reference[2].split(".")[1:]:
            value = value.get(key) if isinstance(value, dict) else None
        return value
