"""What shells and well-known programs say when something goes wrong.

A row with a `subject` counts only when the command line speaks of that subject: a log that is merely shown may quote
the same words. `ACCESS` are the messages of programs that show content; `CAUSES` say why everything after them fails
and are looked for first.
"""

from __future__ import annotations

from analyzer.failures.messages.row import row, table
from analyzer.model.words import FailureKind

_SHELL_PREFIX = (
    r"^(?:/(?:usr/)?bin/)?(?:-?bash|sh|zsh|dash|fish|\(eval\)|[\w./-]{1,80}\.sh|[\w./-]{1,80}(?=: line \d))(?:| "
    r"\([^\n()]{0,30}\)): ?(?:-c: )?(?:(?:line )?\d{1,6}: ?)?"
)
_PROGRAM = r"^(?:/(?:usr/)?bin/)?(?:[\w.+-]+): "

SHELL = table(
    row(
        FailureKind.COMMAND_NOT_FOUND,
        "CommandNotFound",
        rf"{_SHELL_PREFIX}(?P<subject>[^\s:]+): (?:command )?not found\b.*$",
    ),
    row(
        FailureKind.COMMAND_NOT_FOUND,
        "CommandNotFound",
        r"^(?:zsh|fish|\(eval\)):(?:\d{1,6}:)? command not found: (?P<subject>\S+)$",
    ),
    row(
        FailureKind.COMMAND_NOT_FOUND,
        "CommandNotFound",
        (
            r"^(?:sudo|env|timeout|xargs): (?:failed to run command )?['‘\"]?(?P<subject>[^\s:'’\"]+)['’\"]?: "
            r"(?:command not found|No such file or directory)$"
        ),
    ),
    row(FailureKind.USAGE, "ShellSyntaxError", rf"{_SHELL_PREFIX}(?:syntax error|unexpected EOF|parse error)\b.*$"),
    row(FailureKind.NOT_FOUND, "NoSuchFileOrDirectory", rf"{_SHELL_PREFIX}(?:cd: )?can't cd to (?P<subject>[^\n]+)$"),
    row(
        FailureKind.USAGE,
        "ShellSyntaxError",
        r"^(?:zsh|\(eval\)):(?:\d+: )? ?(?:unknown file attribute|bad pattern|event not found|parse error)\b[^\n]*$",
    ),
    row(FailureKind.NOT_FOUND, "NoMatchesFound", r"^(?:zsh|\(eval\)):(?:\d+: )? ?no matches found: (?P<subject>\S+)"),
    row(
        FailureKind.NOT_FOUND,
        "NoSuchFileOrDirectory",
        (
            rf"{_SHELL_PREFIX}(?:cd: |pushd: |source: )?(?P<subject>[^\n:]+): (?:No such file or directory|Not a "
            r"directory|Is a directory)$"
        ),
    ),
    row(FailureKind.PERMISSION, "PermissionDenied", rf"{_SHELL_PREFIX}(?P<subject>[^\n:]+): Permission denied$"),
    row(FailureKind.USAGE, "UnboundVariable", rf"{_SHELL_PREFIX}(?P<subject>\w+): unbound variable$"),
    row(FailureKind.OTHER, "PowerShellError", r"^(?P<detail>(?! *\+)[^\n]{1,500})\n *\+ CategoryInfo"),
    row(
        FailureKind.OTHER,
        "PowerShellError",
        (
            r"^(?P<detail>[^\n]*)(?:\n(?! *\+ FullyQualifiedErrorId)[^\n]*){0,12}\n *\+ FullyQualifiedErrorId : "
            r"(?!NativeCommandError)\w+"
        ),
    ),
)
"""What a shell itself says."""

ACCESS = table(
    row(
        FailureKind.NOT_FOUND,
        "NoSuchFileOrDirectory",
        (
            rf"{_PROGRAM}(?:can't read |cannot access |cannot stat |cannot open |cannot remove |can't open (?:file )?"
            r"|error reading |unable to access |cannot change directory to |can't cd to "
            r")?['‘`\"]?(?P<subject>[^\n:'’\"]+?)['’\"]?(?: for reading)?: (?:\[Errno 2\] |IO error for operation on "
            r"[^\n]"
            rf"{{1,200}}: )?No such file or directory(?: \(os error 2\))?$"
        ),
    ),
    row(
        FailureKind.NOT_FOUND,
        "NoSuchFileOrDirectory",
        r"^(?P<subject>\S+): cannot open [`'‘][^\n]* \(No such file or directory\)$",
    ),
    row(
        FailureKind.PERMISSION,
        "PermissionDenied",
        rf"{_PROGRAM}[^\n]*(?:Permission denied|Operation not permitted|EACCES)[^\n]*$",
    ),
    row(
        FailureKind.USAGE,
        "UsageError",
        (
            r"^(?:Error: )?(?P<detail>find: (?:paths must precede|unknown predicate|missing argument|possible "
            r"unquoted)[^\n]*)$"
        ),
    ),
    row(
        FailureKind.USAGE,
        "UsageError",
        (
            rf"{_PROGRAM}(?:(?:illegal|invalid|unrecognized|unknown|unsupported) option\b|Invalid regular expression"
            r"|Unmatched [\[(\\])[^\n]*$"
        ),
    ),
)
"""Programs that can't get at what they should show."""

CAUSES = table(
    row(FailureKind.NETWORK, "RateLimited", r"^[^\n]{0,80}?(?P<detail>(?:API )?rate limit exceeded[^\n\"]{0,200})"),
    row(
        FailureKind.NETWORK,
        "NameResolution",
        (
            r"^[^\n]{0,200}?(?P<detail>(?:curl: \(\d+\) )?(?:Temporary failure (?:in name resolution|resolving)"
            r"|Could not resolve host|Name or service not known|getaddrinfo ENOTFOUND)[^\n]*)$"
        ),
    ),
    row(
        FailureKind.NETWORK,
        "RepositoryUnavailable",
        r"^E: (?:The repository|Failed to fetch|Some index files failed)[^\n]*$",
    ),
    row(
        FailureKind.NETWORK,
        "NetworkError",
        (
            r"^(?:curl: \(\d+\)|wget: |ssh: |fatal: unable to access)[^\n]*(?:resolve|connect|refused|timed out"
            r"|unreachable|SSL|failed|port)[^\n]*$"
        ),
    ),
)
"""The network isn't there."""

PROGRAMS = table(
    *ACCESS,
    row(
        FailureKind.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        (
            r"^(?:/[^\s:]{0,300}/)?python[\d.]{0,6}(?:\.exe)?: (?P<detail>No module named "
            r"(?![\w.]{0,200}\.__main__\b)[\w.]{1,200})"
        ),
    ),
    row(
        FailureKind.MISSING_DEPENDENCY,
        "ModuleNotFoundError",
        (
            r"^(?:/[^\s:]{0,300}/)?python[\d.]{0,6}(?:\.exe)?: Error while finding module specification for "
            r"[^\n]{1,300}?\(ModuleNotFoundError: (?P<detail>No module named '[^'\n]{1,200}')"
        ),
    ),
    row(
        FailureKind.MISSING_DEPENDENCY,
        "LibraryNotFound",
        (
            r"^(?:[^\s:]{1,300}: error while loading shared libraries|ImportError|OSError): "
            r"(?P<detail>[^\s:]{1,200}: cannot open shared object file)"
        ),
    ),
    row(
        FailureKind.PERMISSION,
        "PermissionDenied",
        (
            r"^npm (?:ERR!|error) code (?:EACCES|EPERM)\b[^\n]*(?:(?:\nnpm (?:ERR!|error)[^\n]*){0,8}?\nnpm (?:ERR!"
            r"|error) (?P<detail>(?:Error: )?(?:EACCES|EPERM)[^\n]*))?"
        ),
    ),
    row(
        FailureKind.USAGE,
        "UsageError",
        (
            r"^(?:[\w./ -]{1,80}: )?error: (?:unrecognized (?:arguments|subcommand)|the following arguments are "
            r"required|unexpected argument|unknown (?:option|command|subcommand|flag)|invalid choice)[^\n]*$"
        ),
    ),
    row(FailureKind.USAGE, "UsageError", r"^error: Script not found [^\n]*$"),
    row(FailureKind.USAGE, "UsageError", r"^Unknown (?:command|JSON field): [^\n]*$"),
    row(FailureKind.PERMISSION, "ExternallyManaged", r"^error: externally-managed-environment$"),
    row(FailureKind.PERMISSION, "HttpError", r"^[^\n]{0,200}?(?P<detail>HTTP 40[13]\b[^\n]{0,200})$"),
    row(
        FailureKind.USAGE,
        "ShellError",
        (
            rf"{_SHELL_PREFIX}(?P<detail>[^\n]{{0,300}}: (?:bad substitution|ambiguous redirect|division by 0 [^\n]*"
            r"|parameter (?:null or not set|not set)|bad interpreter: [^\n]*|cannot execute[^\n]*))$"
        ),
    ),
    row(FailureKind.OTHER, "GitError", r"^fatal: [^\n]+$"),
    row(FailureKind.OTHER, "GitPushRejected", r"^ ! \[(?:remote )?rejected\][^\n]*$"),
    row(
        FailureKind.OTHER,
        "GitError",
        r"^(?:error: (?:pathspec|patch failed|failed to push|Your local changes|could not)[^\n]*|CONFLICT \([^\n]*)$",
    ),
    row(
        FailureKind.MISSING_DEPENDENCY,
        "PackageNotFound",
        (
            r"^(?:E: Unable to locate package \S+|ERROR: (?:No matching distribution found for|Could not find a "
            r"version that satisfies)[^\n]*|npm (?:ERR!|error) 404[^\n]*|E: Package '\S+' has no installation "
            r"candidate)$"
        ),
    ),
    row(FailureKind.OTHER, "DpkgError", r"^(?:dpkg: error|E: )[^\n]+$"),
    row(
        FailureKind.USAGE,
        "InvalidInput",
        (
            r"(?:^|\S)(?:base64|gzip|tar|unzip|jq|xz|openssl): (?:invalid input|[^\n]{0,40}not in gzip format|parse "
            r"error[^\n]*|error[^\n]*)$"
        ),
    ),
    row(
        FailureKind.OTHER,
        "DatabaseError",
        (
            r"^(?:Parse error|Runtime error|Error)(?: in prepare,| near line \d{1,6}:|: near line \d{1,6}:|: in "
            r"prepare,|: stepping,) ?(?P<detail>(?:no such (?:table|column|function): [^\n]{1,200}|[\w ]{1,20} "
            r"constraint failed[^\n]{0,200}|near \"[^\n]{1,80}\": syntax error[^\n]{0,60}|database is "
            r"locked[^\n]{0,40}))$"
        ),
    ),
    row(FailureKind.OTHER, "DatabaseError", r"^(?:psql:[^\n:]{1,200}:\d{1,6}: )?(?P<detail>ERROR:  [^\n]+)$"),
    row(FailureKind.OTHER, "DatabaseError", r"^(?P<detail>ERROR \d{4} \(\w{5}\)(?: at line \d{1,6})?: [^\n]+)$"),
    row(
        FailureKind.CRASH,
        "Crash",
        (
            r"^(?:[^\s:]{1,80}: line \d{1,6}: +\d+ )?(?P<detail>(?:Segmentation fault|Aborted|Killed|Bus error"
            r"|Illegal instruction)(?: \(core dumped\))?)(?: {2,}[^\n]*)?$"
        ),
    ),
    row(
        FailureKind.CRASH,
        "OutOfMemory",
        (
            r"^[^\n]*(?:JavaScript heap out of memory|java\.lang\.OutOfMemoryError|Cannot allocate memory|out of "
            r"memory)[^\n]*$"
        ),
    ),
    row(FailureKind.EXCEPTION, "Exception", r"^Exception in thread \"[^\"\n]*\" (?P<detail>[^\n]+)$"),
    row(FailureKind.EXCEPTION, "panic", r"^panic: (?P<detail>[^\n]+)$"),
    row(
        FailureKind.EXCEPTION,
        "panic",
        r"^thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]+(?:\n(?P<detail>(?!note: |stack backtrace)[^\n]+))?$",
    ),
    row(
        FailureKind.MISSING_DEPENDENCY,
        "ModuleNotFound",
        (
            r"^(?:Error: Cannot find module(?![^\n]*corresponding type declarations)|Error \[ERR_MODULE_NOT_FOUND\]"
            r"|npm ERR! missing:)[^\n]*$"
        ),
    ),
    row(
        FailureKind.OTHER,
        "npmError",
        (
            r"^(?:npm (?:ERR!|error) (?!A complete log|code|path|errno|syscall)[^\n]+|Error: no test specified"
            r"|(?:ERR_PNPM_\w+| ?ERR_PNPM_\w+)[^\n]*|This project is configured to use [^\n]*)$"
        ),
    ),
    row(
        FailureKind.MISSING_DEPENDENCY,
        "PackageNotFound",
        (
            r"^(?:\[ERROR\] Failed to execute goal [^\n:]*|\[ERROR\] Plugin [^\s]+ |> |[^\n]{0,300}: error NU\d{4}): "
            r"?(?P<detail>(?:Could not resolve (?:dependencies|all)|Could not find |Unable to (?:find package"
            r"|resolve)|or one of its dependencies)[^\n]*?)(?: -> \[Help 1\]| \[[^\]\n]+proj\])?$"
        ),
    ),
    row(
        FailureKind.USAGE,
        "UsageError",
        (
            r"^(?:\[ERROR\] (?:Failed to execute goal [^\n]*? on project [^\s:]+: )?(?P<detail>(?:Unknown lifecycle "
            r"phase|No goals have been specified|No tests matching pattern|No tests were executed|No plugin found "
            r"for prefix|The goal you specified)[^\n]*?)(?: -> \[Help 1\])?|Task '[^'\n]*' not found in [^\n]*|Could "
            r"not (?:create task|determine the dependencies)[^\n]*|> No tests found for given includes[^\n]*|MSBUILD "
            r": error MSB\d{4}: [^\n]*)$"
        ),
    ),
    row(
        FailureKind.COMPILE,
        "CompileError",
        (
            r"^(?:[^\s:]+\.(?:swift|scala|hs|ml|zig|nim|d|dart|ex|exs|erl|elm|v)[:(]\d{1,7}[^\n]{0,12}(?::|\)| -) "
            r"?(?:fatal )?(?:error|Error)\b[^\n]*|[^\n]{1,200}: undefined reference to [^\n]*|\[ERROR\] COMPILATION "
            r"ERROR[^\n]*(?:\n\[INFO\] -+)?(?:\n\[ERROR\] (?P<detail>[^\n]+))?)$"
        ),
    ),
    row(
        FailureKind.COMPILE,
        "BuildError",
        r"^(?:CMake Error[^\n]*(?:\n+ +[^\n]+)?|make(?:\[\d+\])?: \*\*\* No rule to make target[^\n]*)$",
    ),
    row(
        FailureKind.EDIT_REFUSED,
        "PatchFailed",
        r"^(?:Hunk #\d{1,4} FAILED|\d{1,4} out of \d{1,4} hunks? FAILED)\b[^\n]*",
    ),
    row(
        FailureKind.COMPILE,
        "BuildError",
        r"^\[ERROR\] [^\n]{0,300}(?:MojoFailureException|MojoExecutionException)\b[^\n]*",
    ),
    row(FailureKind.USAGE, "InvalidInput", r"^parse error: [^\n]{1,200} at (?:EOF at )?line \d{1,9}, column \d{1,9}$"),
    row(
        FailureKind.OTHER,
        "SystemError",
        rf"{_PROGRAM}[^\n]{{1,400}}: (?:File exists|No space left on device|Read-only file system|Device or resource "
        rf"busy"
        r"|Directory not empty|Not a directory|Is a directory|Too many open files|Argument list too long|Text file "
        r"busy|Input/output error|Disk quota exceeded|Cross-device link|Broken pipe|Address already in use)$",
    ),
    row(
        FailureKind.COMPILE,
        "BuildError",
        r"^(?:error during build:(?:\n[^\n]+)?|[✗✘✖] ?Build failed\b[^\n]*|(?:ERROR: )?Build failed(?: with| in"
        r"|:)[^\n]*)",
    ),
)
"""Everything else."""

WRAPPERS = table(
    row(FailureKind.COMPILE, "BuildError", r"^make(?:\[\d+\])?: \*\*\* \[[^\n]{1,300}\] Error \d{1,3}[^\n]{0,40}$"),
)
"""What says only that something below it failed: enough where nothing else does, and where nothing is recorded."""
