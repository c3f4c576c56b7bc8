"""A cross-entropy search for the weights of a linear player, with the laboratory's own optimiser.

    python crates/py/examples/learn/cross_entropy.py [--seed 1] [--generations 30] [--out FOLDER]

The optimiser proposes weights of eight features, each candidate plays some games, and the mean
lines are its fitness (Szita and Lőrincz 2006). `tetrolab learn cross-entropy` does the same in one
call; here the loop is yours. Writes the learning curve (cross-entropy-SEED.csv) and the player
(cross-entropy-SEED.toml) into the folder; `--quick` takes a few seconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import tetrolab
from curve import Curve
from numpy.typing import NDArray

RULESET = "simplified-10x10"
FEATURES = [
    "landing_height", "eroded_piece_cells", "row_transitions", "column_transitions", "holes",
    "well_sums", "hole_depth", "rows_with_holes",
]


def write(path: Path, weights: NDArray[np.float64]) -> str:
    rows = [f"{name} = {weight!r}" for name, weight in zip(FEATURES, weights.tolist(), strict=True)]
    features = ", ".join(f'"{name}"' for name in FEATURES)
    head = [f'name = "{path.stem}"', f"features = [{features}]"]
    path.write_text("\n".join([*head, "[weights]", *rows, ""]))
    return str(path)


def search(seed: int, generations: int, games: int, curve: Curve) -> NDArray[np.float64]:
    """Searches weights; all candidates of a generation play the same games."""
    optimiser = tetrolab.Optimiser("cross-entropy", len(FEATURES), seed)
    for generation in range(generations):
        with tempfile.TemporaryDirectory() as folder:
            players = [
                write(Path(folder) / f"{number}.toml", vector)
                for number, vector in enumerate(optimiser.ask())
            ]
            played = tetrolab.evaluate(*players, ruleset=RULESET, games=games, seed=generation + 1)
        lines = [result.lines.mean or 0.0 for result in played]
        pieces = sum(result.pieces_simulated for result in played)
        optimiser.tell(np.array(lines))
        curve.add(max(lines), games * len(lines), pieces)
        print(
            f"generation {generation + 1}, {curve.seconds:.0f} s: best {max(lines):,.1f}, mean "
            f"{np.mean(lines):,.1f} lines", flush=True,
        )
    return optimiser.solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--out", type=Path, default=Path("runs/cross-entropy"))
    parser.add_argument("--quick", action="store_true", help="a few seconds, to see that it works")
    arguments = parser.parse_args()
    seed, out = arguments.seed, arguments.out
    generations, games, tests = (2, 2, 5) if arguments.quick else (arguments.generations, 10, 500)
    curve = Curve(out / f"cross-entropy-{seed}.csv", seed)
    player = write(out / f"cross-entropy-{seed}.toml", search(seed, generations, games, curve))
    seconds, cpu = curve.seconds, time.process_time()
    result = tetrolab.evaluate(player, ruleset=RULESET, games=tests, seed=1000)[0]
    low, high = result.lines.ci95 or (0.0, 0.0)
    print(
        f"{player}: {result.lines.mean:,.0f} lines ({low:,.0f} to {high:,.0f}) in {tests} unseen "
        f"games, after {seconds:.0f} s of search, {cpu:.0f} s of CPU time"
    )


if __name__ == "__main__":
    main()
