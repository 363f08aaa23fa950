"""A relative path that isn't there in the folder where the call runs, but in another one."""

from __future__ import annotations

from analyzer.diagnosis.provenance.answer import answer
from analyzer.diagnosis.provenance.context import FailureContext
from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code
from analyzer.workspace.paths import normal

_RELATIVE = compiled(r"(?<![\w./~@+-])(?:\./)?(?P<path>(?:[\w.@+-]+/)+[\w.@+-]*\w|[\w@+-]+\.\w{1,8})(?![\w/])")


def find(scene: FailureContext) -> Provenance | None:
    """The folder from which a path that the message misses had been read or written before."""
    action = scene.action
    here = action.directory
    if scene.failure.kind is not FailureKind.NOT_FOUND or not here.startswith("/"):
        return None
    for found in _RELATIVE.finditer(scene.failure.message):
        path = found["path"]
        if path not in (action.operation.command or ""):
            continue
        for earlier in reversed(scene.earlier):
            known = _full(earlier.operation.path, earlier.directory)
            if earlier.failure is not None or known is None or not known.endswith(f"/{path}"):
                continue
            there = known.removesuffix(f"/{path}") or "/"
            if there == here:
                return None
            return answer(
                ProvenanceKind.DIFFERENT_CALL,
                0.8,
                f"The call runs in {code(here)}, and {code(path)} is in {code(there)}, as step {earlier.step} shows",
                quote=scene.failure.headline,
                step=action.step,
                file=known,
            )
    return None


def _full(path: str | None, directory: str) -> str | None:
    full = normal(path, directory) if path else ""
    return full if full.startswith("/") else None
