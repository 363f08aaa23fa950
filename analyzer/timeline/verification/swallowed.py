"""Scripts in Python that end well whatever the code does that they try: every way to fail is caught and printed."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache

_ALL = frozenset({"Exception", "BaseException"})
_LONGEST = 60_000


@lru_cache(maxsize=256)
def swallows(code: str) -> bool:
    """Whether whatever a script asserts, raises or uses of other than Python's own modules stands where every exception
    is caught and neither raised again nor turned into an exit code."""
    if "except" not in code or len(code) > _LONGEST:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    caught = [node for node in ast.walk(tree) if isinstance(node, ast.Try) and any(map(_takes_all, node.handlers))]
    inside = {id(inner) for node in caught for part in node.body for inner in ast.walk(part)}
    foreign = set(_foreign(tree))
    return bool(caught) and not any(
        _fails(node) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in foreign)
        for node in ast.walk(tree)
        if id(node) not in inside
    )


def _takes_all(handler: ast.ExceptHandler) -> bool:
    takes = handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in _ALL)
    return takes and not any(_fails(node) for part in handler.body for node in ast.walk(part))


def _fails(node: ast.AST) -> bool:
    """Whether a node is there to fail: an assertion, a raise, an exit, a call that asserts."""
    if isinstance(node, ast.Assert | ast.Raise):
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in ("exit", "_exit", "fail", "main") or node.func.attr.startswith(("assert", "expect"))
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    return name in ("exit", "quit", "fail") or name.startswith(("assert", "expect"))


def _foreign(tree: ast.AST) -> Iterator[str]:
    """The names under which a script imports what isn't part of Python."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for entry in node.names:
                if entry.name.partition(".")[0] not in sys.stdlib_module_names:
                    yield entry.asname or entry.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and (
            node.level or (node.module or "").partition(".")[0] not in sys.stdlib_module_names
        ):
            yield from (entry.asname or entry.name for entry in node.names)
