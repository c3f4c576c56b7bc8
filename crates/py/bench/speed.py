"""Steps per second of the environments, on one thread: random legal actions, resets included.

    python crates/py/bench/speed.py [SECONDS]

The workloads alternate, three times each, and the best counts: per second of the process' CPU time,
which other processes hardly change, and per second of the clock. Peers run in the same way where
they are installed (`peers.py`). The extension must be built with optimisation (`pip install .`).
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import peers
from peers import Workload
from tetrolab.envs import AfterstatesVectorEnv, PlacementEnv, PlacementVectorEnv

GAMES = 1024


def vector(copy: bool, native: bool) -> Workload:
    """Placements of a vector environment, with boards and masks."""
    envs = PlacementVectorEnv(
        GAMES, "simplified-10x20", copy=copy, pieces="index", autoreset_mode="SameStep"
    )
    observations, _ = envs.reset(seed=1)
    chooser = np.random.default_rng(1)

    def run(steps: int) -> int:
        nonlocal observations
        for _ in range(steps):
            if native:
                actions = envs.sample_actions()
            else:
                noise = chooser.random((GAMES, 40), np.float32)
                actions = (noise * observations["mask"]).argmax(axis=1)
            observations, *_ = envs.step(actions)
        return steps * GAMES

    return run


def single() -> Workload:
    """Steps of one environment."""
    env = PlacementEnv("simplified-10x20")
    _, info = env.reset(seed=1)
    # Drawn before, so that the environment is measured and not the choice.
    numbers = np.random.default_rng(1).random(1_000_000).tolist()
    at = 0

    def run(steps: int) -> int:
        nonlocal info, at
        for _ in range(steps * 100):
            at = (at + 1) % 1_000_000
            action = int(numbers[at] * 40)
            _, _, terminated, _, info = env.step(action)
            if terminated:
                env.reset()
        return steps * 100

    return run


def afterstates() -> Workload:
    """Decisions with eight features of every afterstate."""
    envs = AfterstatesVectorEnv(
        GAMES, "simplified-10x20", board=None, features="bcts", copy=False,
        autoreset_mode="SameStep",
    )
    envs.reset(seed=1)

    def run(steps: int) -> int:
        for _ in range(steps):
            envs.step(envs.sample_actions())
        return steps * GAMES

    return run


def measure(run: Workload, seconds: float) -> tuple[float, float]:
    """Steps per second of CPU time, and of the clock."""
    run(2)
    done, cpu, clock = 0, time.process_time(), time.perf_counter()
    while time.process_time() - cpu < seconds:
        done += run(10)
    return done / (time.process_time() - cpu), done / (time.perf_counter() - clock)


def allocated_per_step() -> int:
    """Bytes of arrays that a step of a vector environment with its own arrays leaves allocated, or
    allocates beyond small objects at its peak."""
    envs = PlacementVectorEnv(GAMES, "simplified-10x20", copy=False)
    envs.reset(seed=1)
    for _ in range(100):
        envs.step(envs.sample_actions())
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    for _ in range(100):
        envs.step(envs.sample_actions())
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return peak


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "Placement-v0, 1,024 games, own arrays, sampled natively": lambda: vector(False, True),
    "Placement-v0, 1,024 games, copies, sampled natively": lambda: vector(True, True),
    "Placement-v0, 1,024 games, own arrays, sampled by NumPy": lambda: vector(False, False),
    "Placement-v0, Env.step": single,
    "Afterstates-v0, 1,024 games, eight features": afterstates,
    "peer: jumanji Tetris-v0, 1,024 games": lambda: peers.jumanji(GAMES),
    "peer: envpool Jumanji/Tetris-v0, 1,024 games": lambda: peers.envpool(GAMES),
    "peer: tetris-gymnasium, grouped actions": peers.tetris_gymnasium,
}


def make_workloads() -> dict[str, Workload]:
    """The workloads whose packages are installed."""
    made = {}
    for name, make in WORKLOADS.items():
        try:
            made[name] = make()
        except ImportError as error:
            print(f"{name}: skipped, {error}")
    return made


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    made = make_workloads()
    best = dict.fromkeys(made, (0.0, 0.0))
    for _ in range(3):
        for name, run in made.items():
            best[name] = max(best[name], measure(run, seconds / 3))
    for name, (cpu, clock) in best.items():
        print(f"{name}: {cpu:,.0f} per CPU second ({clock:,.0f} by the clock)")
    peak = allocated_per_step()
    print(f"allocated by Python in 100 steps with own arrays, at the peak: {peak:,} bytes")


if __name__ == "__main__":
    main()
