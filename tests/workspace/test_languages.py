"""A text in another language than its file's suffix announces."""

from __future__ import annotations

import pytest

from analyzer.workspace.languages import other_language

JAVA = "import org.tide.Gauge;\n\npublic class GaugeTest {\n    void reads() {}\n}\n"
PYTHON = "from tide import gauge\n\n\ndef reads():\n    return gauge()\n"
XML = '<project>\n  <name attr="x">tide</name>\n</project>\n'
GO = "package tide\n\nfunc Reads() int {\n\treturn 4\n}\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("reproduce.py", JAVA, ("Java", "Python")),
        ("pom.py", XML, ("XML", "Python")),
        ("src/Gauge.java", PYTHON, ("Python", "Java")),
        ("gauge.rs", GO, ("Go", "Rust")),
        ("GaugeTest.java", JAVA, None),
        ("reproduce.py", PYTHON, None),
        ("notes.md", JAVA, None),
        ("reproduce.py", "x = 4\n", None),
        ("reproduce.py", 'TEXT = """\n<b>bold</b>\n"""\n', None),
        ("reproduce.py", f'JAVA = """\n{JAVA}"""\n\n\ndef check():\n    pass\n', None),
        ("page.py", "if depth < 3 and tide > 4:\n    pass\n", None),
        ("Gauge.java", "int depth = 4;\n", None),
    ],
)
def test_the_language_of_a_text(path: str, text: str, expected: tuple[str, str] | None) -> None:
    assert other_language(path, text) == expected
