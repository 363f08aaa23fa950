"""The run loads a built or installed copy of what was edited."""

from __future__ import annotations

from analyzer.detectors.signals.copies import loaded_copy, stem_of
from analyzer.diagnosis.provenance.answer import answer
from analyzer.diagnosis.provenance.context import FailureContext, place_text
from analyzer.failures.roles import last_part
from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.text.markdown import code


def find(scene: FailureContext) -> Provenance | None:
    """An edit before the last occurrence whose file the trace reaches only as a copy, with nothing built in between."""
    last = scene.group.steps[-1]
    stems = tuple(stem_of(frame.file) for frame in scene.failure.frames)
    for action in scene.texts.edited_since_built(scene.group.lane, last, stems):
        for edit in action.operation.edits:
            if not edit.path or not stem_of(edit.path).startswith(stems):
                continue
            loaded = loaded_copy(edit.path, scene.failure)
            if loaded is not None:
                return answer(
                    ProvenanceKind.STALE_COPY,
                    0.8,
                    (
                        f"The failing run loads {code(place_text(loaded.file, loaded.line))}; step {action.step} "
                        f"edited {code(_short(edit.path))}, and nothing built or installed it again"
                    ),
                    quote=loaded.code or scene.failure.headline,
                    step=action.step,
                    file=loaded.file,
                    line=loaded.line,
                )
    return None


def _short(path: str) -> str:
    return path if len(path) <= 60 else last_part(path)
