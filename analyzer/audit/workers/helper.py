"""A process that runs a function over items which may kill it or take for ever: `python -m
analyzer.audit.workers.helper` is the process, `Helper` the side that asks.

The workers of a cluster may have no child processes of `multiprocessing`, and a thread of theirs can't be stopped; this
can.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from threading import Timer
from typing import Any, TypeVar

from analyzer.audit.workers.pool import limited, quiet

T = TypeVar("T")
R = TypeVar("R")


class HelperDied(Exception):
    """The process ended before it answered; `code` is its exit status, negative for a signal."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Helper:
    """One such process. It ends when `close` is called, and by itself when whoever started it ends."""

    def __init__(self) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(place for place in sys.path if place),
            "PYTHONSAFEPATH": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "analyzer.audit.workers.helper"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._ready = False
        self._expired = False
        self.done = 0
        """Items that it has worked on."""

    @property
    def is_usable(self) -> bool:
        """Whether it can be asked again: it wasn't stopped, and hasn't ended by itself."""
        return not self._expired and self._process.poll() is None

    def run(self, function: Callable[[T], R], item: T, timeout: float | None = None) -> R:
        """What the function gives for the item. Raises what the function raises, `TimeoutError` where it takes more
        than `timeout` seconds, and `Died` where the process ends; it can't be used again after either."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answered is not None
        self.done += 1
        timer = Timer(timeout, self._expire) if timeout is not None else None
        try:
            if not self._ready:
                # Importing the program isn't the file's fault.
                self._ready = pickle.load(answered)
            if timer is not None:
                timer.start()
            pickle.dump((function, item, timeout), asked, pickle.HIGHEST_PROTOCOL)
            asked.flush()
            result, error = pickle.load(answered)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.close()
            if self._expired:
                raise TimeoutError from None
            raise HelperDied(self._process.returncode) from None
        finally:
            if timer is not None:
                timer.cancel()
                if timer.ident is not None:
                    # It may have gone off just now; the next item mustn't be blamed for that.
                    timer.join()
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def _expire(self) -> None:
        self._expired = True
        self._process.kill()

    def close(self) -> None:
        """End the process and wait until it's gone."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> None:
    """Answer what is asked on standard input until it ends."""
    quiet()
    answers = os.fdopen(os.dup(1), "wb")
    # What a plug-in prints must not get between the answers.
    os.dup2(2, 1)
    import analyzer.audit.workers.preload  # noqa: F401

    pickle.dump(True, answers)
    answers.flush()
    while True:
        try:
            function, item, timeout = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            pickle.dump(_answer(function, item, timeout), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except BrokenPipeError:
            return


def _answer(function: Callable[[Any], Any], item: Any, timeout: float | None) -> tuple[Any, BaseException | None]:
    try:
        return limited(function, timeout, item), None
    except Exception as error:  # noqa: BLE001 - it's raised again where the result is waited for
        return None, error


if __name__ == "__main__":
    main()
