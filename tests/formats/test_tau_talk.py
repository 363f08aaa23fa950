"""Runs of tau-bench and tau2-bench are called alike, end alike and are judged alike."""

from __future__ import annotations

import pytest

from analyzer.formats.record.fields import name_or_none
from analyzer.formats.tau.bench_format import is_full, is_signal, run_name
from tests.tables import table


@table("a_run_is_called_by_its_task_and_trial")
def test_a_run_is_called_by_its_task_and_trial(task_id: object, trial: object, name: str) -> None:
    assert run_name(task_id, trial, "run 2") == name


@pytest.mark.parametrize(("task_id", "name"), [(7, "7"), ("seven", "seven"), ("", None), (None, None), ([], None)])
def test_a_task_is_called_by_its_id(task_id: object, name: str | None) -> None:
    assert name_or_none(task_id) == name


@pytest.mark.parametrize(
    ("text", "signal"),
    [("###STOP###", True), (" ###OUT-OF-SCOPE###\n", True), ("stop", False), ("###STOP### now", False)],
)
def test_only_a_signal_by_itself_ends_the_talk(text: str, signal: bool) -> None:
    assert is_signal(text) is signal


@pytest.mark.parametrize(("reward", "full"), [(1.0, True), (0.9999999, True), (0.99, False), (0.0, False)])
def test_a_reward_is_full_up_to_rounding(reward: float, full: bool) -> None:
    assert is_full(reward) is full
