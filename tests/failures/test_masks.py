"""What is hidden before two texts are compared, and what never is."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.errors import BadConfiguration
from analyzer.text.masks import MASKS, STANDARD, MaskTable, mask

HIDDEN = [
    pytest.param("run 3f2b8c1e-1111-4222-8333-abcdefabcdef ended", "run <uuid> ended", id="uuid"),
    pytest.param("refused by 127.0.0.1:54321", "refused by 127.0.0.1:<url>", id="address-and-port"),
    pytest.param("http://localhost:8080/tide", "http://localhost:<url>/tide", id="localhost"),
    pytest.param("listening on port 8080", "listening on port <url>", id="port"),
    pytest.param("at 2025-03-01T10:00:00.123Z it sank", "at <timestamp> it sank", id="timestamp"),
    pytest.param("2025-03-01 10:00:00,123 ERROR", "<timestamp> ERROR", id="timestamp-of-logging"),
    pytest.param("at 10:00:00 it sank", "at <clock> it sank", id="clock"),
    pytest.param("open '/tmp/tmpab12/chart.txt' failed", "open '<tmp>' failed", id="temporary-path"),
    pytest.param("python boat.py >/tmp/out.txt", "python boat.py ><tmp>", id="temporary-path-after-redirect"),
    pytest.param("/private/var/folders/a1/b2/T/x.py", "<tmp>", id="temporary-path-of-macos"),
    pytest.param("<Boat object at 0x7f9594cc4ad0>", "<Boat object at <address>>", id="address"),
    pytest.param("commit 2185f4b09 is gone", "commit <hash> is gone", id="hash"),
    pytest.param("1 failed in 0.12s", "1 failed in <duration>", id="seconds"),
    pytest.param("took 12 ms", "took <duration>", id="milliseconds"),
    pytest.param("after 3 minutes", "after <duration>", id="minutes"),
    pytest.param("wrote 12.5 kB", "wrote <size>", id="size"),
    pytest.param('File "a.py", line 12, in sail', 'File "a.py", line <line>, in sail', id="line"),
    pytest.param("see lines 3-9 of it", "see lines <line> of it", id="lines"),
    pytest.param("src/curve.py:12: in sail", "src/curve.py:<line>: in sail", id="file-and-line"),
    pytest.param("bad.c:7:34: error: x", "bad.c:<line>: error: x", id="file-line-and-column"),
    pytest.param("at sail (boat.js:3:14)", "at sail (boat.js:<line>)", id="javascript"),
    pytest.param("Makefile:4: bad", "Makefile:<line>: bad", id="makefile"),
    pytest.param("<stdin>:3", "<stdin>:<line>", id="stdin"),
    pytest.param("process 1234 exited", "process <pid> exited", id="process"),
    pytest.param("pid=1234, PID 99", "pid=<pid>, PID <pid>", id="pid"),
    pytest.param("==4242== Invalid read", "==<pid>== Invalid read", id="valgrind"),
    pytest.param("request 918273 was lost", "request <id> was lost", id="request"),
    pytest.param("job id=7, issue #1234", "job id=<id>, issue #<id>", id="id"),
]

SHOWN = [
    "3 failed, 97 passed",
    "expected 8 stations, got 6",
    "collected 11 items / 7 deselected",
    '{"failed":3,"passed":1}',
    "failed:3,",
    "Python 3.11.2 is too old",
    "numpy==1.26.4",
    "v2.0.14",
    "HTTP status 404",
    "HTTP/1.1 500 Internal Server Error",
    "status:404 ",
    "request 404 failed",
    "degree 3",
    "a polynomial of degree 3 needs 8 knots",
    "tests/test_curve.py::test_3_stations",
    "test_rejects_12_ships[case-3]",
    "TestBoat2::test_1",
    "it holds 8080 barrels",
    "channel 16",
    "failed to process 33 items",
    "failed to process 100 ships",
    "E999 SyntaxError",
    "error TS2322",
    "exit code 139",
    "KeyError: 17",
    "assert 4.0 == 5",
    "shape (3, 4) and (4, 3)",
    "/home/ann/tmp/chart.txt",
    "src/tmp/chart.txt",
    "ratio 3:10",
    "deadline passed",
    "facade",
    "the online 5",
    "0x1f",
]


@pytest.mark.parametrize(("text", "masked"), HIDDEN)
def test_what_varies_by_itself_is_hidden(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize("text", SHOWN)
def test_what_says_something_is_never_hidden(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 failed in 0.12s", "1 failed in 0.12s"),
        ("HTTP 404 after 3 ms", "HTTP 500 after 3 ms"),
        ("need at least 4 stations", "need at least 5 stations"),
        ("Python 3.11.2", "Python 3.12.2"),
        ("a.py:3: E501", "a.py:3: E502"),
    ],
)
def test_what_tells_two_failures_apart_stays(one: str, other: str) -> None:
    assert mask(one) != mask(other)


def test_every_row_is_shown_in_the_table_above() -> None:
    shown = " ".join(str(row.values[1]) for row in HIDDEN)
    assert all(f"<{row.name}>" in shown for row in MASKS)


def test_hidden_values_are_listed_with_their_labels() -> None:
    assert STANDARD.values("a.py:3: took 5 ms") == [("line", "3"), ("duration", "5 ms")]


def test_what_varied_between_first_and_last() -> None:
    assert STANDARD.varied(["a.py:3: took 5 ms", "a.py:3: took 6 ms", "a.py:9: took 5 ms"]) == ("line 3 -> 9",)


def test_what_varied_only_in_between() -> None:
    assert STANDARD.varied(["a.py:3: x", "a.py:9: x", "a.py:3: x"]) == ("line 3 -> 9",)


@pytest.mark.parametrize("texts", [[], ["a.py:3"], ["a.py:3", "a.py:3"], ["no numbers", "no numbers"]])
def test_nothing_varied(texts: list[str]) -> None:
    assert STANDARD.varied(texts) == ()


def test_no_more_than_a_few_differences_are_listed() -> None:
    first, last = (" ".join(f"a.py:{line + number}" for number in range(0, 60, 10)) for line in (1, 2))
    assert len(STANDARD.varied([first, last])) == 4


PIECES = st.sampled_from(
    [
        "3",
        "12",
        "404",
        "9999",
        "1234567",
        "a1b2c3d4e5",
        "0x",
        "0x7fff",
        "/tmp/",
        "/tmp/x",
        ".py",
        ":",
        ".",
        ",",
        " ",
        "-",
        "=",
        "==",
        "#",
        "<",
        ">",
        "s",
        "ms",
        "kB",
        "line ",
        "lines ",
        "port ",
        "pid ",
        "pid=",
        "process ",
        "request ",
        "id ",
        "2025-03-01",
        "T",
        "10:00:00",
        "\n",
        "localhost:",
        "1.1:",
        "stdin>:",
        "é",
        "٣",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=60))
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask(mask(text)) == mask(text)


@given(st.text())
def test_any_text_can_be_masked(text: str) -> None:
    STANDARD.values(text)
    STANDARD.varied([text, mask(text)])


WORDS = st.text(string.ascii_letters + "_", min_size=1, max_size=12)


@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_plain_words_are_never_hidden(text: str) -> None:
    assert mask(text) == text


@given(WORDS, st.integers(0, 10**9), st.sampled_from(["failed", "passed", "errors", "stations", "rows"]))
def test_counts_are_never_hidden(before: str, number: int, noun: str) -> None:
    text = f"{before}, {number} {noun}"
    assert mask(text) == text


def test_a_user_s_row_is_asked_first_and_named_in_what_varied() -> None:
    table = MaskTable({"berth": r"berth-\d+", "crew_id": r"(?i:crew) (\w)\d"})
    assert table.mask("berth-12 of crew a1 at a.py:3") == "<berth> of <crew_id> at a.py:<line>"
    assert table.varied(["berth-12: Crew a1", "berth-13: crew b2"]) == (
        "berth berth-12 -> berth-13",
        "crew id Crew a1 -> crew b2",
    )
    assert mask("berth-12") == "berth-12"


def test_tables_that_hide_other_things_have_other_versions() -> None:
    one, same, other = MaskTable({"a": "x1"}), MaskTable({"a": "x1"}), MaskTable({"a": "x2"})
    assert one.version == same.version
    assert len({STANDARD.version, one.version, other.version}) == 3


BAD_ROWS = [
    pytest.param("Berth", "x", "no name for a mask", id="name-in-capitals"),
    pytest.param("line", "x", "exists already", id="name-of-a-standard-row"),
    pytest.param("berth", "x(", "no regular expression", id="broken"),
    pytest.param("berth", "x*", "matches nothing at all", id="matches-nothing"),
    pytest.param("berth", r"(x)\1", "back to a group", id="back-reference"),
    pytest.param("berth", "(?P<line>x)", "named groups", id="named-group"),
    pytest.param("berth", "(?i)x", "write flags as a group", id="global-flag"),
]


@pytest.mark.parametrize(("name", "pattern", "said"), BAD_ROWS)
def test_a_row_that_cannot_be_used_is_refused(name: str, pattern: str, said: str) -> None:
    with pytest.raises(BadConfiguration, match=said):
        MaskTable({name: pattern})


def test_every_row_is_documented() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "judgements.md").read_text(encoding="utf-8")
    for row in MASKS:
        assert f"| `<{row.name}>` | {row.label} |" in text
