"""Learning curves as the files that `tetrolab runs RUN --csv` writes."""

from __future__ import annotations

import time
from pathlib import Path

HEAD = "run,generation,best,mean,spread,sigma,games,pieces,seconds\n"


class Curve:
    """The curve of one run: a line for each evaluation."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path, self.seed = path, seed
        self.generation = 0
        self.best = 0.0
        self.began = self.before = time.time()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD)

    def add(self, lines: float, games: int, pieces: int) -> None:
        """Adds the mean lines of some games, after this many more pieces of training."""
        self.generation += 1
        self.best = max(self.best, lines)
        now = time.time()
        row = [
            self.seed, self.generation, lines, lines, 0.0, "", games, pieces,
            round(now - self.before, 3),
        ]
        self.before = now
        with self.path.open("a") as file:
            file.write(",".join(map(str, row)) + "\n")

    @property
    def seconds(self) -> float:
        """The seconds since the beginning."""
        return time.time() - self.began
