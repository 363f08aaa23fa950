"""The agent took out a definition, or a file, that other code still uses."""

from __future__ import annotations

from analyzer.diagnosis.provenance.answer import answer
from analyzer.diagnosis.provenance.context import FailureContext, place_text
from analyzer.diagnosis.provenance.symbol import missing_module, missing_name
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code
from analyzer.workspace.document import Document
from analyzer.workspace.paths import normal
from analyzer.workspace.symbols import defined
from analyzer.workspace.written import removed

_PATH = compiled(r"(?<![\w./~@+-])[\w./~@+-]*[\w@+-]")


def find(scene: FailureContext) -> Provenance | None:
    """The step whose change took out the name or the file that the message misses."""
    name = missing_name(scene.failure)
    found = _of_name(scene, name) if name is not None else None
    module = missing_module(scene.failure)
    if found is None and module is not None:
        found = _of_module(scene, module)
    if found is None and scene.failure.kind is FailureKind.NOT_FOUND:
        found = _of_path(scene)
    return found


def _of_name(scene: FailureContext, name: str) -> Provenance | None:
    for action, version in scene.versions():
        if name in defined(version.after):
            return None
        lines = removed(version)
        gone = next((line for line in lines if name in defined(Document(text=line.strip()))), None)
        if gone is None:
            continue
        others = _defined_instead(version.before, version.after)
        renamed = f" (it defines {code(others)} there now)" if others else ""
        return answer(
            ProvenanceKind.OWN_EDIT,
            0.9,
            f"Step {action.step} removed {code(name)} from {code(last_part(version.path))}{renamed}{_use(scene)}",
            quote=gone.strip(),
            step=action.step,
            file=version.path,
        )
    return None


def _of_module(scene: FailureContext, module: str) -> Provenance | None:
    path = module.replace(".", "/") if "/" not in module else module
    wanted = path.split("/")[-1]
    for action, version in scene.versions():
        name = last_part(version.path)
        stem = name.rsplit(".", 1)[0]
        if version.after.exists or not version.before.exists or wanted not in (name, stem):
            continue
        return _taken_away(action, version.path, _use(scene))
    return None


def _of_path(scene: FailureContext) -> Provenance | None:
    """A path that the message misses and that a step of the agent had taken away."""
    paths = [normal(word, scene.action.directory) for word in _PATH.findall(scene.failure.message)]
    for action, version in scene.versions():
        if version.path not in paths:
            continue
        if version.after.exists:
            return None
        return _taken_away(action, version.path)
    return None


def _taken_away(action: Action, path: str, use: str = "") -> Provenance:
    return answer(
        ProvenanceKind.OWN_EDIT,
        0.85,
        f"Step {action.step} removed or moved {code(path)}{use}",
        quote=action.operation.command or path,
        step=action.step,
        file=path,
    )


def _use(scene: FailureContext) -> str:
    user = scene.frames[0] if scene.frames else None
    return f", which {code(place_text(user.file, user.line))} still uses" if user is not None else ""


def _defined_instead(before: Document, after: Document) -> str | None:
    new = defined(after) - defined(before)
    return next(iter(new)) if len(new) == 1 else None
