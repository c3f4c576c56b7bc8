"""Clusters give the digits of one process, whatever happens to their workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tetrolab
from tetrolab.clusters import Executor, HyperQueue, Ray, compute
from tetrolab.errors import ClusterError, StudyRefused

MINE = """name = "mine"
features = "strategies"
[weights]
any_line = 1
holes = -1
variation = -0.5
"""


def timeless(result: Any) -> Any:
    """A result without what depends on the clock."""
    if isinstance(result, dict):
        clock = {"seconds", "decisions_per_second"}
        return {key: timeless(value) for key, value in result.items() if key not in clock}
    if isinstance(result, list):
        return [timeless(value) for value in result]
    return result


# The size of the studies: FULL=1 is what the documentation reports.
FULL = bool(os.environ.get("FULL"))
GENERATIONS, KILLS = (5, 10) if FULL else (1, 2)


def studies(folder: Path, cluster: Any) -> Any:
    """An evaluation by games, one by splitting, and the player of a learning run."""
    mine = folder / "mine.toml"
    mine.write_text(MINE)
    games = tetrolab.evaluate(
        "bcts", str(mine), ruleset="simplified-6x8", games=60, cluster=cluster
    )
    splitting = tetrolab.evaluate(
        "dellacherie", ruleset="simplified-8x8", repetitions=8, trajectories=400, cluster=cluster
    )
    run = folder / "run"
    learned = tetrolab.learn(
        "cma-es",
        ruleset="simplified-6x8",
        games=3,
        max_pieces=150,
        budget={"generations": GENERATIONS},
        run=run,
        cluster=cluster,
    )
    assert learned.player is not None
    player = (run / "player.toml").read_text()
    found = [timeless(games.to_dict()), timeless(splitting.to_dict()), player]
    return json.loads(json.dumps(found).replace(str(mine), "mine.toml"))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What one process finds."""
    return studies(tmp_path_factory.mktemp("alone"), None)


class Careless:
    """Loses some units, and computes others twice, in another order than they came."""

    slots = 3

    def compute(self, units: Sequence[str], models: Sequence[str] = ()) -> list[str]:
        answers = compute(list(reversed(units)), models)
        return answers + answers[:2]


def test_a_cluster_gives_the_digits_of_one_process(tmp_path: Path, alone: Any) -> None:
    assert studies(tmp_path, Careless()) == alone


def test_executors(tmp_path: Path, alone: Any) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert studies(tmp_path, Executor(pool, slots=2)) == alone


def test_what_a_cluster_does_wrong_is_an_exception(tmp_path: Path) -> None:
    def learn(compute: Callable[..., Any], **more: Any) -> None:
        cluster = Careless()
        cluster.compute = compute  # type: ignore[method-assign]
        tetrolab.learn(
            "cma-es",
            **{"ruleset": "simplified-6x8", "games": 1, "budget": {"generations": 1}} | more,
            run=Path(tempfile.mkdtemp(dir=tmp_path)) / "run",
            cluster=cluster,
        )

    def fails(units: Sequence[str]) -> list[str]:
        raise ZeroDivisionError("no cluster")

    with pytest.raises(ZeroDivisionError, match="no cluster"):
        learn(fails)
    with pytest.raises(TypeError, match="expected the answer of a unit as text"):
        learn(lambda units: [1])
    with pytest.raises(StudyRefused, match="not the result of a unit"):
        learn(lambda units: ["nonsense"])
    with pytest.raises(StudyRefused, match="expected at least one result"):
        learn(lambda units: [])
    late: list[str] = []

    def answers_of_the_first_generation(units: Sequence[str]) -> list[str]:
        late.extend(compute(units) if not late else [])
        return late

    with pytest.raises(StudyRefused, match="expected at least one result"):
        learn(answers_of_the_first_generation, budget={"generations": 2})
    with pytest.raises(StudyRefused, match="survival"):
        learn(fails, objective="survival")
    with pytest.raises(ValueError, match="slots: expected at least 1"):
        Executor(ThreadPoolExecutor(1), slots=0)
    with ThreadPoolExecutor(1) as pool:
        cluster = Executor(pool, slots=1, retries=1)
        with pytest.raises(ClusterError, match="a worker refused a unit"):
            cluster.compute(["{}"])


KILLER = """
import os, pathlib, signal, sys, time
kills, words = int(sys.argv[1]), sys.argv[2:]
while kills > 0:
    time.sleep(0.15)
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode().split("\\0")
            if command[: len(words)] == words:
                os.kill(int(folder.name), signal.SIGKILL)
                kills -= 1
                break
        except OSError:
            pass  # it has ended
"""


@contextmanager
def killer(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Kills processes whose command line begins with these words, one after the other, while the
    body runs: a process of its own, because some clusters do not let other threads run."""
    process = subprocess.Popen([sys.executable, "-c", KILLER, str(KILLS), *words])
    try:
        yield process
        # The small studies may be done sooner, on a fast machine.
        if FULL:
            assert process.poll() == 0, "the studies were done before all workers were killed"
    finally:
        process.kill()
        process.wait()


def test_hyperqueue_with_killed_tasks(tmp_path: Path, alone: Any) -> None:
    pytest.importorskip("hyperqueue")
    from hyperqueue.cluster import LocalCluster, WorkerConfig

    with LocalCluster() as local:
        for _ in range(2):
            local.start_worker(WorkerConfig(cores=1))
        cluster = HyperQueue(local.client(), slots=2, folder=tmp_path)
        with killer(sys.executable, "-m", "tetrolab.clusters"):
            assert studies(tmp_path, cluster) == alone


def test_ray_with_killed_workers(tmp_path: Path, alone: Any) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    try:
        with killer("ray::compute"):
            assert studies(tmp_path, Ray(slots=2)) == alone
    finally:
        ray.shutdown()


STOPPED = """
import os, signal, sys, tempfile, threading, time
from concurrent.futures import ThreadPoolExecutor
import tetrolab
from tetrolab.clusters import Executor, HyperQueue, Ray

begun = threading.Event()

def stop():
    begun.wait(3)
    time.sleep(0.2)
    global asked
    asked = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

def learn(cluster):
    # Units of hours: only an interruption ends them.
    threading.Thread(target=stop, daemon=True).start()
    result = tetrolab.learn(
        "cma-es", ruleset="simplified-10x20", features="bcts", games=10_000,
        max_pieces=10**9, run=tempfile.mkdtemp() + "/run", cluster=cluster,
        on_event=lambda event: None)
    assert result.player is None
    print("stopped", time.monotonic() - asked < 10, flush=True)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.argv[1] == "executor":
        learn(Executor(ThreadPoolExecutor(2, initializer=begun.set), slots=2))
        os._exit(0)  # the threads compute on
    elif sys.argv[1] == "ray":
        import ray
        ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
        learn(Ray(slots=2))
    else:
        from hyperqueue.cluster import LocalCluster, WorkerConfig
        with LocalCluster() as local:
            local.start_worker(WorkerConfig(cores=2))
            learn(HyperQueue(local.client(), slots=2))
            time.sleep(3)
            os.system("pgrep -f '^[^ ]*python[^ ]* -m tetrolab.clusters /tmp' && echo running")
            print("left", flush=True)
            os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("kind", ["executor", "hyperqueue", "ray"] if FULL else ["executor"])
def test_ctrl_c_does_not_wait_for_units(kind: str, tmp_path: Path) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED)
    done = subprocess.run(
        [sys.executable, str(script), kind], capture_output=True, text=True, timeout=120
    )
    assert "stopped True" in done.stdout, done.stdout + done.stderr
    assert "running" not in done.stdout


def test_clusters_report_progress(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    with ThreadPoolExecutor(2) as pool:
        tetrolab.evaluate(
            "bcts", ruleset="simplified-6x8", games=20, parts=4, on_event=events.append,
            cluster=Executor(pool, slots=2),
        )
    expected = [{"event": "units", "done": done, "total": 4} for done in [1, 2, 3, 4]]
    assert [event for event in events if event["event"] == "units"] == expected


class Breaks(ThreadPoolExecutor):
    """Computes some units, then breaks as a pool does whose process was killed."""

    left = 2

    def submit(self, *args: Any, **named: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise BrokenProcessPool("a process was killed")
        return super().submit(*args, **named)


def test_a_pool_that_broke_is_replaced(tmp_path: Path, alone: Any) -> None:
    with Breaks(1) as pool:
        with pytest.raises(ClusterError, match="cannot be used any more"):
            Executor(pool, slots=1).compute(["{}"] * 4)
    pools = [Breaks, Breaks, ThreadPoolExecutor]
    cluster = Executor(lambda: pools.pop(0)(2), slots=2)
    assert studies(tmp_path, cluster) == alone
    assert not pools
    cluster.close()
