"""What Kimi's files need beyond `kimi.toml`: steps, sub-agents, rejections, and what results say of themselves."""

from __future__ import annotations

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import arguments_of, str_or_none, text_of
from analyzer.formats.record.prompts import mark_of
from analyzer.model.rules import CallRule, ResultRule
from analyzer.model.session import Session, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.late import late

_EXIT = late(r"<system>(?:ERROR: )?Command failed with exit code: (-?\d{1,10})\.|<system>(Command executed succ)")
_ERROR = "<system>ERROR:"
_SAID = ("payload.user_input", "message.content[].text", "content")


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._asked: dict[str, str | None] = {}
        self._denied: set[str | None] = set()

    def lane_of(self, row: Row) -> str:
        """The lane of the agent that wrote a record."""
        agent = str_or_none(row.value.get("agentId"))
        return MAIN_LANE if agent in (None, "main") else f"agent-{str(agent)[:12]}"

    def ended(self, status: str | None = None, ending: Ending | None = None, detail: str | None = None) -> None:
        """Note how the session ended; the status is that of the last step in any case."""
        super().ended(status or self.session.recorded_status, ending, detail)

    def of_code(self, _row: Row) -> None:
        """Note that the later program wrote the file."""
        self.session.agent = "Kimi Code"

    def user(self, row: Row) -> None:
        """Tell what the user said from what the harness put into the user's mouth."""
        text, origin = text_at(row, _SAID), value_at(row, "message.origin.kind")
        if origin not in (None, "user") or self.lane != MAIN_LANE:
            self.note(text, self.time)
        elif self.heard(text, self.time):
            self.ended()

    def begin(self, _row: Row) -> None:
        """Note that the model answers."""
        self.answers += 1
        self.ended()

    def called(self, rule: CallRule, row: Row) -> ToolCall | None:
        """A call; those of one step were asked for together."""
        self.batch = f"step {self.answers}"
        return super().called(rule, row)

    def continued(self, row: Row) -> None:
        """Add a piece to the arguments of the last call, where they were sent in pieces."""
        call = next((event for event in reversed(self.session.events) if isinstance(event, ToolCall)), None)
        if call is not None and isinstance(call.arguments, str):
            call.arguments = arguments_of(call.arguments + text_of(value_at(row, "payload.arguments_part")))

    def returned(self, rule: ResultRule, row: Row, call: ToolCall | None = None) -> ToolResult | None:
        """What came back for a call; what it says about itself is in a tag at its beginning."""
        result = super().returned(rule, row, call)
        assert result is not None
        about = string_at(row, "payload.return_value.message")
        parts = (f"<system>{about}</system>" if about else "", result.text, text_at(row, "result.note"))
        result.text = text = "\n".join(filter(None, parts))
        if result.is_error is None and text.startswith(_ERROR):
            result.is_error = True
        if found := _EXIT.match(text):
            result.exit_code = int(found[1]) if found[1] else 0
        result.mark = mark_of(text) if result.is_error else None
        if result.call_id is not None and result.call_id in self._denied:
            result.mark = Mark.DENIED
        if rule.code_outranks and result.exit_code is not None and result.is_error is False:
            result.is_error = None
        return result

    def of_agent(self, row: Row) -> None:
        """Read the event of a sub-agent."""
        name = string_at(row, ("payload.agent_id", "payload.parent_tool_call_id"))
        self.lane = f"agent-{(name or 'unknown')[:12]}"
        self.read_parts("payload.event", "event", row)

    def approval(self, row: Row) -> None:
        """Remember for which call a permission was asked, and that it was refused."""
        if row.value["type"] == "ApprovalRequest":
            self._asked[str(value_at(row, "payload.id"))] = string_at(row, "payload.tool_call_id")
        elif value_at(row, "payload.response") == "reject":
            self._denied.add(self._asked.get(str(value_at(row, "payload.request_id"))))


FORMAT = declared(__file__, _Reader)
