"""What a piece of Python does to files, read from its syntax: the usual "read the file, replace a text, write it back"
is worked out; anything else that opens files for writing makes contents that aren't known."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable

from analyzer.model.struct import Struct, field
from analyzer.text.late import late

WRITES = late(
    r"open\([^()\n]{0,300}(?:\([^()\n]*\)[^()\n]*)?,\s*(?:mode\s*=\s*)?['\"][rbt+]*[wax+]|\.write_(?:text|bytes)\(|\bshutil\.|"
    r"\bos\.(?:remove|rename|replace|unlink|makedirs|mkdir|rmdir|system|popen|symlink|link)\b|\bsubprocess\b|\.unlink\(|"
    r"\.touch\(|\.rename\(|\.to_(?:csv|json|excel|parquet|pickle|sql)\(|savefig\(|fileinput\.|\.extractall\(|urlretrieve\(|"
    r"\.save\("
)
"""Signs in a Python program of something that changes files."""
_SAVES = frozenset({"savefig", "to_csv", "to_json", "to_excel", "to_parquet", "to_pickle", "save"})
"""Methods of values that write themselves into the file that they're given."""
_LONGEST = 100_000
_MOST_STEPS = 3_000


class Effect(Struct):
    """What a program did: files written, in order (None: with a text that isn't known), files whose text isn't known
    but in which texts were replaced by others, files removed, files whose content it read, and whether there may be
    more; `back` says that it writes what it read into files whose names only show as it runs."""

    writes: list[tuple[str, str | None]] = field(default_factory=list)
    edits: list[tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    more: bool = False
    back: bool = False


_UNKNOWN = object()
"""A value that isn't known."""


class _Path(Struct):
    name: str


class _Text(Struct, frozen=True):
    """The text of a file, which isn't known, after some texts in it were replaced."""

    name: str
    edits: tuple[tuple[str, str], ...] = ()


class _Handle(Struct):
    name: str
    mode: str


def effect_of(code: str, text_of: Callable[[str], str | None]) -> Effect:
    """What running `code` does to files; `text_of` gives the text of a file where it's known."""
    if not WRITES.search(code):
        return Effect()
    if len(code) > _LONGEST:
        return Effect(more=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Effect(more=True)
    reader = _Reader(text_of)
    try:
        reader.run(tree.body)
    except (_TooMuch, RecursionError):
        reader.effect.more = True
    return reader.effect


class _TooMuch(Exception):
    pass


class _Reader:
    """Follows the plain statements of a program."""

    def __init__(self, text_of: Callable[[str], str | None]) -> None:
        self._text_of = text_of
        self._values: dict[str, object] = {"__name__": "__main__"}
        self._written: dict[str, str | None] = {}
        self._steps = 0
        self.effect = Effect()

    def run(self, body: list[ast.stmt]) -> None:
        """Follow statements in order."""
        for statement in body:
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise _TooMuch
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            value = self._value(node.value)
            for target in node.targets:
                self._assign(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, self._value(node.value))
        elif isinstance(node, ast.Expr):
            self._value(node.value)
        elif isinstance(node, ast.With):
            for item in node.items:
                value = self._value(item.context_expr)
                if item.optional_vars is not None:
                    self._assign(item.optional_vars, value)
            self.run(node.body)
        elif isinstance(node, ast.Try) or (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)):
            self.run(node.body)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            values = self._value(node.iter)
            if isinstance(values, list) and len(values) <= 50:
                for value in values:
                    self._values[node.target.id] = value
                    self.run(node.body)
            else:
                self._guess(node)
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.Pass):
            self._guess(node)

    def _guess(self, node: ast.AST) -> None:
        """Take what can't be followed for something that may write what it names, and forget what it assigns."""
        opened: dict[bool, set[str]] = {False: set(), True: set()}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and (_is_open(inner) or ast.unparse(inner.func).endswith("_text")):
                place = inner.args[0] if _is_open(inner) and inner.args else getattr(inner.func, "value", inner.func)
                opened[WRITES.search(ast.unparse(inner)) is not None].add(ast.unparse(place))
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self._values[inner.id] = _UNKNOWN
            elif isinstance(inner, ast.Call):
                if isinstance(inner.func, ast.Name) and inner.func.id == "open" and _mode(inner) in ("", "r", "rb"):
                    if inner.args and isinstance(name := self._value(inner.args[0]), str):
                        self.effect.read.add(name)
                    continue
                if WRITES.search(ast.unparse(inner)):
                    name = self._value(inner.args[0]) if inner.args and _is_open(inner) else _UNKNOWN
                    if isinstance(name, str):
                        self._write(name, None)
                    else:
                        self.effect.more = True
        self.effect.back |= not opened[False].isdisjoint(opened[True])

    def _assign(self, target: ast.expr, value: object) -> None:
        if isinstance(target, ast.Name):
            self._values[target.id] = value
        elif isinstance(target, ast.Tuple):
            values = value if isinstance(value, list) and len(value) == len(target.elts) else None
            for index, element in enumerate(target.elts):
                self._assign(element, values[index] if values else _UNKNOWN)

    def _value(self, node: ast.expr) -> object:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._values.get(node.id, _UNKNOWN)
        if isinstance(node, ast.List | ast.Tuple):
            return [self._value(element) for element in node.elts]
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left), self._value(node.right)
            if isinstance(node.op, ast.Add) and isinstance(left, str) and isinstance(right, str):
                return left + right
            if isinstance(node.op, ast.Div) and isinstance(left, _Path) and isinstance(right, str):
                return _Path(f"{left.name}/{right}")
            return _UNKNOWN
        if isinstance(node, ast.JoinedStr):
            parts = [self._value(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values]
            return "".join(parts) if all(isinstance(part, str) for part in parts) else _UNKNOWN  # type: ignore[arg-type]
        if isinstance(node, ast.Call):
            return self._call(node)
        if WRITES.search(ast.unparse(node)):
            self._guess(node)
        return _UNKNOWN

    def _call(self, node: ast.Call) -> object:
        function = node.func
        arguments = [self._value(argument) for argument in node.args]
        if isinstance(function, ast.Name):
            if function.id == "open" and arguments:
                name, mode = _name(arguments[0]), _mode(node)
                if name is None:
                    self.effect.more = self.effect.more or any(sign in mode for sign in "wax+")
                    return _UNKNOWN
                if not any(sign in mode for sign in "wx"):
                    self.effect.read.add(name)
                if "w" in mode:
                    self._write(name, "")
                elif "a" in mode or "+" in mode or "x" in mode:
                    self._write(name, None)
                return _Handle(name, mode)
            if function.id == "Path" and len(arguments) == 1 and isinstance(arguments[0], str):
                return _Path(arguments[0])
            if function.id in ("str", "print"):
                return arguments[0] if function.id == "str" and len(arguments) == 1 else None
            return _UNKNOWN
        if isinstance(function, ast.Attribute):
            if ast.unparse(function) in ("pathlib.Path", "io.open"):
                return _Path(arguments[0]) if arguments and isinstance(arguments[0], str) else _UNKNOWN
            return self._method(ast.unparse(function), self._value(function.value), function.attr, arguments)
        return _UNKNOWN

    def _method(self, full: str, on: object, name: str, arguments: list[object]) -> object:
        if isinstance(on, _Handle | _Path):
            if name in ("read", "read_text"):
                return self._read(on.name)
            if name in ("write", "write_text") and arguments:
                text = arguments[0] if isinstance(arguments[0], str) else None
                if isinstance(arguments[0], _Text) and arguments[0].name == on.name:
                    self._edit(arguments[0])
                    return None
                if isinstance(on, _Handle) and name == "write":
                    before = self._written.get(on.name)
                    text = before + text if text is not None and before is not None and "a" not in on.mode else None
                self._write(on.name, text)
                return None
            if name in ("write_bytes", "writelines", "truncate", "touch"):
                self._write(on.name, None)
            elif name == "unlink":
                self.effect.removed.append(on.name)
            return _UNKNOWN
        if isinstance(on, str):
            return _text_method(on, name, arguments)
        if isinstance(on, _Text) and name == "replace" and len(arguments) > 1:
            old, new = arguments[:2]
            if isinstance(old, str) and isinstance(new, str):
                return _Text(on.name, (*on.edits, (old, new)))
            return _UNKNOWN
        if full in ("os.remove", "os.unlink", "shutil.rmtree") and arguments and _name(arguments[0]):
            self.effect.removed.append(_name(arguments[0]) or "")
        elif full in ("shutil.copy", "shutil.copyfile", "shutil.copy2") and len(arguments) > 1 and _name(arguments[1]):
            source = _name(arguments[0])
            copied = self._read(source) if source else _UNKNOWN
            self._write(_name(arguments[1]) or "", copied if isinstance(copied, str) else None)
        elif full == "json.dump" and len(arguments) > 1 and isinstance(arguments[1], _Handle):
            self._write(arguments[1].name, None)
        elif name in _SAVES and arguments and _name(arguments[0]):
            self._write(_name(arguments[0]) or "", None)
        elif (
            (full == "re.sub" and len(arguments) >= 3)
            or full in ("os.makedirs", "os.mkdir")
            or full.startswith(("os.path.", "sys.", "json.", "re."))
        ):
            return _UNKNOWN
        elif WRITES.search(f"{full}("):
            self.effect.more = True
        return _UNKNOWN

    def _read(self, name: str) -> object:
        self.effect.read.add(name)
        text = self._written[name] if name in self._written else self._text_of(name)
        return text if text is not None else _UNKNOWN if name in self._written else _Text(name)

    def _edit(self, text: _Text) -> None:
        self._written[text.name] = None
        self.effect.writes = [entry for entry in self.effect.writes if entry[0] != text.name]
        self.effect.edits.append((text.name, text.edits))

    def _write(self, name: str, text: str | None) -> None:
        self._written[name] = text
        self.effect.writes = [entry for entry in self.effect.writes if entry[0] != name]
        self.effect.writes.append((name, text))


def _text_method(on: str, name: str, arguments: list[object]) -> object:
    texts = [argument for argument in arguments if isinstance(argument, str)]
    if name == "replace" and len(texts) >= 2:
        count = arguments[2] if len(arguments) > 2 and isinstance(arguments[2], int) else -1
        return on.replace(texts[0], texts[1], count)
    if name in ("strip", "rstrip", "lstrip", "lower", "upper") and len(texts) == len(arguments) <= 1:
        return getattr(on, name)(*texts)
    if name == "join" and len(arguments) == 1 and isinstance(arguments[0], list):
        return on.join(arguments[0]) if all(isinstance(part, str) for part in arguments[0]) else _UNKNOWN
    return _UNKNOWN


def _name(value: object) -> str | None:
    return value if isinstance(value, str) else value.name if isinstance(value, _Path) else None


def _mode(node: ast.Call) -> str:
    values = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
    return str(values[0].value) if values and isinstance(values[0], ast.Constant) else ""


def _is_open(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "open"
