"""Formats that are declared: a file of rules in place of a reader, with what records need beyond rules in a class
beside it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from analyzer.formats.container.document import Document, Record
from analyzer.formats.loading.mapping.files import parsed
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.values import holds, value_at
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.records import in_branches
from analyzer.model.errors import BadConfiguration
from analyzer.model.mapping import FormatRule, LogMapping
from analyzer.model.session import Session


class Declared(RecordFormat):
    """Reads what rules describe."""

    def __init__(self, mapping: LogMapping, about: FormatRule, reader: type[RuleReader] = RuleReader) -> None:
        self.about, self.rules = about, Rules(mapping)
        self.describe(about.model_dump())
        self.kind_keys = tuple(kind.key for kind in mapping.kind.values())
        for rule in (rule for rules in mapping.rules.values() for rule in rules):
            hook = rule.hook
            if hook is not None and getattr(reader, hook, None) is getattr(RuleReader, hook, None):
                raise BadConfiguration(f"hook {hook!r} is no method of the format's reader.", where=about.name)
        self._lists = [path for rule in mapping.rules.get("record", ()) for path in rule.each] if about.whole else []
        self.reader = partial(reader, rules=self.rules)

    def is_readable(self, value: object) -> bool:
        """Whether a record is the format's own, or an object with the lists that such a file has."""
        return self.is_own(value) or any(isinstance(value_at(value, path), list) for path in self._lists)

    def sniff(self, document: Document) -> bool:
        """Whether the document, or one of its first records, is the format's own."""
        return self.is_own(document.value) if self.about.whole else super().sniff(document)

    def records(self, document: Document, session: Session) -> Iterable[Record]:
        """The records, of a tree with the branches on which they lie."""
        found, branch = super().records(document, session), self.about.branch
        if branch is None:
            return found

        def ends(record: dict[str, object]) -> bool:
            return branch.aside is None or not holds(record, branch.aside)

        entries = list(found)
        headers = [one for one in entries if branch.header is not None and holds(one.value, branch.header)]
        entries = [one for one in entries if one not in headers]
        return [*headers[:1], *in_branches(entries, branch.id, branch.parent, ends)]


def declared(file: str, reader: type[RuleReader] = RuleReader, kind: type[Declared] = Declared) -> Declared:
    """The format that a file of rules declares; `file` is the file itself or the module beside it."""
    path = Path(file).with_suffix(".toml")
    return of_mapping(parsed(path.read_text(encoding="utf-8"), path.name), reader, kind)


def of_mapping(mapping: LogMapping, reader: type[RuleReader] = RuleReader, kind: type[Declared] = Declared) -> Declared:
    """The format that a mapping declares, which must have the table `format`."""
    assert mapping.format is not None
    return kind(mapping, mapping.format, reader)
