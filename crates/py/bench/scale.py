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
        "start of a worker process, seconds": start,
        "overhead of a unit in a worker, seconds": max(0.0, (many - whole) / 999),
        "bytes of a unit": statistics.mean(map(len, small)),
        "bytes of an answer of one game": statistics.mean(map(len, answers)),
        "merge, seconds per unit": merged(program, answers) / len(answers),
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


def table(found: dict[str, float], dispatch: float, hours: float, seconds: float) -> None:
    """Prints how long an evaluation of this many core hours takes."""
    overhead = found["overhead of a unit in a worker, seconds"]
    spread = found["relative spread of units of 100 games"]
    units = round(hours * 3600 / seconds)
    print(f"| cores | units of {seconds:g} s | time | efficiency |")
    print("|--:|--:|--:|--:|")
    for cores in (2, 16, 128, 1000, 10_000):
        time_taken = simulate(cores, units, seconds, spread, overhead, dispatch)
        efficiency = hours * 3600 / (cores * time_taken)
        print(f"| {cores:,} | {units:,} | {time_taken / 3600:.2f} h | {100 * efficiency:.0f} % |")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="target/release/tetrolab")
    parser.add_argument("--core-hours", type=float, default=1000)
    parser.add_argument("--dispatch", type=float, default=0.001, help="seconds to hand out a unit")
    args = parser.parse_args()
    found = measure(args.program)
    for name, value in found.items():
        print(f"{name}: {value:.6g}")
    print()
    for seconds in (1.0, 60.0, 600.0):
        table(found, args.dispatch, args.core_hours, seconds)


if __name__ == "__main__":
    main()
