"""What the user forbade, and what the agent did about it."""

from __future__ import annotations

from tests.build import edit, findings, run, user
from tests.sessions import Written, parts_of
from tests.tables import table

TEST = edit("tests/test_oars.py", "assert a == 1", "assert a == 2")


@table("fires")
def test_fires(said: str, parts: Written, kind: str, severity: str, steps: list[int]) -> None:
    (found,) = findings(user(said), *parts_of(parts), detector="edited-forbidden", task=said)
    assert (found.kind, found.severity, found.steps, found.detectable_at) == (kind, severity, steps, steps[0])
    assert found.evidence[0].label == "the user said"


def test_knows_the_directory_of_a_command() -> None:
    said = "Do not edit src/oars.py."
    (found,) = findings(user(said), run("cd src && sed -i 's/1/2/' oars.py"), detector="edited-forbidden", task=said)
    assert found.edited_instead == ["src/oars.py"]


def test_reads_the_task_where_no_message_has_it() -> None:
    (found,) = findings(TEST, detector="edited-forbidden", task="Do not modify the tests.")
    assert found.steps == [1]


@table("does_not_fire")
def test_does_not_fire(said: str, parts: Written) -> None:
    assert findings(user(said), *parts_of(parts), detector="edited-forbidden", task=said) == []
