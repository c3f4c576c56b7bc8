"""Networks trained elsewhere, as players of the laboratory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .errors import InputError


def _numbers(values: Any, dimensions: int, what: str) -> NDArray[np.float32]:
    """An array, or a tensor of another library, as numbers."""
    values = values.detach().cpu() if hasattr(values, "detach") else values
    try:
        array = np.ascontiguousarray(values, np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: expected an array of numbers: {error}") from None
    if array.ndim != dimensions:
        raise InputError(f"{what}: expected {dimensions} dimensions, found {array.ndim}")
    return array


def save_network(
    path: str | os.PathLike[str],
    layers: Iterable[tuple[Any, Any]],
    *,
    features: str,
    activation: str = "relu",
    player: str = "greedy",
) -> str:
    """Writes a dense network that rates afterstates by features as a player; the path of its file.

    ``layers`` are pairs of weights (units x inputs, as ``torch.nn.Linear`` has them) and biases, as
    arrays or tensors. The units of all but the last layer have the ``activation`` ("relu", "silu",
    "dsilu", "sigmoid" or "linear"); the last one is linear and has one unit, the score. ``features``
    is a feature set, or ids with commas between them: the inputs, in this order. The weights are in a
    safetensors file next to the player file.

    >>> import tempfile, tetrolab
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mine = save_network(f"{folder}/mine.toml", [([[-1, -4]], [0])], features="well_sums,holes")
    ...     tetrolab.evaluate(mine, ruleset="simplified-6x8", games=3)[0].games
    3
    """
    path = Path(path)
    if path.suffix != ".toml":
        raise InputError(f"path: expected the name of a .toml file, found {str(path)!r}")
    arrays = [
        (_numbers(weight, 2, f"weights of layer {number}"), _numbers(bias, 1, f"biases of layer {number}"))
        for number, (weight, bias) in enumerate(layers)
    ]
    activations = [activation] * (len(arrays) - 1) + ["linear"] * bool(arrays)
    _native.save_network(path, arrays, activations, features, player)
    return str(path)


__all__ = ["save_network"]
