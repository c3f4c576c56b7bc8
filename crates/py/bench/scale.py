"""How the time of a distributed evaluation scales with the number of cores.

Measures on this machine what a unit of work costs besides its games (bytes, seconds of a worker,
seconds of the process that hands units out), and simulates larger clusters with these numbers::

    python crates/py/bench/scale.py --program target/release/tetrolab
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import statistics
import subprocess
import time
from pathlib import Path

# Durations of units that are simulated.
SECONDS = (1.0, 60.0, 600.0)
GAME = ["bcts", "--ruleset", "simplified-10x10"]


def split(program: str, games: int, parts: int) -> list[str]:
    """The units of an evaluation, as lines."""
    command = [program, "work", "split", *GAME, "--games", str(games), "--parts", str(parts)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def worked(program: str, units: list[str]) -> tuple[float, list[str]]:
    """Wall-clock seconds of one worker process on one thread, and its answers."""
    began = time.perf_counter()
    command = [program, "work", "--threads", "1"]
    text = "\n".join(units)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return time.perf_counter() - began, done.stdout.splitlines()


def merged(program: str, answers: list[str]) -> float:
    """Seconds to put answers together."""
    began = time.perf_counter()
    command = [program, "work", "merge", "-", "--json"]
    subprocess.run(command, input="\n".join(answers), capture_output=True, text=True, check=True)
    return time.perf_counter() - began


def measure(program: str) -> dict[str, float]:
    """What units cost besides their games; medians of five."""
    small = split(program, 1000, 1000)
    start = statistics.median(worked(program, small[:1])[0] for _ in range(5))
    many = statistics.median(worked(program, small)[0] for _ in range(5))
    whole = statistics.median(worked(program, split(program, 1000, 1))[0] for _ in range(5))
    _, answers = worked(program, small)
    large = split(program, 6400, 64)
    _, timed = worked(program, large)
    seconds = [json.loads(answer)["seconds"] for answer in timed]
    return {
        "start of a worker process (s)": start,
        "overhead of a unit in a worker (s)": max(0.0, (many - whole) / 999),
        "bytes of a unit": statistics.mean(map(len, small)),
        "bytes of an answer of one game": statistics.mean(map(len, answers)),
        "merge of a unit (s)": merged(program, answers) / len(answers),
        "relative spread of units of 100 games": statistics.stdev(seconds)
        / statistics.mean(seconds),
    }


def simulate(
    cores: int, units: int, seconds: float, spread: float, overhead: float, dispatch: float
) -> float:
    """Wall-clock seconds of units on cores that one process hands out, each in `dispatch` seconds.

    Durations are gamma-distributed with the measured spread. One worker in a thousand dies during
    a unit, which is then computed again.
    """
    draw = random.Random(1)
    shape = 1 / spread**2
    free = [0.0] * min(cores, units)
    heapq.heapify(free)
    handed_out, end = 0.0, 0.0
    for _ in range(units):
        worker = heapq.heappop(free)
        handed_out = max(handed_out, worker) + dispatch
        duration = overhead + draw.gammavariate(shape, seconds / shape)
        if draw.random() < 0.001:
            duration += draw.random() * duration
        heapq.heappush(free, handed_out + duration)
        end = max(end, handed_out + duration)
    return end


def table(found: dict[str, float], dispatch: float, hours: float) -> list[list[str]]:
    """How long an evaluation of this many core hours takes, and the share of them spent on games."""
    overhead = found["overhead of a unit in a worker (s)"]
    spread = found["relative spread of units of 100 games"]
    rows = [["cores"]]
    for seconds in SECONDS:
        rows[0] += [f"hours with units of {seconds:g} s", "efficiency"]
    for cores in (2, 16, 128, 1000, 10_000):
        row = [str(cores)]
        for seconds in SECONDS:
            units = round(hours * 3600 / seconds)
            time_taken = simulate(cores, units, seconds, spread, overhead, dispatch)
            efficiency = hours * 3600 / (cores * time_taken)
            row += [f"{time_taken / 3600:.2f}", f"{100 * efficiency:.0f} %"]
        rows.append(row)
    return rows


def shown(name: str, value: float) -> list[str]:
    """A row of the table of costs; seconds are shown as milliseconds."""
    if name.endswith("(s)"):
        return [name.replace("(s)", "(ms)"), f"{1000 * value:.3g}"]
    return [name, f"{value:.3g}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="target/release/tetrolab")
    parser.add_argument("--core-hours", type=float, default=1000)
    parser.add_argument("--dispatch", type=float, default=0.001, help="seconds to hand out a unit")
    parser.add_argument("--out", type=Path, help="folder for unit-costs.csv and cluster.csv")
    args = parser.parse_args()
    found = measure(args.program)
    costs = [["cost", "measured"]] + [shown(name, value) for name, value in found.items()]
    for name, rows in {
        "unit-costs.csv": costs,
        "cluster.csv": table(found, args.dispatch, args.core_hours),
    }.items():
        text = "".join(",".join(row) + "\n" for row in rows)
        print(text)
        if args.out:
            (args.out / name).write_text(text)


if __name__ == "__main__":
    main()
