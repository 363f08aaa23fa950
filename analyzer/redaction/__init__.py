"""Secrets and personal data in texts, and their replacements. docs/redaction.md has the table of rules."""

from analyzer.redaction.models import redact_model, redact_recording, redact_report
from analyzer.redaction.redactor import Redactor
from analyzer.redaction.rules import RULES, RULES_VERSION, Rule

__all__ = ["RULES", "RULES_VERSION", "Redactor", "Rule", "redact_model", "redact_recording", "redact_report"]
