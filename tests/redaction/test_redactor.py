"""Placeholders, cut secrets, keys in pieces."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest

from analyzer.redaction import Redactor
from tests.redaction.made_up import letters, private_key
from tests.tables import table

TOKEN, OTHER = "gh" + "p_" + letters(36), "gh" + "p_" + letters(40)[3:39]


def test_the_same_secret_has_the_same_placeholder_in_every_text() -> None:
    assert Redactor().redact_all([f"a {TOKEN}", f"{OTHER} {TOKEN}", "nothing", OTHER]) == [
        "a [github-token-1]",
        "[github-token-2] [github-token-1]",
        "nothing",
        "[github-token-2]",
    ]


def test_numbers_go_on_in_the_next_text() -> None:
    redactor = Redactor()
    assert redactor.redact(f"{TOKEN} robin@north-harbour.io") == "[github-token-1] [e-mail-1]"
    assert redactor.redact(f"kim@north-harbour.io {OTHER} {TOKEN}") == "[e-mail-2] [github-token-2] [github-token-1]"
    assert redactor.counts == {"github-token": 3, "e-mail": 2}
    assert redactor.distinct == {"github-token": 2, "e-mail": 2}


@pytest.mark.parametrize("cut", [12, 20, 30])
def test_a_secret_that_is_cut_has_the_number_of_the_whole_one(cut: int) -> None:
    assert Redactor().redact_all([OTHER, TOKEN, f"see {TOKEN[:cut]}…", f"see {TOKEN[:cut]}"]) == [
        "[github-token-1]",
        "[github-token-2]",
        "see [github-token-2]",
        "see [github-token-2]",
    ]
    assert Redactor().redact_all([f"see {TOKEN[:cut]}…", TOKEN]) == ["see [github-token-1]", "[github-token-1]"]


LONG = "sk-ant" + "-api03-"
CUTS = [
    pytest.param(LONG, 1, False, id="nearly-only-the-issuer's-prefix"),
    pytest.param(LONG, 7, False, id="too-little"),
    pytest.param(LONG, 8, True, id="enough"),
    pytest.param("sk-" + "proj-", 6, False, id="another-issuer-too-little"),
    pytest.param("sk-" + "proj-", 9, True, id="another-issuer-enough"),
]


@pytest.mark.parametrize(("prefix", "shown", "same"), CUTS)
def test_a_cut_secret_has_another_number_where_it_shows_too_little(prefix: str, shown: int, same: bool) -> None:
    secret = prefix + letters(93) + "AA"
    first, cut = Redactor().redact_all([secret, f"{secret[: len(prefix) + shown]}…"])
    assert (first == cut) == same
    assert cut.startswith("[")


def test_two_secrets_that_begin_like_a_cut_one_have_two_numbers() -> None:
    same = TOKEN[:14]
    one, other = same + letters(60)[10:36], same + letters(60)[30:56]
    cut, first, second = Redactor().redact_all([f"{same}…", one, other])
    assert first != second
    assert cut == first


def test_what_comes_after_an_ellipsis_in_the_middle_goes_too() -> None:
    assert Redactor().redact(f"token {TOKEN[:20]}…{TOKEN[-8:]} refused") == "token [github-token-1] refused"


def test_a_short_piece_in_the_middle_of_a_text_is_no_secret() -> None:
    assert Redactor().redact(f"{TOKEN[:12]} is short") == f"{TOKEN[:12]} is short"


def test_texts_that_are_looked_at_together_dont_run_into_each_other() -> None:
    texts = [
        "password=",
        "hunter2x9",
        "-----BEGIN PRIV" + "ATE KEY-----",
        letters(64),
        "robin@",
        "north-harbour.io",
        "/home/",
        "robin",
        "Bearer ",
        letters(30),
    ]
    assert Redactor().redact_all(texts) == texts


def test_a_text_may_hold_what_stands_between_texts() -> None:
    redactor = Redactor()
    assert redactor.redact_all([f"a\0{TOKEN}\0b", "c"]) == ["a\0[github-token-1]\0b", "c"]
    assert redactor.counts == {"github-token": 1}


def test_no_text_and_empty_texts() -> None:
    assert Redactor().redact_all([]) == []
    assert Redactor().redact_all(["", ""]) == ["", ""]


def test_a_value_that_its_name_gave_away_is_known_elsewhere() -> None:
    assert Redactor().redact_all(["DB_PASSWORD=w4term3lon", "login with w4term3lon failed", "w4term3lons"]) == [
        "DB_PASSWORD=[password-1]",
        "login with [password-1] failed",
        "w4term3lons",
    ]


def test_a_plain_word_is_not_hunted_for() -> None:
    assert Redactor().redact_all(["DB_PASSWORD=watermelon", "a watermelon"]) == [
        "DB_PASSWORD=[password-1]",
        "a watermelon",
    ]


def test_one_value_under_two_rules_has_one_placeholder() -> None:
    assert (
        Redactor().redact("password=w4term3lon; mysql --password w4term3lon")
        == "password=[password-1]; mysql --password [password-1]"
    )


@pytest.mark.parametrize("end", ["\n", "\\n", "\r\n", " "])
def test_a_private_key_that_was_cut_off(end: str) -> None:
    whole = private_key("RSA ", end)
    for size in (60, 90, 100, 200, 300):
        for mark in ("…", ""):
            assert Redactor().redact(f"it says {whole[:size]}{mark}") == "it says [private-key-1]"


def test_a_private_key_with_numbers_of_lines() -> None:
    numbered = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(private_key().splitlines(), 1))
    assert Redactor().redact(f"{numbered}\n     9\tafter") == "     1\t[private-key-1]\n     9\tafter"


def test_what_comes_after_a_key_that_was_cut_off_stays() -> None:
    cut = private_key().splitlines()[:3]
    assert (
        Redactor().redact("\n".join([*cut, "", "The file ends here, which is odd."]))
        == "[private-key-1]\n\nThe file ends here, which is odd."
    )


def test_lines_of_a_key_are_known_without_its_header() -> None:
    redactor = Redactor()
    redactor.learn(["cat id_rsa", private_key()])
    line = private_key().splitlines()[3]
    assert redactor.redact(f"+{line}") == "+[private-key-1]"
    assert redactor.redact(f"the line {line[:30]}… is damaged") == "the line [private-key-1]… is damaged"
    assert Redactor().redact(f"+{line}") == f"+{line}"


def test_two_keys_are_two() -> None:
    assert Redactor().redact_all([private_key(seed="A"), private_key(seed="B"), private_key(seed="A")]) == [
        "[private-key-1]",
        "[private-key-2]",
        "[private-key-1]",
    ]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("password", "w4term3lon", "[password-1]"),
        ("apiKey", letters(24), "[secret-1]"),
        ("token", "bearer", "bearer"),
        ("max_tokens", "4096", "4096"),
        ("token", "see robin@north-harbour.io", "see [e-mail-1]"),
        ("command", f"export T={TOKEN}", "export T=[github-token-1]"),
    ],
)
def test_a_field_with_a_telling_name(name: str, value: str, shown: str) -> None:
    redactor = Redactor()
    assert (redactor.hides(name, value) or redactor.redact(value)) == shown


@table("a_name_that_a_home_directory_gave_away_is_replaced_where_an_account_stands")
def test_a_name_that_a_home_directory_gave_away_is_replaced_where_an_account_stands(text: str) -> None:
    found = Redactor().redact_all([text, "cd /home/robin/tide"])
    assert found == [text.replace("robin", "user-1"), "cd /home/user-1/tide"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(robin) robin@Robins-MBP tide % ls", "(user-1) user-1@user-1s-MBP tide % ls"),
        ("host: Robins-MacBook-Pro.local", "host: user-1s-MacBook-Pro.local"),
        ("ssh robin-laptop", "ssh user-1-laptop"),
        ("(robin) sings", "(robin) sings"),
        ("Robins-Nest-Pro", "Robins-Nest-Pro"),
        ("XRobins-MBP", "XRobins-MBP"),
    ],
)
def test_a_machine_called_after_its_owner_gives_no_name_away(text: str, shown: str) -> None:
    assert Redactor().redact_all(["/home/robin/x", text]) == ["/home/user-1/x", shown]


@pytest.mark.parametrize("text", ["import robin", "robin.py", "src/robin/a.py", "a round robin", "/robins/"])
def test_such_a_name_stays_where_it_may_be_a_word(text: str) -> None:
    assert Redactor().redact_all(["/home/robin/x", text]) == ["/home/user-1/x", text]


@table("a_name_once_known_is_replaced_where_an_account_stands")
def test_a_name_once_known_is_replaced_where_an_account_stands(text: str, shown: str) -> None:
    assert Redactor().redact_all(["/home/robin/x", text]) == ["/home/user-1/x", shown]


@pytest.mark.parametrize("text", ["the robin 12 flew", "go home robin", "robin: a bird", "x:robin", "batman/robin.py"])
def test_a_word_beside_numbers_and_signs_stays(text: str) -> None:
    assert Redactor().redact_all(["/home/robin/x", text]) == ["/home/user-1/x", text]


def test_a_persons_full_name_once_known_is_replaced_everywhere() -> None:
    texts = [
        "Author: Robin Okafor <r@x.invalid>",
        "(c) Robin Okafor",
        "?q=Robin%20Okafor",
        "Robin, Okaforia, Robin Okafors",
    ]
    assert Redactor().redact_all(texts) == [
        "Author: [person-1] <r@x.invalid>",
        "(c) [person-1]",
        "?q=[person-1]",
        "Robin, Okaforia, Robin Okafors",
    ]


def test_a_single_name_is_replaced_only_where_it_stands_as_one() -> None:
    texts = ["Author: Robinette <r@x.invalid>", "Robinette is a boat"]
    assert Redactor().redact_all(texts) == ["Author: [person-1] <r@x.invalid>", "Robinette is a boat"]


def test_a_secret_that_was_shown_by_its_ends_is_known_when_it_is_whole() -> None:
    texts = ["echo 'QUAY_TOKEN=5d41c2…b07e' > .env", "here it is: 5d41c2a96f10e8834bc1b07e", "commit 5d41c2aa"]
    shown = Redactor().redact_all(texts)
    assert shown == ["echo 'QUAY_TOKEN=[secret-1]' > .env", "here it is: [secret-1]", "commit 5d41c2aa"]


def test_a_secret_is_replaced_in_other_writings_too() -> None:
    value = "k9Zq+8Wn/2Lm=4X"
    texts = [f"DB_PASSWORD='{value}'", f"?p={quote(value, safe='')}&x", f"body p={quote_plus(value)}"]
    shown = Redactor().redact_all(texts)
    assert shown == ["DB_PASSWORD='[password-1]'", "?p=[password-1]&x", "body p=[password-1]"]


def test_of_many_learned_values_the_longest_is_replaced() -> None:
    redactor = Redactor()
    short, long = "w4term3lon", "w4term3lon.9a8b7c"
    for number in range(60):
        redactor.redact(f"DB{number}_PASSWORD=m4ngo{number}tree7x")
    redactor.redact(f"A_PASSWORD={short}\nB_PASSWORD={long}")

    assert (
        redactor.redact(f"use {long} or {short} or m4ngo7tree7x")
        == "use [password-61] or [password-61] or [password-8]"
    )
