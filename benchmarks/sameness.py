"""How much of the advice on pages about unlike sessions is the same, and how many words and statements a page has.

Usage: python benchmarks/sameness.py [FOLDER ...] [--most N] [--list N]

Reads the files of the folders ($ANALYZE_SESSION_CORPUS or `../shared/corpus` without one), at most N sessions of each
format (6 without --most), and makes the page of each session with findings. Two sessions are unlike where their main
findings come from different detectors, or their formats and tasks differ. `same` is the share of the words of the
advice that lie within a run of eight words which also stands in the advice of an unlike session; `stepless` counts the
statements of the lead and of the advice that cite no step. The aims are at most 0.25, and none. One line per kind of
page follows, with the words before the fold and on the whole page. --list prints the runs shared most.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.formats import load
from analyzer.model.errors import AnalyzerError
from analyzer.model.postmortem import PostMortem, Report, Source
from analyzer.report.markdown import render
from analyzer.timeline import build_timeline

ROOT = Path(__file__).resolve().parent.parent
_PER_FILE = 2
"""Sessions read of one file, so that one large file does not stand for its format."""
RUN = 8
"""Words in a row from which on two texts say the same."""
_WORD = re.compile(r"[\w'./:-]*\w")
_ADVICE = frozenset({"Step back", "Other ways to go on", "Suggested improvements", "Expected impact", "Lessons"})
_NEXT = re.compile(r"^- \*\*Next\*\*:.*(?:\n  \d+\. .*)*", re.MULTILINE)
_PARAGRAPH = re.compile(r"^```[^`]*?^```$|^.+$", re.MULTILINE)
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"\bsteps? \d", re.IGNORECASE)
_FOLD = re.compile(r"^(?:## |<details>)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """One page: where its session stands, what it is about, and its words."""

    place: str
    format: str
    task: str
    kind: str
    advice: tuple[str, ...]
    lead: int
    words: int
    statements: int
    stepless: int


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--most", type=int, default=6, help="sessions of each format")
    parser.add_argument("--list", type=int, default=0, help="print so many of the texts shared most")
    options = parser.parse_args()
    usual = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
    pages = [page for folder in options.folders or [usual] for page in over(folder, options.most)]
    if not pages:
        print("no session that can be read here", file=sys.stderr)
        return 1
    shares, runs = sameness(pages)
    _print(pages, shares)
    for run, count in runs.most_common(options.list):
        print(f"{count:5} {run}")
    return 0


def over(folder: Path, most: int) -> Iterator[Page]:
    """The pages of the sessions of a folder, at most so many of each format."""
    seen: Counter[str] = Counter()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            transcript = load(path)
        except (AnalyzerError, OSError):
            continue
        for number, session in enumerate(transcript.sessions[:_PER_FILE], 1):
            if seen[transcript.format] >= most:
                break
            timeline = build_timeline(session)
            found = post_mortem(timeline, detect(timeline))
            if found.timeline:
                seen[transcript.format] += 1
                yield page_of(f"{path.relative_to(folder)}#{number}", transcript.format, found)


def page_of(place: str, name: str, session: PostMortem) -> Page:
    """What one page says."""
    source = Source(path="log", format=name, size_bytes=0, sha256="")
    text = render(Report(source=source, sessions=[session]))
    fold = _FOLD.search(text, text.find("\n"))
    about = session.diagnosis.about
    advice = tuple(advice_of(text))
    lead = getattr(session.diagnosis, "lead", [])
    stepless = [entry for entry in advice if _STEP.search(entry) is None]
    return Page(
        place,
        name,
        (session.session.task or "")[:200],
        "calm" if about is None else session.findings[about].detector,
        advice,
        len(_WORD.findall(_BLOCK.sub("", text[: fold.start()] if fold else text))),
        len(_WORD.findall(text)),
        len(advice) + len(lead),
        len(stepless) + sum(not statement.steps for statement in lead),
    )


def advice_of(page: str) -> Iterator[str]:
    """The statements of the advice on a page: what to do next, to ask, to change and to remember. A block of code
    belongs to the statement before it."""
    for part in re.split(r"^(?=## |<details>)", page, flags=re.MULTILINE):
        heading, _, body = part.partition("\n")
        if heading.removeprefix("## ") in _ADVICE:
            yield from _statements(body)
        elif found := _NEXT.search(part):
            yield from (line for line in found[0].splitlines() if not line.endswith("**:"))


def _statements(body: str) -> Iterator[str]:
    block: list[str] = []
    for paragraph in _PARAGRAPH.findall(body):
        if paragraph.startswith("```") and block:
            block.append(paragraph)
            continue
        if block and not block[-1].startswith("### "):
            yield "\n".join(block)
            block = []
        block.append(paragraph)
    if block:
        yield "\n".join(block)


def unlike(one: Page, other: Page) -> bool:
    """Whether what is said of one session should not stand on the page of the other."""
    return one.kind != other.kind or (one.format != other.format and one.task != other.task)


def sameness(pages: list[Page]) -> tuple[dict[str, float], Counter[str]]:
    """The share of words that also stand on the page of an unlike session, by place, and the runs shared most."""
    owners: dict[tuple[str, ...], list[Page]] = defaultdict(list)
    words = {page.place: [_WORD.findall(statement) for statement in page.advice] for page in pages}
    for page in pages:
        for run in {run for statement in words[page.place] for run in _runs(statement)}:
            owners[run].append(page)
    shares: dict[str, float] = {}
    runs: Counter[str] = Counter()
    for page in pages:
        shared = total = 0
        for statement in words[page.place]:
            covered: set[int] = set()
            for start, run in enumerate(_runs(statement)):
                if any(unlike(page, other) for other in owners[run]):
                    covered.update(range(start, start + len(run)))
                    runs[" ".join(run)] += 1
            shared += len(covered)
            total += len(statement)
        if total:
            shares[page.place] = shared / total
    return shares, runs


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


def _print(pages: list[Page], shares: dict[str, float]) -> None:
    print(f"{'page':28} {'pages':>6} {'before fold':>12} {'words':>7} {'same':>6} {'statements':>11} {'stepless':>9}")
    kinds: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        kinds[page.kind].append(page)
        kinds["all"].append(page)
    for kind, own in sorted(kinds.items(), key=lambda entry: len(entry[1])):
        known = [shares[page.place] for page in own if page.place in shares]
        same = f"{sum(known) / len(known):6.2f}" if known else f"{'-':>6}"
        lead, words = median(page.lead for page in own), median(page.words for page in own)
        stepless = sum(page.stepless for page in own)
        statements = sum(page.statements for page in own)
        print(f"{kind:28} {len(own):6} {lead:12.0f} {words:7.0f} {same} {statements:11} {stepless:9}")


if __name__ == "__main__":
    sys.exit(main())
