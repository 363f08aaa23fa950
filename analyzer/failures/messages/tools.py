"""What agents' own tools say at the start of a result when they refuse or fail."""

from __future__ import annotations

from analyzer.failures.messages.row import row
from analyzer.model.words import FailureKind

TOOLS = (
    row(
        FailureKind.EDIT_REFUSED,
        "EditRefused",
        r"^Your proposed edit has introduced new syntax error\(s\)[^\n]*(?:\n+ERRORS:\n(?P<detail>-? ?[^\n]+))?",
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "NoOpEdit",
        (
            r"^(?:Error: ?)?(?:No replacement was performed[^\n]*(?:is the same as|identical)[^\n]*|old_str(?:ing)? "
            r"and new_str(?:ing)? (?:are|must be)[^\n]*)"
        ),
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "EditNoMatch",
        r"^[^\n]{0,120}(?:SEARCH/REPLACE blocks? failed to match|did not conform to the edit format)[^\n]*",
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "EditNoMatch",
        (
            r"^(?:Error: ?)?(?:String to replace not found|No replacement was performed|No (?:exact )?match found for"
            r"|No exact match found|Could not find (?:the )?(?:old|search)|old_?string not found|The "
            r"(?:old_?str(?:ing)?|text) (?:was )?not found|Failed to find (?:expected lines|context))[^\n]*(?:\n[^\n]"
            r"+)?"
        ),
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "EditAmbiguous",
        (
            r"^(?:Error: ?)?(?:Found \d+ matches of the string to replace|[^\n]*Multiple occurrences of|[^\n]"
            r"*appears multiple times)[^\n]*"
        ),
    ),
    row(FailureKind.EDIT_REFUSED, "StaleFile", r"^(?:Error: ?)?File has been (?:unexpectedly )?modified[^\n]*"),
    row(
        FailureKind.EDIT_REFUSED,
        "NotRead",
        r"^(?:Error: ?)?(?:File has not been read yet|You must (?:first )?read the file)[^\n]*",
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "PatchFailed",
        (
            r"^(?:error: |Error: )?(?:patch (?:rejected|failed|does not apply)|apply_patch verification failed"
            r"|Invalid (?:patch|context)|Hunk #\d+ FAILED)[^\n]*"
        ),
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "FileExists",
        r"^Error: (?:File|Path) '[^'\n]*' already exists[^\n]*|^File already exists at[^\n]*",
    ),
    row(FailureKind.EDIT_REFUSED, "NoOpEdit", r"^(?:Error: ?)?No changes to make: [^\n]*"),
    row(
        FailureKind.NOT_FOUND,
        "FileNotFound",
        (
            r"^(?:Error: ?)?(?:File(?: name)? (?P<subject>\S+) (?:not found|does not exist)|(?:File|Path|Directory) "
            r"(?:does not exist|not found)|The path [^\n]* does not exist)[^\n]*"
        ),
    ),
    row(
        FailureKind.INVALID_CALL,
        "InvalidCall",
        (
            r"^(?:Error: ?)?(?:InputValidationError|Invalid (?:arguments?|parameters?|tool (?:call|input))|Parameter "
            r"`[^`\n]+` is required|Missing required (?:parameter|argument)|Unknown tool|No such tool|Tool '?[^'\n]"
            r"*'? not found|Error validating|Invalid `[^`\n]+`|Unknown (?:skill|agent|function)\b|Path must be "
            r"absolute|No file (?:is )?open\b|Cannot execute multiple commands)[^\n]*"
        ),
    ),
    row(
        FailureKind.INVALID_CALL,
        "FormatError",
        (
            r"^(?:Please always provide EXACTLY ONE action|Your output could not be parsed|Your output was not "
            r"formatted correctly|No tool calls? found)[^\n]*"
        ),
    ),
    row(
        FailureKind.TIMEOUT,
        "Timeout",
        (
            r"^(?:EXECUTION TIMED OUT|Command timed out|Command timeout\b|The (?:last )?command [^\n]* (?:timed out"
            r"|was cancelled because it took more than)|[^\n]{0,60}timed out after \d+[^\n]*)[^\n]*"
        ),
    ),
    row(
        FailureKind.LIMIT,
        "OutputTooLarge",
        (
            r"^(?:File content \([^\n]*\) exceeds maximum|Prompt is too long|[^\n]{0,80}exceeds? the (?:maximum"
            r"|context)[^\n]*limit)[^\n]*"
        ),
    ),
    row(FailureKind.NOT_FOUND, "NotRetrieved", r"^Content at [^\n]{1,300} could not be retrieved[^\n]*"),
    row(
        FailureKind.OTHER,
        "Error",
        r"^(?:Error|ERROR|error)(?::|$| (?:\w+ing|while|in|from|during|-|\[)\b(?<!handling))[^\n]*",
    ),
    row(FailureKind.USAGE, "UsageError", r"^Usage: [^\n]*"),
    row(
        FailureKind.OTHER,
        "Rejected",
        r"^(?:Wrong|Incorrect|Invalid|Denied|Rejected|Unauthorized|Forbidden)\b[^\n]{0,80}$",
    ),
)
"""What agents' tools say at the start of a result."""
