"""Clusters compute units of work for :func:`tetrolab.evaluate` and :func:`tetrolab.learn`.

A unit is a text, and so is its answer. A cluster sends units to its machines, calls
:func:`compute` there, and repeats units that were lost with a worker. Results do not depend on the
cluster: they are those of one process, to the last digit.

>>> from concurrent.futures import ThreadPoolExecutor
>>> import tetrolab
>>> with ThreadPoolExecutor(2) as pool:
...     cluster = tetrolab.clusters.Executor(pool, slots=2)
...     shared = tetrolab.evaluate("bcts", ruleset="simplified-6x8", games=40, cluster=cluster)
>>> alone = tetrolab.evaluate("bcts", ruleset="simplified-6x8", games=40)
>>> shared["bcts"].lines.mean == alone["bcts"].lines.mean
True
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from . import _native
from .errors import ClusterError

__all__ = ["Cluster", "Executor", "HyperQueue", "Ray", "compute"]


LOOK = 0.2
"""Seconds between two looks whether a study was cancelled."""


class Cluster(Protocol):
    """Whatever computes units."""

    @property
    def slots(self) -> int:
        """The number of units computed at the same time; work is split into at least as many."""

    def compute(self, units: Sequence[str], models: Sequence[str] = ()) -> list[str]:
        """The answers to units, in their order. Models are player files that units refer to."""


def compute(units: Sequence[str], models: Sequence[str] = (), threads: int | None = 1) -> list[str]:
    """Computes units in this process, and returns the answer to each."""
    machine = {"threads": threads, "kernel": True, "on_event": None, "players": None}
    return _native.compute_units(list(models), list(units), machine)


Progress = Callable[[int], None]
"""Receives how many units have been computed."""


def compute_on(
    cluster: Cluster, units: Sequence[str], models: Sequence[str], progress: Progress
) -> list[str]:
    """The answers of a cluster, which reports progress if it is one of this module."""
    if isinstance(cluster, _Retrying):
        return cluster.compute(units, models, progress)
    return cluster.compute(units, models)


def compute_in_learning(
    cluster: Cluster, units: Sequence[str], progress: Progress
) -> list[str]:
    """The answers of a cluster to the units of a generation, which carry their models."""
    if isinstance(cluster, _Retrying):
        return cluster.compute(units, progress=progress)
    return cluster.compute(units)


class _Retrying:
    """Sends units, and repeats those that returned without a result."""

    def __init__(self, slots: int, retries: int) -> None:
        if slots < 1:
            raise ValueError(f"slots: expected at least 1, found {slots}")
        if retries < 0:
            raise ValueError(f"retries: expected 0 or more, found {retries}")
        self.slots = slots
        self.retries = retries
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Ends :meth:`compute`, which raises :class:`tetrolab.errors.ClusterError`; another thread
        calls this. Units that no worker has begun are not computed, and others are stopped where the
        scheduler can."""
        self._cancelled.set()

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise ClusterError("the study was stopped")

    def compute(
        self,
        units: Sequence[str],
        models: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> list[str]:
        self._cancelled.clear()
        answers: dict[int, str] = {}
        problem: Exception | str = "no answer"
        for _ in range(self.retries + 1):
            waiting = {at: unit for at, unit in enumerate(units) if at not in answers}
            if not waiting:
                break
            for at, answer in self._send(waiting, models):
                refused = _refusal(answer) if isinstance(answer, str) else answer
                if refused is None:
                    answers[at] = str(answer)
                    if progress is not None:
                        progress(len(answers))
                else:
                    problem = refused
        lost = len(units) - len(answers)
        if lost:
            text = problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}"
            raise ClusterError(
                f"{lost} of {len(units)} units were not computed in {self.retries + 1} attempts; "
                f"the last problem: {text}"
            ) from (problem if isinstance(problem, Exception) else None)
        return [answers[at] for at in range(len(units))]

    def _send(
        self, units: Mapping[int, str], models: Sequence[str]
    ) -> Iterator[tuple[int, str | Exception]]:
        raise NotImplementedError


def _refusal(answer: str) -> str | None:
    """Why a unit was not computed, if another attempt may help; raises if it cannot help."""
    try:
        parsed: Any = json.loads(answer)
    except ValueError:
        return f"expected the answer to a unit, found {answer[:80]!r}"
    if not isinstance(parsed, dict):
        return f"expected the answer to a unit, found {answer[:80]!r}"
    if "error" not in parsed:
        return None
    if parsed.get("retry"):
        return str(parsed["error"])
    raise ClusterError(f"a worker refused a unit: {parsed['error']}")


class Executor(_Retrying):
    """Executors of :mod:`concurrent.futures`: processes, mpi4py, a Dask client's executor.

    ``executor`` is an executor, or a function that makes one. With a function, a pool that broke
    because a process was killed is replaced by a new one.
    """

    def __init__(
        self,
        executor: concurrent.futures.Executor | Callable[[], concurrent.futures.Executor],
        *,
        slots: int,
        retries: int = 20,
    ) -> None:
        super().__init__(slots, retries)
        self._make: Callable[[], concurrent.futures.Executor] | None = None
        self._executor: concurrent.futures.Executor | None = None
        if isinstance(executor, concurrent.futures.Executor):
            self._executor = executor
        else:
            self._make = executor

    def _send(
        self, units: Mapping[int, str], models: Sequence[str]
    ) -> Iterator[tuple[int, str | Exception]]:
        if self._executor is None:
            assert self._make is not None
            self._executor = self._make()
        futures: dict[int, concurrent.futures.Future[list[str]]] = {}
        broken: Exception | None = None
        try:
            for at, unit in units.items():
                futures[at] = self._executor.submit(compute, [unit], list(models))
            for at, future in futures.items():
                while not concurrent.futures.wait([future], LOOK).done:
                    self._check()
                try:
                    yield at, future.result()[0]
                except Exception as error:  # the worker's, whatever it is
                    broken = error
                    yield at, error
        except concurrent.futures.BrokenExecutor as error:
            broken = error
            yield next(iter(units)), error
        finally:
            for future in futures.values():
                future.cancel()
            if isinstance(broken, concurrent.futures.BrokenExecutor):
                self._replace(broken)

    def _replace(self, broken: concurrent.futures.BrokenExecutor) -> None:
        if self._make is None:
            raise ClusterError(
                "a worker process died, and the executor cannot be used any more; give a function "
                "that makes executors, such as lambda: ProcessPoolExecutor(8)"
            ) from broken
        assert self._executor is not None
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None

    def close(self) -> None:
        """Ends the executor, if a function made it."""
        if self._make is not None and self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


class Ray(_Retrying):
    """Workers of Ray, which ``ray.init()`` has found or started. Models are sent once.

    Ray computes a unit whose worker process died again, up to ``retries`` times.
    """

    def __init__(self, *, slots: int | None = None, retries: int = 20) -> None:
        import ray

        if not ray.is_initialized():
            raise ClusterError("Ray is not initialised; call ray.init() first")
        cores = int(ray.cluster_resources().get("CPU", 1))
        super().__init__(cores if slots is None else slots, retries=2)
        self._ray = ray
        self._compute = ray.remote(max_retries=retries, num_cpus=1)(compute)

    def _send(
        self, units: Mapping[int, str], models: Sequence[str]
    ) -> Iterator[tuple[int, str | Exception]]:
        shared = self._ray.put(list(models))
        tasks = {at: self._compute.remote([unit], shared) for at, unit in units.items()}
        done = 0
        try:
            for at, task in tasks.items():
                while not self._ray.wait([task], timeout=LOOK)[0]:
                    self._check()
                try:
                    yield at, self._ray.get(task)[0]
                except Exception as error:  # a lost worker is one of many exceptions of Ray
                    yield at, error
                done += 1
        finally:
            for task in list(tasks.values())[done:]:
                self._ray.cancel(task)


class HyperQueue(_Retrying):
    """Workers of a HyperQueue server, given a ``hyperqueue.Client``.

    ``folder`` holds the answers, and must be the same folder on all machines. Each unit is a task
    that runs ``python -m tetrolab.clusters``; ``python`` is the interpreter of the workers. Tasks end
    when their part of the folder is removed, which is what a study does at its end.
    """

    def __init__(
        self,
        client: Any,
        *,
        slots: int,
        retries: int = 20,
        folder: str | os.PathLike[str] | None = None,
        python: str = sys.executable,
    ) -> None:
        super().__init__(slots, retries)
        self._client = client
        self._folder = folder
        self._python = python

    def _send(
        self, units: Mapping[int, str], models: Sequence[str]
    ) -> Iterator[tuple[int, str | Exception]]:
        import hyperqueue

        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            command = [self._python, "-m", "tetrolab.clusters", folder]
            if models:
                path = os.path.join(folder, "models.jsonl")
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(f"{model}\n" for model in models)
                command.append(path)
            job = hyperqueue.Job(max_fails=None)
            for at, unit in units.items():
                job.program(
                    command,
                    stdin=unit.encode() + b"\n",
                    stdout=os.path.join(folder, f"{at}.out"),
                    stderr=os.path.join(folder, f"{at}.err"),
                )
            submitted = self._client.submit(job)
            # HyperQueue keeps the interpreter's lock while it waits, except where it reports.
            self._client.connection.wait_for_jobs([submitted.id], self._report)
            for at in units:
                answer = _read(os.path.join(folder, f"{at}.out"))
                if answer.endswith("\n"):
                    yield at, answer.rstrip("\n")
                else:
                    problem = _read(os.path.join(folder, f"{at}.err")).strip()
                    yield at, RuntimeError(problem[-300:] or "the task ended without an answer")
            self._client.forget(submitted)


    def _report(self, status: object) -> None:
        """Lets other threads run, such as one that looks for Ctrl-C, and ends the wait."""
        time.sleep(0.01)
        self._check()


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _end_without(folder: str) -> None:
    """Ends this process when a folder is removed: nobody waits for its answer any more."""
    while os.path.isdir(folder):
        time.sleep(1.0)
    os._exit(1)


def _main() -> None:
    """Answers the units read from standard input. The arguments are the folder of the study, and a file
    of models."""
    if len(sys.argv) > 1:
        threading.Thread(target=_end_without, args=sys.argv[1:2], daemon=True).start()
    models = [line for path in sys.argv[2:] for line in _read(path).splitlines()]
    units = [line for line in sys.stdin.read().splitlines() if line]
    for answer in compute(units, models):
        print(answer)


if __name__ == "__main__":
    _main()
