"""An edit that was refused because the text that it quotes had been replaced by then."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind
from analyzer.text.markdown import code


def find(scene: FailureContext) -> Provenance | None:
    """The step that replaced the text that the refused edit looks for."""
    if scene.failure.kind is not FailureKind.EDIT_REFUSED:
        return None
    stale = next(iter(scene.texts.stale.get((scene.group.lane, scene.action.step), ())), None)
    if stale is None:
        return None
    edit = next((edit for edit in scene.action.operation.edits if edit.before), None)
    quote = next((line.strip() for line in (edit.before or "").split("\n") if line.strip()), "") if edit else ""
    seen = f", and step {stale.shown_at} was the last to show it" if stale.shown_at is not None else ""
    return answer(
        ProvenanceKind.OUTDATED_VIEW,
        0.9,
        (
            f"The text that the edit looks for was in {code(edit.path if edit else stale.path)} until step "
            f"{stale.changed_at} changed it{seen}"
        ),
        quote=quote or scene.failure.headline,
        step=stale.changed_at,
        file=edit.path if edit else stale.path,
    )
