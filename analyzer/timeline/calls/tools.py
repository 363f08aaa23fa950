"""Which family of tools a tool belongs to, by its name: every agent calls its file editor something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType

from analyzer.text.names import names


class Family(Enum):
    """Tools that do the same and take the same arguments."""

    SHELL = auto()
    READ = auto()
    SEARCH = auto()
    EDIT = auto()
    EDITOR = auto()
    """An editor of several commands, of which one is named by the argument `command`."""
    TEST = auto()
    NOTEBOOK = auto()
    THINK = auto()
    PLAN = auto()
    FINISH = auto()
    WAIT = auto()
    KEYBOARD = auto()
    """Types into a program that is running; without any text it waits for output."""


_NAMES = {
    Family.SHELL: """
        bash bashtool cmd command console exec execcommand executebash executecommand executeshell localshell
        localshellcall powershell run runbash runcommand runinterminal runshellcommand runterminalcmd sh shell
        shellcommand terminal terminaltool zsh
    """,
    Family.READ: """
        cat fetch filemap fileread filesystemread getfile goto notebookread open openfile read readfile readfiles
        readmanyfiles scrolldown scrollup showfile view viewfile viewimage webfetch
    """,
    Family.SEARCH: """
        codebasesearch filesearch find findfile glob googlewebsearch grep grepsearch list listcodedefinitionnames
        listdir listdirectory listfiles ls lsp recall roversearchclass roversearchmethod search searchcode searchdir
        searchfile searchfilecontent searchfiles semanticsearch toolsearch websearch
    """,
    Family.EDIT: """
        appendfile applydiff applypatch create createfile deletefile edit editfile fileedit filewrite insert
        insertcontent inserteditintofile multiedit notebookedit patch replace replaceinfile replacelines
        replacestringinfile searchreplace strreplace undoedit updatefile write writefile writetofile
    """,
    Family.EDITOR: """
        editor fileeditor fileeditortool strreplacebasededittool strreplacebasedittool strreplaceeditor
        strreplaceedittool texteditor
    """,
    Family.TEST: "executetests pytest runtest runtests test",
    Family.NOTEBOOK: """
        executecell executeipython executeipythoncell executepython ipython ipythonruncell jupyter node
        python runcell runipython runpython
    """,
    Family.THINK: "reflect sequentialthinking think thought",
    Family.PLAN: """
        changemode changephase enterplanmode exitplanmode plan setmode setphase switchmode switchphase taskcreate
        taskget tasklist tasktracker tasktracking taskupdate todo todoread todowrite updateplan updatetodolist
        writetodos
    """,
    Family.FINISH: """
        attemptcompletion complete done exit exitforfeit fail finaloutput finalresult finish respond submit succeed
        taskcomplete
    """,
    Family.WAIT: """
        awaitshell bashoutput buildstatus checkstatus commandstatus getterminaloutput poll readbash sleep taskoutput
        wait
    """,
    Family.KEYBOARD: "writebash writestdin",
}
_FAMILY_OF: Mapping[str, Family] = MappingProxyType(
    {name: family for family, text in _NAMES.items() for name in names(text)}
)


def plain_name(tool: str) -> str:
    """A tool's own name, in small letters and digits, without the server or package that offers it and
    without the number of its version."""
    last = tool.lower().rsplit("__", 1)[-1].rsplit(".", 1)[-1]
    return re.sub(r"[^a-z0-9]", "", re.sub(r"_v\d$", "", last))


def family_of(name: str) -> Family | None:
    """The family of a tool by its plain name, or None for a tool that isn't known."""
    return _FAMILY_OF.get(name)
