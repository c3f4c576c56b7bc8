"""A deep Q-network over afterstates, in PyTorch.

    pip install torch
    python crates/py/examples/learn/dqn.py [--seed 1] [--placements 1200000] [--out dqn]

The network rates afterstates by eight features. It learns from a replay buffer with four-step
returns and a target network (Mnih et al. 2015). The reward of a placement is exp(-holes / 33)
(Faußer and Schwenker 2013). After every 100,000 placements the network is saved as a player of the
laboratory and plays 50 games; the best one plays 500 unseen games in the end.
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path
from typing import Any

import numpy as np
import tetrolab
import torch
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
TEST = 100_000
"""Placements between two tests."""


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


def make_network(features: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for before in [features, 32, 32]:
        linear = nn.Linear(before, 32)
        nn.init.kaiming_normal_(linear.weight, nonlinearity="relu")
        nn.init.zeros_(linear.bias)
        layers += [linear, nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(32, 1))


def save(network: nn.Sequential, scale: tuple[Array, Array], path: Path) -> str:
    """Writes the network as a player; the scale of its inputs becomes a part of its first layer."""
    layers = [
        (layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy())
        for layer in network
        if isinstance(layer, nn.Linear)
    ]
    mean, spread = scale
    weight, bias = layers[0]
    layers[0] = (weight / spread, bias - weight @ (mean / spread))
    return tetrolab.save_network(path, layers, features=FEATURES)


def learn(seed: int, placements: int, out: Path) -> float:
    began = time.time()
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    chooser = np.random.default_rng(seed)
    envs = AfterstatesVectorEnv(
        GAMES, RULESET, board=None, features=FEATURES, autoreset_mode="SameStep", copy=False
    )
    seen, _ = envs.reset(seed=seed)
    features = seen["features"].shape[2]
    replay = Replay(features)
    network = make_network(features)
    target = copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.001, fused=True)
    rows = explore(envs, seen, 100)
    scale = rows.mean(axis=0).astype(np.float64), rows.std(axis=0).astype(np.float64) + 1e-3
    mean, spread = (part.astype(np.float32) for part in scale)
    everyone, tested, trained = np.arange(GAMES), (0.0, ""), 0

    def inputs(boards: Array) -> torch.Tensor:
        return torch.from_numpy((boards - mean) / spread)

    for step in range(placements // GAMES):
        with torch.no_grad():
            values = network(inputs(seen["features"])).squeeze(2).numpy()
        values[seen["over"] == 1] = 0.0
        values[seen["mask"] == 0] = -np.inf
        best = values.argmax(axis=1)
        exploration = 0.05 * max(0.0, 1.0 - step * GAMES / 1_000_000)
        actions = np.where(chooser.random(GAMES) < exploration, envs.sample_actions(), best)
        chosen = seen["features"][everyone, actions].copy()
        over = seen["over"][everyone, actions] == 1
        replay.add(chosen, seen["features"][everyone, best], over)
        envs.step(actions)
        if replay.moments < BUFFER // 20:
            continue
        for _ in range(GAMES // EVERY):
            boards, total, after, discount = replay.sample(chooser)
            with torch.no_grad():
                following = target(inputs(after)).squeeze(1)
                goal = torch.from_numpy(total) + torch.from_numpy(discount) * following
            loss = nn.functional.mse_loss(network(inputs(boards)).squeeze(1), goal)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            trained += 1
            if trained % TARGET == 0:
                target.load_state_dict(network.state_dict())
        done = (step + 1) * GAMES
        if done // TEST > (done - GAMES) // TEST:
            player = save(network, scale, out / f"dqn-{seed}-{done // TEST}.toml")
            lines = tetrolab.evaluate(player, ruleset=RULESET, games=50, seed=seed)[0].lines.mean
            tested = max(tested, (lines or 0.0, player))
            seconds = time.time() - began
            text = f"seed {seed}: {done:,} placements, {seconds:.0f} s: {lines:,.0f} lines"
            print(text, flush=True)
    result = tetrolab.evaluate(tested[1], ruleset=RULESET, games=500, seed=1000)[0]
    low, high = result.lines.ci95 or (0.0, 0.0)
    print(
        f"seed {seed}: {tested[1]}: {result.lines.mean:,.0f} lines ({low:,.0f} to {high:,.0f}) in "
        f"500 unseen games, after {time.time() - began:.0f} s, {time.process_time():.0f} s of CPU time"
    )
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
    parser.add_argument("--placements", type=int, default=1_200_000)
    parser.add_argument("--out", type=Path, default=Path("dqn"))
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    learn(arguments.seed, arguments.placements, arguments.out)


if __name__ == "__main__":
    main()
