"""What Qwen Code's records need beyond `qwen_code.toml`: Gemini's function responses, and its count of thoughts."""

from __future__ import annotations

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.function_responses import response_of, result_of
from analyzer.model.session import Tokens


class _Reader(RuleReader):
    def count(self, row: Row) -> None:
        """Count what an answer used. Services count thoughts within what was said or apart from it, which the total
        tells."""
        usage = dict_of(row.value.get("usageMetadata"))
        sent, said, thought, total = (
            int_or_none(usage.get(key))
            for key in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount")
        )
        apart = thought is not None and said is not None and total == (sent or 0) + said + thought
        output = (said or 0) + (thought or 0) if apart else said
        self.meter.spent(Tokens(sent, output, int_or_none(usage.get("cachedContentTokenCount"))))

    def result_of(self, row: Row) -> None:
        about = dict_of(row.value.get("toolCallResult"))
        parts = [dict_of(part) for part in list_of(dict_of(row.value.get("message")).get("parts"))]
        answers = [dict_of(part["functionResponse"]) for part in parts if "functionResponse" in part]
        text, error = response_of(parts)
        call_id = next(
            (name for one in (*answers, {"id": about.get("callId")}) if (name := str_or_none(one.get("id")))), ""
        )
        status = about.get("status") if isinstance(about.get("status"), str) else ("error" if error else "success")
        call = self.calls.get(call_id)
        result = result_of(call_id, call.name if call is not None else None, status, text, error)
        result.text = result.text or (text_of(about.get("resultDisplay")) if status != "success" else "")
        result.error_type, result.time = str_or_none(about.get("errorType")), self.time
        if result.exit_code is not None and result.is_error is False:
            result.is_error = None
        self.session.events.append(result)


FORMAT = declared(__file__, _Reader)
