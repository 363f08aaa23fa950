"""What JUnit's console launcher prints."""

from __future__ import annotations

import pytest

from analyzer.failures.runners import junit_console

FAILED = """
Failures (1):
  JUnit Jupiter:BerthTest:keepsLength()
    MethodSource [className = 'harbour.BerthTest', methodName = 'keepsLength', methodParameterTypes = '']
    => java.lang.IllegalArgumentException: berth code A12 has no dash
       harbour.Berth.<init>(Berth.java:11)
       harbour.BerthTest.keepsLength(BerthTest.java:11)
       java.base/java.lang.reflect.Method.invoke(Method.java:569)
       [...]
"""
COUNTS = """
Test run finished after 335 ms
[         4 containers found      ]
[         {containers} containers failed     ]
[         2 tests found           ]
[         {passed} tests successful      ]
[         {failed} tests failed          ]
"""


def test_a_failing_test_with_its_trace() -> None:
    text = FAILED + COUNTS.format(containers=0, passed=1, failed=1)
    assert junit_console.recognises(text)
    found = junit_console.parse(text)
    assert found.failing_tests == ["BerthTest.keepsLength"]
    assert found.counts == {"passed": 1, "failed": 1}
    (trace,) = found.traces
    assert (trace.type, trace.message) == ("java.lang.IllegalArgumentException", "berth code A12 has no dash")
    assert [(frame.file, frame.line) for frame in trace.frames][-2:] == [
        ("harbour/BerthTest.java", 11),
        ("harbour/Berth.java", 11),
    ]


@pytest.mark.parametrize(
    ("containers", "failed", "broken"), [(0, 0, False), (1, 0, True)], ids=["all passed", "a container failed"]
)
def test_without_failing_tests(containers: int, failed: int, broken: bool) -> None:
    text = COUNTS.format(containers=containers, passed=2, failed=failed)
    assert junit_console.parse(text).failed == broken


def test_a_report_that_was_cut() -> None:
    assert junit_console.recognises(FAILED)
    assert junit_console.parse(FAILED).failed
