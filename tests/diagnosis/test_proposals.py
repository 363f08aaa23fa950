"""What is proposed holds against the record: it's about this session, was not done already, and can be done."""

from __future__ import annotations

from tests.build import diagnosed, edit, pytest_report, run, says


def test_a_check_that_passes_at_last_does_not_still_fail() -> None:
    fails = run("pytest", pytest_report("assert 3 == 4", test_code="assert low(4) == 4", raised=None), 1)
    skip = edit("tests/test_shapes.py", "def test_area():", "@pytest.mark.skip\ndef test_area():")
    passes = run("pytest", "============================== 4 passed in 0.10s ===============================")
    made = diagnosed(fails, skip, passes, says("All tests pass."))
    texts = {approach.title: approach.text for approach in made.diagnosis.approaches}
    assert texts["Restore the test"] == "Take back step 2, and fix what it hid."
    assert "still fails" not in " ".join(texts.values())
