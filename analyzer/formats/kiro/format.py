"""What sessions of Kiro's command line need beyond `format.toml`: prompts of several texts, what tools returned."""

from __future__ import annotations

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.text.late import late

_EXIT = late(r"exit status: (-?\d{1,10})")


class _Reader(RuleReader):
    def asked(self, row: Row) -> None:
        """What the user says, in all texts of a prompt."""
        blocks = map(dict_of, list_of(value_at(row, "data.content")))
        self.heard("\n".join(text_of(block.get("data")) for block in blocks if block.get("kind") == "text"), self.time)

    def joined(self, _row: Row) -> None:
        self.last_call.batch = f"answer {self.answers}"

    def told(self, row: Row) -> None:
        """What a tool returned, of a command what it printed; the flag of a command speaks of the tool."""
        status, texts = value_at(row, "data.status"), list[str]()
        result = self.result(string_at(row, "data.toolUseId"), "", time=self.time)
        result.is_error = {"error": True, "success": False}.get(str(status))
        for value in list_of(value_at(row, "data.content[].data")):
            if isinstance(value, dict) and "exit_status" in value:
                found = _EXIT.search(text_of(value["exit_status"]))
                result.exit_code = int(found[1]) if found else None
                result.is_error = result.is_error or None
                texts += [text_of(value.get("stdout")), text_of(value.get("stderr"))]
            else:
                texts.append(text_of(value))
        result.text = "\n".join(filter(None, texts))


FORMAT = declared(__file__, _Reader)
