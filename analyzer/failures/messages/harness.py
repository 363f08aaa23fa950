"""What harnesses say of a call that they didn't run, stopped or gave up.

What interpreters and databases say of an error whose type nobody printed: the text of an exception by itself.
"""

from __future__ import annotations

from analyzer.failures.messages.row import row, table
from analyzer.model.words import FailureKind

_WHAT = (
    r"(?:the |this |your )?(?:tool(?: (?:call|use))?|command|action|function|process|execution|operation|request"
    r"|script)"
)

HARNESS = table(
    row(
        FailureKind.CASCADE,
        "NotExecuted",
        rf"^\W{{0,3}}(?i:{_WHAT})(?: [`'\"]?[\w.:-]{{1,60}}[`'\"]?)? (?i:(?:was|were|has been) (?:not"
        r"|never) (?:executed|run|performed)|(?:not|never) executed|wasn't (?:executed|run)|(?:was )?skipped "
        r"(?:because|due to))\b[^\n]{0,300}",
    ),
    row(
        FailureKind.TIMEOUT,
        "Timeout",
        rf"^\W{{0,3}}(?:MCP error -?\d{{1,6}}: )?(?i:(?:error: )?{_WHAT})(?: [^\n]{{0,80}})? (?i:timed[ -]out|(?:has "
        rf")?exceeded (?:its|the) (?:"
        r"time ?limit|timeout)|was (?:killed|stopped|terminated|cancelled|aborted) (?:after|because it)|has no new "
        r"output after \d[\d.]* ?s(?:econds)?)\b[^\n]{0,300}",
    ),
    row(
        FailureKind.TIMEOUT,
        "Timeout",
        r"^\W{0,3}(?i:timeout(?:error)?(?: expired| reached| exceeded| after)|timed out (?:after|waiting)"
        r"|(?:execution |command |request )?timeout: ?(?:\d|the |no |\w{1,20} ))[^\n]{0,300}",
    ),
    row(
        FailureKind.CRASH,
        "Killed",
        rf"^\W{{0,3}}(?i:{_WHAT})(?: [^\n]{{0,80}})? (?i:was killed|(?:was )?terminated by signal|(?:was )?killed by "
        r"signal|(?:has )?crashed|died unexpectedly)\b[^\n]{0,300}",
    ),
    row(
        FailureKind.DENIED,
        "Interrupted",
        rf"^\W{{0,3}}(?:(?i:{_WHAT} (?:was )?(?:interrupted|cancelled|canceled|aborted)(?: by (?:the )?\w+)?)|\["
        r"Request interrupted by user[^\n]{0,60}|(?:Interrupted|Cancelled|Canceled|Aborted) by (?:the "
        r")?user)[^\n]{0,200}",
    ),
    row(
        FailureKind.DENIED,
        "ApprovalNeeded",
        r"^\W{0,3}(?i:(?:this|the) (?:command|tool|call|action|operation|request|edit|tool call) (?:requires?|needs"
        r"|awaits|is (?:waiting|pending) for) (?:[\w']{1,12} ){0,2}"
        r"(?:approval|permission|confirmation|authori[sz]ation)\b"
        r"|[^\n]{0,120}\bpermissions?\b[^\n]{0,160}\b(?:haven't|have not|hasn't|has not|wasn't|was not)(?: been)?"
        r"(?: yet)? granted\b)[^\n]{0,200}",
    ),
    row(
        FailureKind.DENIED,
        "UserRejected",
        rf"^\W{{0,3}}(?i:(?:the )?user (?:doesn't|does not|did not|didn't) want to (?:proceed|continue|run|do)"
        rf"|(?:the )?user (?:has )?(?:rejected|denied|declined|refused)\b|{_WHAT} (?:was |has been )?(?:rejected"
        rf"|denied|declined) by (?:the "
        r")?user)[^\n]{0,200}",
    ),
    row(
        FailureKind.PERMISSION,
        "Blocked",
        rf"^\W{{0,3}}(?i:{_WHAT})(?: [^\n]{{0,60}})? (?i:(?:was |is |has been )?(?:blocked|denied|forbidden|rejected"
        rf"|not "
        r"(?:allowed|permitted))(?: by| in| for| because|:| due))\b[^\n]{0,300}",
    ),
    row(
        FailureKind.LIMIT,
        "LimitReached",
        r"^\W{0,3}(?i:(?:error: )?(?:the )?(?:maximum|max\.?)(?: number of| amount of)?(?: allowed)? (?:[\w-]{1,20} "
        r"){1,3}(?:was |has been |is )?(?:reached|exceeded)|(?:step|turn|iteration|token|cost|budget|context|tool "
        r"call|request)s?(?: window| length)? limit (?:was |has been )?(?:reached|exceeded))[^\n]{0,200}",
    ),
)
"""In the order in which they're asked, each at the start of one of the outer lines of a result."""


RUNTIMES = table(
    row(FailureKind.EXCEPTION, "NameError", r"^name '\w+' is not defined\b[^\n]*"),
    row(
        FailureKind.EXCEPTION,
        "AttributeError",
        r"^(?:'[\w.]+' object|module '[\w.]+'|type object '[\w.]+') has no attribute '\w+'[^\n]*",
    ),
    row(
        FailureKind.EXCEPTION,
        "TypeError",
        r"^(?:unsupported operand type\(s\) for |can only concatenate |'[\w.]+' object is not (?:callable|iterable"
        r"|subscriptable)|(?:string|list|tuple) indices must be integers|Object of type \w+ is not JSON serializable"
        r"|Cannot (?:read|set) propert(?:y|ies) |[\w.$]{1,80} is not (?:a function|a constructor|iterable)\b)[^\n]*",
    ),
    row(
        FailureKind.EXCEPTION,
        "IndexError",
        r"^(?:(?:list|tuple|string|pop) (?:assignment )?index out of range|pop from (?:an )?empty \w+)\b[^\n]*",
    ),
    row(
        FailureKind.EXCEPTION,
        "ValueError",
        r"^(?:invalid literal for \w+\(\) with base|could not convert string to \w+|time data .{1,80} does not match"
        r"|(?:not enough|too many) values to unpack|Invalid isoformat string)[^\n]*",
    ),
    row(
        FailureKind.EXCEPTION,
        "ZeroDivisionError",
        r"^(?:(?:float |integer )?(?:division|modulo)(?: or modulo)? by zero)\b[^\n]*",
    ),
    row(
        FailureKind.EXCEPTION,
        "SyntaxError",
        r"^(?:invalid syntax(?: \(|$)|Unexpected (?:token|identifier|end of (?:JSON )?input|non-whitespace character)\b"
        r"|Expecting (?:value|property name|',' delimiter|':' delimiter)[^\n]*: line \d|Unterminated string (?:in JSON"
        r"|starting at)|(?:unexpected indent|unindent does not match))[^\n]*",
    ),
    row(
        FailureKind.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        r"^(?:No module named '?[\w.]+|Cannot find module )[^\n]*",
    ),
    row(
        FailureKind.OTHER,
        "DatabaseError",
        r"^(?:syntax error at or near |near \"[^\"\n]{1,80}\": syntax error|Unknown (?:column|table|database) '"
        r"|no such "
        r"(?:table|column|function): |table \S{1,80} has no column named |duplicate key value violates "
        r"|Duplicate entry '"
        r"|(?:relation|column|table|schema|role|database|function) \"[^\"\n]{1,120}\" (?:of relation \"[^\"\n]"
        r"{1,120}\" "
        r")?(?:does not|already) exists?|Table '[^'\n]{1,120}' (?:doesn't|already) exists?|(?:UNIQUE|FOREIGN KEY"
        r"|NOT NULL"
        r"|CHECK) constraint failed|null value in column |insert or update on table |invalid input syntax for "
        r"(?:type )?"
        r"\w+|deadlock detected|database is locked|You have an error in your SQL syntax)[^\n]*",
    ),
)
"""Rows that match at the start of an answer, in the words of CPython, V8, PostgreSQL, MySQL and SQLite."""
