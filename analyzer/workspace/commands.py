"""Follow the commands of a shell line: what each does to the files, and where the shell ends up."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analyzer.model.action import Action
from analyzer.model.words import Kind, Status
from analyzer.workspace import effects, patches, python_code, sed
from analyzer.workspace.document import Document, digest
from analyzer.workspace.files import Files
from analyzer.workspace.git import Git
from analyzer.workspace.paths import last, normal, under
from analyzer.workspace.shell import Redirect, Statement, Word, statements

_WRAPPERS_NAMES = """
sudo time nohup exec command builtin nice stdbuf then do else if elif while until ! { env timeout gtimeout caffeinate
rtk
"""
_WRAPPERS = frozenset(_WRAPPERS_NAMES.split())
_RUNNERS = {
    "uv": "run",
    "poetry": "run",
    "pipenv": "run",
    "hatch": "run",
    "pdm": "run",
    "rye": "run",
    "conda": "run",
    "bundle": "exec",
}
_VALUED = frozenset({"-u", "-g", "-n", "-k", "-s", "-C", "--with", "--python", "-p", "--extra", "--group", "--project"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_LOG = re.compile(r"(?:\.(?:log|out|err|txt|tmp|patch|diff|csv|json|xml|html|svg|png|md5|tap)|/[^./]+|^[^./]+)$")
_ERROR_LINE = r"^(?:[\w/.-]*(?:bash|zsh|sh): (?:line \d+: )?)?(?:/usr)?(?:/bin/)?{name}: "
_GIT_ERROR = re.compile(r"^(?:error|fatal): ", re.MULTILINE)
_TRACEBACK = re.compile(
    r"^Traceback \(most recent call last\)|^\s+File \"[^\"]*\", line \d+\n|^\w*Error: ", re.MULTILINE
)
_DEEPEST = 2
_LONGEST_SCRIPT = 20_000
_MOST_RUNS = 20


@dataclass(slots=True)
class Shell:
    """Follows shell lines over the files of a workspace. `unknown` is called with the reason when something has run
    whose effects aren't known; `root` is the folder in which the session began."""

    files: Files
    git: Git
    root: str
    unknown: Callable[[str], None]

    def run(self, line: str, action: Action, directory: str, depth: int = 0) -> str:
        """Follow a line; the directory in which the shell is afterwards."""
        made = _unrolled(statements(line))
        failed_at = _failed(made, action) if depth == 0 else None
        result = action.result or ""
        skipping = False
        piped: str | None = None
        outer = [directory]
        for index, statement in enumerate(made):
            while len(outer) <= statement.depth:
                outer.append(outer[-1])
            del outer[max(1, statement.depth + 1) :]
            if statement.joined not in ("&&", "||"):
                skipping = False
            elif statement.joined == "||":
                skipping = not skipping and not _failed_here(made, index - 1, failed_at, result)
            piped = piped if statement.joined in ("|", "|&") else None
            if skipping:
                continue
            words = _unwrapped(statement.words)
            if failed_at == index or (words and _complains(effects.program_of(words), result)):
                skipping = True
                continue
            if words and words[0].text in ("cd", "pushd"):
                if not statement.piped and (target := _cd_target(words)) is not None:
                    outer[-1] = target if target.startswith("?") else normal(target, outer[-1])
                continue
            piped = self._statement(statement, words, action, outer[-1], piped, depth)
        return outer[0]

    def _statement(
        self, statement: Statement, words: list[Word], action: Action, directory: str, piped: str | None, depth: int
    ) -> str | None:
        """Follow one command; what it prints where that's known."""
        stdin = statement.stdin if not statement.stdin_expands else None
        stdin = stdin if stdin is not None or statement.stdin is not None else piped
        if statement.source is not None and not statement.source.expands:
            stdin = self.files.get(normal(statement.source.text, directory)).text
        if not words:
            for redirect in statement.writes:
                self._redirect(redirect, "", statement.text, directory)
            return None
        program = effects.program_of(words)
        output = _printed(program, words, stdin, self.files, directory)
        if statement.writes:
            key = f"{statement.text}\0{statement.stdin or ''}"
            for redirect in statement.writes:
                self._redirect(redirect, None if redirect.errors_only else output, key, directory, statement)
        arguments = words[1:]
        names = [normal(word.text, directory) for word in arguments if not word.text.startswith("-")]
        if any(word.expands or word.glob for word in arguments) and program in _MOVERS:
            names = self._expanded(arguments, directory, statement.text)
        if program in _MOVERS:
            self._mover(program, [word.text for word in arguments], names)
        elif program in ("sed", "perl", "gsed") and _in_place(program, arguments):
            self._in_place(program, arguments, directory, statement.text)
        elif program == "tee":
            for word in arguments:
                if not word.text.startswith("-"):
                    self._redirect(
                        Redirect(word, "-a" in (w.text for w in arguments)), stdin, statement.text, directory
                    )
        elif program == "git":
            root = self.root if under(directory, self.root) else directory
            self.git.run([word.text for word in arguments], directory, root, self.unknown) if not (
                [word.text for word in arguments][:1] == ["apply"] and stdin is not None
            ) else patches.apply(self.files, stdin or "", directory, reverse=_reverses(arguments))
        elif program == "patch":
            self._patch(arguments, stdin, statement, directory)
        elif program in ("apply_patch", "applypatch"):
            text = stdin or next((word.text for word in arguments if "*** Begin Patch" in word.text), "")
            patches.apply(self.files, text, directory)
        elif program == "xargs":
            self._through_xargs(arguments, statement.text)
        elif program == "find" and any(word.text in ("-delete", "-exec", "-execdir") for word in arguments):
            inner = " ".join(word.text for word in arguments)
            if "-delete" in inner or re.search(r"-exec(?:dir)? (?:rm|mv|sed -i|perl -p?i)", inner):
                self.unknown(statement.text)
        elif effects.is_formatter(program) and not effects.is_harmless(program, _texts(arguments), is_test=False):
            self._format(program, arguments, directory, statement.text)
        else:
            self._other(program, words, stdin, action, directory, statement, depth)
        return output

    def _redirect(
        self, redirect: Redirect, output: str | None, key: str, directory: str, statement: Statement | None = None
    ) -> None:
        if redirect.target.expands:
            return
        path = normal(redirect.target.text, directory)
        words = _texts(statement.words) if statement is not None else []
        if words[:2] == ["git", "diff"]:
            self.git.save_diff(path, directory)
        if output is not None:
            if redirect.append:
                self.files.append(path, output, key)
            else:
                self.files.write(path, output)
        elif words[:2] == ["git", "show"] and (copied := self._shown_by_git(words, directory)) is not None:
            self.files.write(path, None, key=key)
            self.files.put(path, copied)
        elif not under(path, self.root) or _LOG.search(path) or self.files.get(path).origin == "captured":
            if statement is None or statement.stdin is None:
                self.files.capture(path)
            else:
                self.files.put(path, Document(origin="o" + digest(key)))
        elif redirect.append:
            self.files.append(path, None, key)
        else:
            if not self.files.known(path):
                self.files.write(path, "")
            self.files.put(path, Document(origin="o" + digest(key)))

    def _shown_by_git(self, words: Sequence[str], directory: str) -> Document | None:
        revision, _, name = words[-1].partition(":")
        if revision not in ("HEAD", "@") or not name:
            return None
        document = self.git.committed(normal(name, directory))
        return document if document is not None and document.text is not None else None

    def _expanded(self, words: Sequence[Word], directory: str, text: str) -> list[str]:
        """The paths that words name after the shell has looked for them, among those that are known."""
        made: list[str] = []
        for word in words:
            if word.text.startswith("-"):
                continue
            if word.expands:
                self.unknown(text)
            elif word.glob:
                pattern = re.compile(_glob(normal(word.text, directory)))
                made.extend(path for path in list(self.files.documents) if pattern.fullmatch(path))
            else:
                made.append(normal(word.text, directory))
        return made

    def _mover(self, program: str, words: Sequence[str], names: list[str]) -> None:
        options = [word for word in words if word.startswith("-")]
        if program in ("rm", "unlink", "rmdir", "trash"):
            sure = not any("f" in word for word in options)
            for name in names:
                self.files.remove(name, sure=sure)
        elif program in ("mv", "cp", "install", "ln") and len(names) >= 2:
            *sources, target = names
            folder = (
                words[-1].endswith("/")
                or len(sources) > 1
                or (target not in self.files.documents and any(True for _ in self.files.below(target)))
            )
            for source in sources:
                self.files.move(source, f"{target}/{last(source)}" if folder else target, keep=program != "mv")
        elif program == "touch":
            for name in names:
                if not self.files.known(name) or not self.files.get(name).exists:
                    self.files.write(name, "")
        elif program == "truncate":
            for name in names:
                if "." in last(name):
                    self.files.write(name, "" if "0" in words else None, key="truncate")

    def _in_place(self, program: str, words: Sequence[Word], directory: str, text: str) -> None:
        scripts, files, extended = _script_and_files(program, words)
        commands = [sed.parse(script) for script in scripts]
        for word in files:
            if word.expands:
                self.unknown(text)
                continue
            for path in self._expanded([word], directory, text):
                document: Document | None = self.files.get(path)
                if document is not None and not document.exists:
                    continue
                for entry in commands:
                    document = sed.applied(document, entry, extended=extended) if entry and document else None
                new = document if document is not None else self.files.opaque(path, f"{program}\0{scripts}")
                self.files.put(path, new)

    def _patch(self, words: Sequence[Word], stdin: str | None, statement: Statement, directory: str) -> None:
        texts = _texts(words)
        if "--dry-run" in texts:
            return
        named = next((texts[i + 1] for i, word in enumerate(texts[:-1]) if word in ("-i", "--input")), None)
        named = named or (statement.source.text if statement.source is not None else None)
        if named is not None and self.git.apply_file(normal(named, directory), directory, reverse=_reverses(words)):
            return
        if stdin is not None and patches.is_patch(stdin):
            patches.apply(self.files, stdin, directory, reverse=_reverses(words))
        else:
            self.unknown(statement.text)

    def _through_xargs(self, words: Sequence[Word], text: str) -> None:
        texts = [word.text for word in words]
        inner = next((index for index, word in enumerate(texts) if re.match(r"[A-Za-z]", word)), None)
        if inner is None:
            return
        program, rest = texts[inner], texts[inner + 1 :]
        if program in ("sed", "perl") and _in_place(program, list(words[inner + 1 :])):
            self.unknown(text)
            return
        looks = program == "git" and rest[:1] in (["diff"], ["log"], ["show"], ["add"], ["blame"], ["grep"])
        if program in _MOVERS or not (looks or effects.is_harmless(program, rest, is_test=False)):
            self.unknown(text)

    def _format(self, program: str, words: Sequence[Word], directory: str, text: str) -> None:
        named = [normal(word.text, directory) for word in words if re.search(r"\.\w{1,6}$", word.text)]
        if not named:
            self.unknown(text)
        for path in named:
            document = self.files.get(path)
            mark = "p" + digest(program)
            if document.exists and not document.origin.startswith(mark):
                self.files.put(path, Document(origin=mark + digest(document.token)))

    def _other(
        self,
        program: str,
        words: Sequence[Word],
        stdin: str | None,
        action: Action,
        directory: str,
        statement: Statement,
        depth: int,
    ) -> None:
        texts = _texts(words[1:])
        is_test = action.kind is Kind.TEST
        code = effects.code_of(words[0].text if "/" in words[0].text and "." in program else program, texts)
        if program in ("bun", "deno") and effects.is_harmless(program, texts, is_test=is_test):
            return
        if code is None:
            if program.startswith(("wget", "curl")):
                self._download(words, directory, statement.text)
            elif not effects.is_harmless(program, texts, is_test=is_test):
                self.unknown(statement.text)
            return
        what, name = code
        if what == "module":
            if (
                name.split(".")[0] not in effects.MODULES_THAT_CHECK
                and name not in effects.MODULES_THAT_CHECK
                and not is_test
            ):
                self.unknown(statement.text)
            return
        if (
            any(word in ("--version", "-v", "-V", "--help", "--check") for word in texts)
            and what == "code"
            and not name
        ):
            return
        text = (name or stdin or "") if what == "code" else self.files.get(normal(name, directory)).text
        if what == "code" and not text:
            if statement.stdin is None and statement.joined not in ("|", "|&"):
                return
            self.unknown(statement.text)
        elif text is None:
            if not is_test:
                self.unknown(statement.text)
        elif effects.is_python(program) or name.endswith(".py"):
            self.python(text, action, directory, statement.text)
        elif effects.is_shell(program) or name.endswith(".sh"):
            if depth < _DEEPEST and len(text) < _LONGEST_SCRIPT:
                self.run(text, action, directory, depth + 1)
            else:
                self.unknown(statement.text)
        elif effects.foreign_code_writes(text):
            self.unknown(statement.text)

    def python(self, code: str, action: Action, directory: str, reason: str) -> None:
        """Follow a program in Python."""
        if _TRACEBACK.search(action.result or "") and python_code.WRITES.search(code):
            return
        effect = python_code.effect_of(code, lambda name: self.files.get(normal(name, directory)).text)
        for name, pairs in effect.edits:
            path = normal(name, directory)
            for before, after in pairs:
                from analyzer.workspace.document import replaced

                self.files.put(path, replaced(self.files.get(path), before, after) or self.files.get(path))
        for name, text in effect.writes:
            path = normal(name, directory)
            if text is not None:
                self.files.write(path, text)
            elif not under(path, self.root) or (_LOG.search(path) and not self.files.known(path)):
                self.files.capture(path)
            elif path not in self.files.captured:
                if not self.files.known(path):
                    self.files.write(path, "")
                self.files.put(path, Document(origin="o" + digest(f"{code}\0{path}")))
        for name in effect.removed:
            self.files.remove(normal(name, directory), sure=False)
        if effect.more:
            self.unknown(reason)

    def _download(self, words: Sequence[Word], directory: str, text: str) -> None:
        texts = _texts(words)
        for option, word in itertools.pairwise(texts):
            if option in ("-o", "-O", "--output", "--output-document") and not word.startswith("-"):
                path = normal(word, directory)
                self.files.capture(path) if not under(path, self.root) else self.files.write(path, None, key=text)


_MOVERS = frozenset({"rm", "unlink", "rmdir", "trash", "mv", "cp", "install", "ln", "touch", "truncate"})


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text for word in words]


def _reverses(words: Sequence[Word]) -> bool:
    return any(word.text in ("-R", "--reverse") for word in words)


def _glob(pattern: str) -> str:
    return re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*").replace(r"\?", "[^/]")


def _unwrapped(words: list[Word]) -> list[Word]:
    """The words without what runs them: assignments, `sudo`, `timeout 30`, `uv run`."""
    rest = list(words)
    while rest:
        text = rest[0].text
        if _ASSIGNMENT.match(text) and not text.startswith("./"):
            rest.pop(0)
        elif text in _WRAPPERS:
            rest = _after_options(rest[1:])
            if text in ("timeout", "gtimeout") and rest and re.fullmatch(r"[\d.]+[smhd]?", rest[0].text):
                rest.pop(0)
        elif len(rest) > 2 and _RUNNERS.get(text) == rest[1].text:
            rest = _after_options(rest[2:])
        elif text in ("npx", "pnpx", "bunx") and len(rest) > 1:
            rest = _after_options(rest[1:])
        else:
            break
    return rest


def _after_options(words: list[Word]) -> list[Word]:
    position = 0
    while position < len(words) and words[position].text.startswith("-"):
        position += 2 if words[position].text in _VALUED else 1
    return words[position:]


def _cd_target(words: list[Word]) -> str | None:
    """The directory that a `cd` names; None for one that can't be followed."""
    names = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if not names:
        return "~"
    return None if names[0].expands or names[0].text == "-" else names[0].text


def _failed(made: Sequence[Statement], action: Action) -> int | None:
    """Which command of a line that failed is the one that did, as far as can be told."""
    if action.status is not Status.ERROR:
        return None
    if len(made) == 1:
        return 0 if _changes(made[0]) else None
    chain = [index for index, statement in enumerate(made) if statement.joined in ("", "&&")]
    if len(chain) < len(made):
        return None
    runs = [index for index in chain if not _changes(made[index])]
    return runs[-1] if runs else len(made) - 1


def _changes(statement: Statement) -> bool:
    """Whether a command is one that changes files directly."""
    words = _unwrapped(statement.words)
    if not words:
        return bool(statement.writes)
    program = effects.program_of(words)
    return program in _MOVERS or program in (
        "sed",
        "perl",
        "git",
        "patch",
        "apply_patch",
        "tee",
        "cd",
        "mkdir",
        "xargs",
    )


def _failed_here(made: Sequence[Statement], index: int, failed_at: int | None, result: str) -> bool:
    words = _unwrapped(made[index].words)
    return index == failed_at or bool(words and _complains(effects.program_of(words), result))


def _complains(program: str, result: str) -> bool:
    """Whether a program that changes files says that it couldn't."""
    if program == "git":
        return _GIT_ERROR.search(result) is not None
    if program in _MOVERS or program in ("sed", "perl", "cd", "tee"):
        if f"{program}: " not in result:
            return False
        return re.search(_ERROR_LINE.format(name=program), result, re.MULTILINE) is not None
    if program == "patch":
        return "FAILED" in result or "malformed patch" in result
    return False


def _printed(program: str, words: Sequence[Word], stdin: str | None, files: Files, directory: str) -> str | None:
    """What a command prints where that's known to the letter."""
    arguments = words[1:]
    if program == "echo":
        texts = _texts(arguments)
        if any(word.expands for word in arguments):
            return None
        newline = "\n"
        while texts and re.fullmatch(r"-[neE]+", texts[0]):
            newline = "" if "n" in texts[0] else newline
            texts.pop(0)
        return " ".join(texts) + newline
    if program == "printf" and arguments and not any(word.expands for word in arguments):
        form = arguments[0].text
        if form in ("%s\\n", "%s") and len(arguments) == 2:
            return arguments[1].text + ("\n" if form.endswith("n") else "")
        if "%" not in form:
            return re.sub(r"\\([nt\\])", lambda found: {"n": "\n", "t": "\t", "\\": "\\"}[found[1]], form)
        return None
    if program == "cat":
        names = [word for word in arguments if not word.text.startswith("-")]
        if not names:
            return stdin
        if len(names) == 1 and not names[0].expands and not names[0].glob:
            return files.get(normal(names[0].text, directory)).text
    return None


def _in_place(program: str, words: Sequence[Word]) -> bool:
    options = [word.text for word in words if word.text.startswith("-")]
    return any(
        word.startswith("--in-place")
        or re.match(r"^-[nErsp0]*i", word) is not None
        or (program == "perl" and re.match(r"^-\w*i", word) is not None)
        for word in options
    )


def _script_and_files(program: str, words: Sequence[Word]) -> tuple[list[str], list[Word], bool]:
    scripts: list[str] = []
    files: list[Word] = []
    extended = program == "perl"
    expects = False
    empty_suffix = False
    for word in words:
        text = word.text
        if expects:
            scripts.append(text)
            expects = False
        elif text.startswith("--expression="):
            scripts.append(text.partition("=")[2])
        elif text == "-e" or re.fullmatch(r"-[a-zA-Z0]*e", text) or text == "--expression":
            expects = True
        elif text.startswith("-"):
            extended = extended or "E" in text or "r" in text.lstrip("-i").split(".")[0] or text == "--regexp-extended"
            empty_suffix = text == "-i"
        elif text == "" and empty_suffix:
            continue
        else:
            files.append(word)
    if not scripts and files:
        scripts.append(files.pop(0).text)
    return scripts, files, extended


def _unrolled(made: list[Statement]) -> list[Statement]:
    """The commands with loops over words that are written out run once for each word."""
    result: list[Statement] = []
    index = 0
    while index < len(made):
        words = made[index].words
        texts = [word.text for word in words]
        if len(texts) > 3 and texts[0] == "for" and texts[2] == "in":
            end = next((at for at in range(index + 1, len(made)) if made[at].text == "done"), None)
            plain = not any(word.expands or word.glob for word in words[3:])
            if end is not None and plain and len(words) - 3 <= _MOST_RUNS:
                body = made[index + 1 : end]
                for word in words[3:]:
                    result.extend(_with_variable(statement, texts[1], word.text) for statement in body)
                index = end + 1
                continue
        result.append(made[index])
        index += 1
    return result


def _with_variable(statement: Statement, name: str, value: str) -> Statement:
    sign = re.compile(rf"\$(?:{re.escape(name)}\b|\{{{re.escape(name)}\}})")

    def put(word: Word) -> Word:
        if not word.expands:
            return word
        text = sign.sub(lambda _: value, word.text)
        return Word(text, "$" in text or "`" in text, word.glob)

    return Statement(
        [put(word) for word in statement.words],
        [Redirect(put(entry.target), entry.append, entry.errors_only) for entry in statement.writes],
        statement.stdin,
        statement.stdin_expands,
        put(statement.source) if statement.source is not None else None,
        statement.joined,
        statement.piped,
        statement.depth,
    )
