"""Lines that open a definition: of a function, a method, a class or a test, in the languages that logs show most."""

from __future__ import annotations

from analyzer.text.late import late

_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w+\))?|unsafe|override"
    r"|inline|open|data|sealed|declare|virtual|synchronized|suspend|extern|const)[ \t]+)*"
)
_KEYWORD = late(
    rf"^[ \t]*{_MODIFIERS}"
    r"(?:def|class|function\*?|func(?:[ \t]*\([^()\n]{0,80}\))?|fn|fun|sub|struct|interface|trait|impl|module"
    r"|namespace)[ \t]+(?:self\.)?(?P<name>[A-Za-z_$][\w$]{0,80})"
)
_BOUND = late(
    r"^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[A-Za-z_$][\w$]{0,80})[ \t]*(?::[^=\n]{1,80})?=[ \t]*"
    r"(?:async[ \t]*)?(?:function\b|\([^\n]{0,200}\)[^=\n]{0,60}=>|\w+[ \t]*=>)[^\n]{0,40}\{[ \t]*$"
)
_TYPED = late(
    rf"^[ \t]*{_MODIFIERS}(?:[\w$<>\[\],.?:&*~]+[ \t]+){{0,4}}[*&]?(?P<name>[A-Za-z_$~][\w$:~]{{0,80}})[ \t]*"
    r"\([^;{}\n]{0,300}\)[ \t]*(?:const|noexcept|override|throws[ \t][\w., ]+|:[ \t]*[\w<>\[\]|., ]+)?[ \t]*\{[ \t]*$"
)
"""A function or a method that no keyword announces, as C, Java and the methods of JavaScript have them."""
_TEST = late(
    r"^[ \t]*(?:it|test|describe|context|specify)(?:\.\w+)?[ \t]*\([ \t]*"
    r"(?P<quote>['\"`])(?P<name>[^\n]{1,120}?)(?P=quote)"
)
_NO_NAMES = frozenset(
    (
        *(
            "if",
            "for",
            "while",
            "switch",
            "catch",
            "return",
            "else",
            "elif",
            "new",
            "do",
            "try",
            "with",
            "using",
            "lock",
        ),
        *(
            "foreach",
            "unless",
            "until",
            "when",
            "match",
            "case",
            "throw",
            "function",
            "synchronized",
            "guard",
            "repeat",
        ),
        *("select", "defer", "go", "await", "super", "this"),
    )
)
_FIRST_WORDS = frozenset({"return", "else", "new", "throw", "await", "case", "yield", "}", "go", "defer", "delete"})


def name_defined(line: str) -> str | None:
    """The name that a line begins to define; None for a line that opens no definition."""
    found = _KEYWORD.match(line) or _BOUND.match(line) or _TEST.match(line)
    if found is not None:
        return found["name"]
    if "(" not in line or not line.rstrip().endswith("{"):
        return None
    found = _TYPED.match(line)
    if found is None or found["name"] in _NO_NAMES or line.split(None, 1)[0] in _FIRST_WORDS:
        return None
    return found["name"]


def indent_of(line: str) -> int:
    """How far a line is indented, a tab taken for eight columns."""
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())
