"""Shared code of environments: options, spaces, seeds and pictures."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .. import _native
from ..errors import InputError

Observation = dict[str, NDArray[Any]]
"""What is observed: arrays by name."""

FEATURE_BOUND = 1e30
"""Features are never beyond this; some grow exponentially with the height of the board."""

EMPTY, FILLED, FALLING = (16, 18, 24), (86, 140, 214), (240, 190, 90)
"""Colours of cells."""


def find_ruleset(ruleset: str | _native.Ruleset) -> _native.Ruleset:
    """A ruleset by its name or spec, or itself."""
    return _native.Ruleset(ruleset) if isinstance(ruleset, str) else ruleset


def make_native(
    kind: str,
    ruleset: str | _native.Ruleset,
    options: dict[str, Any],
    games: int,
    autoreset: str,
    threads: int,
) -> _native.Environments:
    """The native environments."""
    if not 1 <= threads <= 1024:
        raise InputError(f"threads: expected a number from 1 to 1024, found {threads}")
    ruleset = find_ruleset(ruleset)
    return _native.Environments(ruleset, {"kind": kind, **options}, games, autoreset, threads)


def observation_space(native: _native.Environment | _native.Environments) -> spaces.Dict:
    """The space of what one environment observes."""

    def space(shape: list[int], numbers: str, largest: int | None) -> spaces.Box:
        dtype: Any = np.dtype(numbers).type
        if largest is None:
            return spaces.Box(-FEATURE_BOUND, FEATURE_BOUND, shape, dtype)
        return spaces.Box(0, largest, shape, dtype)

    return spaces.Dict(
        {
            name: space(shape, numbers, largest)
            for name, shape, numbers, largest in native.observed()
        }
    )


def arrays(native: _native.Environments, games: int) -> Observation:
    """Arrays for the observations of this many games."""
    return {
        name: np.zeros((games, *shape), numbers) for name, shape, numbers, _ in native.observed()
    }


def as_seed(seed: object) -> int:
    """The seed of a game: an integer from 0 to 2^64 - 1."""
    try:
        number = operator.index(seed)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"seed: expected an integer, found {seed!r}") from None
    if not 0 <= number < 2**64:
        raise InputError(f"seed: expected a number from 0 to 2^64 - 1, found {number}")
    return number


def as_index(options: dict[str, Any] | None) -> int | None:
    """The number of a game in the options of a reset."""
    if not options or options.get("index") is None:
        return None
    return as_seed(options["index"])


def draw_seed(generator: np.random.Generator) -> int:
    """A random seed, if none is given."""
    return int(generator.integers(2**63))


def picture(rows: NDArray[np.uint8], cell: int = 12) -> NDArray[np.uint8]:
    """A board as an image."""
    colours = np.array([EMPTY, FILLED, FALLING], np.uint8)
    image = colours[rows].repeat(cell, axis=0).repeat(cell, axis=1)
    image[::cell] = image[:, ::cell] = (40, 44, 56)
    return image


def text(rows: NDArray[np.uint8], line: str) -> str:
    """A board as text."""
    drawn = ["".join(".#o"[cell] for cell in row) for row in rows]
    return "\n".join([*drawn, line])


def svg(rows: NDArray[np.uint8], cell: int = 12) -> str:
    """A board as SVG."""
    height, width = rows.shape
    size = f"{width * cell} {height * cell}"
    cells = "".join(
        f'<rect x="{column * cell}" y="{row * cell}" width="{cell - 1}" height="{cell - 1}" '
        f'fill="rgb{FILLED if rows[row, column] == 1 else FALLING}"/>'
        for row, column in np.argwhere(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">'
        f'<rect width="100%" height="100%" fill="rgb{EMPTY}"/>{cells}</svg>'
    )


def check_reward(reward: object) -> None:
    """A reward is a name or a function."""
    if not (callable(reward) or reward in ("lines", "points", "survival")):
        raise InputError(f"reward: expected lines, points, survival or a function, found {reward!r}")


Space = gymnasium.Space[Any]
