"""Which files of a folder are one run of tau2-bench."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder, Unit


def claim(folder: Folder) -> Claim | None:
    """The results of a run, which hold its tasks, with a file for each simulation beside them."""
    simulations = [name for name in folder.inside("simulations") if name.endswith(".json")]
    if folder.named or not simulations or "results.json" not in folder.files:
        return None
    if not folder.holds("results.json", b'"tasks"', b'"num_trials"'):
        return None
    members = ("results.json", *(f"simulations/{name}" for name in simulations))
    return Claim(
        (Unit(folder.place("results.json"), folder.path, members),),
        frozenset({"results.json"}),
        frozenset({"simulations"}),
    )
