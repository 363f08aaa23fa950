"""The languages whose traces are read by rows."""

from __future__ import annotations

from analyzer.failures.traces.row import Language
from analyzer.text.late import late

_PLACE = r"(?P<file>(?:<internal:[^>\n]{1,300}>|(?:[A-Za-z]:)?[^\s:][^:\n]{0,400})):(?P<line>\d{1,9})"
_IN = r"(?::in [`'](?P<function>[^\n]{1,200}?)')?"
_JVM = r"(?P<type>(?:[a-z_]\w*\.)+[A-Z][\w$.]*|[A-Z][\w$]*(?:Exception|Error))(?::(?: (?P<message>.*))?)?$"
_NET = r"(?P<type>(?:[A-Za-z_]\w*\.)*\w*(?:Exception|Error))(?:`\d)?(?: ?:(?P<message>(?:(?! ---> ).)*))?$"

LANGUAGES = (
    Language(
        "ruby",
        (":in `", ":in '", "(SyntaxError)", ".rb:"),
        (
            late(rf"^{_PLACE}{_IN}: (?P<message>.*?) ?\((?P<type>(?P<alone>)[A-Z]\w*(?:::[A-Z]\w*)*)\)$"),
            late(rf"^{_PLACE}: (?P<alone>)(?P<message>(?P<type>syntax error).*)$"),
            late(rf"^{_PLACE}{_IN}: (?P<message>.+)$"),
            late(
                r"^\s*(?P<type>(?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|Invalid|NotFound|Failed|Interrupt|Timeout))"
                r"(?:: ?(?P<message>.*)|:?)$"
            ),
        ),
        (late(rf"^[ \t]*(?:# |from |\[\d{{1,6}}\] )?(?![#\s]){_PLACE}{_IN}$"),),
        kind="RuntimeError",
        names={"syntax error": "SyntaxError"},
    ),
    Language(
        "php",
        ("Stack trace:\n#", "Fatal error: ", "Parse error: "),
        (
            late(
                r"^(?:\[[^\]\n]{1,60}\] )?(?:PHP )?(?P<alone>Fatal error: +Uncaught |(?:In \S+ )?Next )?"
                r"(?P<type>\\?[A-Za-z_][\w\\]*): (?P<message>.*) in (?P<file>\S.{0,400}?)[:(](?P<line>\d{1,9})\)?$"
            ),
            late(
                r"^(?:PHP )?(?P<alone>Fatal error: +Uncaught |(?:In \S+ )?Next )(?P<type>\\?[A-Za-z_][\w\\]*): "
                r"(?P<message>.*)$"
            ),
            late(
                r"^(?:\[[^\]\n]{1,60}\] )?(?:PHP )?(?P<alone>)(?P<type>Fatal error|Parse error): +(?!Uncaught )"
                r"(?P<message>.{1,1000}) in (?P<file>\S.{0,400}?) on line (?P<line>\d{1,9})$"
            ),
        ),
        (
            late(r"^#\d{1,6} (?P<file>\S.{0,400}?)\((?P<line>\d{1,9})\): "),
            late(r"^(?P<file>(?:[A-Za-z]:)?[^\s:]{1,300}\.php\w?):(?P<line>\d{1,9})$"),
        ),
        names={"Fatal error": "FatalError", "Parse error": "SyntaxError"},
        between=late(r"^(?:Stack trace:$|#\d{1,6} )"),
    ),
    Language(
        "java",
        (".java:", ".kt:", ".scala:", ".groovy:", "(Native Method)", "(Unknown Source)", 'Exception in thread "'),
        (
            late(r"^[ \t]+(?P<aside>Suppressed: )"),
            late(
                r"^[ \t]*(?:\[\w+\][ \t]+)?(?P<cause>Caused by: )(?P<type>(?:\w+\.)*[A-Z][\w$.]*)"
                r"(?::(?: (?P<message>.*))?)?$"
            ),
            late(rf'^(?P<alone>Exception in thread "[^"\n]*" ){_JVM}'),
            late(
                r"^[ \t]+(?P<alone>)(?P<cause>Caused by: )?(?P<type>(?:\w+\.)*[A-Z][\w$]*) at "
                r"(?P<file>[\w$-]+\.(?:java|kts?|scala|groovy)):(?P<line>\d{1,9})$"
            ),
            late(rf"^[ \t]*(?:\[\w+\][ \t]+|=> )?{_JVM}"),
        ),
        (
            late(
                r"^[ \t]*(?:\[\w+\][ \t]+)?(?:at |(?<=  ))(?:[\w.@$-]{0,80}/){0,3}(?P<package>(?:[\w-]+\.)*)"
                r"(?P<function>[\w$]+(?:/0x[0-9a-f]+)?\.[\w$<> -]{1,120})"
                r"\((?:(?P<file>[\w$.-]+\.(?:java|kts?|scala|groovy|clj))(?::(?P<line>\d{1,9}))?|Native Method"
                r"|Unknown Source|<\w+>)\)(?: ~?\[[^\]\n]*\])?$"
            ),
            late(r"^[ \t]+\.\.\. (?P<more>\d{1,6}) (?:more|common frames omitted)$"),
        ),
        between=late(r"^[ \t]+(?:\[\.{3}\]$|at )"),
        lone=True,
        stop=late(r"^(?:.* FAILED$|\d+ tests? completed|[:>*] ?\S)"),
        source=".java",
    ),
    Language(
        "csharp",
        (
            ".cs:",
            ".fs:",
            ".vb:",
            "nhandled exception. ",
            "nhandled Exception:",
            "  at System.",
            "--- End of ",
            "Exception:",
            "Exception :",
        ),
        (
            late(rf"^(?P<alone>(?:\[ERROR\] FATAL )?(?i:unhandled exception)[.:] )(?:.* ---> )?{_NET}"),
            late(rf"^[ \t]{{0,20}}(?:.* ---> |---> (?:\(Inner Exception #\d+\) )?)?{_NET}"),
        ),
        (
            late(
                r"^[ \t]*(?:at|\S{1,4}(?= [\w.`<>+,\[\]]{3,400}\()) (?P<package>(?:[\w`+<>-]+\.)*)"
                r"(?P<function>[\w`+<>,\[\]|]{1,200}\.\.?[\w`<>,\[\]|]{1,200}) ?"
                r"\((?!(?:[\w$.-]+\.(?:java|kts?|scala|groovy)(?::\d+)?|Native Method|Unknown Source)\))"
                r"(?!.*:\d+:\d+\)$).*?\)(?: \[0x[0-9a-f]+\])?"
                r"(?: \S{1,4} (?:<[^>\n]{1,80}>:\d+|(?P<file>[^<\n]+?):(?:\w{1,9}\.? )?(?P<line>\d{1,9})))?[ \t]*"
                r"(?:<---)?$"
            ),
        ),
        between=late(r"^(?: *--- |[ \t]*at )"),
        lone=True,
        machinery=late(
            r" /_/src/| (?:Xunit|NUnit|Microsoft\.VisualStudio\.Test\w+|FluentAssertions|Shouldly|AwesomeAssertions)\."
        ),
    ),
    Language(
        "go",
        ("panic: ", "fatal error: ", "goroutine "),
        (late(r"^\t{0,9}(?P<alone>)(?P<type>panic|fatal error): (?P<message>.*?)(?: ?\[recovered.{0,40}\])?$"),),
        (
            late(
                r"^[ \t]{1,40}(?P<file>\S.{0,400}?\.(?:go|s)):(?P<line>\d{1,9})(?: \+0x[0-9a-f]+)?(?:(?:fp|sp"
                r"|pc)=\S+| )*$"
            ),
        ),
        call=late(r"^(?:created by (?:\S*/)?(?P<started>[^\s/]+)|(?:\S*/)?(?P<function>[^\s/]+?)\([^()]{0,400}\)$)"),
        lone=True,
        machinery=late(
            r"^(?:runtime\.|testing\.(?:tRunner|runTests|\(\*M\)|\(\*T\)\.Run )|time\.|panic )|_testmain\.go$"
        ),
    ),
    Language(
        "elixir",
        ("** (",),
        (late(r"^[ \t]*(?:[\d:.]{12} \[error\] )?(?P<alone>)\*\* \((?P<type>[\w. #<>]{1,100})\) (?P<message>.*)$"),),
        (
            late(
                r"^ {2,}(?:\([\w. -]{1,80}\) )?(?P<file>[^\s:]{1,300}\.(?:exs?|erl)):(?P<line>\d{1,9}): "
                r"(?P<function>\S.{0,300})$"
            ),
        ),
    ),
    Language(
        "dart",
        (".dart", "package:"),
        (
            late(r"^[ \t]*(?:Unhandled exception:|══╡ EXCEPTION .{1,100})[ \t]*$"),
            late(r"^[ \t]*(?=(?P<type>Expected): )(?P<message>.*)$"),
            late(r"^[ \t]*(?:Uncaught Error: )?(?P<type>[A-Z]\w*(?:Error|Exception))(?:: (?P<message>.*))?$"),
        ),
        (
            late(
                r"^[ \t]*#\d{1,6} +(?P<function>\S[^(\n]{0,200}?) \((?P<file>[^\s()]{1,400}?):(?P<line>\d{1,9})"
                r"(?::\d+)?\)$"
            ),
            late(
                r"^[ \t]*(?P<file>(?:package:|dart:|[\w./\\:-]{0,300}\.dart)[\w./\\-]{0,300})"
                r"(?: (?P<line>\d{1,9}):\d{1,9})? {2,}(?P<function>\S.{0,200})$"
            ),
        ),
        kind="Exception",
        names={"Expected": "TestFailure"},
        between=late(r"^\s*(?:<asynchronous suspension>|\.\.\.|=+ asynchronous gap =+)$"),
    ),
    Language(
        "rust",
        ("panicked at ",),
        (
            late(
                r"^(?:.*\.\.\. |[ ]{0,8})thread '[^'\n]{0,200}'(?: \(\d{1,9}\))? (?P<alone>panicked) at "
                r"(?P<file>(?:[A-Za-z]:)?[^\n:']{1,400}):(?P<line>\d{1,9}):\d{1,9}:?$"
            ),
            late(
                r"^(?:.*\.\.\. |[ ]{0,8})thread '[^'\n]{0,200}' (?P<alone>panicked) at '(?P<message>.{0,2000})', "
                r"(?P<file>(?:[A-Za-z]:)?[^\n:']{1,400}):(?P<line>\d{1,9}):\d{1,9}$"
            ),
        ),
        (late(r"^ {6,40}at (?P<file>[^\n]+?):(?P<line>\d{1,9})(?::\d{1,9})?$"),),
        kind="panic",
        call=late(r"^ {1,6}\d{1,4}: {1,20}(?:0x[0-9a-f]{1,16} - )?(?P<function>\S.*?)(?:::h[0-9a-f]{16})?$"),
        stop=late(r"^\s*(?:note: |stack backtrace:|thread '|test |---- |failures:|error: )"),
        machinery=late(
            r"^(?:__rustc::|rust_begin_unwind|_?rust_panic|<*(?:dyn |impl |&)?(?:std|core|alloc)(?:\[[0-9a-f]+\])?::)"
        ),
    ),
    Language(
        "c",
        ("Sanitizer: ", ": runtime error: ", "Assertion ", "terminate called ", "libc++abi: "),
        (
            late(
                r"^(?:==\d{1,9}==)?(?:ERROR|WARNING): (?P<alone>)(?P<type>\w{1,20}Sanitizer): "
                r"(?P<message>.+?)(?: on (?:unknown )?(?:address )?0x.*| \((?:pid|pc)\b.*|: memory ranges.*|:)?$"
            ),
            late(rf"^{_PLACE}:(?:\d{{1,9}}:)? (?P<alone>)(?P<type>runtime error): (?P<message>.+)$"),
            late(rf"^(?:{_PLACE}|unknown file): (?P<alone>)(?P<type>Failure)$"),
            late(r"^(?P<file>[^\s(][^(\n]{0,400})\((?P<line>\d{1,9})\): (?P<alone>)(?P<type>error): ?(?P<message>.*)$"),
            late(
                rf"^(?:[^\n:]{{1,200}}: )?{_PLACE}: (?:[^\n(]{{0,200}} )?(?P<function>[\w:~<>]{{1,200}})"
                rf"(?:\(.*\).{{0,40}})?: "
                r"(?P<alone>)(?P<message>(?P<type>Assertion) [`'].{1,500}' failed)\."
            ),
            late(
                r"^(?P<message>(?P<alone>)(?P<type>Assertion) failed: \(.{1,500}?\)), function "
                r"(?P<function>.{1,200}?), file (?P<file>.{1,400}?),(?: line)? (?P<line>\d{1,9})\.?$"
            ),
            late(r"^(?P<alone>)terminate called after throwing an instance of '(?P<type>[^'\n]{1,200})'$"),
            late(
                r"^libc\+\+abi: (?P<alone>)terminating (?:due to|with) uncaught exception of type "
                r"(?P<type>[^\n:]{1,200}(?:::[^\n:]{1,200}){0,4})(?:: (?P<message>.*))?$"
            ),
        ),
        (
            late(
                r"^ {2,8}#\d{1,4} (?:0x[0-9a-f]{1,16} )?(?:in )?(?P<function>[^\n]{1,400}?) "
                r"(?:(?P<file>(?:[A-Za-z]:)?[^\s:()]{1,400}):(?P<line>\d{1,9})(?::\d{1,9})?"
                r"|\(?(?P<package>/[^\s:()+]{1,400})(?:\+0x[0-9a-f]+\))?)(?: \([^()\n]{1,100}\))*$"
            ),
        ),
        names={"Failure": "TestFailure", "error": "TestFailure"},
        stop=late(r"^(?:\[ |[\w/.-]+: line \d|Aborted|make(?:\[\d+\])?: )"),
        says="what():",
        machinery=late(
            r"^(?:__interceptor_|__asan_|__sanitizer_|__ubsan_|__tsan_|operator (?:new|delete))|libsanitizer/"
            r"|compiler-rt/"
        ),
    ),
)

BY_NAME = {language.LANGUAGE: language for language in LANGUAGES}
