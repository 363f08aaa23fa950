"""What agents' own tools say at the start of a result when they refuse or fail."""

from __future__ import annotations

from analyzer.failures.messages.row import row, table
from analyzer.model.words import FailureKind

TOOLS = table(
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
            r"^(?:Error: ?)?(?:String to replace not found|No replacement was performed|No (?:exact )?match found "
            r"for|No exact match found|Could not find (?:the )?(?:old|search)|old_?string not found|The "
            r"(?:old_?str(?:ing)?|text) (?:was )?not found|Failed to find (?:expected lines"
            r"|context))[^\n]*(?:\n[^\n]+)?"
        ),
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "EditAmbiguous",
        (
            r"^(?:Error: ?)?(?:Found \d+ matches of the string to replace|[^\n]*Multiple occurrences of"
            r"|[^\n]*appears multiple times)[^\n]*"
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
        FailureKind.NOT_FOUND,
        "FileNotFound",
        (
            r"^(?:Error: ?)?Invalid [`'\"]?\w{0,30}(?i:path|file|dir|folder)\w{0,30}[`'\"]?"
            r"(?: (?:parameter|argument|value))?:[^\n]{1,600}\b(?:does(?: not|n't) exist|no such file|not found)[^\n]*"
        ),
    ),
    row(
        FailureKind.INVALID_CALL,
        "InvalidCall",
        (
            r"^(?:Error: ?)?(?:InputValidationError|Invalid (?:arguments?|parameters?|tool (?:call|input))|Parameter "
            r"`[^`\n]+` is required|Missing required (?:parameter|argument)|Unknown tool|No such tool|Tool "
            r"'?[^'\n]*'? not found|Error validating|Invalid `[^`\n]+`|Unknown (?:skill|agent|function)\b|Path must "
            r"be absolute|No file (?:is )?open\b|Cannot execute multiple commands)[^\n]*"
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
        FailureKind.INVALID_CALL,
        "InvalidCall",
        (
            r"^(?:Error: ?)?(?:(?:Tool|Function|Command|Action|Method|Operation)(?: call)?(?: named)? "
            r"[`'\"]?[\w.:/-]{1,80}[`'\"]?(?: is| was| does)? (?:not (?:found|exist|available|registered|defined"
            r"|recogni[sz]ed|supported|a valid \w+|in the list)|unknown|undefined)|(?:Unknown|Unrecogni[sz]ed"
            r"|Unsupported|No such|Invalid|Undefined) (?:tool|function|action|method|operation)\b|No (?:tool"
            r"|function|action) (?:named|called|with the name)|[`'\"]?[\w.:/-]{1,80}[`'\"]? is not (?:a (?:valid"
            r"|known|registered) (?:tool|function|action|command)|one of the available tools))[^\n]*"
        ),
    ),
    row(
        FailureKind.INVALID_CALL,
        "InvalidArguments",
        (
            r"^(?:[^\n:]{0,80}: )?(?:[\w.]{1,80}\(\) (?:got an unexpected keyword argument|got multiple values for "
            r"argument|missing \d{1,3} required|takes \d{1,3} positional|takes from \d)|\d{1,4} validation errors? "
            r"for |Input validation error\b|(?:Schema|JSON schema) validation (?:failed|error)|MCP error -3\d{4}: "
            r"(?!Request timed out)|(?:Data|Arguments?) (?:did|do) not match|[`'\"][\w.-]{1,80}[`'\"] is a required "
            r"property|Additional properties are not allowed|[^\n]{1,120} is not (?:of type [`'\"]\w+|one of \[)"
            r"|Unexpected keyword argument|Missing required (?:argument|parameter|field|property)|Invalid (?:params"
            r"|request payload|JSON|arguments)\b|Failed to parse (?:arguments|tool|function|input)|(?:Required"
            r"|Expected) [^\n]{1,60}, received )[^\n]*"
        ),
    ),
    row(
        FailureKind.NOT_FOUND,
        "FileNotFound",
        (
            r"^(?:Error: ?)?(?:(?:The )?(?:search )?(?:File|Path|Directory|Folder|Root|Source"
            r"|Target)s?\b[^\n]{0,200} (?:not found|does(?: not|n't) exist|(?:is|was) not (?:found|a directory|a "
            r"file))|(?:No such|Cannot find|Could not find|Can't find) (?:the )?(?:file|directory|folder|path)\b"
            r"|ENOENT: |\[Errno 2\])[^\n]*"
        ),
    ),
    row(
        FailureKind.PERMISSION,
        "PermissionDenied",
        (
            r"^(?:Error: ?)?(?:Permission denied|Access (?:is )?denied|EACCES: |EPERM: |\[Errno 13\]|Operation not "
            r"permitted|Not (?:authori[sz]ed|permitted|allowed) to|You (?:do not|don't) have (?:permission|access)"
            r"|Insufficient permissions?|Authentication (?:failed|required)|Invalid (?:API key|credentials"
            r"|token))\b[^\n]*"
        ),
    ),
    row(
        FailureKind.NETWORK,
        "ConnectionFailed",
        r"^(?:Error: ?)?(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|Connection (?:refused|reset|error|aborted"
        r"|timed out|closed)|Network (?:error|unreachable)|Name or service not known|Could not (?:connect|resolve)"
        r"|Failed to (?:connect|establish a new connection)|net::ERR_\w+|getaddrinfo)\b[^\n]*",
    ),
    row(
        FailureKind.NETWORK,
        "RateLimited",
        r"^(?:Error: ?)?(?:Rate limit(?:ed)?(?: exceeded| reached)?|Too many requests|Quota exceeded)\b[^\n]*",
    ),
    row(FailureKind.USAGE, "NothingMatched", r"^No projects matched\b[^\n]*"),
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
        r"^(?:Error|ERROR|error)(?!: ?(?i:false|none|null|0)\s)"
        r"(?::|$| code: \d| (?:\w+ing|while|in|from|during|response|-|\[)\b(?<!handling))[^\n]*",
    ),
    row(FailureKind.TEST, "AssertionError", r"^\s{0,8}expect\(\w{1,20}\)(?:\.\w{1,30}){1,3}\(\w{0,20}\)"),
    row(
        FailureKind.OTHER,
        "ServiceError",
        r"^(?:(?:(?:I'm |We're |I am )?[Ss]orry|Oops)\W{1,3}(?:but )?)?(?:[Aa]n? (?:\w{1,20} ){0,2}(?:error"
        r"|exception) (?:has )?occurred|[Ss]omething went wrong|Internal (?:server )?error|Service (?:is "
        r")?(?:temporarily )?unavailable|(?:The )?(?:\w{1,20} ){0,2}(?:request|operation|call|execution|query|upload"
        r"|download) (?:has )?failed)\b[^\n]*",
    ),
    row(
        FailureKind.OTHER,
        "Failed",
        r"^(?:(?:Failure|Failed|FAILED|FAILURE|Fail|Exception|Fatal|FATAL|Fatal error|fatal error)(?:: \S| to \w)"
        r"|(?:Error|ERROR|error"
        r"|Failed|FAILED)\] |error - \w|(?:❌|✗|⛔) ?\w|(?:Could not|Couldn't|Unable to|Cannot|Can't|Was unable to) \w"
        r"|(?:undefined|null|None|[\w.]{1,60}) is not (?:a function|iterable|defined|callable|subscriptable)\b"
        r"|(?:[\w.:-]{1,60} )?(?:returned|failed|raised|threw)(?: an? (?:error|exception))?(?: with)?: ?(?:Error"
        r"|Exception|\w{1,40}(?:Error|Exception))\b)[^\n]*",
    ),
    row(FailureKind.USAGE, "UsageError", r"^Usage: [^\n]*"),
    row(
        FailureKind.OTHER,
        "Rejected",
        r"^(?:Wrong|Incorrect|Invalid|Denied|Rejected|Unauthorized|Forbidden)\b[^\n]{0,80}$",
    ),
)
"""What agents' tools say at the start of a result."""
