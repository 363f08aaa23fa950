"""How often the outcome that is claimed is right, over sessions whose verdict is recorded but hidden from the analysis.

Usage: python benchmarks/outcome.py [FOLDER ...] [--list]

Reads every file of the folders ($ANALYZE_SESSION_CORPUS or `../shared/corpus` without one), keeps the sessions whose
log records that somebody else than the agent judged the result, takes the verdict out of the header, and compares the
outcome with it. One line per status and band of confidence, then one per format for those called succeeded. An outcome
of `succeeded` is right where the task was solved, `unknown` claims nothing, any other is right where it was not.
--list also prints each session with its place, verdict and outcome.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.formats import load
from analyzer.model.errors import AnalyzerError
from analyzer.model.session import Session
from analyzer.model.struct import replace
from analyzer.model.words import Ending, OutcomeStatus
from analyzer.timeline import build_timeline

ROOT = Path(__file__).resolve().parent.parent
_VERDICTS = {Ending.SOLVED: True, Ending.UNSOLVED: False}
_BANDS = (0.8, 0.6, 0.0)


@dataclass(frozen=True, slots=True)
class Judged:
    """One session: where it stands, whether it was solved, and what the analysis says without knowing that."""

    place: str
    format: str
    solved: bool
    status: OutcomeStatus
    confidence: float
    basis: str
    reason: str

    @property
    def band(self) -> float:
        """The lower bound of the band of confidence."""
        return next(bound for bound in _BANDS if self.confidence >= bound)

    @property
    def right(self) -> bool:
        """Whether the claim agrees with the verdict."""
        return (self.status is OutcomeStatus.SUCCEEDED) == self.solved


def main() -> int:
    """Judge, and print how often it is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--list", action="store_true", help="print each session as well")
    options = parser.parse_args()
    usual = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
    judged = [entry for folder in options.folders or [usual] for entry in over(folder)]
    if not judged:
        print("no session with a recorded verdict here", file=sys.stderr)
        return 1
    if options.list:
        for entry in judged:
            verdict = "solved" if entry.solved else "not solved"
            print(f"{verdict:10} {entry.status:13} {entry.confidence:.2f} {entry.basis:11} {entry.place}")
            print(f"{'':10} {entry.reason[:150]}")
    calibration(judged)
    return 0


def over(folder: Path) -> Iterator[Judged]:
    """Every session of a folder whose verdict is known."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            transcript = load(path)
        except (AnalyzerError, OSError):
            continue
        for number, session in enumerate(transcript.sessions, 1):
            solved = _VERDICTS.get(session.ending) if session.ending is not None else None
            if solved is not None:
                yield _judged(f"{path.relative_to(folder)}#{number}", transcript.format, solved, session)


def hidden(session: Session) -> Session:
    """The session without what its header says of the end."""
    return replace(session, ending=None, ending_detail=None, recorded_status=None)


def _judged(place: str, name: str, solved: bool, session: Session) -> Judged:
    timeline = build_timeline(hidden(session))
    outcome = post_mortem(timeline, detect(timeline)).outcome
    basis = str(getattr(outcome, "basis", "-"))
    return Judged(place, name, solved, outcome.status, outcome.confidence, basis, outcome.reason)


def calibration(judged: list[Judged]) -> None:
    """Print the tables."""
    solved = sum(entry.solved for entry in judged)
    print(f"{len(judged)} sessions with a verdict, {solved} solved")
    print(f"{'status':14} {'confidence':>10} {'claimed':>8} {'right':>6} {'share':>6}")
    for status in OutcomeStatus:
        for bound in _BANDS:
            claimed = [entry for entry in judged if entry.status is status and entry.band == bound]
            if claimed:
                band = f">= {bound:.1f}"
                if status is OutcomeStatus.UNKNOWN:
                    share = f"({sum(entry.solved for entry in claimed)} of them solved)"
                    print(f"{status:14} {band:>10} {len(claimed):8} {share}")
                    continue
                right = sum(entry.right for entry in claimed)
                print(f"{status:14} {band:>10} {len(claimed):8} {right:6} {right / len(claimed):6.2f}")
    print(f"\n{'format':26} {'verdicts':>8} {'solved':>7} {'called succeeded':>17} {'right':>6}")
    for name, count in Counter(entry.format for entry in judged).most_common():
        own = [entry for entry in judged if entry.format == name]
        called = [entry for entry in own if entry.status is OutcomeStatus.SUCCEEDED]
        right = sum(entry.right for entry in called)
        print(f"{name:26} {count:8} {sum(entry.solved for entry in own):7} {len(called):17} {right:6}")


if __name__ == "__main__":
    sys.exit(main())
