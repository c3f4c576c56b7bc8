"""How many evaluations pycma needs on the test functions of `functions.rs`; the figures stand in `tests/pycma.rs`.

    pip install cma==4.5.0 numpy==2.4.6 && python crates/lab/src/learners/tests/pycma.py
"""

import statistics

import cma
import numpy as np

DIMENSION, TARGET, RUNS, MOST = 8, 1e-9, 21, 100_000

axis = np.arange(1.0, DIMENSION + 1.0)
mirror = np.eye(DIMENSION) - 2.0 * np.outer(axis, axis) / (axis @ axis)
stretch = 10.0 ** (6.0 * np.arange(DIMENSION) / (DIMENSION - 1.0))


def sphere(x):
    return float(np.sum((x - 1.0) ** 2))


def ellipsoid(x):
    return float(np.sum(stretch * (mirror @ (x - 1.0)) ** 2))


def rosenbrock(x):
    return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2))


def evaluations(function, population, seed):
    """Until the first generation with a candidate below the target; infinite if that does not come."""
    options = {"popsize": population, "seed": seed, "verbose": -9, "tolfun": 0, "tolfunhist": 0}
    es = cma.CMAEvolutionStrategy(DIMENSION * [0.0], 0.5, options)
    while es.countevals < MOST and not es.stop():
        candidates = es.ask()
        values = [function(np.asarray(x)) for x in candidates]
        es.tell(candidates, values)
        if min(values) < TARGET:
            return es.countevals
    return float("inf")


if __name__ == "__main__":
    print(f"pycma {cma.__version__}, numpy {np.__version__}")
    for function in (sphere, ellipsoid, rosenbrock):
        for population in (10, 30):
            needed = sorted(evaluations(function, population, seed) for seed in range(1, RUNS + 1))
            failed = sum(count == float("inf") for count in needed)
            print(f"{function.__name__:10} {population:2}: median {statistics.median(needed)}, "
                  f"from {needed[0]} to {needed[-1]}, failed {failed}")
