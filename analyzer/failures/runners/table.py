"""The runners whose reports are read by rows."""

from __future__ import annotations

from analyzer.failures.compilers.matcher import expression
from analyzer.failures.runners.row import Runner
from analyzer.text.late import late

_JEST = r"^[ \t]*Tests: +(?:(?:(?P<failed>\d{1,9}) failed|(?P<passed>\d{1,9}) passed|\d{1,9} \w+), )*\d{1,9} total"
_VITEST = r"^[ \t]*Tests {2,}(?:(?:(?P<failed>\d{1,9}) failed|(?P<passed>\d{1,9}) passed|\d{1,9} \w+)(?: \| )?)+"
_RUBY_ERROR = late(
    r"^(?!(?:Expected|Actual|Diff|Failure|Message):)(?P<type>(?:[A-Z]\w*::)*[A-Z]\w*(?:[a-z]|\d))"
    r"(?:: ?(?P<message>.*)|:)$"
)

GTEST = Runner(
    "gtest",
    "c",
    ("[==========]", "[----------]", "[  FAILED  ]", "[  PASSED  ]", "[ RUN      ]", "[       OK ]"),
    (expression(r"^\[(?:==========|----------|  FAILED  |  PASSED  | RUN      |       OK )\] "),),
    (
        expression(
            r"^\[  (?:PASSED  \] (?P<passed>\d{1,9}) tests?\.|FAILED  \] (?P<failed>\d{1,9}) tests?, listed below:)$"
        ),
    ),
    (
        expression(
            r"^\[  FAILED  \] (?P<name>[\w/<>, ]{0,200}\w\.[\w/]{1,200})(?:, where [^\n]{0,400}?)? \(\d{1,9} ms\)$"
        ),
    ),
    adds=True,
    listed=expression(r"^\[  FAILED  \] (?P<name>[\w/<>, ]{0,200}\w\.[\w/]{1,200})"),
    begins=expression(r"^\[ RUN      \] [^\n]+$"),
    kind="TestFailure",
)

RUNNERS = (
    Runner(
        "unittest",
        "python",
        ("Ran ",),
        (expression(r"^Ran \d{1,9} tests? in "),),
        (
            expression(
                r"^Ran (?P<all>\d{1,9}) tests? in [^\n]*(?:\s{1,9}(?:OK|FAILED) "
                r"\((?:(?:(?:failures|unexpected successes)=(?P<failed>\d{1,9})|errors=(?P<errors>\d{1,9})"
                r"|skipped=(?P<skipped>\d{1,9})|expected failures=(?P<aside>\d{1,9}))(?:, )?){1,5}\))?"
            ),
        ),
        (expression(r"^={20,}\n(?:FAIL|ERROR): (?P<name>\S+)(?: \((?P<owner>[^)\n]+)\))?"),),
        verdict=expression(r"^Ran \d{1,9} tests? in [^\n]*(?:\s{1,9}(?:OK|(?P<bad>FAILED))(?: \([^)\n]*\))?[ ]*$)?"),
        ends=expression(r"^(?:={20,}|-{20,}\nRan )"),
    ),
    Runner(
        "doctest",
        "python",
        ("Failed example:",),
        (expression(r"^Failed example:$"),),
        (expression(r"^(?:\*\*\*Test Failed\*\*\* |\d{1,9} passed and )(?P<failed>\d{1,9}) fail"),),
        (
            expression(
                r'^File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,9}), in (?P<name>[^\n]{1,300})\nFailed example:'
                r"(?=\n(?: {4}(?P<code>[^\n]+))?)"
            ),
        ),
        ends=expression(r"^\*{20,}$"),
        machinery=late(r"^<doctest |\bdoctest\.py$"),
        kind="DocTestFailure",
    ),
    Runner(
        "bun test",
        "javascript",
        ("bun test v", "Ran "),
        (expression(r"^bun test v\d|^Ran \d{1,9} tests? across \d{1,9} files?\."),),
        (
            expression(
                r"^ {1,8}(?:(?P<passed>\d{1,9}) pass|(?P<failed>\d{1,9}) fail|(?P<skipped>\d{1,9}) skip|"
                r"(?P<errors>\d{1,9}) errors?)$"
            ),
        ),
        (
            expression(r"^(?:\(fail\)|✗) (?P<name>[^\n]{1,300}?)(?: \[[\d.]{1,12}\w{0,2}\])?$"),
            expression(r"^(?P<name>)-{5,}$(?=\n\n)"),
        ),
        adds=True,
        begins=expression(r"^(?:\((?:pass|fail|skip|todo)\)|[✓✗»✎]) [^\n]+$|^\S{1,300}\.\w{1,5}:$|^-{5,}$(?!\n\n)"),
        noise=late(r"^\s*\^\s*$"),
    ),
    Runner(
        "jest",
        "javascript",
        ("Tests: ", "Test Suites: ", "● "),
        (
            expression(r"^[ \t]*(?:Tests|Test Suites): [^\n]{0,200}\b\d+ total"),
            expression(
                r"^[ \t]{0,4}● [^\n]{1,400}\n(?:[^\n]*\n){1,40}?(?:[ \t]*> {0,6}\d{1,9} ?\| |[ \t]+at [^\n]+:\d+:\d+)"
            ),
        ),
        (expression(_JEST),),
        (
            expression(
                r"^[ \t]{0,4}● (?P<name>(?!Test suite failed|Console|Cannot log|.{0,20}\b(?:open handle|obsolete"
                r"|snapshot)\b)[^\n]{1,400})$"
            ),
            expression(
                r"^(?:[ \t]*FAIL (?:\S{1,60} )?(?P<name>\S+\.\w+)[^\n]{0,40}\n+)?[ \t]{0,4}● Test suite failed to run$"
            ),
        ),
        adds=True,
        verdict=expression(r"^[ \t]*(?:Tests|Test Suites): (?:(?P<bad>\d+ failed)|[^\n]*total)"),
        listed=expression(r"^[ \t]+✕ (?P<name>[^\n]{1,300}?)(?: \(\d[\d.]* m?s\))?$"),
        ends=expression(r"^[ \t]*(?:Test Suites: |Tests: |Summary of all failing tests|FAIL |PASS )"),
    ),
    Runner(
        "vitest",
        "javascript",
        ("Test Files ", "Tests ", "RUN ", "DEV ", "FAIL "),
        (
            expression(r"^[ \t]*(?:Test Files|Tests) {2,}(?:\d+ (?:passed|failed|skipped)|no tests)"),
            expression(r"^[ \t]*(?:RUN|DEV) {1,2}v\d+\.\d+\.\d+ "),
            expression(r"^[ \t]*FAIL {1,2}\S[^\n]*\n(?:[^\n]*\n){1,40}? *❯ [^\n]{1,500}:\d{1,9}:\d{1,9}$"),
        ),
        (expression(_VITEST),),
        (
            expression(r"^[ \t]*FAIL {1,2}(?P<name>\S[^\n]{0,400}?)(?: \[ \S+ \])?$"),
            expression(r"^(?P<name>)⎯{2,} (?:Unhandled|Uncaught) (?!Errors)[^\n⎯]{1,60} ⎯{2,}$"),
        ),
        adds=True,
        verdict=expression(r"^[ \t]*(?:Test Files|Tests|Errors) {2,}(?:(?P<bad>\d+ (?:failed|errors?))|\d+|no tests)"),
        listed=expression(r"^[ \t]*[×✗] +(?P<name>\S[^\n]{0,300}?)(?: \d{1,9}ms)?$"),
        ends=expression(r"^(?:⎯{3,}|[ \t]*Test Files {2,}|This error originated in )"),
    ),
    Runner(
        "mocha",
        "javascript",
        (" passing", " failing"),
        (expression(r"^[ \t]*\d{1,9} (?:passing(?= \()|failing$)"),),
        (expression(r"^[ \t]*(?:(?P<passed>\d{1,9}) passing(?= \()|(?P<failed>\d{1,9}) failing$)"),),
        (expression(r"^ {0,2}\d{1,6}\) (?P<name>[^\n]{1,200}(?:\n {4,}[^\n]{1,200}){0,8}?):$"),),
        adds=True,
        listed=expression(r"^ {2,40}\d{1,6}\) (?P<name>\S[^\n]{0,200})$"),
    ),
    Runner(
        "node --test",
        "javascript",
        ("duration_ms", "✖ failing tests:"),
        (expression(r"^(?:[#ℹ] duration_ms [\d.]+$|[ \t]+duration_ms: [\d.]+$|✖ failing tests:$)"),),
        (expression(r"^[#ℹ] (?:pass (?P<passed>\d{1,9})|fail (?P<failed>\d{1,9}))$"),),
        (
            expression(
                r"^[ \t]*not ok \d{1,9} (?:- )?(?P<name>(?![^\n]*# (?:TODO|SKIP))[^\n]{1,300})$"
                r"(?!(?:\n[ \t][^\n]*){0,6}\n[ \t]+failureType: 'subtestsFailed')"
            ),
            expression(r"^[ \t]*✖ (?P<name>(?!failing tests:)[^\n]{1,300}?)(?: \([\d.]+ms\))?$(?=\n {2}(?! *[✖✔▶ℹ]))"),
        ),
        adds=True,
        ends=expression(r"^[ \t]*(?:test at |[✔▶ℹ﹣] |ok \d|# Subtest|\.\.\.$)"),
        kind="Error",
    ),
    Runner(
        "rspec",
        "ruby",
        (" example", "Failure/Error: "),
        (
            expression(r"^\d{1,9} examples?, \d{1,9} failures?"),
            expression(r"^(?: {2,}\d{1,6}\) [^\n]{1,400}\n {5,}|[ \t]*(?:\d{1,6}(?:\.\d{1,6})?\) )?)Failure/Error: "),
        ),
        (
            expression(
                r"^(?P<all>\d{1,9}) examples?, (?P<failed>\d{1,9}) failures?(?:, (?P<skipped>\d{1,9}) pending)?"
                r"(?:, (?P<errors>\d{1,9}) errors? occurred outside of examples)?"
            ),
        ),
        (
            expression(
                r"^ {2,}\d{1,6}\) (?P<name>[^\n]{1,400})\n {5,}(?=Failure/Error: |Got \d+ failures|-? ?Did you "
                r"mean\?|rspec \./)"
            ),
            expression(
                r"^An error occurred (?:while loading (?P<name>\S+?)\.?(?= |$)|in an? [^\n]{1,100})[^\n]{0,200}$"
            ),
            expression(r"^[ \t]*(?:\d{1,6}(?:\.\d{1,6})?\) )?(?P<name>)(?=Failure/Error: )"),
        ),
        ends=expression(r"^(?:Finished in |Failed examples:|No examples found|Top \d+ slowest)"),
        typed=_RUBY_ERROR,
        noise=late(r"^\s*(?:(?:\d{1,6}\.\d{1,6}\) )?Failure/Error: |Got \d+ failures|-? ?Did you mean\?|rspec \./)"),
    ),
    Runner(
        "minitest",
        "ruby",
        (" assertions, ", "# Running:", ") Failure:", ") Error:"),
        (
            expression(r"^\d{1,9} (?:runs|tests), \d{1,9} assertions, "),
            expression(r"^ {2,}\d{1,6}\) (?:Failure|Error):\n"),
        ),
        (
            expression(
                r"^(?P<all>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?P<failed>\d{1,9}) failures, "
                r"(?P<errors>\d{1,9}) errors(?:, (?P<skipped>\d{1,9}) skips)?"
            ),
        ),
        (
            expression(
                r"^(?: {2,}\d{1,6}\) )?(?:Failure|Error):\n(?P<name>[^\s\[(][^\n\[]{0,300}?)"
                r"(?: \[(?P<file>[^\]\n:]{1,300}):(?P<line>\d{1,9})\])?:$"
            ),
        ),
        ends=expression(r"^(?: {2,}\d{1,6}\) Skipped:|\d{1,9} (?:runs|tests), |(?:bin/)?rails test |Finished in )"),
        typed=_RUBY_ERROR,
        kind="Minitest::Assertion",
    ),
    Runner(
        "phpunit",
        "php",
        ("OK (", "OK, but", "FAILURES!", "ERRORS!", "PHPUnit ", "Assertions: ", "Failed asserting"),
        (
            expression(r"^OK \(\d{1,9} tests?, |^OK, but |^(?:FAILURES|ERRORS)!$|^PHPUnit \d+[\w.-]* by "),
            expression(r"^Tests: \d{1,9}, Assertions: "),
            expression(r"Failed asserting[^\n]*\n(?:[^\n]*\n){0,60}?(?:/|\w:)[^\n:]{1,300}\.php\w?:\d{1,9}$"),
        ),
        (
            expression(
                r"^(?:Tests: |OK \()(?P<all>\d{1,9})(?: tests?)?, (?:Assertions: )?\d{1,9}"
                r"(?:, (?:Failures: (?P<failed>\d{1,9})|Errors: (?P<errors>\d{1,9})|Skipped: (?P<skipped>\d{1,9})"
                r"|[\w ]{1,40}: \d{1,9}))*"
            ),
        ),
        (
            expression(r"^\d{1,6}\) (?P<name>\S+::\S+(?: with data set [^\n]{1,200})?)$"),
            expression(r"(?P<name>)(?=^[^\n]*Failed asserting that string matches format)"),
        ),
        ends=expression(r"^(?:--$|(?:FAILURES|ERRORS|WARNINGS)!|OK\b|Tests: \d|There (?:was|were) \d)"),
        noise=late(r"^(?:---|\+\+\+|@@)"),
        limits=True,
    ),
    Runner(
        "maven",
        "java",
        ("Tests run: ", "BUILD SUCCESS", "BUILD FAILURE", "[ERROR] Failed to execute goal ", "[Help 1]", "OK ("),
        (
            expression(r"^(?:\[\w+\] )?(?:Tests run: +\d|BUILD (?:SUCCESS|FAILURE)[ ]*$)|^OK \(\d{1,9} tests?\)$"),
            expression(r"^\[ERROR\] (?:Failed to execute goal |-> \[Help 1\]|\[Help 1\] )"),
        ),
        (
            expression(
                r"^(?:\[\w+\] )?Tests run: +(?P<all>\d{1,9}), +Failures: +(?P<failed>\d{1,9})"
                r"(?:, +Errors: +(?P<errors>\d{1,9}))?(?:, +Skipped: +(?P<skipped>\d{1,9}))?(?![^\n]*Time elapsed)"
            ),
            expression(r"^OK \((?P<all>\d{1,9}) tests?\)$"),
        ),
        (
            expression(
                r"^(?:\[ERROR\] +)?(?!Tests run:|\[)(?P<name>\S[^\n]{0,300}?)(?: --)? +Time elapsed: [^\n<]{1,60}"
                r"<<< (?:FAILURE|ERROR)!"
            ),
            expression(r"^\d{1,6}\) (?P<name>\w[^\n()]{0,200}\([\w.$]+\))$"),
        ),
        adds=True,
        starts=expression(r"^\[INFO\] Scanning for projects\.\.\."),
        verdict=expression(
            r"^(?:\[\w+\] )?(?:BUILD SUCCESS[ ]*$|Tests run: +\d+, +Failures: 0(?:, +Errors: 0)?(?![^\n]*Time elapsed))"
            r"|^(?P<bad>(?:\[\w+\] )?BUILD FAILURE[ ]*$|\[ERROR\] (?:Failed to execute|-> \[Help)"
            r"|(?:\[\w+\] )?Tests run: [^\n]{1,200} <<< (?:FAILURE|ERROR)!)"
        ),
        listed=expression(
            r"^(?:\[ERROR\])? {2,}(?:Run \d+: )?(?P<name>(?:[\w$]+\.)+[\w$]+)(?:\([^)\n]{0,200}\))?"
            r"(?:\[[^\]\n]{0,200}\])?(?::\d{1,9})?(?:->[\w$.:]{1,200}){0,30}(?: »)? [^\n]+$"
        ),
        ends=expression(r"^(?:\[\w+\] )?(?:Results ?:|Running \S|Tests run: )"),
        reason=expression(
            r"^\[ERROR\] (?:Failed to execute goal (?:\S+ (?:\([^)\n]*\) )?)?on project [^\s:]+: )?(?!COMPILATION ERROR"
            r"|Tests run|Failures:|Errors:)(?P<why>\S[^\n]*?)(?: -> \[Help 1\])?$"
        ),
    ),
    Runner(
        "junit",
        "java",
        ("Test run finished after ", "Source [className = "),
        (expression(r"^Test run finished after |^    \w+Source \[className = "),),
        (
            expression(
                r"^\[ +(?:(?P<passed>\d{1,9}) tests successful|(?P<failed>\d{1,9}) (?:tests|containers) failed"
                r"|(?P<skipped>\d{1,9}) tests skipped) +\]$"
            ),
        ),
        (expression(r"^  [^\s:][^\n:]{0,80}:(?P<name>[^\n]{1,400})\n    \w+Source \[[^\n]*\]$"),),
        adds=True,
    ),
    Runner(
        "gradle",
        "java",
        ("BUILD SUCCESSFUL", "BUILD FAILED", " completed", "* What went wrong:"),
        (
            expression(r"^BUILD (?:SUCCESSFUL|FAILED)(?: in [^\n]{1,40})?[ ]*$|^\* What went wrong:"),
            expression(r"^\d{1,9} tests? completed(?:, |$)"),
        ),
        (
            expression(
                r"^(?P<all>\d{1,9}) tests? completed(?:, (?P<failed>\d{1,9}) failed)?"
                r"(?:, (?P<skipped>\d{1,9}) skipped)?$"
            ),
        ),
        (expression(r"^(?P<name>[^\s>:][^\n>]{0,300} > [^\n]{1,400}?) FAILED$"),),
        verdict=expression(r"^BUILD (?:SUCCESSFUL|(?P<bad>FAILED))(?: in [^\n]{1,40})?[ ]*$"),
        ends=expression(r"^\S"),
        reason=expression(r"^\* What went wrong:\n(?:[^\n]+\n+ {0,12}> ){0,6}(?P<why>[^\n]+)"),
    ),
    Runner(
        "dotnet test",
        "csharp",
        ("Failed: ", "Test summary: ", "Total tests: ", "Test Run ", "[xUnit.net ", ": error ", "Build FAILED."),
        (
            expression(
                r"^(?:(?:Passed|Failed|Skipped)! +- +Failed: +\d|Test summary: total: |Total tests: \d|Test Run )"
            ),
            expression(
                r"^\[xUnit\.net [\d:.]+\] |^[^\n]{0,400}?: error (?:CS|FS|BC|MSB|NU|NETSDK)\d{1,5}: |^Build FAILED\."
            ),
        ),
        (
            expression(
                r"^(?:(?:Passed|Failed|Skipped)! +- +Failed: +|Test summary: total: \d+, failed: )(?P<failed>\d{1,9}), "
                r"+(?:Passed|succeeded): +(?P<passed>\d{1,9})(?:, +[Ss]kipped: +(?P<skipped>\d{1,9}))?"
            ),
            expression(
                r"^Total tests: \d+(?:\.?\s+(?:Passed: (?P<passed>\d{1,9})|Failed: (?P<failed>\d{1,9})"
                r"|Skipped: (?P<skipped>\d{1,9})))+"
            ),
        ),
        (
            expression(
                r"^[ \t]+Failed (?P<name>[^\n]{1,400}?) \[?[(\[]<? ?\d[\d.,]* ?(?:ms|s|m|h)[^\])\n]{0,40}[)\]]$"
            ),
            expression(r"^ +(?P<name>(?:\w+\.)+\w[^\n]{0,300}?) \[?[(\[]<? ?\d[\d.,]* ?\w+[)\]]: (?=Error Message: )"),
        ),
        adds=True,
        verdict=expression(r"^(?P<bad>Test Run (?:Failed|Aborted)\.|Build FAILED\.|[^\n]{0,400}?: error [A-Z]{1,6}\d)"),
        listed=expression(r"^\[xUnit\.net [\d:.]+\] +(?P<name>\S[^\n]{0,400}?) \[FAIL\]$"),
        ends=expression(
            r"^(?:(?:Passed|Failed)! +- |Total tests: |Test Run |Test summary: |Results File: )|^[ \t]*(?:Passed"
            r"|Skipped) \S|^[ \t]*(?:Standard (?:Output|Error) Messages|Debug Trace|TestContext Messages):"
        ),
        noise=late(r"^\s*(?:Error Message:|Stack Trace:)\s*$"),
    ),
    Runner(
        "cargo test",
        "rust",
        ("test result: ", "running ", "test failed, to rerun", " ... FAILED", " run: "),
        (
            expression(r"^test result: (?:ok|FAILED)\. |^[ \t]*Summary \[[^\]\n]{1,40}\] +\d"),
            expression(
                r"^(?:running \d{1,9} tests?$|error: (?:doc)?test failed, to rerun |test \S[^\n]{0,300} \.\.\. FAILED$)"
            ),
        ),
        (
            expression(r"^test result: (?:ok|FAILED)\. (?P<passed>\d{1,9}) passed; (?P<failed>\d{1,9}) failed"),
            expression(
                r"^[ \t]*Summary \[[^\]\n]{1,40}\] +\d{1,9}(?:/\d{1,9})? tests? run: (?P<passed>\d{1,9}) passed[^,\n]"
                r"{0,80}(?:, (?P<failed>\d{1,9}) failed)?"
            ),
        ),
        (
            expression(
                r"^test (?P<name>\S[^\n]{0,300}?)(?: - (?:should panic|compile(?: fail)?))* \.\.\. (?:[^\n]{0,300} "
                r")?FAILED$"
            ),
            expression(r"^---- (?P<name>\S[^\n]{0,300}?) (?:stdout|stderr) ----$"),
            expression(
                r"^[ \t]+(?:TRY \d{1,3} )?(?:FAIL|SIGABRT|SIGSEGV|TIMEOUT|ABORT) \[[^\]\n]{1,40}\] (?:\([ "
                r"\d/]{1,40}\) )?(?P<name>\S+(?: \S+)?)$"
            ),
        ),
        adds=True,
        starts=expression(r"^[ \t]+Finished [^\n]{0,40}test"),
        verdict=expression(r"^(?P<bad>error: (?:doc)?test failed, to rerun)"),
        ends=expression(r"^failures:$|^test result: "),
        reason=expression(r"^  process didn't exit successfully: [^\n]{1,600}\((?P<why>signal: [^\n()]{1,200})\)$"),
        listed=expression(r"^    (?P<name>\w+(?:::\w+)+)$"),
        noise=late(r"^(?:test \S.* \.\.\. |failures:$)"),
        kind="TestFailure",
    ),
    Runner(
        "ctest",
        "c",
        ("% tests passed", " Test "),
        (expression(r"^\d{1,3}% tests passed, |^[ ]*\d{1,9}/\d{1,9} Test +#\d{1,9}: "),),
        (expression(r"^\d{1,3}% tests passed, (?P<failed>\d{1,9}) tests? failed out of (?P<all>\d{1,9})$"),),
        (
            expression(
                r"^[ ]*\d{1,9}/\d{1,9} Test +#\d{1,9}: (?P<name>\S+) [. ]*(?!Passed)[^\n]{0,60}\*\*\*[^\n]{0,100}"
            ),
        ),
        ends=expression(r"^[ ]*(?:\d{1,9}/\d{1,9} Test +#|Start +\d)|^\d{1,3}% tests passed"),
        inner=(GTEST,),
        kind="TestFailure",
    ),
    GTEST,
)
"""In the order in which they're asked."""
