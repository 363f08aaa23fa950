"""The words by which programs call the parts of a call: which word of a key, or of a record's sort, speaks for what."""

from __future__ import annotations

import re

from analyzer.text.expressions import compiled
from analyzer.text.names import name_set, names

NAMES = names(
    """
    tool_name toolname tool function_name function func fn action_name action skill method operation op command_name
    name api endpoint component node task
    """
)
OF_NAMES = NAMES[: NAMES.index("method")]
"""The words that speak for a tool's name even where all records name the same."""
ARGUMENTS = names(
    """
    arguments args tool_input tool_args parameters params kwargs action_input inputs input payload request body data
    query
    """
)
COMMANDS = names("command cmd shell_command commandline command_line bash")
RESULTS = names(
    """
    result tool_output tool_result observation output outputs response return_value returned return ret res out
    stdout answer reply results content body value data text
    """
)
ERRORS = names("error err exception error_message failure errors error_text is_error failed")
SUCCESSES = names("success ok succeeded successful passed")
STATUSES = names("status state outcome result_status level code")
EXIT_CODES = names("exit_code exitcode returncode return_code rc exit_status exit")
IDS = names(
    """
    call_id cid tool_call_id call callid toolcallid tool_use_id request_id requestid invocation_id correlation_id
    corr correlation span_id run_id id req seq_id ref in_reply_to of
    """
)
TIMES = names(
    """
    timestamp @timestamp ts time start_time started_at start started created_at at begin datetime date when t @time
    """
)
ENDS = names("end_time ended_at end finished_at finished completed_at stop")
MILLISECONDS = names("duration_ms elapsed_ms latency_ms ms durationms took_ms millis time_ms")
OF_RESULTS = {"error": ERRORS, "success": SUCCESSES, "exit_code": EXIT_CODES, "status": STATUSES, "text": RESULTS}
"""The words of the parts of a result."""
SECONDS = names("duration_seconds duration_s duration elapsed elapsed_s latency took seconds secs")
SESSIONS = names(
    """
    session_id sessionid session conversation_id conversation run_id runid run thread_id trace_id trace episode
    episode_id job_id job chat_id task_id workflow_id
    """
)
LANES = names("agent_name agent_id agent subagent worker actor lane")
TASKS = names("task goal instruction instructions question prompt objective user_query query")
MODELS = names("model model_name model_id modelname llm")
ROLES = names("role speaker author from sender source")
TEXTS = names("text content message msg said output prompt body input data answer response")
SENT = names("input_tokens prompt_tokens tokens_in prompttokens inputtokens tokens_prompt")
RECEIVED = names("output_tokens completion_tokens tokens_out completiontokens outputtokens")
COSTS = names("cost_usd cost total_cost usd price")
SORTS = names("@list event evt event_type type kind phase record op msg_type category action event_name method")
"""The keys by which records say of what sort they are."""

CALLS = compiled(
    r"(?:tool|function|action|command|skill|api).*(?:start|call|invo|request|begin|use|exec|run|dispatch)"
    r"|(?:call|invoke|start|request|begin|use|run|exec)\w*[._ -]?(?:tool|function|action|command|skill)"
    r"|\A(?:call|request|req|invoke|invocation|action|tool|function|step|command|execute|tool_?call|act|span)s?\Z",
    re.IGNORECASE,
)
REPLIES = compiled(
    r"(?:tool|function|action|command|skill|api).*(?:end|result|finish|complet|output|response|return|done|error|fail)"
    r"|\A(?:result|response|resp|return|returned|observation|observe|output|reply|done|end|finished|outcome)s?\Z"
    r"|(?:result|output|response|reply).*(?:tool|function|action)",
    re.IGNORECASE,
)
OF_TOOLS = compiled(
    r"\A(?:execute|run|call|invoke)?[_ ]?(?:tool|function|action|skill|command)s?[:/. ]\Z", re.IGNORECASE
)
"""Beginnings of names that say: what follows is the name of a tool."""
OF_THE_MODEL = compiled(r"llm|chat_?model|completion|generation|model|prompt|chain|retriev|embed", re.IGNORECASE)
USERS = compiled(r"user|human|customer|prompt|query|question|task|goal|instruction", re.IGNORECASE)
AGENTS = compiled(r"assistant|\bai\b|agent|bot|model|llm|reply|answer|final|say|message|respon|output", re.IGNORECASE)
THOUGHTS = compiled(r"thought|think|reason|rationale|reflect|plan|\Awhy\Z", re.IGNORECASE)
FAILED = name_set(
    """
    error failed failure fail err errored exception timeout timed_out denied rejected aborted crashed false ko nok
    status_code_error invalid
    """
)
SUCCEEDED = name_set(
    """
    ok success succeeded successful completed complete done finished passed true pass status_code_ok fine
    """
)


def words_of(key: str) -> str:
    """A key in the form in which these lists have theirs: `toolName` -> `tool_name`."""
    last = key.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).replace("-", "_").casefold()
