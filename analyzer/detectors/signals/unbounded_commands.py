"""Why a command doesn't come to an end by itself, and how to run it so that it does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.subcommands import from_subcommand

_PROMPT = late(
    r"(?:\[[yY](?:es)?/[nN]o?\]|\((?:y|yes)/(?:n|no)(?:/[^)\n]{0,30})?\))\??:?\s{0,3}(?:Abort\.)?$"
    r"|\b(?:password|passphrase|username)\b[^\n]{0,80}:$|\bpress (?:any key|enter|return)\b[^\n]{0,40}$"
    r"|^(?:>>>|In \[\d{1,4}\]:|mysql>|sqlite>|\w{1,30}[=-][#>]|\(Pdb\)|ipdb>|\(gdb\)|\(END\)|--More--[^\n]{0,20})$",
    re.IGNORECASE,
)
_EDITORS = frozenset({"vi", "vim", "nvim", "nano", "emacs", "pico", "joe"})
_SCREENS = frozenset({"less", "more", "man", "top", "htop", "btop"})
_REPLS = frozenset(
    {
        "python",
        "python3",
        "ipython",
        "node",
        "irb",
        "ghci",
        "lua",
        "R",
        "mysql",
        "psql",
        "sqlite3",
        "bc",
        "julia",
        "scala",
        "jshell",
    }
)
_STDIN = frozenset({"cat", "wc", "sort", "uniq", "tr", "head", "tail"})
_ASKING = {
    "apt": "-y",
    "apt-get": "-y",
    "aptitude": "-y",
    "yum": "-y",
    "dnf": "-y",
    "zypper": "-y",
    "conda": "-y",
    "mamba": "-y",
    "pacman": "--noconfirm",
}
_SERVERS = frozenset(
    {
        "uvicorn",
        "gunicorn",
        "hypercorn",
        "nodemon",
        "http-server",
        "webpack-dev-server",
        "vite",
        "live-server",
        "celery",
        "redis-server",
        "mongod",
        "nginx",
    }
)
_SERVES = late(
    r"\b(?:http\.server|SimpleHTTPServer|runserver|port-forward)\b|^flask\b[^\n]{0,60} run\b|^(?:npm|yarn|pnpm"
    r"|bun)(?: run)? (?:start|dev|serve|watch)\b|^(?:next|astro|nuxt) dev\b|^rails (?:s|server)\b"
    r"|^streamlit run\b|^(?:tail|journalctl)\b[^\n]{0,60} -[a-zA-Z]*[fF]\b|^docker[ -]compose\b(?![^\n]{0,80} "
    r"-d\b)[^\n]{0,80} up\b|^(?:dotnet|cargo|gulp|jest|vitest|tsc)\b[^\n]{0,60} (?:watch|--watch|-w)\b"
)


def asks(action: Action) -> bool:
    """Whether the output ends with a question or a program's prompt."""
    lines = (action.result or "").rstrip()[-400:].splitlines()
    return bool(lines) and _PROMPT.search(lines[-1].strip()) is not None


def name_of(action: Action) -> str:
    """What a person would call the command or call by."""
    return clip((action.operation.command or "").strip() or f"{action.tool} {action.operation.target}".strip(), 200)


def why_unbounded(action: Action) -> tuple[str, str]:
    """Why a command hangs, as a kind, and how to run it instead."""
    name = code(name_of(action), 80)
    line = action.operation.command or ""
    piped = any(mark in line for mark in ("<", "|"))
    for position, entry in enumerate(action.operation.commands):
        advice = _instead(entry, first=position == 0 and not piped)
        if advice is not None:
            return advice
    if asks(action):
        return (
            "waits-for-input",
            (
                f"{name} waits for an answer: give it the flag that answers it (`-y`, `--yes`), or "
                "pipe the answer into it."
            ),
        )
    if any(entry.program in _ASKING for entry in action.operation.commands):
        return (
            "timeout",
            f"Check once whether the network can be reached before {name} runs again, and give it a time limit of its "
            "own (`timeout 60 ...`).",
        )
    if action.kind is Kind.TEST:
        return (
            "timeout",
            (
                f"Run one test file of {name} under a time limit (`timeout 60 ...`) to see which one hangs, or all "
                "of them in the background with the output redirected to a file."
            ),
        )
    if action.operation.command is None:
        return (
            "timeout",
            f"Don't call {name} again unchanged: ask for less at once, or check whether the service it talks to is up.",
        )
    return (
        "timeout",
        (
            f"Run {name} under its own time limit (`timeout 60 ...`) on a smaller input, or in the background with "
            "its output redirected to a file; don't repeat it unchanged."
        ),
    )


def _instead(entry: Command, *, first: bool) -> tuple[str, str] | None:
    """Why one of a line's commands never ends by itself, and what to run instead. `first` is True where it reads from
    nothing else."""
    program, args = entry.program, entry.args
    text, shown = entry.text[:500], code(entry.text, 80)
    if program == "git" and args and _opens_editor(from_subcommand("git", args)) and "ditor=" not in text:
        return (
            "waits-for-input",
            (
                f"{shown} opens an editor or a prompt: give the message with `-m`, set `GIT_EDITOR=true`, or use a "
                "form "
                "that takes its input from arguments."
            ),
        )
    if program in _EDITORS or program in _SCREENS:
        other = (
            "change the file with an editing tool or `sed -i`"
            if program in _EDITORS
            else "use `cat`, `head`, or the batch mode (`top -b -n 1`)"
        )
        return "waits-for-input", f"{shown} takes over the terminal: {other} instead."
    if program in _REPLS and first and not args:
        return (
            "waits-for-input",
            f"{shown} opens an interactive session: pass the code to it (`-c`, `-e`, or a script file).",
        )
    if program in _STDIN and first and not any(not word.startswith("-") for word in args):
        return "waits-for-input", f"{shown} reads from standard input, which never ends here: name a file."
    if (
        program in _ASKING
        and {"install", "remove", "upgrade", "dist-upgrade", "update", "create", "-S", "-Syu"} & set(args)
        and not _answered(args, program)
    ):
        return (
            "waits-for-input",
            (
                f"{shown} asks for confirmation: add `{_ASKING[program]}`; if it still hangs, check once whether the "
                "network is reachable."
            ),
        )
    if program in ("npm", "yarn", "pnpm") and args[:1] in (("init",), ("create",)) and not {"-y", "--yes"} & set(args):
        return "waits-for-input", f"{shown} asks questions: add `--yes` and pass all choices as flags."
    if program == "pip" and args[:1] == ("uninstall",) and not {"-y", "--yes"} & set(args):
        return "waits-for-input", f"{shown} asks for confirmation: add `-y`."
    if program == "rm" and any(re.fullmatch(r"-\w{0,5}[iI]\w{0,5}", word) for word in args):
        return "waits-for-input", f"{shown} asks for every file: leave out `-i`, or use `-f`."
    if program in ("passwd", "ssh", "ssh-keygen", "su"):
        return (
            "waits-for-input",
            f"{shown} asks for input: use its batch form (such as `ssh -o BatchMode=yes`), or do without it.",
        )
    if program in _SERVERS or _SERVES.search(text) or program == "watch":
        return (
            "runs-in-foreground",
            (
                f"{shown} runs until it's stopped: start it in the background with its output redirected to a file "
                "(`... > "
                "server.log 2>&1 &`) and look at the file."
            ),
        )
    return None


def opened_for(action: Action, said: str) -> bool:
    """Whether the user asked for the interactive program that a call opens: by its name alone, or by a word that opens
    or runs one right before the name. `said` is the user's last message."""
    kind, _ = why_unbounded(action)
    if kind != "waits-for-input" or asks(action):
        return False
    words = " ".join(said.split()).strip(" .!?`'\"").casefold()
    for entry in action.operation.commands:
        stem = entry.program.rstrip("0123456789.").casefold()
        line = " ".join(entry.text.split()).casefold()
        names = "|".join(
            re.escape(name) for name in dict.fromkeys((line[:200], entry.program.casefold(), stem)) if name
        )
        if re.fullmatch(names, words) or re.search(rf"{_OPENS}(?:{names}){_OPENED}", words):
            return True
    return False


_OPENS = (
    r"\b(?:open|run|start|launch|enter|fire up|drop (?:me )?into|give me|connect (?:me )?(?:to|with))"
    r"(?: (?:up|the|a|an|me|my|it in|this in|interactive|new|shell|session|with|in|of)){0,4} [`'\"]?"
)
"""What a user says right before the name of a program that is to be opened."""
_OPENED = (
    r"[`'\"]?(?=$|[.,;:!?)]| (?:shell|interpreter|repl|console|prompt|session|client|editor|and|so|then|for me|"
    r"please|interactively)\b)"
)
"""What follows the name of a program that is itself to be opened, rather than to run something."""


def _answered(args: Sequence[str], program: str) -> bool:
    return any(
        word in ("-y", "--yes", "--assume-yes", "-qq", "--noconfirm", "--non-interactive", "-n")
        or re.fullmatch(r"-\w{0,4}y\w{0,4}", word)
        for word in args
    ) or (program in ("apt", "apt-get") and "update" in args)


def _opens_editor(args: Sequence[str]) -> bool:
    words = set(args)
    if args[0] == "commit":
        given = {"--no-edit", "-F", "-C", "--file", "--fixup", "--dry-run", "-h"} & words
        return not given and not any(
            re.match(r"-\w{0,6}[mF]|--message|--file|--fixup|--reuse-message", word) for word in args[1:]
        )
    if args[0] == "rebase":
        return bool({"-i", "--interactive"} & words) or (words & {"--continue"} != set())
    return args[0] in ("add", "checkout", "stash", "reset") and bool({"-p", "--patch", "-i"} & words)
