"""What shells and well-known programs say when something goes wrong.

A row with a `subject` counts only when the command line speaks of that subject: a log that is merely shown may quote
the same words. `ACCESS` are the messages of programs that show content; `CAUSES` say why everything after them fails
and are looked for first.
"""

from __future__ import annotations

from analyzer.failures.messages.row import Table, table

_SHELL_PREFIX = (
    r"^(?:/(?:usr/)?bin/)?(?:-?bash|sh|zsh|dash|fish|\(eval\)|[\w./-]{1,80}\.sh|[\w./-]{1,80}(?=: line \d))(?:| "
    r"\([^\n()]{0,30}\)): ?(?:-c: )?(?:(?:line )?\d{1,6}: ?)?"
)
_PROGRAM = r"^(?:/(?:usr/)?bin/)?(?:[\w.+-]+): "

SHELL = table(
    r"""
command-not-found CommandNotFound {SHELL}(?P<subject>[^\s:]+): (?:command )?not found\b.*$
command-not-found CommandNotFound ^(?:zsh|fish|\(eval\)):(?:\d{1,6}:)? command not found: (?P<subject>\S+)$
command-not-found CommandNotFound ^(?:sudo|env|timeout|xargs): (?:failed to run command )?['‘\"]?
    (?P<subject>[^\s:'’\"]+)['’\"]?: (?:command not found|No such file or directory)$
usage-error ShellSyntaxError {SHELL}(?:syntax error|unexpected EOF|parse error)\b.*$
not-found NoSuchFileOrDirectory {SHELL}(?:cd: )?can't cd to (?P<subject>[^\n]+)$
usage-error ShellSyntaxError ^(?:zsh|\(eval\)):(?:\d+: )? ?(?:unknown file attribute|bad pattern|event not found
    |parse error)\b[^\n]*$
not-found NoMatchesFound ^(?:zsh|\(eval\)):(?:\d+: )? ?no matches found: (?P<subject>\S+)
not-found NoSuchFileOrDirectory {SHELL}(?:cd: |pushd: |source: )?(?P<subject>[^\n:]+): (?:No such file or directory
    |Not a directory|Is a directory)$
permission PermissionDenied {SHELL}(?P<subject>[^\n:]+): Permission denied$
usage-error UnboundVariable {SHELL}(?P<subject>\w+): unbound variable$
other PowerShellError ^(?P<detail>(?! *\+)[^\n]{1,500})\n *\+ CategoryInfo
other PowerShellError ^(?P<detail>[^\n]*)(?:\n(?! *\+ FullyQualifiedErrorId)[^\n]*){0,12}\n *\+
     FullyQualifiedErrorId : (?!NativeCommandError)\w+
""",
    SHELL=_SHELL_PREFIX,
)
"""What a shell itself says."""

ACCESS = table(
    r"""
not-found NoSuchFileOrDirectory {PROGRAM}(?:can't read |cannot access |cannot stat |cannot open |cannot remove
     |can't open (?:file )?|error reading |unable to access |cannot change directory to |can't cd to )?['‘`\"]?
    (?P<subject>[^\n:'’\"]+?)['’\"]?(?: for reading)?: (?:\[Errno 2\] |IO error for operation on [^\n]{1,200}: )?No
     such file or directory(?: \(os error 2\))?$
not-found NoSuchFileOrDirectory ^(?P<subject>\S+): cannot open [`'‘][^\n]* \(No such file or directory\)$
permission PermissionDenied {PROGRAM}[^\n]*(?:Permission denied|Operation not permitted|EACCES)[^\n]*$
usage-error UsageError ^(?:Error: )?(?P<detail>find: (?:paths must precede|unknown predicate|missing argument
    |possible unquoted)[^\n]*)$
usage-error UsageError {PROGRAM}(?:(?:illegal|invalid|unrecognized|unknown|unsupported) option\b
    |Invalid regular expression|Unmatched [\[(\\])[^\n]*$
""",
    PROGRAM=_PROGRAM,
)
"""Programs that can't get at what they should show."""

CAUSES = table(r"""
network RateLimited ^[^\n]{0,80}?(?P<detail>(?:API )?rate limit exceeded[^\n\"]{0,200})
network NameResolution ^[^\n]{0,200}?(?P<detail>(?:curl: \(\d+\) )?(?:Temporary failure (?:in name resolution
    |resolving)|Could not resolve host|Name or service not known|getaddrinfo ENOTFOUND)[^\n]*)$
network RepositoryUnavailable ^E: (?:The repository|Failed to fetch|Some index files failed)[^\n]*$
network NetworkError ^(?:curl: \(\d+\)|wget: |ssh: |fatal: unable to access)[^\n]*(?:resolve|connect|refused
    |timed out|unreachable|SSL|failed|port)[^\n]*$
""")
"""The network isn't there."""

PROGRAMS = Table(
    (
        *ACCESS,
        *table(
            r"""
missing-dependency ModuleNotFoundError ^(?:/[^\s:]{0,300}/)?python[\d.]{0,6}
    (?:\.exe)?: (?P<detail>No module named (?![\w.]{0,200}\.__main__\b)[\w.]{1,200})
missing-dependency ModuleNotFoundError ^(?:/[^\s:]{0,300}/)?python[\d.]{0,6}
    (?:\.exe)?: Error while finding module specification for [^\n]{1,300}?\(ModuleNotFoundError: (?P<detail>No
     module named '[^'\n]{1,200}')
missing-dependency LibraryNotFound ^(?:[^\s:]{1,300}: error while loading shared libraries|ImportError
    |OSError): (?P<detail>[^\s:]{1,200}: cannot open shared object file)
permission PermissionDenied ^npm (?:ERR!|error) code (?:EACCES|EPERM)\b[^\n]*(?:(?:\nnpm (?:ERR!
    |error)[^\n]*){0,8}?\nnpm (?:ERR!|error) (?P<detail>(?:Error: )?(?:EACCES|EPERM)[^\n]*))?
usage-error UsageError ^(?:[\w./ -]{1,80}: )?error: (?:unrecognized (?:arguments|subcommand)
    |the following arguments are required|unexpected argument|unknown (?:option|command|subcommand|flag)
    |invalid choice)[^\n]*$
usage-error UsageError ^error: Script not found [^\n]*$
usage-error UsageError ^Unknown (?:command|JSON field): [^\n]*$
permission ExternallyManaged ^error: externally-managed-environment[ ]*$
permission HttpError ^[^\n]{0,200}?(?P<detail>HTTP 40[13]\b[^\n]{0,200})$
usage-error ShellError {SHELL}(?P<detail>[^\n]{0,300}: (?:bad substitution|ambiguous redirect|division by 0 [^\n]*
    |parameter (?:null or not set|not set)|bad interpreter: [^\n]*|cannot execute[^\n]*))$
other AnsibleError ^(?:fatal|failed): \[[^\n]{1,200}! => [^\n]*?"msg": "(?P<detail>[^"\n]{1,300})[^\n]*$
    (?!\n\.\.\.ignoring)
other GitError ^fatal: (?!\[)[^\n]+$
other GitPushRejected ^ ! \[(?:remote )?rejected\][^\n]*$
other GitError ^(?:error: (?:pathspec|patch failed|failed to push|Your local changes|could not)[^\n]*
    |CONFLICT \([^\n]*)$
missing-dependency PackageNotFound ^(?:E: Unable to locate package \S+|ERROR: (?:No matching distribution found for
    |Could not find a version that satisfies)[^\n]*|npm (?:ERR!|error) 404[^\n]*
    |E: Package '\S+' has no installation candidate)$
other DpkgError ^(?:dpkg: error|E: )[^\n]+$
usage-error InvalidInput (?:^|\S)(?:base64|gzip|tar|unzip|jq|xz|openssl): (?:invalid input
    |[^\n]{0,40}not in gzip format|parse error[^\n]*|error[^\n]*)$
other DatabaseError ^(?:Parse error|Runtime error|Error)(?: in prepare,| near line \d{1,6}:|: near line \d{1,6}:
    |: in prepare,|: stepping,) ?(?P<detail>(?:no such (?:table|column|function): [^\n]{1,200}
    |[\w ]{1,20} constraint failed[^\n]{0,200}|near \"[^\n]{1,80}\": syntax error[^\n]{0,60}
    |database is locked[^\n]{0,40}))$
other DatabaseError ^(?:psql:[^\n:]{1,200}:\d{1,6}: )?(?P<detail>ERROR:  [^\n]+)$
other DatabaseError ^(?P<detail>ERROR \d{4} \(\w{5}\)(?: at line \d{1,6})?: [^\n]+)$
crash Crash ^(?:[^\s:]{1,80}: line \d{1,6}: +\d+ )?(?P<detail>(?:Segmentation fault|Aborted|Killed|Bus error
    |Illegal instruction)(?: \(core dumped\))?)(?: {2,}[^\n]*)?$
crash OutOfMemory ^[^\n]*(?:JavaScript heap out of memory|java\.lang\.OutOfMemoryError|Cannot allocate memory
    |out of memory)[^\n]*$
exception Exception ^Exception in thread \"[^\"\n]*\" (?P<detail>[^\n]+)$
exception panic ^panic: (?P<detail>[^\n]+)$
exception panic ^thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]+(?:\n(?P<detail>
    (?!note: |stack backtrace)[^\n]+))?$
missing-dependency ModuleNotFound ^(?:Error: Cannot find module(?![^\n]*corresponding type declarations)
    |Error \[ERR_MODULE_NOT_FOUND\]|npm ERR! missing:)[^\n]*$
other npmError ^(?:npm (?:ERR!|error) (?!A complete log|code|path|errno|syscall|command |Lifecycle script|Exit status
    |Failed at|This is probably|workspace |location |\S+@\S+ \S+: `)[^\n]+|Error: no test specified|
    (?:ERR_PNPM_\w+| ?ERR_PNPM_\w+)[^\n]*|This project is configured to use [^\n]*)$
missing-dependency PackageNotFound ^(?:\[ERROR\] Failed to execute goal [^\n:]*
    |\[ERROR\] Plugin [^\s]+ |> |[^\n]{0,300}: error NU\d{4}): ?(?P<detail>(?:Could not resolve (?:dependencies|all)
    |Could not find |Unable to (?:find package|resolve)|or one of its dependencies)[^\n]*?)(?: -> \[Help 1\]
    | \[[^\]\n]+proj\])?$
usage-error UsageError ^(?:\[ERROR\] (?:Failed to execute goal [^\n]*? on project [^\s:]+: )?(?P<detail>
    (?:Unknown lifecycle phase|No goals have been specified|No tests matching pattern|No tests were executed
    |No plugin found for prefix|The goal you specified)[^\n]*?)(?: -> \[Help 1\])?
    |Task '[^'\n]*' not found in [^\n]*|Could not (?:create task|determine the dependencies)[^\n]*
    |> No tests found for given includes[^\n]*|MSBUILD : error MSB\d{4}: [^\n]*)$
compile-error CompileError ^(?:[^\s:]+\.(?:swift|scala|hs|ml|zig|nim|d|dart|ex|exs|erl|elm|v)[:(]\d{1,7}[^\n]{0,12}
    (?::|\)| -) ?(?:fatal )?(?:error|Error)\b[^\n]*|[^\n]{1,200}: undefined reference to [^\n]*
    |\[ERROR\] COMPILATION ERROR[^\n]*(?:\n\[INFO\] -+)?(?:\n\[ERROR\] (?P<detail>[^\n]+))?)$
compile-error BuildError ^(?:CMake Error[^\n]*(?:\n+ +[^\n]+)?|make
    (?:\[\d+\])?: \*\*\* No rule to make target[^\n]*)$
edit-refused PatchFailed ^(?:Hunk #\d{1,4} FAILED|\d{1,4} out of \d{1,4} hunks? FAILED)\b[^\n]*
compile-error BuildError ^\[ERROR\] [^\n]{0,300}(?:MojoFailureException|MojoExecutionException)\b[^\n]*
usage-error InvalidInput ^parse error: [^\n]{1,200} at (?:EOF at )?line \d{1,9}, column \d{1,9}$
other RuntimeError ^Fortran runtime error: (?P<detail>[^\n]+)$
other SystemError {PROGRAM}[^\n]{1,400}: (?:File exists|No space left on device|Read-only file system
    |Device or resource busy|Directory not empty|Not a directory|Is a directory|Too many open files
    |Argument list too long|Text file busy|Input/output error|Disk quota exceeded|Cross-device link|Broken pipe
    |Address already in use)$
compile-error BuildError ^(?:error during build:(?:\n[^\n]+)?|[✗✘✖] ?Build failed\b[^\n]*|(?:ERROR: )?Build failed
    (?: with| in|:)[^\n]*)
""",
            PROGRAM=_PROGRAM,
            SHELL=_SHELL_PREFIX,
        ),
    )
)
"""Everything else."""

WRAPPERS = table(r"""
other npmError ^npm (?:ERR!|error) (?:Lifecycle script|Exit status|Failed at|\S+@\S+ \S+: `)[^\n]*
compile-error BuildError ^make(?:\[\d+\])?: \*\*\* \[[^\n]{1,300}\] Error \d{1,3}[^\n]{0,40}$
""")
"""What says only that something below it failed: enough where nothing else does, and where nothing is recorded."""
