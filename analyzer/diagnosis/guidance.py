"""What to ask, to try, to change and to remember for findings that aren't repetitions, with the words of the session
filled in."""

from __future__ import annotations

from dataclasses import replace

from analyzer.detectors.engine.guidance import GENERAL, Guidance
from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import steps_text
from analyzer.model.finding import Finding
from analyzer.text.clip import clip
from analyzer.text.markdown import code


def guidance_for(finding: Finding) -> Guidance:
    """The guidance for a finding with its words filled in; a general one where its detector declares none."""
    entry = declared(finding).guidance_for(finding.kind) or GENERAL
    words = {
        "title": finding.title,
        "first": str(finding.first_step),
        "last": str(finding.last_step),
        "steps": steps_text(finding.steps),
        "quote": code(clip(finding.evidence[0].quote, 90), 90) if finding.evidence else code(finding.title, 90),
        "advice": finding.advice[0] if finding.advice else "Stop and read what the last steps say.",
    }

    def filled(text: str) -> str:
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return replace(
        entry,
        questions=tuple(filled(question) for question in entry.questions),
        approaches=tuple((title, filled(text)) for title, text in entry.approaches),
        change=filled(entry.change),
    )
