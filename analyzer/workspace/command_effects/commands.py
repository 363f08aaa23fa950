"""Follow the commands of a shell line: what each does to the files, and where the shell ends up."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from itertools import dropwhile

from analyzer.commands import effects
from analyzer.commands.git import git_call
from analyzer.commands.inner_lines import line_given
from analyzer.commands.parse import parse
from analyzer.commands.statements import Redirect, Statement, Word, statements
from analyzer.commands.table import Does, FileAct, does, edits_in_place, file_act, knows
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import digest
from analyzer.workspace import patches
from analyzer.workspace.command_effects import python_code, sed
from analyzer.workspace.command_effects.command_errors import CommandErrors, last_failed
from analyzer.workspace.command_effects.command_words import (
    ELSEWHERE,
    assigned,
    cd_target,
    downloaded,
    printed,
    script_and_files,
    texts_of,
    unpacked,
    unrolled,
    unwrapped,
    with_arguments,
)
from analyzer.workspace.command_effects.git import Git
from analyzer.workspace.document import Document, replaced
from analyzer.workspace.files import Files
from analyzer.workspace.paths import last, normal, under

_LOG = late(r"(?:\.(?:log|out|err|txt|tmp|patch|diff|csv|json|xml|html|svg|png|md5|tap)|/[^./]+|^[^./]+)$")
_TRACEBACK = late(r"^Traceback \(most recent call last\)|^\s+File \"[^\"]*\", line \d+\n|^\w*Error: ", re.MULTILINE)
_NAMES_FILE = late(r"^[\w./@-]*\w\.[A-Za-z]\w{0,4}\b", re.MULTILINE)
_EDITS = ("edit", "edit-extended")
_MOVES = ("remove", "nothing", "move", "copy", "touch")
_DOWNLOADS = ("download", "download-on-demand")
_RUNS_EACH = frozenset({"-exec", "-execdir", "-ok"})
_LOOKS = Does.SHOWS | Does.ASKS
_HELP = Does.ASKS | Does.SAFE  # what a program does that is asked for its help or version
_TRIES = frozenset({"--check", "--stat", "--numstat", "--summary", "--dry-run"})
"""Options by which a patch is only looked at."""
_DEEPEST = 2
_LONGEST_SCRIPT = 20_000


class Shell(Struct):
    """Follows shell lines over the files of a workspace. `unknown` is called with the reason when something has run
    whose effects aren't known, `rewrote` is set when a program's output names the files that it rewrote;
    `root` is the folder in which the session began."""

    files: Files
    git: Git
    root: str
    unknown: Callable[[str], None]
    rewrote: bool = False

    def run(self, line: str, action: Action, directory: str, depth: int = 0) -> str:
        """Follow a line; the directory in which the shell is afterwards."""
        made = unrolled(statements(line))
        errors = CommandErrors(made, action.result or "", last_failed(made, action) if depth == 0 else None)
        skipping = False
        piped: str | None = None
        outer, given = [directory], dict[str, str]()
        for index, statement in enumerate(made):
            while len(outer) <= statement.depth:
                outer.append(outer[-1])
            del outer[max(1, statement.depth + 1) :]
            if statement.joined not in ("&&", "||"):
                skipping = False
            elif statement.joined == "||":
                skipping = not skipping and not errors.ends_chain(index - 1)
            piped = piped if statement.joined in ("|", "|&") else None
            if skipping:
                continue
            if errors.failed(index):
                skipping = True
                continue
            words = unwrapped(statement.words)
            if words and file_act(words[0].text) == "enter":
                if not statement.piped:
                    outer[-1] = normal(cd_target(words, self.root, given), outer[-1])
                continue
            if not words:
                given |= assigned(statement.words)
            if skipping := errors.ends_chain(index):
                refused = errors.refused(index)
                words = [word for word in words if word.text not in refused]
            piped = self._statement(statement, words, action, outer[-1], piped, depth)
        return directory if outer[0].startswith(ELSEWHERE) else outer[0]

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
        act = file_act(program)
        output = printed(program, words, stdin, self.files, directory)
        if statement.writes:
            key = f"{statement.text}\0{statement.stdin or ''}"
            for redirect in statement.writes:
                self._redirect(redirect, None if redirect.errors_only else output, key, directory, statement)
        arguments = words[1:]
        texts = texts_of(arguments)
        # cmd's options are a slash and a letter.
        names = [
            normal(text, directory)
            for text in texts
            if not text.startswith("-") and (len(text) != len("/q") or text[0] != "/")
        ]
        if any(word.expands or word.glob for word in arguments) and act in _MOVES:
            names = self._expanded(arguments, directory, statement.text)
        if act in _MOVES:
            self._mover(act, texts, names)
        elif act == "make-folder":
            self.files.folders.update(names)
        elif act in _EDITS and edits_in_place(program, texts):
            self._in_place(program, arguments, directory, statement.text)
        elif act == "keep-input":
            for word in arguments:
                if not word.text.startswith("-"):
                    self._redirect(Redirect(word, "-a" in texts), stdin, statement.text, directory)
        elif act == "patch" or (act == "versions" and texts[:1] == ["apply"]):
            if _TRIES.isdisjoint(texts):
                self._patch(statement, stdin, texts[act == "versions" :], directory)
        elif act == "versions":
            root = self.root if under(directory, self.root) else directory
            if (call := git_call(Command(program, tuple(texts), statement.text))) is not None:
                self.git.run(call, directory, root, self.unknown)
        elif act == "unpack" and (listed := unpacked(texts, action.result or "")):
            self._rewritten(listed, directory, statement.text)
        elif act == "envelope":
            text = stdin or next((word.text for word in arguments if "*** Begin Patch" in word.text), "")
            patches.apply(self.files, text, directory)
        elif act == "each" and (not knows(program, Does.LISTS) or not _RUNS_EACH.isdisjoint(texts)):
            self._through(texts, statement.text)
        else:
            self._other(program, words, texts, stdin, action, directory, statement, depth)
        return output

    def _redirect(
        self, redirect: Redirect, output: str | None, key: str, directory: str, statement: Statement | None = None
    ) -> None:
        if redirect.target.expands:
            return
        path = normal(redirect.target.text, directory)
        words = texts_of(statement.words) if statement is not None else []
        if words[1:2] == ["diff"] and file_act(words[0]) == "versions":
            self.git.saved[path] = self.git.changed(directory)  # which may be applied later
        if output is not None:
            if redirect.append:
                self.files.append(path, output, key)
            else:
                self.files.write(path, output)
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

    def _expanded(self, words: Sequence[Word], directory: str, text: str) -> list[str]:
        """The paths that words name after the shell has looked for them, among those that are known."""
        made: list[str] = []
        for word in words:
            if word.text.startswith("-"):
                continue
            if word.expands:
                self.unknown(text)
            elif word.glob:
                escaped = re.escape(normal(word.text, directory)).replace(r"\*\*", ".*")
                pattern = re.compile(escaped.replace(r"\*", "[^/]*").replace(r"\?", "[^/]"))
                made.extend(path for path in list(self.files.documents) if pattern.fullmatch(path))
            else:
                made.append(normal(word.text, directory))
        return made

    def _mover(self, act: FileAct | None, words: Sequence[str], names: list[str]) -> None:
        options = [word for word in words if word.startswith("-")]
        if act == "remove":
            sure = not any("f" in word for word in options)
            for name in names:
                self.files.remove(name, sure=sure)
        elif act in ("move", "copy") and len(names) >= 2:
            *sources, target = names
            folder = (
                words[-1].endswith("/")
                or len(sources) > 1
                or target in self.files.folders
                or (sources[0] in self.files.folders and self.files.get(target).exists and self.files.known(target))
                or (target not in self.files.documents and any(True for _ in self.files.below(target)))
            )
            for source in sources:
                self.files.move(source, f"{target}/{last(source)}" if folder else target, keep=act == "copy")
        elif act == "touch":
            for name in names:
                if not self.files.known(name) or not self.files.get(name).exists:
                    self.files.write(name, "")

    def _in_place(self, program: str, words: Sequence[Word], directory: str, text: str) -> None:
        scripts, files, extended = script_and_files(program, words)
        commands = [sed.parse(script, extended=extended) for script in scripts]
        for word in files:
            if word.expands:
                self.unknown(text)
                continue
            for path in self._expanded([word], directory, text):
                document: Document | None = self.files.get(path)
                if document is not None and not document.exists:
                    continue
                for entry in commands:
                    document = sed.applied(document, entry) if entry and document else None
                new = document if document is not None else self.files.opaque(path, f"{program}\0{scripts}")
                self.files.put(path, new)

    def _patch(self, statement: Statement, stdin: str | None, words: Sequence[str], directory: str) -> None:
        """Apply what is in the line, or else what a named file holds."""
        reverse = "-R" in words or "--reverse" in words
        if stdin is not None and patches.is_patch(stdin):
            patches.apply(self.files, stdin, directory, reverse=reverse)
            return
        named = [normal(word, directory) for word in words if not word.startswith("-")]
        if statement.source is not None:
            named.append(normal(statement.source.text, directory))
        if not named or not all(self.git.apply_file(path, directory, reverse=reverse) for path in named):
            self.unknown(statement.text)

    def _through(self, words: Sequence[str], text: str) -> None:
        """Follow a command that another one runs with what it finds or is given."""
        start = next((place for place, word in enumerate(words) if word in _RUNS_EACH), 0)
        line = shlex.join(dropwhile(lambda word: not (word[:1].isascii() and word[:1].isalpha()), words[start:]))
        looks = (
            does(each.program, each.args) & _LOOKS or effects.is_harmless(each.program, each.args, is_test=False)
            for each in parse(line).commands
        )
        if not all(looks):
            self.unknown(text)

    def _other(
        self,
        program: str,
        words: Sequence[Word],
        texts: list[str],
        stdin: str | None,
        action: Action,
        directory: str,
        statement: Statement,
        depth: int,
    ) -> None:
        if does(program, tuple(texts)) is _HELP:
            return
        if names := effects.written_names(program, texts):
            self._rewritten(names, directory, statement.text)
            return
        is_test = action.kind is Kind.TEST
        code = effects.code_of(words[0].text if "/" in words[0].text and "." in program else program, tuple(texts))
        runs_recipe = knows(program, Does.RECIPE) and not effects.is_shell(program)
        if runs_recipe and effects.is_harmless(program, texts, is_test=is_test):
            return
        if code is None:
            if depth < _DEEPEST and action.failure is None and (line := line_given(program, texts)):
                self.run(line, action, directory, depth + 1)
            elif file_act(program) in _DOWNLOADS:
                for path in (normal(name, directory) for name in downloaded(program, texts)):
                    if under(path, self.root):
                        self.files.write(path, None, key=statement.text)
                    else:
                        self.files.capture(path)
            elif not effects.is_harmless(program, texts, is_test=is_test):
                self.unknown(statement.text)
            return
        what, name = code
        if what == "module":
            if not (is_test or {name, name.split(".")[0]} & effects.MODULES_THAT_CHECK):
                self.unknown(statement.text)
            return
        if what == "code" and not name and {"-v", "-V", "--check"} & set(texts):
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
                given = texts[texts.index(name) + 1 :] if what != "code" and name in texts else texts
                self.run(with_arguments(text, given), action, directory, depth + 1)
            else:
                self.unknown(statement.text)
        elif (written := effects.foreign_code_writes(text)) is not None:
            self._rewritten(written, directory, text)
            self.unknown(statement.text)

    def _rewritten(self, names: Sequence[str], directory: str, key: str) -> None:
        """Files get a content that isn't known."""
        for path in (normal(name, directory) for name in names):
            self.files.put(path, self.files.opaque(path, key))

    def python(self, code: str, action: Action, directory: str, reason: str) -> None:
        """Follow a program in Python."""
        if _TRACEBACK.search(action.result or "") and python_code.WRITES.search(code):
            return
        effect = python_code.effect_of(code, lambda name: self.files.get(normal(name, directory)).text)
        for name, pairs in effect.edits:
            path = normal(name, directory)
            for before, after in pairs:
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
                # What is made out of the file's own content is another one with each content.
                made = self.files.opaque(path, code) if name in effect.read else None
                self.files.put(path, made or Document(origin="o" + digest(f"{code}\0{path}")))
        for name in effect.removed:
            self.files.remove(normal(name, directory), sure=False)
        if effect.back and action.failure is None and _NAMES_FILE.search(action.result or "") is not None:
            self.rewrote = True
        if effect.more:
            self.unknown(reason)
