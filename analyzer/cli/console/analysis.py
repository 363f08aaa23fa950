"""The options that say how transcripts are read and judged, as one value."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from analyzer.cli.console.options import (
    check_detectors,
    ignore_option,
    input_format_option,
    mask_option,
    prices_option,
    redact_option,
    select_option,
    set_option,
)

_OPTIONS = (input_format_option, select_option, ignore_option, set_option, mask_option, prices_option, redact_option)


def analysis_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options from `--input-format` to `--redact`; the command takes them as `analysis`, a
    `analyzer.audit.settings.Settings`. Names that no detector has are refused."""

    @wraps(command)
    def called(
        *args: Any,
        input_format: str | None,
        select: tuple[str, ...],
        ignore: tuple[str, ...],
        settings: dict[str, dict[str, object]],
        mask: dict[str, str],
        prices: str | None,
        redact: bool,
        **rest: Any,
    ) -> Any:
        from analyzer.audit.settings import Settings

        check_detectors(select, (*ignore, *settings))
        return command(*args, analysis=Settings(input_format, select, ignore, mask, settings, redact, prices), **rest)

    decorated: Callable[..., Any] = called
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated
