"""What the rest of the program needs to know of a detector besides its name: what its findings mean."""

from __future__ import annotations

from enum import Enum, auto


class Trait(Enum):
    """What the findings of a detector mean, whatever the detector is called."""

    REPETITION = auto()
    """A failure or a call came back; the diagnosis has words of its own for the sorts of repetition."""
    RECOUNTS = auto()
    """A failure came back, and nothing more is said of it."""
    WEAKENS_CHECK = auto()
    """It says that a check passes because the agent made it say less."""
    ASPECT_OF_LOOP = auto()
    """Inside a loop it's a part of that, seen from another side."""
    DOUBTS_SUCCESS = auto()
    """Nothing that ran supports the claim of success."""
    CONTRADICTS_REPORT = auto()
    """What the closing report says isn't so; of high severity, something that it says was done wasn't."""
    ENDS_WITHOUT_RESULT = auto()
    """The agent ended the session without a result."""
    RESULT_ONLY = auto()
    """The result is wrong or in doubt; no step is said to fail."""
    TEST_AT_FAULT = auto()
    """The cause is in the test, and the edits went elsewhere."""
    EDITS_NOT_LOADED = auto()
    """The edited files aren't those that the failing run loads."""
    INPUT_LOST = auto()
    """A step lacked the result of an earlier one."""
    BROKEN_CONTRACT = auto()
    """A tool's definition and the function behind it don't fit together."""
    HELD_AGAINST_TASK = auto()
    """It says how a failed trial differs from what its task expects; its pattern is the mode of failure."""
    REJECTED = auto()
    """Calls came back because of their arguments."""
