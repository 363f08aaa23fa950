"""A Dask scheduler and workers on this machine, as processes that a test starts and ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.audit.runs import environment


class Cluster:
    """A scheduler on the loopback device; workers are added by the test."""

    def __init__(self, place: Path, *modules: Path, **settings: str) -> None:
        place.mkdir(parents=True, exist_ok=True)
        self._place = place
        self._modules = modules
        self._settings = settings
        self._processes: list[subprocess.Popen[bytes]] = []
        self._file = place / "scheduler.json"
        self._start(
            "dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(self._file),
        )
        self.address = str(json.loads(self._text_of_scheduler())["address"])

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        """The scheduler's process."""
        return self._processes[0]

    def worker(self, *options: str, modules: Sequence[Path] = ()) -> subprocess.Popen[bytes]:
        """One more worker process, without a nanny that would start it anew."""
        name = str(len(self._processes))
        return self._start(
            "dask_worker",
            self.address,
            "--no-nanny",
            "--nthreads",
            "1",
            "--no-dashboard",
            "--name",
            name,
            "--local-directory",
            str(self._place / name),
            *options,
            modules=modules,
        )

    def end_workers(self) -> None:
        """End the workers, and wait until the scheduler has noticed."""
        from distributed import Client

        _, *workers = self._processes
        _end(workers)
        with Client(self.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            while client.nthreads():
                time.sleep(0.05)

    def end(self) -> None:
        """End all processes, the scheduler last."""
        _end(self._processes)

    def _start(self, program: str, *options: str, modules: Sequence[Path] = ()) -> subprocess.Popen[bytes]:
        with (self._place / f"{len(self._processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", f"distributed.cli.{program}", *options],
                cwd=self._place,
                env={**environment(*modules, *self._modules), **self._settings},
                stdout=log,
                stderr=log,
            )
        self._processes.append(process)
        return process

    def _text_of_scheduler(self) -> str:
        for _ in range(600):
            if (
                self._file.exists()
                and self._file.stat().st_size
                and "address" in self._file.read_text(encoding="utf-8")
            ):
                return self._file.read_text(encoding="utf-8")
            assert self._processes[0].poll() is None, (self._place / "0.log").read_text(encoding="utf-8")
            time.sleep(0.05)
        os.kill(self._processes[0].pid, signal.SIGKILL)
        raise AssertionError((self._place / "0.log").read_text(encoding="utf-8"))


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in reversed(processes):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            # A worker that is refused, or whose scheduler is gone already, tries to reach it for a while; nobody needs
            # that.
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
