"""What agents' own tools say at the start of a result when they refuse or fail."""

from __future__ import annotations

from analyzer.failures.messages.row import table

TOOLS = table(r"""
edit-refused EditRefused ^Your proposed edit has introduced new syntax error\(s\)[^\n]*(?:\n+ERRORS:\n
    (?P<detail>-? ?[^\n]+))?
edit-refused NoOpEdit ^(?:Error: ?)?(?:No replacement was performed[^\n]*(?:is the same as|identical)[^\n]*|old_str
    (?:ing)? and new_str(?:ing)? (?:are|must be)[^\n]*)
edit-refused EditNoMatch ^[^\n]{0,120}(?:SEARCH/REPLACE blocks? failed to match
    |did not conform to the edit format)[^\n]*
edit-refused EditNoMatch ^(?:Error: ?)?(?:String to replace not found|No replacement was performed
    |No (?:exact )?match found for|No exact match found|Could not find (?:the )?(?:old|search)|old_?string not found
    |The (?:old_?str(?:ing)?|text) (?:was )?not found|Failed to find (?:expected lines|context))[^\n]*(?:\n[^\n]+)?
edit-refused EditAmbiguous ^(?:Error: ?)?(?:Found \d+ matches of the string to replace|[^\n]*Multiple occurrences of
    |[^\n]*appears multiple times)[^\n]*
edit-refused StaleFile ^(?:Error: ?)?File has been (?:unexpectedly )?modified[^\n]*
edit-refused NotRead ^(?:Error: ?)?(?:File has not been read yet|You must (?:first )?read the file)[^\n]*
edit-refused PatchFailed ^(?:error: |Error: )?(?:patch (?:rejected|failed|does not apply)
    |apply_patch verification failed|Invalid (?:patch|context)|Hunk #\d+ FAILED)[^\n]*
edit-refused FileExists ^Error: (?:File|Path) '[^'\n]*' already exists[^\n]*|^File already exists at[^\n]*
edit-refused NoOpEdit ^(?:Error: ?)?No changes to make: [^\n]*
not-found FileNotFound ^(?:Error: ?)?(?:File(?: name)? (?P<subject>\S+) (?:not found|does not exist)|(?:File|Path
    |Directory) (?:does not exist|not found)|The path [^\n]* does not exist)[^\n]*
not-found FileNotFound ^(?:Error: ?)?Invalid [`'\"]?\w{0,30}(?i:path|file|dir|folder)\w{0,30}[`'\"]?(?: (?:parameter
    |argument|value))?:[^\n]{1,600}\b(?:does(?: not|n't) exist|no such file|not found)[^\n]*
invalid-call InvalidCall ^(?:Error: ?)?(?:InputValidationError|Invalid (?:arguments?|parameters?|tool (?:call
    |input))|Parameter `[^`\n]+` is required|Missing required (?:parameter|argument)|Unknown tool|No such tool
    |Tool '?[^'\n]*'? not found|Error validating|Invalid `[^`\n]+`|Unknown (?:skill|agent|function)\b
    |Path must be absolute|No file (?:is )?open\b|Cannot execute multiple commands)[^\n]*
invalid-call FormatError ^(?:Please always provide EXACTLY ONE action|Your output could not be parsed
    |Your output was not formatted correctly|No tool calls? found)[^\n]*
invalid-call InvalidCall ^(?:Error: ?)?(?:(?:Tool|Function|Command|Action|Method|Operation)(?: call)?
    (?: named)? [`'\"]?[\w.:/-]{1,80}[`'\"]?(?: is| was| does)? (?:not (?:found|exist|available|registered|defined
    |recogni[sz]ed|supported|a valid \w+|in the list)|unknown|undefined)|(?:Unknown|Unrecogni[sz]ed|Unsupported
    |No such|Invalid|Undefined) (?:tool|function|action|method|operation)\b|No (?:tool|function|action) (?:named
    |called|with the name)|[`'\"]?[\w.:/-]{1,80}[`'\"]? is not (?:a (?:valid|known|registered) (?:tool|function
    |action|command)|one of the available tools))[^\n]*
invalid-call InvalidArguments ^(?:[^\n:]{0,80}: )?(?:[\w.]{1,80}\(\) (?:got an unexpected keyword argument
    |got multiple values for argument|missing \d{1,3} required|takes \d{1,3} positional|takes from \d)
    |\d{1,4} validation errors? for |Input validation error\b|(?:Schema|JSON schema) validation (?:failed|error)
    |MCP error -3\d{4}: (?!Request timed out)|(?:Data|Arguments?) (?:did|do) not match
    |[`'\"][\w.-]{1,80}[`'\"] is a required property|Additional properties are not allowed
    |[^\n]{1,120} is not (?:of type [`'\"]\w+|one of \[)|Unexpected keyword argument|Missing required (?:argument
    |parameter|field|property)|Invalid (?:params|request payload|JSON|arguments)\b|Failed to parse (?:arguments|tool
    |function|input)|(?:Required|Expected) [^\n]{1,60}, received )[^\n]*
not-found FileNotFound ^(?:Error: ?)?(?:(?:The )?(?:search )?(?:File|Path|Directory|Folder|Root|Source
    |Target)s?\b[^\n]{0,200} (?:not found|does(?: not|n't) exist|(?:is|was) not (?:found|a directory|a file))|
    (?:No such|Cannot find|Could not find|Can't find) (?:the )?(?:file|directory|folder|path)\b
    |ENOENT: |\[Errno 2\])[^\n]*
permission PermissionDenied ^(?:Error: ?)?(?:Permission denied|Access (?:is )?denied|EACCES: |EPERM: |\[Errno 13\]
    |Operation not permitted|Not (?:authori[sz]ed|permitted|allowed) to|You (?:do not|don't) have (?:permission
    |access)|Insufficient permissions?|Authentication (?:failed|required)|Invalid (?:API key|credentials
    |token))\b[^\n]*
network ConnectionFailed ^(?:Error: ?)?(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|Connection (?:refused|reset
    |error|aborted|timed out|closed)|Network (?:error|unreachable)|Name or service not known|Could not (?:connect
    |resolve)|Failed to (?:connect|establish a new connection)|net::ERR_\w+|getaddrinfo)\b[^\n]*
network RateLimited ^(?:Error: ?)?(?:Rate limit(?:ed)?(?: exceeded| reached)?|Too many requests
    |Quota exceeded)\b[^\n]*
usage-error NothingMatched ^No projects matched\b[^\n]*
timeout Timeout ^(?:EXECUTION TIMED OUT|Command timed out|Command timeout\b
    |The (?:last )?command [^\n]* (?:timed out|was cancelled because it took more than)
    |[^\n]{0,60}timed out after \d+[^\n]*)[^\n]*
harness-limit OutputTooLarge ^(?:File content \([^\n]*\) exceeds maximum|Prompt is too long
    |[^\n]{0,80}exceeds? the (?:maximum|context)[^\n]*limit)[^\n]*
not-found NotRetrieved ^Content at [^\n]{1,300} could not be retrieved[^\n]*
other Error ^(?:Error|ERROR|error)(?!: ?(?i:false|none|null|0)\s)(?::|$| code: \d| (?:\w+ing|while|in|from|during
    |response|-|\[)\b(?<!handling))[^\n]*
test-failure AssertionError ^\s{0,8}expect\(\w{1,20}\)(?:\.\w{1,30}){1,3}\(\w{0,20}\)
other ServiceError ^(?:(?:(?:I'm |We're |I am )?[Ss]orry|Oops)\W{1,3}(?:but )?)?(?:[Aa]n? (?:\w{1,20} ){0,2}(?:error
    |exception) (?:has )?occurred|[Ss]omething went wrong|Internal (?:server )?error|Service (?:is )?
    (?:temporarily )?unavailable|(?:The )?(?:\w{1,20} ){0,2}(?:request|operation|call|execution|query|upload
    |download) (?:has )?failed)\b[^\n]*
other Failed ^(?:(?:Failure|Failed|FAILED|FAILURE|Fail|Exception|Fatal|FATAL|Fatal error|fatal error)(?:: \S| to \w)
    |(?:Error|ERROR|error|Failed|FAILED)\] |error - \w|(?:❌|✗|⛔) ?\w|(?:Could not|Couldn't|Unable to|Cannot|Can't
    |Was unable to) \w|(?:undefined|null|None|[\w.]{1,60}) is not (?:a function|iterable|defined|callable
    |subscriptable)\b|(?:[\w.:-]{1,60} )?(?:returned|failed|raised|threw)(?: an? (?:error|exception))?(?: with)?: ?
    (?:Error|Exception|\w{1,40}(?:Error|Exception))\b)[^\n]*
usage-error UsageError ^Usage: [^\n]*
other Rejected ^(?:Wrong|Incorrect|Invalid|Denied|Rejected|Unauthorized|Forbidden)\b[^\n]{0,80}$
""")
"""What agents' tools say at the start of a result."""
