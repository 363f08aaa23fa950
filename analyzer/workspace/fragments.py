"""What differs in one file from its original, place by place, and how a further change joins the earlier ones."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.struct import Struct, replace

_LEAST = 8
"""Characters of a changed text that must be found within a longer one for it to be the same place."""


class Fragment(Struct, frozen=True):
    """A place that differs from the original: `before` stood there (None: not known), `after` stands there now. `line`
    is where it begins now, None where that isn't known; `everywhere` means each occurrence. `inner` are earlier changes
    that became part of this one, `taken` the text with them that it replaced. `at_end` says that a text whose line
    isn't known was put in at the end of the file."""

    before: str | None
    after: str
    line: int | None = None
    everywhere: bool = False
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    inner: tuple[Fragment, ...] = ()
    taken: str | None = None
    at_end: bool = False


def row_of(fragment: Fragment) -> tuple[str, str, bool, bool, int, bool]:
    """What tells a change from others; where one of its sides is empty or not known its place does."""
    before, after = fragment.before, fragment.after
    line = fragment.line if not before or not after else None
    return before or "", after, before is None, fragment.everywhere, line or 0, fragment.at_end


def equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines two texts have in common at their beginning and, beyond these, at their end."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    return head, next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)


def original_text(text: str, fragments: Sequence[Fragment]) -> str | None:
    """What `text` was before the changes, None where that isn't known."""
    for fragment in reversed(fragments):
        if fragment.before is None or not fragment.after or text.count(fragment.after) != 1:
            return None
        text = text.replace(fragment.after, fragment.before)
    return text


def changed_text(text: str, fragments: Sequence[Fragment]) -> str | None:
    """What `text` is after the changes, None where that isn't known."""
    for fragment in fragments:
        if not fragment.before or text.count(fragment.before) != 1:
            return None
        text = text.replace(fragment.before, fragment.after)
    return text


def composed(fragments: tuple[Fragment, ...], new: Fragment, *, by_line: bool = False) -> tuple[Fragment, ...]:
    """The changes with one more: a change within an earlier one becomes part of it, and what is back as it was is no
    change any more."""
    if new.before is None:
        return (*fragments, new)
    if new.before == new.after:
        return fragments
    if not by_line and new.line is None and _in_several(fragments, new):
        return (*fragments, new)  # in which of the places isn't known
    for index in range(len(fragments) - 1, -1, -1):
        old = fragments[index]
        if old.everywhere:
            if old.after == new.before:
                return exchanged(fragments, index, replace(old, after=new.after))
            continue
        if new.everywhere:
            continue
        if by_line and not old.after and not new.before and old.line == new.line:
            return exchanged(fragments, index, replace(old, after=new.after))
        if _inside(old, new, by_line):
            return exchanged(fragments, index, replace(old, after=old.after.replace(new.before, new.after, 1)))
    if new.everywhere and any(new.before in old.after for old in fragments):
        # The text is taken to stand where it was put in, and nowhere else.
        changed = (replace(old, after=old.after.replace(new.before, new.after)) for old in fragments)
        return tuple(old for old in changed if old.before != old.after)
    inner = [old for old in fragments if not old.everywhere and _around(old, new, by_line)]
    if inner:
        before = new.before
        for old in inner:
            before = before.replace(old.after, old.before or "", 1)
        rest = tuple(old for old in fragments if old not in inner)
        merged = replace(new, before=before, inner=tuple(inner), taken=new.before)
        return rest if before == new.after else (*rest, merged)
    return (*fragments, new)


def exchanged(fragments: tuple[Fragment, ...], index: int, new: Fragment) -> tuple[Fragment, ...]:
    """The changes with another one at `index`, which is left out where it changes nothing any more."""
    kept = new.inner if new.after == new.taken else () if new.before == new.after else (new,)
    return (*fragments[:index], *kept, *fragments[index + 1 :])


def _inside(old: Fragment, new: Fragment, by_line: bool) -> bool:
    """Whether the new change lies within what an earlier one put in."""
    if new.before is None or new.before not in old.after:
        return False
    if not by_line or not new.before:
        return bool(new.before)
    if old.line is None or new.line is None or old.line > new.line:
        return False
    return new.line + new.before.count("\n") <= old.line + max(1, old.after.count("\n"))


def _in_several(fragments: Sequence[Fragment], new: Fragment) -> bool:
    """Whether earlier changes of several places put in the text that a change of one place replaces."""
    if new.everywhere:
        return False
    places = {row_of(old) for old in fragments if not old.everywhere and _inside(old, new, by_line=False)}
    return len(places) > 1


def _around(old: Fragment, new: Fragment, by_line: bool) -> bool:
    """Whether what an earlier change put in lies within what the new one takes out."""
    if old.before is None or not old.after or new.before is None or old.after not in new.before:
        return False
    if old.line is not None and new.line is not None:
        return new.line <= old.line <= new.line + new.before.count("\n")
    return not by_line and len(old.after.strip()) >= _LEAST
