"""Compilers, type checkers, linters and formatters as rows: the hints by which a text is worth a look, and the
expressions that find a diagnostic in it."""

from __future__ import annotations

from analyzer.failures.compilers.matcher import COMPILED, LINTED, Diagnostics, Tool, expression

_FILE = r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400})"
_LAZY_FILE = r"(?P<file>(?:[A-Za-z]:)?[^\s:(][^:\n]{0,400}?)"
_LINE = r"(?P<line>\d{1,9})"
_PYTHON_CODE = r"[A-Z]{1,5}\d{2,5}|invalid-syntax"

_C_EXTENSION = r"\.(?:c|cc|cp|cpp|cxx|c\+\+|C|h|hh|hpp|hxx|h\+\+|H|inl|ipp|tpp|tcc|inc|def|m|mm|cu|cuh|s|S|y|l|ino|pyx)"
_C_FILE = rf"(?:[A-Za-z]:)?(?:[^\s:][^:\n]{{0,400}}{_C_EXTENSION}|/[^:\n]{{1,300}}/(?:include|c\+\+)/[^:\n]{{1,200}})"

GO = Tool(
    "go",
    "go",
    COMPILED,
    (".go:",),
    (
        expression(
            rf"^(?:vet: )?(?P<file>[^\s:]{{1,400}}\.go):{_LINE}:\d{{1,9}}: "
            r"(?P<message>[^\n]+:(?=\n\t)|[^\n]+)(?:(?<=:)\n(?P<detail>\t[^\n]{1,200}))?"
        ),
    ),
    (expression(r"^(?P<errors>\d{1,6}) issues?(?::|\.)$"),),
    carets=2,
    lints=expression(r" \((?!typecheck\))(?:[a-z]{2,30}|[A-Z]{1,3}\d{4})\)$"),
)
"""`go build`, `go vet`, staticcheck and golangci-lint: the latter two name the check at the end of the line."""

COMPILERS: tuple[Tool, ...] = (
    Tool(
        "tsc",
        "typescript",
        COMPILED,
        (" TS",),
        (
            expression(
                rf"^[ \t]{{0,4}}(?:{_LAZY_FILE}(?:\({_LINE},\d{{1,9}}\): |:(?P<shown_line>\d{{1,9}}):\d{{1,9}} - ))?"
                r"(?P<level>error|warning) (?P<code>TS\d{1,6}): (?P<message>[^\n]+)$"
            ),
        ),
        (expression(r"^Found (?P<errors>\d{1,6}) errors?\b"),),
        numbered=3,
    ),
    Tool(
        "svelte-check",
        "typescript",
        COMPILED,
        ("svelte-check", ".svelte:", "\nError: "),
        (expression(rf"^{_FILE}(?<=\w):{_LINE}:\d{{1,9}}\n(?P<level>Error|Warn(?:ing)?): (?P<message>[^\n]+)$"),),
        (expression(r"^svelte-check found (?P<errors>\d{1,6}) errors? and (?P<warnings>\d{1,6}) warnings?"),),
    ),
    Tool(
        "rustc",
        "rust",
        COMPILED,
        ("error[E", " --> ", ".rs:"),
        (
            expression(
                r"^(?=(?P<level>error|warning))(?P<message>(?:error|warning)(?:\[E\d{1,5}\])?: [^\n]+)"
                r"(?:\n(?![ ]*--> )[^\n]{1,300}){0,3}?\n[ ]{0,8}--> (?P<file>(?:[A-Za-z]:)?[^\n:]{1,400}):"
                r"(?P<shown_line>\d{1,9}):\d{1,9}$"
            ),
            expression(
                rf"^(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{{0,400}}\.rs):{_LINE}:\d{{1,9}}: "
                r"(?=(?P<level>error|warning))(?P<message>(?:error|warning)(?:\[E\d{1,5}\])?: [^\n]+)$"
            ),
            expression(r"^(?P<message>error\[E\d{1,5}\]: [^\n]+)$(?!\n[ ]*--> )"),
        ),
        (
            expression(
                r"^error: (?:could not compile [^\n]{1,200}? due to|aborting due to) (?:(?P<errors>\d{1,6}) )?previous "
                r"errors?(?:; (?P<warnings>\d{1,6}) warnings? emitted)?"
            ),
        ),
        numbered=14,
        about=("", expression(r"^[ ]{0,8}\|[^\n^]{0,400}\^+ (?P<detail>[^\n^]{1,300})$")),
    ),
    GO,
    Tool(
        "javac",
        "java",
        COMPILED,
        (".java:",),
        (
            expression(
                r"^(?:[ ]{0,12}\[javac\] |:\w{1,60})?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.java):"
                rf"{_LINE}: (?P<level>error|warning): (?P<message>[^\n]+)$"
            ),
            expression(
                r"^\[(?P<level>ERROR|WARNING)\] (?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.java):"
                rf"\[{_LINE}(?:,\d{{1,9}})?\] (?:error: )?(?P<message>[^\n]+)$"
            ),
        ),
        (expression(r"^(?:\[(?:INFO|javac)\] )?(?P<errors>\d{1,6}) errors?\s*$"),),
        carets=5,
        about=(
            "cannot find symbol",
            expression(r"^(?:\[(?:ERROR|javac)\])? {1,8}symbol: {1,4}(?P<detail>[^\n]{1,300})$"),
        ),
    ),
    Tool(
        "kotlinc",
        "kotlin",
        COMPILED,
        (".kt:", ".kts:"),
        (
            expression(
                rf"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{{0,400}}\.kts?):{_LINE}:\d{{1,9}}: (?P<level>error|warning): "
                r"(?P<message>[^\n]+)$"
            ),
            expression(
                r"^(?P<level>[ew]): (?:file://)?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.kts?):"
                r"(?: ?\((?P<line>\d{1,9}), ?\d{1,9}\):|(?P<shown_line>\d{1,9}):\d{1,9}:?) (?P<message>[^\n]+)$"
            ),
            expression(
                r"^\[(?P<level>ERROR|WARNING)\] (?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.kts?):(?: ?[\[(]"
                r"(?P<line>\d{1,9}),[^\n\])]{0,20}[\])]:?|(?P<shown_line>\d{1,9}):\d{1,9}) (?P<message>[^\n]+)$"
            ),
        ),
        carets=2,
    ),
    Tool(
        "csc",
        "csharp",
        COMPILED,
        ("error CS", "error FS", "error BC"),
        (
            expression(
                r"^[ \t]{0,8}(?:(?P<file>(?:[A-Za-z]:)?[^\s:(][^:\n]{0,400}?)\((?P<line>\d{1,9})(?:,\d{1,9}){0,3}\) ?"
                r"|CSC ): (?P<code>(?P<level>error|warning) (?:CS|FS|BC)\d{1,5}): "
                r"(?P<message>[^\n]+?)(?:\s*? \[[^\]\n]{1,400}proj[^\]\n]{0,200}\])?$"
            ),
        ),
        (
            expression(r"^ +(?P<warnings>\d{1,6}) Warning\(s\)\n +(?P<errors>\d{1,6}) Error\(s\)$"),
            expression(r"^Compilation failed: (?P<errors>\d{1,6}) error\(s\), (?P<warnings>\d{1,6}) warnings?"),
            expression(r"^ *Build failed with (?P<errors>\d{1,6}) error\(s\)"),
        ),
    ),
    Tool(
        "c",
        "c",
        COMPILED,
        (
            ": error: ",
            ": fatal error: ",
            ": warning: ",
            "): error ",
            "): fatal error ",
            "undefined reference to ",
            "multiple definition of ",
            "undefined symbol",
            "cannot find -l",
        ),
        (
            expression(
                rf"^(?P<file>{_C_FILE}):(?P<shown_line>\d{{1,9}}):(?:\d{{1,9}}:)? (?:fatal )?(?P<level>error|warning): "
                r"(?P<message>[^\n]+)$"
            ),
            expression(
                rf"^[ ]{{0,8}}(?:\d{{1,4}}>)?(?P<file>[^\s(:][^(:\n]{{0,300}}{_C_EXTENSION})\({_LINE}"
                rf"(?:,\d{{1,9}})?\) ?: "
                r"(?:fatal )?(?P<level>error) (?P<message>[A-Z]{1,4}\d{3,5}: [^\n]+)$"
            ),
            expression(
                r"^(?:[^\s:]{0,200}ld(?:\.\w+)?(?:\.exe)?: )?(?:[^\s:]{1,300}\.(?:o|a|so)(?:\([^()\n]{1,100}\))?: ?)?"
                rf"(?P<file>[^\s:]{{1,300}}):(?:{_LINE}|\([^()\n]{{1,200}}\)): "
                r"(?P<message>(?:undefined reference to|multiple definition of) [^\n;]+)"
            ),
            expression(
                r"^[^\s:]{0,200}ld(?:\.\w+)?(?:\.exe)?: (?:error: )?"
                r"(?P<message>undefined symbol: [^\n]+|cannot find [^\n]+)$"
            ),
        ),
        (expression(r"^(?:(?P<warnings>\d{1,6}) warnings? and )?(?P<errors>\d{1,6}) errors? generated\.$"),),
        carets=2,
        numbered=2,
    ),
)
"""Asked first: what doesn't compile is the sharper message."""

LINTERS: tuple[Tool, ...] = (
    Tool(
        "eslint",
        "javascript",
        LINTED,
        (" error ", "Error -", "[Error/", "[Warning/", "Warning -", " warning "),
        (
            expression(
                r"^(?P<heading>(?:[A-Za-z]:)?[\w./\\@~-][^\n:]{0,400}\.\w{1,8})$"
                rf"|^ {{1,8}}{_LINE}:\d{{1,9}} +(?P<level>error|warning) +"
                r"(?P<message>\S[^\n]{0,1000}?)(?: {2,200}(?P<code>[@\w/-]{1,100}))?$"
            ),
            expression(
                rf"^{_FILE}: line {_LINE}, col \d{{1,9}}, (?P<level>Error|Warning)"
                r" - (?P<message>[^\n]+?)(?: \((?P<code>[@\w/-]{1,100})\))?$"
            ),
            expression(
                rf"^{_FILE}:{_LINE}:\d{{1,9}}: (?P<message>[^\n]+?) "
                r"\[(?P<level>Error|Warning)(?:/(?P<code>[@\w/-]{1,100}))?\]$"
            ),
        ),
        (expression(r"^[✖×x]? ?\d{1,6} problems? \((?P<errors>\d{1,6}) errors?, (?P<warnings>\d{1,6}) warnings?\)"),),
    ),
    Tool(
        "oxlint",
        "javascript",
        LINTED,
        (",-[", "╭─["),
        (
            expression(
                r"^ {1,4}(?P<level>[x×!⚠]) (?:(?P<code>[\w-]{1,40}\([\w/-]{1,80}\)): )?(?P<message>[^\n]+)\n"
                r" {1,8}[,╭][-─]\[(?P<file>[^\n\]:]{1,400}):(?P<line>\d{1,9}):\d{1,9}\]$"
            ),
        ),
        (expression(r"^Found (?P<warnings>\d{1,6}) warnings? and (?P<errors>\d{1,6}) errors?\."),),
    ),
    Tool(
        "biome",
        "javascript",
        LINTED,
        (" ━━━",),
        (
            expression(
                r"^ {0,4}(?:at )?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}?)(?::(?P<line>\d{1,9}):\d{1,9})? "
                r"(?P<code>[a-z][\w/]{2,100})(?: +(?:FIXABLE|DEPRECATED))? +━{3,}$"
                r"(?:\n(?:(?! +[×!✖i] \S)[^\n]*\n){0,5}? +(?P<level>[×!✖i]) (?P<message>\S[^\n]*)$)?"
            ),
        ),
        (expression(r"^Found (?P<errors>\d{1,6}) errors?\.$"),),
        plainly="{code}",
    ),
    Tool(
        "mypy",
        "python",
        LINTED,
        (": error: ",),
        (
            expression(
                r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.pyi?):(?P<line>\d{1,9}):(?:\d{1,9}:)? "
                r"(?P<level>error): (?P<message>[^\n]+)$"
            ),
        ),
        (expression(r"^Found (?P<errors>\d{1,6}) errors? in \d{1,6} files? \("),),
        carets=3,
    ),
    Tool(
        "pyright",
        "python",
        LINTED,
        (" - error: ", " - warning: "),
        (expression(rf"^ {{1,8}}{_FILE}:{_LINE}:\d{{1,9}} - (?P<level>error|warning): (?P<message>[^\n]+)$"),),
        (
            expression(
                r"^(?P<errors>\d{1,6}) errors?, (?P<warnings>\d{1,6}) warnings?, \d{1,6} (?:informations?|notes?)"
            ),
        ),
    ),
    Tool(
        "pylint",
        "python",
        LINTED,
        ("************* Module", ": C0", ": W0", ": E0", ": R0", ": E1", ": W1", ": F0"),
        (
            expression(
                r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.pyi?):(?P<line>\d{1,9}):\d{1,9}: "
                r"(?P<code>(?P<level>[CRWEFI])\d{4}): (?P<message>[^\n]+)$"
            ),
        ),
    ),
    Tool(
        "ruff",
        "python",
        LINTED,
        (".py:", ".pyi:", ".ipynb:"),
        (
            expression(
                r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.(?:pyi?|ipynb(?::cell \d{1,5})?)):"
                rf"(?P<shown_line>\d{{1,9}}):\d{{1,9}}: "
                rf"(?P<code>{_PYTHON_CODE}|SyntaxError):? (?:\[\*\] )?(?P<message>[^\n]+)$"
            ),
            expression(
                rf"^(?P<code>{_PYTHON_CODE}|unformatted|SyntaxError)(?: \[\*\])?:? (?:\[\*\] )?(?P<message>[^\n]+)\n"
                rf" +--> {_FILE}:(?:cell \d{{1,5}}:)?(?P<shown_line>\d{{1,9}}):\d{{1,9}}$"
            ),
        ),
        (expression(r"^Found (?P<errors>\d{1,6}) errors?(?! \(\d{1,6} fixed, 0 )(?: \([^)\n]{1,80}\))?\.$"),),
        numbered=8,
    ),
    Tool(
        "rubocop",
        "ruby",
        LINTED,
        (" offense",),
        (
            expression(
                rf"^{_FILE}:{_LINE}:\d{{1,9}}: (?P<level>[CRWEF]): (?:\[\w+\] )?"
                r"(?:(?P<code>[A-Z]\w{1,40}/\w{1,80}): )?(?P<message>[^\n]+)\n(?P<shown>[^\n]*)"
            ),
        ),
    ),
    Tool(
        "shellcheck",
        "shell",
        LINTED,
        (" SC",),
        (
            expression(
                r"^In (?P<heading>[^\n]{1,400}) line (?P<heading_line>\d{1,9}):$"
                r"|^ *\^-*\^? (?P<code>SC\d{4}) \((?P<level>error|warning|info|style)\): (?P<message>[^\n]+)$"
            ),
        ),
    ),
    Tool(
        "formatter",
        "",
        LINTED,
        ("would reformat ", "Would reformat: ", "[warn] ", "Imports are incorrectly sorted", "\nDiff in "),
        (
            expression(r"^[Ww]ould reformat:? (?P<file>\S[^\n]{0,400})$"),
            expression(r"^\[warn\] (?P<file>[^\s\[][^\n ]{0,400}\.\w{1,8})$"),
            expression(r"^\[error\] (?P<file>[^\s:]{1,400}): (?P<message>SyntaxError[^\n]*)$"),
            expression(r"^ERROR: (?P<file>\S[^\n]{0,400}\.pyi?) Imports are incorrectly sorted[^\n]*$"),
            expression(r"^Diff in (?P<file>[^\n:]{1,400}?\.rs)(?: at line |:)(?P<line>\d{1,9}):?$"),
        ),
        plainly="{file} isn't formatted",
    ),
)
"""Asked only where it's known that one of them ran: their lines look like much else. `ruff` reads every tool that
prints `file:line:column: CODE message` (flake8, pycodestyle, pydocstyle), `formatter` what Prettier, black, isort,
rustfmt and gofmt say of files that they would change."""


def diagnostics_in(text: str, *, linters: bool) -> tuple[Diagnostics, str] | None:
    """The diagnostics of the first tool that said something in `text`, with their language; `linters` says whether
    these are asked."""
    for tool in (*COMPILERS, *LINTERS) if linters else COMPILERS:
        if tool.may_read(text):
            found = tool.read(text)
            if found is not None:
                return found, tool.language
    return None
