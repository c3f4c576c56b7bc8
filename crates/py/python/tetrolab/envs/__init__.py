"""Environments of Gymnasium, played by the laboratory's engine.

``tetrolab/Placement-v0``
    An action places a piece: rotation * width + column, where rotations are north, east, south and
    west and the column is the leftmost one of the piece. In stepped games (guideline, nes, ...) it is
    ((hold * 4 + rotation) * width + column) * rows + row, with every place that can be reached.
``tetrolab/Afterstates-v0``
    The observation lists every board to which the piece can lead; an action selects one of them.
``tetrolab/Keys-v0``
    An action presses a key in one tick of a stepped game: 0 is none, then left, right, clockwise,
    counterclockwise, half turn, down, drop, hold.

Importing :mod:`tetrolab` registers them:

>>> import gymnasium, tetrolab
>>> env = gymnasium.make("tetrolab/Placement-v0", ruleset="simplified-10x20")
>>> observation, info = env.reset(seed=1)
>>> observation["board"].shape, int(info["action_mask"].sum()) > 8
((20, 10), True)
>>> envs = gymnasium.make_vec("tetrolab/Placement-v0", num_envs=8)
>>> observations, infos = envs.reset(seed=1)
>>> observations["mask"].shape
(8, 40)

``reset(seed=S)`` begins game 0 of seed S: the game that ``tetrolab.Game(ruleset, seed=S)`` and game 0
of ``tetrolab.evaluate(..., seed=S)`` are. ``reset()`` goes on with game 1, 2 and so on;
``options={"index": K}`` takes game K. Environment i of a vector has the seed S + i. The number of
environments and threads never matters.
"""

from __future__ import annotations

import gymnasium

from .single import AfterstatesEnv, KeysEnv, PlacementEnv
from .vector import AfterstatesVectorEnv, KeysVectorEnv, PlacementVectorEnv

for _name in ["Placement", "Afterstates", "Keys"]:
    gymnasium.register(
        id=f"tetrolab/{_name}-v0",
        entry_point=f"tetrolab.envs:{_name}Env",
        vector_entry_point=f"tetrolab.envs:{_name}VectorEnv",
    )

__all__ = [
    "AfterstatesEnv",
    "AfterstatesVectorEnv",
    "KeysEnv",
    "KeysVectorEnv",
    "PlacementEnv",
    "PlacementVectorEnv",
]
