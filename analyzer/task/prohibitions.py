"""Read what a user, or a file of rules, forbids: files, folders, the tests, things by their names, commands, acts.

A sentence forbids by one of a few frames, each with a slot for what is forbidden; what fills the slot decides which
kind of rule it is. A prohibition counts only where it's addressed to the agent and has no condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from analyzer.commands.table import Does, knows, row_of
from analyzer.model.struct import replace
from analyzer.speech.acts import Act, acts_of, lead_verb
from analyzer.task.acts import COMMITTING, INSTALLING, PUSHING, TESTING, Spoken, sentence_speaks
from analyzer.task.forbidden_things import (
    ALL_FILES,
    EVERY,
    FILE,
    PACKAGES,
    PATH,
    PRONOUNS,
    Rule,
    rules_of_object,
    words_of,
)
from analyzer.task.prose import sentences
from analyzer.task.turns import Request, read_turn
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any

_LONGEST = 600
_NOT = (
    r"\b(?:do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|may not|can ?not|(?:are|is) not "
    r"(?:allowed|permitted) to|without|avoid|refrain from|not to|under no circumstances)\s+"
    r"(?:(?:ever|please|try to|attempt to|manually)\s+){0,2}"
)
_CHANGE = r"(?:modify|edit|chang|touch|alter|delet|remov|overwrit|updat|renam|mess with|tamper with)(?:e|ing)?"
_OBJECT = r"(?P<object>(?:[^.;!?\n]|\.(?=\w)){0,200})"
_RUN = r"(?:(?:run|use|do)\s+)?[`'\"]?(?:git )?"
_FORBIDS = late(
    rf"(?:{_NOT}|\bno (?=changes?\b|edits?\b|modifications?\b|{_CHANGE}\b))"
    r"(?:(?:changes?|edits?|modifications?) (?:to|in|of|below|under|inside)\b"
    rf"|(?P<change>(?:{_CHANGE}(?:/|,? or |,? and |, )?){{1,3}}\s*:?)|(?P<commit>{_RUN}commit(?:ting)?[`'\"]?)"
    rf"|(?P<push>{_RUN}push(?:ing)?[`'\"]?)|(?P<install>(?:install|add|introduc|pull in|bring in)(?:e|ing)?)"
    r"|(?P<read>(?:open|read|look (?:at|into|in)|view|peek (?:at|into)|cat)(?:ing)?"
    r"(?:,? or (?:print|show|open)(?:ing)?)?)"
    r"|(?P<tests>(?:run|execut)(?:e|ning|ing)?\s+(?:the |any |unit |existing |my ){0,3}tests?(?: suites?)?))"
    rf"(?![\w-]){_OBJECT}",
    re.IGNORECASE,
)
_PROGRAM = r"[`'\"]?(?P<{}>[a-z][\w.-]{{0,29}}\w(?:(?:,|,? and|,? or) [`'\"]?[a-z][\w.-]{{0,29}}\w){{0,3}})[`'\"]?"
_ALONE = (
    r"(?![\w/-]|\.\w)(?!\s+(?!(?:please|here|from|in|for|on|at|anymore|again|or|and|because|since|as|yet|directly)\b)"
    r"[a-z])"
)
_USES = late(
    rf"{_NOT}(?:use|run|call|invoke)\s+{_PROGRAM.format('used')}{_ALONE}"
    rf"|{_PROGRAM.format('passive')} (?:must|may|should|can)(?: ?not| never|n['’]t) be (?:run|used|called)\b"
    rf"|\bno (?:more )?{_PROGRAM.format('more')}{_ALONE}",
    re.IGNORECASE,
)
"""Programs that aren't to be run."""
_SPELLED = late(
    rf"{_NOT}(?:use|using|write|writing|add|adding|introduce|call|calling|want)\s+(?P<object>`[^.;!?\n]{{2,120}})",
    re.IGNORECASE,
)
_TOKEN = late(r"`([^`\s/]{2,40})`")
"""What isn't to be written, as code."""
_FORBIDDING = ("before", "not", "n't", "never", "no ", "nothing", "avoid", "without")
_DENIALS = ("not", "n't", "never", "no ")
_X = r"(?:[^.,;:!?\n(]|\.(?=\w))"
_BEING = r"(?:is|are|stays?|remains?|must stay|has to stay|have to stay) (?:\w+ ){0,2}?"
_AS_OBJECT = late(
    r"\b(?:leave|keep|let)\s+(?!your (?:hands|fingers)\b)(?P<kept>(?:[^.;!?\n]|\.(?=\w)){1,120}?)\s+"
    r"(?:unchanged|untouched|unmodified|intact|alone"
    r"|as(?: (?:it|they))?(?: is| are|-is))\b"
    r"|\b(?:keep (?:your )?)?(?:hands|fingers|keep|stay|steer)(?: \w+)?"
    rf" (?:off|out of|away from|clear of)\s+(?P<off>{_X}{{1,80}})",
    re.IGNORECASE,
)
_AS_SUBJECT = late(
    r"^\W{0,4}(?P<label>[\w./-]{2,60})`?: [^.\n]{0,60}?\b(?:do(?: not|n['’]t) touch|hands off|read[- ]only)\b"
    r"|\bnothing (?:gets|is|may be|must be|should be) (?:added|installed)\b(?: to (?P<added>[^.;!?\n]{1,60}))?"
    r"|\b(?:no |without (?:any )?|(?:do not|don['’]t) want (?:any )?)(?P<wanted>(?:new|additional|further|extra) "
    rf"{_X}{{1,40}})"
    rf"|(?:^|[,:(]\s*)(?P<must>{_X}{{1,120}}?)\s+(?:must|should|may|shall|can)(?: ?not|n['’]t) be "
    rf"(?:modifi|{_CHANGE})\w*\b(?!\s+by\b)"
    rf"|(?P<being>{_X}{{1,80}}?) {_BEING}(?:as(?: (?:it|they))? (?:is|are)\b|off[- ]limits"
    rf"|off the table|ruled out|not an option|frozen"
    r"|untouched|put|off|taboo|read[- ]only|forbidden|prohibited|not allowed"
    rf"|(?:never|not)(?: to be)? (?:ever )?{_CHANGE}\w*)\b",
    re.IGNORECASE,
)
"""How a thing is said to stay as it is: as the object of what the agent is to do, or as the subject."""
_ONLY = late(
    r"\b(?:only (?:touch|change|edit|modify|work (?:in|on))"
    r"|(?:stick|confine yourself|limit yourself|keep|restrict yourself) to"
    r"|(?:nothing|anything|no \w+)\b[^.;,\n]{0,30}? (?:outside(?: of)?|beyond|other than|except|apart from))"
    r"\s+(?:files? |code |things )?(?:in |under |below |within |inside )?(?:the )?(?P<object>[`'\"]?[\w@.*~/-]{1,120})"
    rf"|{_NOT}(?:run|do|execute|apply|touch|use|change|connect|write)\b[^.;,!?\n]{{0,60}}?"
    r"\b(?P<place>production|prod|staging)\b"
    r"|\b(?:the (?=\w+ is (?:mine|for me|my job|up to me)\b)|leave the (?=\w+ to me\b)|i(?:'ll| will) (?:do the )?"
    r"|no (?!\w+ (?:messages?|history)\b)|leave (?:\w+ ){1,2}un(?=\w+ed\b))(?P<mine>push|commit)(?:ing|t?ed|e?s)?\b"
    r"|\b(?P<unsent>drafts? only|only (?:a )?drafts?|nothing (?:goes out|leaves|(?:is|gets|to be) (?:sent|mailed)))\b",
    re.IGNORECASE,
)
"""The only place in which something is to be changed, one in which nothing is to be done, or what the user does."""
_FIRST = ("without", "before", "until", "unless")
_VERB = (
    r"(?:pay|charge|refund|restart|reload|reboot|drop|truncate|deploy|publish|release|merge|send|cancel|book|upgrade"
    r"|commit|push|force[- ]?push|mail|buy|order|purchase|apply|submit|post)"
)
_ACTS = late(
    rf"(?:{_NOT}|\bno (?:more )?|(?P<leave>\b(?:ask|tell|check with|confirm with|get back to|come back to) (?:me|us)"
    rf"(?: first)? before (?:you )?))(?:(?:issue|make|do|trigger|execute) )?(?:an? |any |the )?"
    rf"(?P<verbs>{_VERB}(?:(?:/|,? or |,? and |, ){_VERB})*)(?:s|ing|e?d)?(?![\w-])"
    rf"(?P<object>(?:[^.;,!?\n]|\.(?=\w)){{0,80}})|(?P<first>{_VERB}(?: or {_VERB})*) nothing\b",
    re.IGNORECASE,
)
"""Acts outside of the files that aren't to be done, and with what."""
_ANY = late(
    r"\s*(?:to |for |from |of )?(?:it|this|that|any(?:thing|body|one)?|nothing|yet|please|here|there|now|at all|$)\b"
    r"|\s*(?:without|before|until)\b|\s*$",
    re.IGNORECASE,
)
"""What follows such an act where nothing is excepted."""
_ASKING = late(
    r"\b(?:without|before|until)\b[^.\n]{0,20}"
    r"\b(?:ask\w*|permission|approv\w*|confirm\w*|consent|ok|i say|sign(?:ed)?[- ]?off)\b",
    re.IGNORECASE,
)
_LEAVE_FIRST, _ASKS = ("obtain", "get ", "ask", "wait"), ("confirm", "approv", "consent")
"""How what is to be had first is asked for, and what that is."""
_LIMIT = late(
    r"\b(?:more than|over|above|exceed\w*)\s+(?:(?:[$€£]|(?-i:[A-Z]{3}) )\s?(?P<most>\d[\d,]*(?:\.\d+)?)"
    r"|(?P<sum>\d[\d,]*(?:\.\d+)?) ?(?:[$€£]|(?:(?-i:[A-Z]{3})|dollars?|euros?|pounds?)\b))",
    re.IGNORECASE,
)
_PAYS = names("pay spend charge order buy purchas refund transfer book issu cost credit")
_LEAVES = names("confirm approv permission consent leave sign-off authori")
"""The most that may be paid without somebody's leave."""
_EXTENT = late(
    r"\s*(?:(?:or|and|/) ?(?:git )?(?:push|commit)(?:ting|ing)?)?\s*(?:(?:any )?(?:changes?|code|anything) )?"
    r"(?:directly |straight )?(?:to|on|onto|into) (?:the )?[`'\"]?(?P<branch>main|master|trunk|develop)\b(?!/)"
    r"|\s*(?:it|this|that|them|these|any(?:thing)?|yourself|(?:the |your |any |my )*(?:changes?|code|work|results?))?"
    r"\s*(?:yet|for now|at all|to git|to (?:the )?remote|anything)?\s*"
    r"(?:$|[,)]|(?:or|and)\s+(?:git )?(?:push|commit)|[-—])",
    re.IGNORECASE,
)
"""What may follow a forbidden command for it to be forbidden at all, or on a branch, rather than for another thing."""
CONDITION = late(
    r"\b(?:unless|except\w*|(?<!even )if|until|till|when|while|other than|besides|apart from"
    r"|without (?:asking|permission|my|prior|confirm\w*|explicit|approval|consent|authori\w*)"
    r"|more than|beyond|unnecessar\w+|necessary|needed"
    r"|above|over \d|exceed\w*|required|globally|system-wide|just|merely|only to|in order to"
    r"|too (?:much|many|far|often)|directly)\b",
    re.IGNORECASE,
)
_CONDITIONAL = late(r"\b(?:(?<!even )if|when|unless|until|once)\b", re.IGNORECASE)
"""What makes the prohibition behind it one for some cases."""
_AHEAD = late(
    r"(?:^|[,:;(*\"'!—–-]|\b(?:and|but|please|so|then|just|also|or|you|always|however|careful|sure|try|remember))$",
    re.IGNORECASE,
)
"""What stands before a prohibition that is meant for the agent."""
NEVER = late(_NOT, re.IGNORECASE)
_CHANGES = late(r"\b(?:modif|edit|chang|touch|alter|delet|remov|overwrit|updat|fix|rewrit|add|allow)\w*", re.IGNORECASE)
_MONEY = late(r"[$€£] ?(?P<first>\d[\d.]*)|(?P<number>\d[\d.]*) ?(?:[$€£]|(?:[A-Z]{3}|dollars?|euros?|pounds?)\b)")
RUNS = {"git commit": COMMITTING, "git push": PUSHING, "install": INSTALLING, "tests-run": TESTING}
"""The rules about commands, and the act by which a user says later that they may be run."""
_BY_GROUP = {
    "commit": ("git commit", _EXTENT),
    "push": ("git push", _EXTENT),
    "install": ("install", PACKAGES),
    "tests": ("tests-run", _EXTENT),
}


_LEAVE = frozenset({Act.APPROVES, Act.ONLY_APPROVES})


def rules_of(text: str) -> Iterator[Rule]:
    """The prohibitions in what the user wrote; pasted code and quoted mail forbid nothing."""
    before = ""
    for sentence in sentences(text):
        for rule in _of_sentence(sentence, before) if len(sentence) <= _LONGEST else ():
            # That nothing is to be changed is meant for a part of the work where changes are asked for, too.
            if rule.what != "only" or rule.names or Request.CHANGE not in read_turn(text).requests:
                yield rule
        before = sentence[:_LONGEST]


def _of_sentence(sentence: str, before: str) -> Iterator[Rule]:
    """The prohibitions of a sentence; what its pronouns mean may be in the sentence `before`."""
    small = sentence.lower().replace("’", "'")
    for found in _ONLY.finditer(sentence):
        if found["place"]:
            clause = sentence[found.start() :].partition(", ")[0]
            if _addressed(sentence[: found.start()], found[0]) and not CONDITION.search(clause):
                place = "staging" if found["place"].lower() == "staging" else "production"
                yield Rule("thing", (), sentence, about=(place,))
        elif found["unsent"]:
            yield Rule("act", ("send", "mail"), sentence, asking=True)
        elif found["mine"]:
            yield Rule(f"git {found['mine'].lower()}", (), sentence)
        elif (path := FILE.match(found["object"]) or PATH.match(found["object"])) is not None and "/" in path["name"]:
            folder = "." not in path["name"].rstrip("/.").rsplit("/", 1)[-1]
            name = path["name"].removeprefix("./").rstrip("/.") + ("/" if folder else "")
            yield Rule("only", (name,), sentence)
    for found in _LIMIT.finditer(sentence) if holds_any(small, _PAYS) else ():
        asks = holds_any(small, _LEAVES) or "ask" in small.split()
        if asks or NEVER.search(sentence[: found.start()]) is not None:
            yield Rule("limit", ((found["most"] or found["sum"]).replace(",", ""),), sentence, asking=True)
    if holds_any(small, _FORBIDDING):
        yield from _acts_in(sentence)
    first = "before" in small and holds_any(small, _LEAVE_FIRST) and holds_any(small, _ASKS)
    named = (word.strip(".,;:()`'\"") for word in sentence.split()) if first else ()
    tools = [word for word in named if "_" in word.strip("_") and word.isidentifier()]
    if tools and not any(holds_any(tool, ("ask", *_ASKS)) for tool in tools):
        yield Rule("program", tuple(tools), sentence, asking=True)
    for found in _SPELLED.finditer(sentence) if "`" in sentence and holds_any(small, _DENIALS) else ():
        spelled = tuple(word for word in _TOKEN.findall(found["object"]) if row_of(word) is None)
        if spelled and not CONDITION.search(sentence[found.start() :]):
            yield Rule("text", spelled, sentence)
    uses = (_USES,) if holds_any(small, _DENIALS) else ()
    for pattern in (*uses, _FORBIDS, _AS_OBJECT, _AS_SUBJECT):
        for found in pattern.finditer(sentence):
            groups, rest = found.groupdict(), sentence[found.start() :]
            whole = _EXTENT.match(groups.get("object") or "") if groups.get("commit") or groups.get("push") else None
            branch = whole["branch"] if whole is not None else None
            rest = rest.replace("directly", "", 1) if branch else rest
            asking = _ASKING.search(rest) is not None
            if (CONDITION.search(rest) and not asking) or _CONDITIONAL.search(sentence[: found.start()]):
                continue
            if pattern is _USES:
                words = re.findall(r"[a-z][\w.-]*", (found["used"] or found["passive"] or found["more"]).lower())
                bare = found["more"] is not None and found[0][3:7] != "more"
                if bare and (_AHEAD.search(sentence[: found.start()].rstrip()) is None or knows(words[0], Does.WORD)):
                    continue
                if known := tuple(word for word in words if row_of(word) is not None or "_" in word):
                    yield Rule("program", known, sentence)
                continue
            if pattern is not _AS_SUBJECT and not _addressed(sentence[: found.start()], found[0]):
                continue
            ran = next((group for group in _BY_GROUP if groups.get(group)), None)
            if ran is None:
                removes = (groups.get("change") or "").lower().startswith(("delet", "remov"))
                words = (groups.get("object") or "").lower().split()
                which = set(takewhile(lambda word: word not in _FIRST, words))
                them = PRONOUNS if "file" in f"{before} {sentence}".lower() else frozenset()
                if removes and which and which - them <= ALL_FILES and which & (EVERY | them):
                    yield Rule("removed", (), sentence, asking=asking)
                    continue
                slot = groups["object"] if pattern is _FORBIDS else next(filter(None, groups.values()), "")
                made = rules_of_object(slot, before, found)
                if groups.get("read"):
                    made = (replace(rule, what="read") for rule in made if rule.what == "file")
            elif _BY_GROUP[ran][1].match(found["object"]):
                also = ran == "commit" and "push" in found["object"].lower()
                whats, about = (_BY_GROUP[ran][0], *(("git push",) if also else ())), (branch,) if branch else ()
                made = (Rule(what, (), sentence, about=about) for what in whats)
            else:
                continue
            for rule in made:
                rule.asking = asking
                yield rule


def _acts_in(sentence: str) -> Iterator[Rule]:
    """The acts outside of the files that a sentence forbids, for all things or for some."""
    for found in _ACTS.finditer(sentence):
        generic = found["first"] is not None or _ANY.match(found["object"]) is not None
        ahead, rest = sentence[: found.start()], sentence[max(found.end("first"), found.end("verbs")) :]
        asking = _ASKING.search(rest) is not None or found["leave"] is not None
        if (not found["first"] and not _addressed(ahead, found[0])) or _CONDITIONAL.search(ahead):
            continue
        if CONDITION.search(rest) is not None and not asking:
            continue
        verbs = tuple(re.findall(_VERB, (found["first"] or found["verbs"]).lower()))
        about = () if generic else tuple(words_of(found["object"]))
        if "force" in verbs[0]:
            verbs, about, generic = ("force",), ("push",), False
        kept = tuple(verb for verb in verbs if f"git {verb}" not in RUNS)
        if kept and (generic or about):
            yield Rule("act", kept, sentence, about=about, asking=asking)
        for verb in verbs if asking and generic else ():
            if verb not in kept:
                yield Rule(f"git {verb}", (), sentence, asking=True)


def _addressed(ahead: str, words: str) -> bool:
    """Whether a prohibition is meant for the agent, rather than a sentence about what a program does or should not
    do."""
    ahead, words = ahead.rstrip(), words.lower()
    if words.startswith(("must", "should", "may", "can", "are", "is")):
        return ahead.lower().endswith(("you", "you also", "you really"))
    return lead_verb(ahead) is not None if words.startswith("without") else _AHEAD.search(ahead) is not None


def lifted(rules: Sequence[Rule], text: str) -> list[Rule]:
    """Those of some rules of which a later message of the user allows what they forbid."""
    allowing = [sentence for sentence in sentences(text) if NEVER.search(sentence) is None] if rules else []
    return [rule for rule in rules if any(_allows(rule, sentence) for sentence in allowing)]


def _allows(rule: Rule, sentence: str) -> bool:
    """Whether a sentence without a "not" allows what a rule forbids."""
    if rule.asking and acts_of(sentence, "user", _LEAVE):
        return True
    if rule.what in RUNS:
        named = not rule.about or rule.about[0] in sentence.lower()
        return named and sentence_speaks(sentence, RUNS[rule.what]) >= Spoken.MEANT
    if rule.what == "limit":
        sums = (found["first"] or found["number"] for found in _MONEY.finditer(sentence.replace(",", "")))
        return any(float(value.rstrip(".")) > float(rule.names[0]) for value in sums if value.count(".") < 2)
    if rule.what == "thing":
        return all(word in sentence.lower() for word in rule.about)
    if rule.what == "act":
        about = bool(rule.about) and " after all" in sentence and all(word in sentence.lower() for word in rule.about)
        return about or any(verb in sentence.lower() for verb in rule.names)
    if rule.what == "program":
        return any(name in sentence.lower().split() for name in rule.names)
    if rule.what == "only" and not rule.names:
        return _CHANGES.search(sentence) is not None or bool(acts_of(sentence, "user", _LEAVE))
    if rule.what in ("file", "only"):
        bases = [name.rstrip("/").rsplit("/", 1)[-1] for name in rule.names]
        return any(base in sentence for base in bases) and _CHANGES.search(sentence) is not None
    ends = (found.end() for found in _CHANGES.finditer(sentence))
    return any(word.startswith("test") for end in ends for word in sentence[end:].split()[:4])
