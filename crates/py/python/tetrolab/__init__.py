"""tetrolab, the laboratory for artificial Tetris players.

How good are players, with a 95 % interval:

>>> import tetrolab
>>> result = tetrolab.evaluate("bcts", "random", ruleset="simplified-6x8", games=50)
>>> [player.player for player in result]
['bcts', 'random']
>>> result["bcts"].lines.mean > result["random"].lines.mean
True

A game, placement by placement:

>>> game = tetrolab.Game("simplified-10x10", seed=7)
>>> game.place(game.placements()[0])
0

The environments of Gymnasium are registered when the package is imported:
``tetrolab/Placement-v0``, ``tetrolab/Afterstates-v0`` and ``tetrolab/Keys-v0``; see
:mod:`tetrolab.envs`.
"""

from __future__ import annotations

from . import clusters, envs, errors
from ._native import Game, Optimiser, Player, Ruleset, __version__
from .catalogue import Part, kinds, parts
from .errors import TetrolabError
from .models import save_network
from .results import (
    Analysed,
    Compared,
    Evaluated,
    ExperimentReport,
    Learned,
    PlayerResult,
    Record,
)
from .studies import Bot, analyse, compare, evaluate, features, learn, reproduce

__all__ = [
    "Analysed",
    "Bot",
    "Compared",
    "Evaluated",
    "ExperimentReport",
    "Game",
    "Learned",
    "Optimiser",
    "Part",
    "Player",
    "PlayerResult",
    "Record",
    "Ruleset",
    "TetrolabError",
    "__version__",
    "analyse",
    "clusters",
    "compare",
    "envs",
    "errors",
    "evaluate",
    "features",
    "kinds",
    "learn",
    "parts",
    "reproduce",
    "save_network",
]
