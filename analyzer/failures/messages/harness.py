"""What harnesses say of a call that they didn't run, stopped or gave up.

What interpreters and databases say of an error whose type nobody printed: the text of an exception by itself.
"""

from __future__ import annotations

from analyzer.failures.messages.row import table

_WHAT = (
    r"(?:the |this |your )?(?:tool(?: (?:call|use))?|command|action|function|process|execution|operation|request"
    r"|script)"
)

HARNESS = table(
    r"""
cascade NotExecuted ^\W{0,3}(?i:{WHAT})(?: [`'\"]?[\w.:-]{1,60}[`'\"]?)? (?i:(?:was|were|has been) (?:not
    |never) (?:executed|run|performed)|(?:not|never) executed|wasn't (?:executed|run)|(?:was )?skipped (?:because
    |due to))\b[^\n]{0,300}
timeout Timeout ^\W{0,3}(?:MCP error -?\d{1,6}: )?(?i:(?:error: )?{WHAT})(?: [^\n]{0,80})? (?i:timed[ -]out|
    (?:has )?exceeded (?:its|the) (?:time ?limit|timeout)|was (?:killed|stopped|terminated|cancelled
    |aborted) (?:after|because it)|has no new output after \d[\d.]* ?s(?:econds)?)\b[^\n]{0,300}
timeout Timeout ^\W{0,3}(?i:timeout(?:error)?(?: expired| reached| exceeded| after)|timed out (?:after|waiting)|
    (?:execution |command |request )?timeout: ?(?:\d|the |no |\w{1,20} ))[^\n]{0,300}
crash Killed ^\W{0,3}(?i:{WHAT})(?: [^\n]{0,80})? (?i:was killed|(?:was )?terminated by signal|
    (?:was )?killed by signal|(?:has )?crashed|died unexpectedly)\b[^\n]{0,300}
denied Interrupted ^\W{0,3}(?:(?i:{WHAT} (?:was )?(?:interrupted|cancelled|canceled|aborted)(?: by (?:the )?\w+)?)
    |\[Request interrupted by user[^\n]{0,60}|(?:Interrupted|Cancelled|Canceled
    |Aborted) by (?:the )?user)[^\n]{0,200}
denied ApprovalNeeded ^\W{0,3}(?i:(?:this|the) (?:command|tool|call|action|operation|request|edit
    |tool call) (?:requires?|needs|awaits|is (?:waiting|pending) for) (?:[\w']{1,12} ){0,2}(?:approval|permission
    |confirmation|authori[sz]ation)\b|[^\n]{0,120}\bpermissions?\b[^\n]{0,160}\b(?:haven't|have not|hasn't|has not
    |wasn't|was not)(?: been)?(?: yet)? granted\b)[^\n]{0,200}
denied UserRejected ^\W{0,3}(?i:(?:the )?user (?:doesn't|does not|did not|didn't) want to (?:proceed|continue|run
    |do)|(?:the )?user (?:has )?(?:rejected|denied|declined|refused)\b|{WHAT} (?:was |has been )?(?:rejected|denied
    |declined) by (?:the )?user)[^\n]{0,200}
permission Blocked ^\W{0,3}(?i:{WHAT})(?: [^\n]{0,60})? (?i:(?:was |is |has been )?(?:blocked|denied|forbidden
    |rejected|not (?:allowed|permitted))(?: by| in| for| because|:| due))\b[^\n]{0,300}
harness-limit LimitReached ^\W{0,3}(?i:(?:error: )?(?:the )?(?:maximum|max\.?)(?: number of| amount of)?
    (?: allowed)? (?:[\w-]{1,20} ){1,3}(?:was |has been |is )?(?:reached|exceeded)|(?:step|turn|iteration|token|cost
    |budget|context|tool call|request)s?(?: window| length)? limit (?:was |has been )?(?:reached
    |exceeded))[^\n]{0,200}
""",
    WHAT=_WHAT,
)
"""In the order in which they're asked, each at the start of one of the outer lines of a result."""


RUNTIMES = table(r"""
exception NameError ^name '\w+' is not defined\b[^\n]*
exception AttributeError ^(?:'[\w.]+' object|module '[\w.]+'|type object '[\w.]+') has no attribute '\w+'[^\n]*
exception TypeError ^(?:unsupported operand type\(s\) for |can only concatenate |'[\w.]+' object is not (?:callable
    |iterable|subscriptable)|(?:string|list|tuple) indices must be integers
    |Object of type \w+ is not JSON serializable|Cannot (?:read|set) propert(?:y
    |ies) |[\w.$]{1,80} is not (?:a function|a constructor|iterable)\b)[^\n]*
exception IndexError ^(?:(?:list|tuple|string|pop) (?:assignment )?index out of range
    |pop from (?:an )?empty \w+)\b[^\n]*
exception ValueError ^(?:invalid literal for \w+\(\) with base|could not convert string to \w+
    |time data .{1,80} does not match|(?:not enough|too many) values to unpack|Invalid isoformat string)[^\n]*
exception ZeroDivisionError ^(?:(?:float |integer )?(?:division|modulo)(?: or modulo)? by zero)\b[^\n]*
exception SyntaxError ^(?:invalid syntax(?: \(|$)|Unexpected (?:token|identifier|end of (?:JSON )?input
    |non-whitespace character)\b|Expecting (?:value|property name|',' delimiter|':' delimiter)[^\n]*: line \d
    |Unterminated string (?:in JSON|starting at)|(?:unexpected indent|unindent does not match))[^\n]*
missing-dependency ModuleNotFoundError ^(?:No module named '?[\w.]+|Cannot find module )[^\n]*
other DatabaseError ^(?:syntax error at or near |near \"[^\"\n]{1,80}\": syntax error|Unknown (?:column|table
    |database) '|no such (?:table|column|function): |table \S{1,80} has no column named |duplicate key value
     violates |Duplicate entry '|(?:relation|column|table|schema|role|database
    |function) \"[^\"\n]{1,120}\" (?:of relation \"[^\"\n]{1,120}\" )?(?:does not|already) exists?
    |Table '[^'\n]{1,120}' (?:doesn't|already) exists?|(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed
    |null value in column |insert or update on table |invalid input syntax for (?:type )?\w+|deadlock detected
    |database is locked|You have an error in your SQL syntax)[^\n]*
""")
"""Rows that match at the start of an answer, in the words of CPython, V8, PostgreSQL, MySQL and SQLite."""
