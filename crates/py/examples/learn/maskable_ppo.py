"""MaskablePPO of sb3-contrib on boards: a policy that places pieces.

    pip install sb3-contrib
    python crates/py/examples/learn/maskable_ppo.py [--seed 1] [--steps 1000000] [--out runs/ppo]

It sees the cells of the board and the piece, and is rewarded for lines, plus potential-based
shaping by an evaluator. Writes the mean lines of finished games during training into the folder, as
maskable-ppo-SEED.csv.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from curve import Curve
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tetrolab.envs.sb3 import Sb3VecEnv


EVERY = 50_000
"""Steps for each row of the curve."""


class FinishedGames(BaseCallback):  # type: ignore[misc]
    """Writes the mean lines of the games that have finished since the last row."""

    def __init__(self, curve: Curve) -> None:
        super().__init__()
        self.curve = curve
        self.lines: list[int] = []

    def _on_step(self) -> bool:
        infos: list[dict[str, Any]] = self.locals["infos"]
        self.lines.extend(info["episode"]["lines"] for info in infos if "episode" in info)
        if self.num_timesteps >= (self.curve.generation + 1) * EVERY:
            mean = float(np.mean(self.lines)) if self.lines else 0.0
            self.curve.add(mean, len(self.lines), EVERY)
            print(
                f"{self.num_timesteps:,} steps, {self.curve.seconds:.0f} s: {mean:.2f} lines",
                flush=True,
            )
            self.lines.clear()
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=Path("runs/ppo"))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    envs = Sb3VecEnv(
        "Placement", 64, ruleset="simplified-10x10", seed=arguments.seed, shaping="dellacherie",
        shaping_discount=0.99, shaping_scale=0.002,
    )
    model = MaskablePPO(
        "MultiInputPolicy", envs, n_steps=64, batch_size=1024, n_epochs=4, gamma=0.99,
        learning_rate=5e-4, ent_coef=0.005, seed=arguments.seed, device="cpu",
        policy_kwargs={"net_arch": [256, 128]},
    )
    curve = Curve(arguments.out / f"maskable-ppo-{arguments.seed}.csv", arguments.seed)
    model.learn(arguments.steps, callback=FinishedGames(curve))
    print(f"{curve.seconds:.0f} s, {time.process_time():.0f} s of CPU time")


if __name__ == "__main__":
    main()
