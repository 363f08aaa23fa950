"""What to ask, to try, to change and to remember for findings that aren't loops, by the detector that made them and,
where it matters, by their kind (`detector/kind`).

The words in braces are filled in from the finding: `title`, `first`, `last`, `steps`, `quote` (its first quotation),
`advice`.
"""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.diagnosis.case import steps_text
from analyzer.model.finding import Finding
from analyzer.text.clip import clip
from analyzer.text.markdown import code


@dataclass(frozen=True, slots=True)
class Guidance:
    """What there is to say about one sort of finding. `change` says what to build into the agent, `approaches` are
    titles and texts."""

    questions: tuple[str, ...]
    approaches: tuple[tuple[str, str], ...]
    improvement: str
    change: str
    lesson: str


_TABLE: dict[str, Guidance] = {
    "argument-validation-loop": Guidance(
        (
            "Which argument does the rejection of step {first} name, and what does the tool's schema call it?",
            "Which call of this tool was accepted in this session, and what did it pass?",
        ),
        (
            (
                "Copy a call that worked",
                "Take the last accepted call of the same tool and change only its values; the names are right there.",
            ),
            (
                "Read the schema",
                (
                    "Print the tool's parameter list once before the next call, and compare it name by name with "
                    "what step {last} passed."
                ),
            ),
            (
                "Use another tool",
                "Reach the goal of step {first} by a tool whose arguments were accepted before, such as the shell.",
            ),
        ),
        "Tell the expected arguments with the rejection",
        (
            "Let the harness answer a rejected call with the tool's required names, their types and the nearest "
            "names to those given; accept common aliases (`path`, `file_path`, `filename`) instead of rejecting them."
        ),
        "A rejected call is about its form: fix the names before the idea.",
    ),
    "signature-mismatch": Guidance(
        (
            (
                "Does the function behind the tool take what its schema declares? The message of step {first} says "
                "which argument it doesn't know."
            ),
        ),
        (
            (
                "Report it instead of retrying",
                "Say that the tool is broken and go on without it; no arguments that its schema allows will be taken.",
            ),
            (
                "Leave the argument out",
                (
                    "Call it once more without the argument that the message of step {first} names, if the schema "
                    "doesn't demand it."
                ),
            ),
            ("Go round the tool", "Do by the shell, or by another tool, what the call of step {first} was for."),
        ),
        "Check tools against their schemas at start-up",
        (
            "When tools are registered, compare each declared schema with the signature of the function that serves "
            "it, and refuse to start on a difference."
        ),
        "When a declared argument is not taken, the tool is at fault, not the call.",
    ),
    "unknown-tool": Guidance(
        ("Which of the tools that do exist does what step {first} wanted?",),
        (
            ("Use what there is", "List the tools once and pick the nearest to what step {first} called."),
            (
                "Do it by the shell",
                "Most of what a missing tool would do, a command can; try that for the goal of step {first}.",
            ),
            ("Install it or say so", "If nothing else will do, install the program, or say that the task needs it."),
        ),
        "Answer an unknown name with the known ones",
        (
            "Let the harness answer a call of an unknown tool with the list of tools and the nearest name, and keep "
            "other harnesses' tool names out of the prompt."
        ),
        "A tool that isn't there stays away: look at the list.",
    ),
    "unknown-tool/missing-program": Guidance(
        ("What was the program of step {first} wanted for, and what that is installed does the same?",),
        (
            (
                "Use what there is",
                (
                    "Do the work of step {first} with what is installed; a program that wasn't found once isn't "
                    "found the next time."
                ),
            ),
            (
                "Check by other means",
                "Do what can be checked without it, and write the check for somebody who can run it.",
            ),
            (
                "Say what is missing",
                "Report in one sentence which program is missing and what could not be done for that.",
            ),
        ),
        "Put what the task needs into the image, and say what is there",
        (
            "List the programs that the task needs and probe for them before the run; build what is missing into the "
            "image, or name it in the first message as not there."
        ),
        "A program that isn't installed stays away: use another, or have it installed before the run.",
    ),
    "unknown-tool/fenced-command": Guidance(
        ("What does the shell see as the first word of the command of step {first}?",),
        (
            (
                "Read the message",
                (
                    "Compare the name that the shell doesn't find ({quote}) with what was sent: it's the fence's "
                    "label, no program."
                ),
            ),
            ("Ask for the format", "If a fence is expected, ask once which label the harness takes off."),
        ),
        "Take the fence off in the harness",
        (
            "Let the harness cut the code out of a Markdown fence, whatever its label and case, before it goes to "
            "the shell, and answer a message that it can't cut with the format that it expects."
        ),
        "What reaches the shell is the text as it was sent: look at that before blaming the environment.",
    ),
    "unknown-tool/prose-command": Guidance(
        (
            "Who was step {first} meant for: the user, or the shell?",
            "Is the work done? Then what is the call, or the word, that ends the session?",
        ),
        (
            (
                "End it",
                (
                    "If nothing is left to do, end the session by the call that does so, instead of taking leave in "
                    "a shell."
                ),
            ),
            ("Run something", "If something is left to do, send the command for it and nothing else."),
            ("Ask by the right way", "If something is missing, ask the user by a message, where the harness has one."),
        ),
        "Tell words from commands",
        (
            "Say in the prompt how the session is ended, and let the harness answer a sentence that comes as a "
            "command with that reminder instead of running it."
        ),
        "An agent that doesn't know how to end goes on talking to whoever listens.",
    ),
    "environment-trouble": Guidance(
        (
            "What would one minute of set-up before step {first} have cost, against the steps lost here?",
            "Does the task need what is missing, or is there another way to check?",
        ),
        (
            (
                "Set up first",
                "Before the next try, make one command that shows what is missing ({quote}) and mend that alone.",
            ),
            (
                "Check by other means",
                "Do what can be checked without it: read, compile, run the part that needs nothing of what is missing.",
            ),
            (
                "Say what is missing",
                "Finish what can be finished and report in one sentence what could not be run, and why.",
            ),
        ),
        "Prepare and probe the environment before the run",
        (
            "Start each run with a probe: working directory, interpreter, packages, network. Put its result into the "
            "first message, and fail the run early if the task can't be done there."
        ),
        "Failures of the environment say nothing about the work; mend the environment first.",
    ),
    "hang-and-timeouts": Guidance(
        ("Does it wait for an answer that nobody gives, or is it only slow? What did it print before it stopped?",),
        (
            ("Take away the question", "Run it with non-interactive flags and a closed standard input."),
            ("Run it in the background", "Start it with its output in a file and a time limit, and look at the file."),
            ("Make it smaller", "Run the smallest part that shows whether it gets anywhere."),
        ),
        "Time limits and non-interactive defaults",
        (
            "Give every command a time limit and a closed standard input; set `CI=1`, `GIT_EDITOR=true`, "
            "`PAGER=cat`; return what was printed so far when the limit is hit."
        ),
        "A command that hung once hangs again unless something about it changes.",
    ),
    "hang-and-timeouts/timeout": Guidance(
        ("Is it slow, or does it never end? What did it print before it was stopped?",),
        (
            ("Ask for less", "Give it less to do: one directory, one file, one test, a smaller input, a depth limit."),
            (
                "Run it in the background",
                "Start it with its output in a file and a time limit of its own, and look at the file.",
            ),
            ("Do without it", "Ask what its answer was needed for, and whether something that ends gives the same."),
        ),
        "Time limits that say what was seen",
        (
            "Give every command a time limit that the agent is told of, return what was printed so far when it's "
            "hit, and refuse the same command a second time unless something about it changed."
        ),
        "A command that ran out of time does so again unless it's given less to do.",
    ),
    "hang-and-timeouts/long-command": Guidance(
        ("Which part of what it does was needed here?",),
        (
            ("Run the part that matters", "Run only what the change touches, and the whole of it once at the end."),
            (
                "Run it in the background",
                "Start it with its output in a file, and go on with what doesn't need its answer.",
            ),
            ("Keep what it made", "Keep caches and builds between runs, so that only what changed is done again."),
        ),
        "Run the part that the change touches",
        "Tell the agent how to run one test or one target, and keep the whole run for the end.",
        "The whole is checked once, the part as often as it takes.",
    ),
    "lost-context": Guidance(
        ("Which step had already produced what is said to be missing here?",),
        (
            ("Go back to the step", "Read again what the earlier step produced, and quote it in the next message."),
            (
                "Pass it on",
                "Put the result itself, not a reference to it, into what the next call or the sub-agent is given.",
            ),
            (
                "Write it down",
                "Keep results that are needed later in a file of notes, and read that first after every compaction.",
            ),
        ),
        "Hand results over explicitly",
        (
            "Let compaction keep results by name, and let calls of sub-agents take the results that they need as "
            "arguments."
        ),
        "What was found out once must be written where the next step looks.",
    ),
    "lost-context/not-received": Guidance(
        (
            (
                "What does the tool of step {last} send to the model: which messages, in which order, with how many "
                "characters?"
            ),
        ),
        (
            (
                "Log what is sent",
                "Write down the messages of the request itself, not the arguments of the tool that makes it.",
            ),
            (
                "Pass the history on",
                "Give each step the results of the steps before it as messages, not only as text in one argument.",
            ),
            (
                "Check the answer",
                "Refuse an answer that asks for its input before a later step takes it for the result.",
            ),
        ),
        "Make what a step is given arrive at the model",
        "Build the request from the arguments and the history of the earlier steps, and test that both are in it.",
        "The arguments were right; only what is really sent counts.",
    ),
    "blind-edits": Guidance(
        (
            "What does each of the edits of steps {steps} assume, and which observation would tell whether it's true?",
            "Which file of the trace was not read between them?",
        ),
        (
            ("Observe before the next edit", "Print the values at the place that fails, once; then edit, or don't."),
            (
                "Read the other end",
                "Open the caller and the test that the trace names, and compare what they pass with what is expected.",
            ),
            ("Change the place", "Name one cause outside of the lines edited so far, and the cheapest check for it."),
        ),
        "Ask for an observation between two edits of one place",
        (
            "When the same failure comes back after an edit, demand a read, a print or a smaller run before the next "
            "edit of the same lines is accepted."
        ),
        "An edit without an observation is a guess; the second equal failure says that the guess was wrong.",
    ),
    "no-progress": Guidance(
        (
            "What is known at step {last} that wasn't known at step {first}?",
            "What is the next thing that the task needs, in one sentence?",
        ),
        (
            (
                "Write down what is known",
                "List what the last steps have shown, and strike out what doesn't bear on the task.",
            ),
            (
                "Start from the task",
                "Read the task again and name the smallest change that would make a difference to it.",
            ),
            ("Ask", "Say what was tried and what is missing, and ask the user the one question that decides."),
        ),
        "A budget for steps that bring nothing new",
        (
            "Count steps since the last new file, new output, new failure or kept edit; at twenty inject a summary "
            "of what is known and ask for a plan."
        ),
        "Steps without new information are the cheapest sign of being stuck.",
    ),
    "context-pressure": Guidance(
        ("Which output filled the context, and which ten lines of it were needed?",),
        (
            ("Ask for less", "Filter at the source: `head`, `grep`, a line range, a quiet flag."),
            ("Keep it in a file", "Send long output into a file and search that."),
            ("Hand it to a sub-agent", "Let another context read the long text and return the few lines that matter."),
        ),
        "Cap outputs where they come in",
        (
            "Cut results at a few thousand characters with a note of what was left out and how to see it, and "
            "summarise old results before the window is full."
        ),
        "What fills the context is not what is needed, but what was printed.",
    ),
    "context-pressure/called-agent": Guidance(
        (
            "What was the call of step {first} asked to bring back, and how much of it was needed?",
            "What of its work was lost, and which step did it again?",
        ),
        (
            (
                "Ask for less",
                "Split what step {first} was asked for, and say in a line or two what each part should bring back.",
            ),
            (
                "Let it write down",
                (
                    "Let a called agent keep its results in a file as it goes, so that something is left when its "
                    "window is full."
                ),
            ),
            ("Do it here", "Where a search and two reads answer the question, do them in the main lane."),
        ),
        "Hand called agents parts that fit, and keep what they found",
        (
            "Limit what a called agent may read, let it report before its window is full, and give its caller what "
            "it had until then instead of the bare error."
        ),
        "What a called agent found is lost with its window, unless it wrote it down.",
    ),
    "claims-against-evidence": Guidance(
        ("Which step shows what is claimed here? The last one that bears on it says otherwise.",),
        (
            ("Run it now", "Run the check that the claim speaks of, and quote its last line."),
            ("Say what is open", "Report what failed at the last run, and what was not run."),
            ("Narrow the claim", "Claim only what a step shows, with its number."),
        ),
        "Check claims against the log before they go out",
        (
            "Before a message that says that tests pass is sent, look for a passing run after the last edit; if "
            "there's none, send the agent back with that sentence."
        ),
        "A report is worth the output that it quotes.",
    ),
    "edited-forbidden": Guidance(
        ("Which sentence of the task speaks of this file, and was it in the context when step {first} was made?",),
        (
            ("Take it back", "Restore what step {first} changed, and reach the goal without it."),
            ("Ask first", "If the goal can't be reached otherwise, say so and ask for leave."),
            ("Work on a copy", "Try it out in a copy that is thrown away."),
        ),
        "Enforce prohibitions in the tools",
        (
            "Turn what the task forbids into rules of the editing tool and the shell (paths, commands), and answer a "
            "breach with the sentence that it breaks."
        ),
        "What must not be touched belongs into the tool, not only into the prompt.",
    ),
    "cascade": Guidance(
        ("What did step {first} say, and did anything answer it before the steps that needed its result?",),
        (
            ("Mend the first one", "Go back to step {first} ({quote}) and don't go on until it has worked."),
            (
                "Check the ground first",
                "Before a step that needs something, test that it's there: the file, the package, the port.",
            ),
            ("Do without it", "If it can't be had here, change the plan for all that depends on it, at once."),
        ),
        "Stop on the first failure that others depend on",
        (
            "Let the harness mark a failed installation, write or start of a server, and remind the agent of it when "
            "a later step misses just that."
        ),
        "Read the first failure; the others are its echo.",
    ),
    "gave-up": Guidance(
        (
            "What had not been tried when the agent stopped at step {last}?",
            "Which part of the task could have been done all the same?",
        ),
        (
            ("Reduce the goal", "Finish the part that can be finished, and say which part is open."),
            (
                "Look for what is missing",
                "Search what is at hand, the task and the earlier results, for what the agent says it lacks.",
            ),
            ("Try the cheapest of what is left", "Name two ways that were not tried, and take the cheaper one."),
        ),
        "Ask what is left before it's over",
        "When the agent wants to end without a result, ask once what was not tried yet and what each would cost.",
        "Stopping is a result too, if it says what is open and why.",
    ),
    "destructive-command": Guidance(
        ("What was lost with step {first}, and where could it still be (stash, reflog, editor, build)?",),
        (
            ("Save first", "Commit or copy what is there before anything that throws it away."),
            ("Take back less", "Restore the one file that is meant, not the whole tree."),
            ("Look what it would do", "Run it with its dry-run flag, or list what it would touch."),
        ),
        "A safety net around destructive commands",
        (
            "Commit a checkpoint before every command that removes or resets, and ask for leave where it goes beyond "
            "what the session itself has made."
        ),
        "What isn't saved can be lost by one command: save first.",
    ),
    "weakened-tests": Guidance(
        ("What did the test say that the implementation doesn't do?",),
        (
            ("Restore the test", "Put back what step {last} took out, and mend what it found."),
            ("Prove the test wrong", "If the test is wrong, quote the requirement that it contradicts."),
            ("Ask", "Say which of the two has to change, and why."),
        ),
        "Guard assertions",
        (
            "Show every edit that removes or loosens an assertion, skips a test or silences a check, and let "
            "somebody confirm it."
        ),
        "A test that was changed to pass proves nothing.",
    ),
}
_OTHERS = Guidance(
    ("What does step {first} show that was not acted upon?",),
    (
        ("Act on it", "{advice}"),
        ("Look again", "Read steps {steps} once more, and write down what they have in common."),
        (
            "Ask for another view",
            "Say what was seen ({quote}) and what was expected, and ask somebody which of the two is wrong.",
        ),
    ),
    "Make it visible to the agent",
    "{advice}",
    "What the log shows, the agent could have seen.",
)


def is_known(finding: Finding) -> bool:
    """Whether there's guidance for a finding's detector, so that its own advice isn't a part of it."""
    return finding.detector in _TABLE


def guidance_for(finding: Finding) -> Guidance:
    """The guidance for a finding with its words filled in; a general one for detectors that nobody here knows."""
    entry = _TABLE.get(f"{finding.detector}/{finding.kind}") or _TABLE.get(finding.detector, _OTHERS)
    words = {
        "title": finding.title,
        "first": str(finding.first_step),
        "last": str(finding.last_step),
        "steps": steps_text(finding.steps),
        "quote": code(clip(finding.evidence[0].quote, 90), 90) if finding.evidence else code(finding.title, 90),
        "advice": finding.advice[0] if finding.advice else "Stop and read what the last steps say.",
    }

    def filled(text: str) -> str:
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return Guidance(
        tuple(filled(question) for question in entry.questions),
        tuple((title, filled(text)) for title, text in entry.approaches),
        entry.improvement,
        filled(entry.change),
        entry.lesson,
    )
