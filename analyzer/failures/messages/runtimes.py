"""What interpreters and databases say of an error whose type nobody printed: the text of an exception by itself."""

from __future__ import annotations

from analyzer.failures.messages.row import row
from analyzer.model.words import FailureKind

RUNTIMES = (
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
