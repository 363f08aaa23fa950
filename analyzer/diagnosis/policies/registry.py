"""Which policies there are, by name."""

from __future__ import annotations

from analyzer.diagnosis.policies.alternating import AlternatingCalls, AlternatingError, ExactCycle
from analyzer.diagnosis.policies.assistants import Cline, GeminiCli, OpenCode, QwenCode, RooCode
from analyzer.diagnosis.policies.errors import IdenticalError, MaskedError
from analyzer.diagnosis.policies.in_a_row import IdenticalCall, IdenticalCallAndResult, SameTool, StepLimit
from analyzer.diagnosis.policies.interface import Policy
from analyzer.diagnosis.policies.openhands import OpenHands, OpenHandsSdk
from analyzer.diagnosis.policies.windows import BrowserUse, Crush, HermesAgent, Openclaw
from analyzer.model.errors import BadConfiguration
from analyzer.text.english import did_you_mean

_ALL: tuple[type[Policy], ...] = (
    *(
        SameTool,
        IdenticalCall,
        IdenticalCallAndResult,
        IdenticalError,
        MaskedError,
        AlternatingCalls,
        AlternatingError,
        ExactCycle,
        StepLimit,
    ),
    *(OpenHands, OpenHandsSdk, GeminiCli, QwenCode, RooCode, Cline, OpenCode, Crush, BrowserUse, Openclaw, HermesAgent),
)
POLICIES: dict[str, type[Policy]] = {policy.name: policy for policy in _ALL}
"""Every policy by its name, the plain ones first, then those of other programs."""


def policy(name: str) -> type[Policy]:
    """The policy of that name. Raises `BadConfiguration` where there's none."""
    found = POLICIES.get(name)
    if found is None:
        raise BadConfiguration(f"there is no policy {name!r}.", hint=did_you_mean(name, POLICIES))
    return found
