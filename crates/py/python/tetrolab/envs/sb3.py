"""Environments for Stable-Baselines3: a `VecEnv` over native vectors, with masks for MaskablePPO.

Not imported by :mod:`tetrolab`, since it needs ``stable-baselines3``:

    from tetrolab.envs.sb3 import Sb3VecEnv
    from sb3_contrib import MaskablePPO

    envs = Sb3VecEnv("Placement", 64, ruleset="simplified-10x10")
    MaskablePPO("MultiInputPolicy", envs).learn(100_000)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ..errors import InputError
from . import AfterstatesVectorEnv, KeysVectorEnv, PlacementVectorEnv
from .common import Observation
from .vector import TetrolabVectorEnv

KINDS: dict[str, type[TetrolabVectorEnv]] = {
    "Placement": PlacementVectorEnv,
    "Afterstates": AfterstatesVectorEnv,
    "Keys": KeysVectorEnv,
}


class Sb3VecEnv(VecEnv):  # type: ignore[misc]
    """Games side by side as Stable-Baselines3 takes them.

    Observations are those of the environment without the mask, which MaskablePPO asks for by itself
    (``action_masks``). The last dictionary of an episode has ``terminal_observation``,
    ``TimeLimit.truncated`` and ``episode`` with its reward ``r``, length ``l`` and lines.

    :param kind: "Placement", "Afterstates" or "Keys".
    :param num_envs: how many games.
    :param seed: the seed of the first game; the others follow.
    :param options: those of the vector environments.
    """

    def __init__(self, kind: str, num_envs: int, *, seed: int = 1, **options: Any) -> None:
        if kind not in KINDS:
            raise InputError(f"kind: expected {', '.join(KINDS)}, found {kind!r}")
        options["autoreset_mode"] = AutoresetMode.SAME_STEP
        self.envs = KINDS[kind](num_envs, **options)
        whole = self.envs.single_observation_space
        assert isinstance(whole, spaces.Dict)
        space = spaces.Dict({name: part for name, part in whole.items() if name != "mask"})
        super().__init__(num_envs, space, self.envs.single_action_space)
        self._actions = np.zeros(num_envs, np.int64)
        self._rewards, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        self._first: int | None = seed

    @staticmethod
    def _seen(observation: Observation) -> Observation:
        return {name: array for name, array in observation.items() if name != "mask"}

    def reset(self) -> Observation:
        """Starts all games."""
        observation, _ = self.envs.reset(seed=self._first)
        self._first = None
        self._rewards[:], self._lengths[:] = 0, 0
        return self._seen(observation)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The seed of the next reset."""
        self._first = seed
        return [None if seed is None else seed + game for game in range(self.num_envs)]

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Takes the actions of the next step."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Makes the step."""
        observation, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        self._rewards += rewards
        self._lengths += 1
        ended = terminated | truncated
        each: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(ended):
            final = infos["final_info"]
            each[game] = {
                "terminal_observation": self._seen(infos["final_obs"][game]),
                "TimeLimit.truncated": bool(truncated[game] and not terminated[game]),
                "episode": {
                    "r": float(self._rewards[game]), "l": int(self._lengths[game]), "t": 0.0,
                    "lines": int(final["lines"][game]),
                },
            }
        self._rewards[ended], self._lengths[ended] = 0, 0
        return self._seen(observation), rewards.astype(np.float32), ended, each

    def close(self) -> None:
        """Ends the environments."""
        self.envs.close()

    def _games(self, indices: int | Iterable[int] | None) -> list[int]:
        return [int(game) for game in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute, which all games share."""
        return [getattr(self.envs, attr_name) for _ in self._games(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute."""
        return hasattr(self.envs, attr_name)

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        """Sets an attribute of all games."""
        setattr(self.envs, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *arguments: Any,
        indices: int | Iterable[int] | None = None,
        **named: Any,
    ) -> list[Any]:
        """Calls a method for some games: ``action_masks``, ``game``."""
        games = self._games(indices)
        if method_name == "action_masks":
            masks = self.envs.action_masks()
            return [masks[game] for game in games]
        if method_name == "game":
            return [self.envs.game(game) for game in games]
        raise InputError(f"env_method: expected action_masks or game, found {method_name!r}")

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """Nothing is wrapped."""
        return [False for _ in self._games(indices)]


__all__ = ["Sb3VecEnv"]
