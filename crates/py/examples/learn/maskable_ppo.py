"""MaskablePPO of sb3-contrib on boards: a policy that places pieces.

    pip install sb3-contrib
    python crates/py/examples/learn/maskable_ppo.py [--seed 1] [--steps 1000000]

It sees the cells of the board and the piece, and is rewarded for lines, plus potential-based
shaping by an evaluator. Prints the mean lines of finished games as training goes on.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tetrolab.envs.sb3 import Sb3VecEnv


class Curve(BaseCallback):  # type: ignore[misc]
    """Prints the mean lines of the last 500 games."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.began = every, time.time()
        self.lines: deque[int] = deque(maxlen=500)
        self.printed = 0

    def _on_step(self) -> bool:
        infos: list[dict[str, Any]] = self.locals["infos"]
        self.lines.extend(info["episode"]["lines"] for info in infos if "episode" in info)
        if self.num_timesteps >= self.printed + self.every:
            self.printed += self.every
            mean = float(np.mean(self.lines)) if self.lines else 0.0
            seconds = time.time() - self.began
            print(f"{self.num_timesteps:,} steps, {seconds:.0f} s: {mean:.2f} lines", flush=True)
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1_000_000)
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
    model.learn(arguments.steps, callback=Curve(50_000))


if __name__ == "__main__":
    main()
