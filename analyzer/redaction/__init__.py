"""Secrets and personal data in texts, and their replacements. docs/redaction.md has the table of rules."""

from analyzer.redaction.models import redact_model
from analyzer.redaction.redactor import Redactor
from analyzer.redaction.rules import RULES, RULES_VERSION, Rule
from analyzer.redaction.session import redact_session

__all__ = ["RULES", "RULES_VERSION", "Redactor", "Rule", "redact_model", "redact_session"]
