"""A cross-entropy search for the weights of a linear player, with the laboratory's own optimiser.

    python crates/py/examples/cross_entropy.py [--seed 1] [--generations 30] [--quick]

The optimiser proposes weights of eight features, each candidate plays some games, and the mean
lines are its fitness (Szita and Lőrincz 2006). `tetrolab learn cross-entropy` does the same in one
call; here the loop is yours.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import tetrolab
from numpy.typing import NDArray

RULESET = "simplified-10x10"
FEATURES = [
    "landing_height", "eroded_piece_cells", "row_transitions", "column_transitions", "holes",
    "well_sums", "hole_depth", "rows_with_holes",
]


def write(path: Path, weights: NDArray[np.float64]) -> str:
    rows = [f"{name} = {weight!r}" for name, weight in zip(FEATURES, weights.tolist(), strict=True)]
    path.write_text("\n".join([f'name = "{path.stem}"', "[weights]", *rows, ""]))
    return str(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--quick", action="store_true", help="a few seconds, to see that it works")
    arguments = parser.parse_args()
    generations, games = (2, 2) if arguments.quick else (arguments.generations, 10)
    optimiser = tetrolab.Optimiser("cross-entropy", len(FEATURES), arguments.seed)
    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        for generation in range(generations):
            vectors = optimiser.ask()
            players = [
                write(Path(folder) / f"{number}.toml", vector)
                for number, vector in enumerate(vectors)
            ]
            # All candidates of a generation play the same games.
            played = tetrolab.evaluate(
                *players, ruleset=RULESET, games=games, seed=generation + 1
            )
            lines = [result.lines.mean or 0.0 for result in played]
            optimiser.tell(np.array(lines))
            seconds, mean = time.time() - began, np.mean(lines)
            print(
                f"generation {generation + 1}, {seconds:.0f} s: best {max(lines):,.1f}, mean "
                f"{mean:,.1f} lines", flush=True,
            )
        best = write(Path(folder) / "solution.toml", optimiser.solution)
        count = 5 if arguments.quick else 500
        result = tetrolab.evaluate(best, ruleset=RULESET, games=count, seed=1000)[0]
    low, high = result.lines.ci95 or (0.0, 0.0)
    print(
        f"seed {arguments.seed}: {result.lines.mean:,.0f} lines ({low:,.0f} to {high:,.0f}) in "
        f"{count} unseen games, after {time.time() - began:.0f} s, {time.process_time():.0f} s of "
        "CPU time"
    )


if __name__ == "__main__":
    main()
