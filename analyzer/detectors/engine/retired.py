"""Detectors that there were: their names stay valid where they leave something out or set an option, and where one is
asked for, the answer says what became of it."""

from __future__ import annotations

from collections.abc import Mapping

RETIRED: Mapping[str, str] = {
    "asked-means": "The page shows each request beside what was done on it.",
    "asked-size": "The page shows each request beside what was done on it.",
    "blind-edits": "`loops` finds edits that are made and checked again and again.",
    "claims-against-evidence": "`unverified-success` and `overstated-report` hold claims against the record.",
    "commit-beside": "The page names the files that were changed, and `outward-effect` the pushes.",
    "cut-commands": "Commands that didn't run as they were written are shown at their steps.",
    "definition-mismatch": "`argument-validation-loop` and `signature-mismatch` find calls that were rejected.",
    "edit-damage": "Failures that an edit brought in are traced to it.",
    "failed-hooks": "A failure of a hook is shown where the log records it as the result of a step.",
    "failure-set-aside": "`unverified-success` finds claims that the last checks contradict.",
    "invented-result": "`unverified-success` and `overstated-report` hold claims against the record.",
    "lost-score": "The outcome says which step had the best score, and where it fell.",
    "misplaced-edit": "`wrong-file` finds edits in another place than the cause.",
    "never-allowed": "Calls that never ran are shown as such, and the outcome says so.",
    "no-progress": "`loops` finds calls that repeat.",
    "off-target": "`wrong-file` finds edits in another place than the cause.",
    "other-branch": "`outward-effect` names what was pushed.",
    "outdated-line-numbers": "The cause of a refused or damaging edit says that its place had moved.",
    "recorded-stall": "`loops` finds calls and words that repeat.",
    "success-after-failure": "`unverified-success` finds claims that the last checks contradict.",
    "taken-back": "The page's steps say which edits take back others, and its cost what was discarded.",
    "ticked-unchecked": "`unverified-success` finds claims that nothing supports.",
    "unasked-change": "The page shows each request beside what was done on it.",
    "unrun-tests": "`unverified-success` finds claims that nothing supports.",
    "unticked-check": "The page shows what the last checks were.",
    "value-still-wrong": "`unverified-success` finds claims that the last checks contradict.",
    "wrong-working-directory": "`environment-trouble` finds programs and files that weren't there.",
}
"""What says something of the kind now, by the name of a detector that is gone."""
