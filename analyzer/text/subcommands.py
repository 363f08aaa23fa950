"""Where the subcommand of a program begins among its words: behind the options that hold for all of its subcommands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from analyzer.text.names import name_set

_CONTAINERS = "--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey --connection --url"
_CLUSTERS = (
    "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --request-timeout "
    "--cache-dir --certificate-authority -v"
)
_VALUED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        program: name_set(options)
        for programs, options in (
            ("git", "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix"),
            ("docker podman nerdctl", _CONTAINERS),
            ("kubectl oc", _CLUSTERS),
            ("helm", "-n --namespace --kube-context --kubeconfig --kube-token --registry-config --repository-config"),
            ("gh glab", "-R --repo"),
            ("npm", "--prefix -w --workspace -C"),
            ("pnpm", "-C --dir --filter -F"),
            ("yarn bun", "--cwd --filter -w --workspace"),
            ("cargo", "-C --config --color -Z"),
            ("go", "-C"),
            ("make gmake", "-C -f --directory --file -I --include-dir"),
            ("just", "-f -d --justfile --working-directory"),
            ("uv", "--directory --project --config-file --cache-dir"),
            ("poetry", "-C --directory -P --project"),
            ("composer", "-d --working-dir"),
            ("terraform tofu", ""),
            ("aws", "--profile --region --output --endpoint-url --query"),
            ("gcloud", "--project --account --configuration --format"),
            ("apt apt-get", "-o -c -t"),
        )
        for program in programs.split()
    }
)
"""Options of these programs that stand before the subcommand and have the next word as their value."""


def from_subcommand(program: str, args: Sequence[str]) -> tuple[str, ...]:
    """The words of a command from its subcommand on; all of them where it has none, or the program isn't known for
    subcommands."""
    valued = _VALUED.get(program)
    position = 0
    while valued is not None and position < len(args) and _is_option(program, args[position]):
        position += 2 if args[position] in valued else 1
    return tuple(args[position:] or args)


def _is_option(program: str, word: str) -> bool:
    """Whether a word stands before the subcommand; a toolchain (`cargo +nightly test`) does, too."""
    return (word.startswith("-") and word != "--") or (program == "cargo" and word.startswith("+"))
