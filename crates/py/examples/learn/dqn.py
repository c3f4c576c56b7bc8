"""A deep Q-network over afterstates, in PyTorch.

    pip install torch
    python crates/py/examples/learn/dqn.py [--seed 1] [--placements 1000000] [--out runs/dqn]

The network rates afterstates by eight features. It learns from a replay buffer with four-step
returns and a target network (Mnih et al. 2015). The reward of a placement is exp(-holes / 33)
(Faußer and Schwenker 2013). The player is a moving average of the network. After every 100,000
placements it plays 50 games; the best one is kept, and plays 500 unseen games in the end.

Writes the learning curve (dqn-SEED.csv) and the player (dqn-SEED.toml) into the folder.
"""

from __future__ import annotations

import argparse
import copy
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import tetrolab
import torch
from curve import Curve
from numpy.typing import NDArray
from tetrolab.envs import AfterstatesVectorEnv
from torch import nn

Array = NDArray[Any]

RULESET, FEATURES = "simplified-10x10", "bcts"
HOLES = 4
"""The column of the holes among the features."""
GAMES, BATCH, STEPS, GAMMA = 32, 128, 4, 0.95
BUFFER = 200_000 // GAMES
"""Moments that the replay buffer keeps of each game."""
EVERY = 8
"""Placements for each training step."""
TARGET = 200
"""Training steps after which the target network is updated."""
AVERAGE = 0.9995
"""The weight of the past in the moving average of the network, per training step."""
TEST, TEST_GAMES = 100_000, 50
"""Placements between two tests, and their games."""


class Replay:
    """What was chosen, what was best, rewards and ends: one row for each moment."""

    def __init__(self, features: int) -> None:
        self.chosen = np.zeros((BUFFER, GAMES, features), np.float32)
        self.best = np.zeros((BUFFER, GAMES, features), np.float32)
        self.reward = np.zeros((BUFFER, GAMES), np.float32)
        self.goes_on = np.zeros((BUFFER, GAMES), np.float32)
        self.moments = 0

    def add(self, chosen: Array, best: Array, over: Array) -> None:
        row = self.moments % BUFFER
        self.chosen[row], self.best[row] = chosen, best
        self.goes_on[row] = ~over
        self.reward[row] = np.exp(-chosen[:, HOLES] / 33) * ~over
        self.moments += 1

    def sample(self, chooser: np.random.Generator) -> tuple[Array, ...]:
        """Inputs, returns, the boards after them, and the discounts of these boards' values."""
        known = min(self.moments, BUFFER) - STEPS
        moment = self.moments - 1 - STEPS - chooser.integers(known, size=BATCH)
        game = chooser.integers(GAMES, size=BATCH)
        total, discount = np.zeros(BATCH, np.float32), np.ones(BATCH, np.float32)
        for step in range(STEPS):
            row = (moment + step) % BUFFER
            total += discount * self.reward[row, game]
            discount *= GAMMA * self.goes_on[row, game]
        inputs = self.chosen[moment % BUFFER, game]
        return inputs, total, self.best[(moment + STEPS) % BUFFER, game], discount


class Trainer:
    """A network that learns, the target of its returns, and the average that plays in the tests."""

    def __init__(self, scale: tuple[Array, Array], steps: int) -> None:
        self.scale = scale
        self.mean, self.spread = (part.astype(np.float32) for part in scale)
        self.network = make_network(len(self.mean))
        self.target, self.average = copy.deepcopy(self.network), copy.deepcopy(self.network)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=0.001, fused=True)
        self.schedule = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.05, steps)
        self.trained = 0

    def inputs(self, boards: Array) -> torch.Tensor:
        return torch.from_numpy((boards - self.mean) / self.spread)

    def values(self, boards: Array) -> Array:
        """The values of afterstates."""
        with torch.no_grad():
            values: Array = self.network(self.inputs(boards)).squeeze(-1).numpy()
        return values

    def train(self, boards: Array, total: Array, after: Array, discount: Array) -> None:
        """One step of training."""
        with torch.no_grad():
            following = self.target(self.inputs(after)).squeeze(1)
            goal = torch.from_numpy(total) + torch.from_numpy(discount) * following
        loss = nn.functional.mse_loss(self.network(self.inputs(boards)).squeeze(1), goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        self.trained += 1
        with torch.no_grad():
            own, averages = list(self.network.parameters()), list(self.average.parameters())
            torch._foreach_lerp_(averages, own, 1.0 - AVERAGE)
        if self.trained % TARGET == 0:
            self.target.load_state_dict(self.network.state_dict())

    def save(self, path: Path) -> str:
        """Writes the average as a player; the scale of its inputs becomes a part of its first
        layer."""
        layers = [
            (layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy())
            for layer in self.average
            if isinstance(layer, nn.Linear)
        ]
        mean, spread = self.scale
        weight, bias = layers[0]
        layers[0] = (weight / spread, bias - weight @ (mean / spread))
        return tetrolab.save_network(path, layers, features=FEATURES)


def make_network(features: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for before in [features, 32, 32]:
        linear = nn.Linear(before, 32)
        nn.init.kaiming_normal_(linear.weight, nonlinearity="relu")
        nn.init.zeros_(linear.bias)
        layers += [linear, nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(32, 1))


def learn(seed: int, placements: int, out: Path) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    chooser = np.random.default_rng(seed)
    curve = Curve(out / f"dqn-{seed}.csv", seed)
    envs = AfterstatesVectorEnv(
        GAMES, RULESET, board=None, features=FEATURES, autoreset_mode="SameStep", copy=False
    )
    seen, _ = envs.reset(seed=seed)
    rows = explore(envs, seen, 100)
    scale = rows.mean(axis=0).astype(np.float64), rows.std(axis=0).astype(np.float64) + 1e-3
    trainer = Trainer(scale, placements // EVERY)
    replay = Replay(rows.shape[1])
    everyone, best_lines = np.arange(GAMES), -1.0
    player = out / f"dqn-{seed}.toml"
    for step in range(placements // GAMES):
        values = trainer.values(seen["features"])
        values[seen["over"] == 1] = 0.0
        values[seen["mask"] == 0] = -np.inf
        best = values.argmax(axis=1)
        exploration = 0.05 * max(0.0, 1.0 - step * GAMES / placements)
        actions = np.where(chooser.random(GAMES) < exploration, envs.sample_actions(), best)
        chosen = seen["features"][everyone, actions].copy()
        over = seen["over"][everyone, actions] == 1
        replay.add(chosen, seen["features"][everyone, best], over)
        envs.step(actions)
        if replay.moments < BUFFER // 20:
            continue
        for _ in range(GAMES // EVERY):
            trainer.train(*replay.sample(chooser))
        done = (step + 1) * GAMES
        if done // TEST > (done - GAMES) // TEST:
            lines = test(trainer, seed)
            curve.add(lines, TEST_GAMES, TEST)
            print(
                f"seed {seed}: {done:,} placements, {curve.seconds:.0f} s: {lines:,.0f} lines",
                flush=True,
            )
            if lines > best_lines:
                best_lines = lines
                trainer.save(player)
    seconds, cpu = curve.seconds, time.process_time()
    result = tetrolab.evaluate(str(player), ruleset=RULESET, games=500, seed=1000)[0]
    low, high = result.lines.ci95 or (0.0, 0.0)
    print(
        f"{player}: {result.lines.mean:,.0f} lines ({low:,.0f} to {high:,.0f}) in 500 unseen games, "
        f"after {seconds:.0f} s of training, {cpu:.0f} s of CPU time"
    )


def test(trainer: Trainer, seed: int) -> float:
    """The mean lines of the average network."""
    with tempfile.TemporaryDirectory() as folder:
        player = trainer.save(Path(folder) / "candidate.toml")
        result = tetrolab.evaluate(player, ruleset=RULESET, games=TEST_GAMES, seed=seed)[0]
    return result.lines.mean or 0.0


def explore(envs: AfterstatesVectorEnv, seen: dict[str, Array], steps: int) -> Array:
    """The features of boards to which random placements lead."""
    rows = []
    for _ in range(steps):
        rows.append(seen["features"][seen["mask"] == 1])
        envs.step(envs.sample_actions())
    return np.concatenate(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--placements", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=Path("runs/dqn"))
    arguments = parser.parse_args()
    learn(arguments.seed, arguments.placements, arguments.out)


if __name__ == "__main__":
    main()
