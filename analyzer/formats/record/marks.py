"""What the program around an agent writes in the place of a result: that a call was refused, cut off, or never made."""

from __future__ import annotations

import re

from analyzer.model.words import Mark
from analyzer.text.expressions import compiled

_MARKS = {
    Mark.CASCADE: compiled(
        r"Sibling tool call errored|Cancelled: parallel tool call"
        r"|Skipping tool \[.{0,300}?\] due to user rejecting a previous tool",
        re.DOTALL,
    ),
    Mark.DENIED: compiled(
        r"The user (?:doesn't want to (?:proceed with this tool use|take this action)|denied this operation)"
        r"|User rejected tool use|Claude requested permissions? |Permission to use .{1,400} has been denied"
        r"|(?:exec command|patch|tool call|\w+) (?:was )?rejected by (?:the )?user"
        r"|This action was rejected due to unacceptable risk|<system>ERROR:.{0,380}?rejected by the user"
        r"|[^\n]{0,200}?(?i:The user (?:rejected|denied) permission|user dismissed this question)",
        re.DOTALL,
    ),
    Mark.REJECTED: compiled(
        r"InputValidationError|(?:Error: )?(?:No such|Unknown) tool|missing field "
        r"|Tool \[.{0,300}?\] was not executed|Missing value for required parameter"
        r"|unsupported (?:custom tool )?call|failed to parse (?:function )?arguments"
        r"|`[^\n]{1,2000}` rejected: |approval policy is [^\n]{0,80}reject command"
        r"|(?:exec_command|shell) failed for .{0,20000}?CreateProcess \{ message: \"Rejected\("
        r"|[^\n]{0,200}?(?:user has specified a rule which prevents|called with invalid arguments"
        r"|tool are invalid)",
        re.DOTALL,
    ),
    Mark.INTERRUPTED: compiled(
        r"(?:Error: )?\[?Request interrupted by user|Interrupted by user|Command was interrupted"
        r"|Tool \[.{0,300}?\] was interrupted by user feedback|\s*(?:Tool execution|User) aborted"
        r"|(?:Wall time: [\d.]+ seconds?\n)?(?:aborted by user|command was interrupted|aborted\Z)"
        r"|\s*(?i:command aborted by user)",
        re.DOTALL,
    ),
    Mark.TIMEOUT: compiled(
        r"(?:Exit code \d{1,3}\n)?\s*Command (?:execution )?timed out|(?:error: )?command timed out after \d+ ?m"
        r"|[^\n]{0,200}?terminated (?:command )?after exceeding (?:the )?timeout",
        re.IGNORECASE,
    ),
}


def mark_of(text: str) -> Mark | None:
    """What a result says of its call where it begins with the words of the program."""
    return next((mark for mark, pattern in _MARKS.items() if pattern.match(text)), None)
