"""What well-known programs are for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from analyzer.model.action import Command
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled
from analyzer.text.names import name_set, names
from analyzer.text.subcommands import from_subcommand
from analyzer.timeline.calls.runners import PYTHONS, test_runner

READERS = name_set("awk bat cat column cut head hexdump jq less more nl od sed strings tail xxd yq")
SEARCHERS = name_set(
    """
    [ ack ag basename cmp date df diff dirname du egrep env fd fgrep file find free grep hostname id locate ls lsof
    pgrep printenv ps pwd readlink realpath rg sort stat test tr tree type uname uniq wc whereis which whoami
    """
)
_SILENT = name_set(
    """
    . : alias break case cd clear continue done echo esac exit export false fi for popd printf pushd set source trap
    true ulimit umask unset wait }
    """
)
"""Programs and words of the shell that say nothing about what a line is for."""
FILE_WRITERS = frozenset({"tee", "patch", "truncate", "dd", "install"})
FILE_MOVERS = frozenset({"rm", "mv", "cp", "mkdir", "rmdir", "ln", "chmod", "chown", "touch", "unzip", "tar"})
_INTERPRETERS = name_set("node bash sh ruby perl php deno bun tsx ts-node Rscript")
_CODE_OPTIONS = frozenset({"-c", "-m", "-e", "--eval"})
_VALUE_OPTIONS = frozenset({"-W", "-X"})
_TEST_FILE = compiled(r"(?:^|/)(?:test_[\w-]+|[\w-]+_test|run_?tests?|tests?)\.(?:py|js|ts|rb|php|sh)$")
_SCRIPT = compiled(r"\.(?:py|js|mjs|cjs|ts|rb|pl|php|sh|lua|R|jl)$")
_IN_PLACE = compiled(r"^(?:--in-place|-[a-zA-Z]*i)")


def script(command: Command) -> str | None:
    """The script file that a command runs (`python repro.py`, `./run.sh`), or None."""
    if _SCRIPT.search(command.program):
        return command.text.split(" ", 1)[0]
    if not PYTHONS.match(command.program) and command.program not in _INTERPRETERS:
        return None
    words = iter(command.args)
    for word in words:
        if word in _CODE_OPTIONS:
            return None
        if word in _VALUE_OPTIONS:
            next(words, None)
        elif _SCRIPT.search(word):
            return word
    return None


def looks_like_test_file(path: str) -> bool:
    """Whether a script's name says that it tests something."""
    return _TEST_FILE.search(path) is not None


def kind_of(command: Command) -> Kind | None:
    """What a command does, or None for one that says nothing (`cd`, `echo`)."""
    if test_runner(command):
        return Kind.TEST
    if command.program in _BY_ARGUMENTS:
        return _BY_ARGUMENTS[command.program](from_subcommand(command.program, command.args))
    if command.program in _KINDS:
        return _KINDS[command.program]
    name = script(command)
    return Kind.TEST if name and looks_like_test_file(name) else Kind.RUN


def _edits_in_place(args: tuple[str, ...]) -> bool:
    return any(_IN_PLACE.match(word) for word in args)


def _sed(args: tuple[str, ...]) -> Kind:
    return Kind.EDIT if _edits_in_place(args) else Kind.READ


def _perl(args: tuple[str, ...]) -> Kind:
    return Kind.EDIT if _edits_in_place(args) else Kind.RUN


def _find(args: tuple[str, ...]) -> Kind:
    """A search, unless it deletes what it finds or runs something else on it."""
    if "-delete" in args:
        return Kind.RUN
    runs = next((place for place, word in enumerate(args) if word in ("-exec", "-execdir", "-ok")), None)
    if runs is None or not args[runs + 1 :]:
        return Kind.SEARCH
    program, *words = args[runs + 1 :]
    kind = kind_of(Command(program.rsplit("/", 1)[-1], tuple(words), " ".join(args[runs + 1 :])))
    return kind if kind is Kind.RUN or kind is Kind.EDIT or kind is Kind.TEST else Kind.SEARCH


def _git(args: tuple[str, ...]) -> Kind:
    words = [word for word in args if not word.startswith("-")]
    verb = words[0] if words else ""
    if verb == "checkout":
        return Kind.EDIT if "--" in args else Kind.RUN
    if verb == "stash" and words[1:2] in (["list"], ["show"]):
        return Kind.SEARCH if words[1] == "list" else Kind.READ
    if verb == "apply" and _ONLY_ASKS & set(args):
        return Kind.READ
    return _GIT.get(verb, Kind.RUN)


def _containers(args: tuple[str, ...]) -> Kind:
    return _CONTAINERS.get(args[0] if args else "", Kind.RUN)


def _cluster(args: tuple[str, ...]) -> Kind:
    return _CLUSTER.get(args[0] if args else "", Kind.RUN)


def _kinds(*rows: tuple[Kind | None, frozenset[str]]) -> Mapping[str, Kind | None]:
    return MappingProxyType({program: kind for kind, programs in rows for program in programs})


_KINDS = _kinds(
    (Kind.SEARCH, SEARCHERS),
    (Kind.READ, READERS),
    (Kind.EDIT, FILE_WRITERS | {"applypatch", "apply_patch"}),
    (Kind.WAIT, frozenset({"sleep"})),
    (None, _SILENT),
)
_GIT = MappingProxyType(
    {
        **dict.fromkeys(
            names("blame branch config describe grep log ls-files reflog remote rev-parse shortlog status"),
            Kind.SEARCH,
        ),
        **dict.fromkeys(("diff", "show"), Kind.READ),
        **dict.fromkeys(("am", "apply", "restore", "revert", "stash"), Kind.EDIT),
    }
)
"""What git's commands do; every other one runs something."""
_CONTAINERS = MappingProxyType(
    {
        **dict.fromkeys(names("images info port ps search top version"), Kind.SEARCH),
        **dict.fromkeys(names("diff history inspect logs"), Kind.READ),
    }
)
_CLUSTER = MappingProxyType(
    {
        **dict.fromkeys(names("api-resources api-versions cluster-info get top version"), Kind.SEARCH),
        **dict.fromkeys(names("describe explain logs"), Kind.READ),
    }
)
"""What only asks for what a container, a cluster or its parts are."""
_ONLY_ASKS = frozenset({"--check", "--stat", "--numstat", "--summary"})
"""Options with which a patch is looked at and not applied."""
_BY_ARGUMENTS: Mapping[str, Callable[[tuple[str, ...]], Kind]] = MappingProxyType(
    {
        "sed": _sed,
        "perl": _perl,
        "git": _git,
        "find": _find,
        **dict.fromkeys(("docker", "podman", "nerdctl"), _containers),
        **dict.fromkeys(("kubectl", "oc"), _cluster),
    }
)
