"""Steps per second of the environments, one thread, random legal actions, resets included.

    python crates/py/bench/speed.py [SECONDS]

The workloads take turns. Time is that of the process (CPU seconds), so that other processes hardly
matter. The extension must be built with optimisation (`pip install .`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from tetrolab.envs import AfterstatesVectorEnv, PlacementEnv, PlacementVectorEnv

GAMES = 1024


def vector(copy: bool, native: bool) -> Callable[[int], int]:
    """Placements of a vector environment."""
    envs = PlacementVectorEnv(GAMES, "simplified-10x20", copy=copy, pieces="index")
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


def single() -> Callable[[int], int]:
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


def afterstates() -> Callable[[int], int]:
    """Decisions with eight features of every afterstate."""
    envs = AfterstatesVectorEnv(GAMES, "simplified-10x20", board=None, features="bcts", copy=False)
    envs.reset(seed=1)

    def run(steps: int) -> int:
        for _ in range(steps):
            envs.step(envs.sample_actions())
        return steps * GAMES

    return run


def measure(run: Callable[[int], int], seconds: float) -> float:
    """Steps per second of CPU time."""
    run(2)
    done, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        done += run(10)
    return done / (time.process_time() - began)


WORKLOADS: dict[str, Callable[[], Callable[[int], int]]] = {
    "Placement-v0, 1,024 games, own arrays, sampled natively": lambda: vector(False, True),
    "Placement-v0, 1,024 games, copies, sampled natively": lambda: vector(True, True),
    "Placement-v0, 1,024 games, own arrays, sampled by NumPy": lambda: vector(False, False),
    "Placement-v0, Env.step": single,
    "Afterstates-v0, 1,024 games, eight features": afterstates,
}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    made = {name: make() for name, make in WORKLOADS.items()}
    best: dict[str, float] = dict.fromkeys(made, 0.0)
    for _ in range(3):
        for name, run in made.items():
            best[name] = max(best[name], measure(run, seconds / 3))
    for name, rate in best.items():
        print(f"{name}: {rate:,.0f} per second")


if __name__ == "__main__":
    main()
