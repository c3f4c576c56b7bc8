"""Environments side by side, stepped in native code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .. import _native
from ..errors import ClosedEnvironment, InputError
from . import common
from .common import Observation

Reward = str | Callable[[dict[str, Any]], NDArray[Any]]
"""A name, or a function of all steps: ``actions``, ``lines``, ``terminated``, ``truncated`` and
``observations`` (the last ones of episodes that end), one row for each environment. Steps in which an
episode only begins again are not rewarded, whatever the function returns for them."""


@dataclass(frozen=True)
class SavedVectorEnv:
    """The state of environments, as :meth:`TetrolabVectorEnv.get_state` returns it."""

    native: _native.EnvironmentState
    seeds: list[int | None]
    outputs: dict[str, NDArray[Any]]
    ended: NDArray[np.bool_]
    begun: bool


class TetrolabVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Games side by side; the options are those of the single environments, and:

    :param autoreset_mode: when an episode that has ended begins again.
    :param copy: whether arrays are copied before they are returned. Without copies every call writes
        into the same arrays and nothing is allocated; ``info["final_obs"]`` is then a dictionary of
        arrays, of which the rows in ``info["_final_obs"]`` mean something.
    :param threads: how many threads step the games; it changes no result.
    """

    kind: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str | _native.Ruleset = "simplified-10x20",
        *,
        board: str | None = "cells",
        pieces: str = "one-hot",
        features: str | None = None,
        reward: Reward = "lines",
        shaping: str | None = None,
        shaping_discount: float = 1.0,
        shaping_scale: float = 1.0,
        max_steps: int | None = None,
        max_episode_steps: int | None = None,
        illegal: str = "nearest",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        common.check_reward(reward)
        if render_mode not in (None, "rgb_array", "ansi"):
            raise InputError(f"render_mode: expected rgb_array, ansi or None, found {render_mode!r}")
        mode = AutoresetMode(autoreset_mode)
        limits = [limit for limit in (max_steps, max_episode_steps) if limit is not None]
        options = {
            "board": board,
            "pieces": pieces,
            "features": features,
            "reward": "nothing" if callable(reward) else reward,
            "shaping": shaping,
            "shaping_discount": float(shaping_discount),
            "shaping_scale": float(shaping_scale),
            "max_steps": min(limits, default=None),
            "illegal": illegal,
        }
        native = common.make_native(self.kind, ruleset, options, num_envs, mode.value, threads)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": ["ansi", "rgb_array"], "render_fps": 10, "autoreset_mode": mode
        }
        self.single_observation_space = common.observation_space(native)
        self.single_action_space = spaces.Discrete(native.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode, self._copy = mode, copy
        self._reward = reward if callable(reward) else None
        self._seen = common.arrays(native, num_envs)
        same_step = mode is AutoresetMode.SAME_STEP
        self._last = common.arrays(native, num_envs) if same_step else {}
        self._outputs: dict[str, NDArray[Any]] = {
            "rewards": np.zeros(num_envs),
            "lines": np.zeros(num_envs, np.int64),
            "terminated": np.zeros(num_envs, np.bool_),
            "truncated": np.zeros(num_envs, np.bool_),
            "total_lines": np.zeros(num_envs, np.int64),
            "total_pieces": np.zeros(num_envs, np.int64),
            "legal": np.ones(num_envs, np.bool_),
        }
        native.attach(self._seen, self._last, self._outputs)
        self._native: _native.Environments | None = native
        self._all = np.ones(num_envs, np.bool_)
        self._all.flags.writeable = False
        self._ended = np.zeros(num_envs, np.bool_)
        self._actions = np.zeros(num_envs, np.int64)
        self._seeds: list[int | None] = [None] * num_envs
        self._begun = False

    @property
    def native(self) -> _native.Environments:
        """The native environments.

        :raises ClosedEnvironment: when they were closed.
        """
        if self._native is None:
            raise ClosedEnvironment("the environment is closed; make another one")
        return self._native

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins games: those of seed, seed + 1 and so on, or the next ones of the same seeds.

        ``options`` may have ``reset_mask`` (which environments are reset) and ``index`` (the number
        of the game of each seed).
        """
        native = self.native
        mask = self._reset_mask(options)
        index = common.as_index(options)
        seeds = self._given_seeds(seed)
        episodes: list[tuple[int, int] | None] = [None] * self.num_envs
        for game in np.flatnonzero(mask):
            own, given = self._seeds[game], seeds[game]
            if given is not None:
                following = (given, 0)
            elif own is None:
                following = (common.draw_seed(self.np_random), 0)
            else:
                following = (own, native.episode(int(game))[1] + 1)
            self._seeds[game] = following[0]
            episodes[game] = following if index is None else (following[0], index)
        native.reset(episodes)
        self._begun = True
        self._ended[mask] = False
        for name in ["rewards", "lines", "terminated", "truncated", "total_lines", "total_pieces"]:
            self._outputs[name][mask] = 0
        return self._observations(), self._infos()

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        if options is None or options.get("reset_mask") is None:
            return self._all
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise InputError(f"reset_mask: expected an array of bool, found {mask!r}")
        if mask.shape != (self.num_envs,):
            raise InputError(f"reset_mask: expected shape ({self.num_envs},), found {mask.shape}")
        if not self._begun and not mask.all():
            raise InputError("reset_mask: the first reset must include all environments")
        return mask

    def _given_seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, Sequence | np.ndarray):
            seeds = [None if each is None else common.as_seed(each) for each in seed]
            if len(seeds) != self.num_envs:
                found = len(seeds)
                raise InputError(f"seed: expected {self.num_envs} seeds, found {found}")
            return seeds
        first = common.as_seed(seed)
        self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(first)
        return [(first + game) % 2**64 for game in range(self.num_envs)]

    def step(
        self, actions: NDArray[np.int64] | Sequence[int]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes one action in every environment; if one cannot be taken, none is.

        :raises ActionError: when an action is outside the space, illegal where illegal actions
            raise, or an episode has ended and does not begin again by itself.
        """
        native = self._native
        if native is None or not self._begun:
            raise self._not_ready()
        own = self._reward is not None
        # Without another mode, an episode that has ended begins again in this step.
        begin_again = self._ended.copy() if own and self._mode is AutoresetMode.NEXT_STEP else None
        native.step(self._checked(actions))
        outputs, copy = self._outputs, self._copy
        rewards, terminated, truncated = (
            outputs[name].copy() if copy else outputs[name]
            for name in ("rewards", "terminated", "truncated")
        )
        np.logical_or(terminated, truncated, out=self._ended)
        observations = self._observations()
        infos = self._infos()
        if self._mode is AutoresetMode.SAME_STEP and self._ended.any():
            self._add_final(infos)
        if own:
            steps = {
                "actions": actions, "lines": outputs["lines"].copy(), "terminated": terminated,
                "truncated": truncated, "observations": self._last_observations(observations),
            }
            rewards = rewards + self._own_rewards(steps)
            if begin_again is not None:
                rewards[begin_again] = 0.0
        return observations, rewards, terminated, truncated, infos

    def _last_observations(self, observations: Observation) -> Observation:
        """What is observed at the end of the step, before episodes have begun again."""
        if self._mode is not AutoresetMode.SAME_STEP or not self._ended.any():
            return observations
        ended = self._ended
        last = {name: array.copy() for name, array in observations.items()}
        for name, array in last.items():
            array[ended] = self._last[name][ended]
        return last

    def _own_rewards(self, steps: dict[str, Any]) -> NDArray[Any]:
        assert self._reward is not None
        rewards = np.asarray(self._reward(steps), np.float64)
        if rewards.shape != (self.num_envs,):
            raise InputError(f"reward: expected shape ({self.num_envs},), found {rewards.shape}")
        return rewards

    def _checked(self, actions: NDArray[np.int64] | Sequence[int]) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise InputError(f"actions: expected integers, found {array.dtype}")
        if array.shape != (self.num_envs,):
            raise InputError(f"actions: expected shape ({self.num_envs},), found {array.shape}")
        if array.dtype == np.int64 and array.flags.c_contiguous:
            return array
        if array.dtype == np.uint64 and (array > np.iinfo(np.int64).max).any():
            raise InputError("actions: a number does not fit into 63 bits")
        self._actions[:] = array
        return self._actions

    def _not_ready(self) -> Exception:
        if self._native is None:
            return ClosedEnvironment("the environment is closed; make another one")
        return gymnasium.error.ResetNeeded("the environment has not begun; call reset() first")

    def _observations(self) -> Observation:
        if not self._copy:
            return self._seen
        return {name: array.copy() for name, array in self._seen.items()}

    def _infos(self) -> dict[str, Any]:
        copy = self._copy
        outputs = self._outputs
        mask, legal = self._seen["mask"], outputs["legal"]
        lines, pieces = outputs["total_lines"], outputs["total_pieces"]
        every = self._all
        return {
            "action_mask": mask.copy() if copy else mask,
            "_action_mask": every.copy() if copy else every,
            "lines": lines.copy() if copy else lines,
            "_lines": every.copy() if copy else every,
            "pieces": pieces.copy() if copy else pieces,
            "_pieces": every.copy() if copy else every,
            "legal": legal.copy() if copy else legal,
            "_legal": every.copy() if copy else every,
        }

    def _add_final(self, infos: dict[str, Any]) -> None:
        """The last observations of episodes that have ended and begun again."""
        ended = self._ended
        infos["final_info"] = {
            "lines": infos["lines"].copy(), "_lines": ended.copy(),
            "pieces": infos["pieces"].copy(), "_pieces": ended.copy(),
        }
        infos["_final_info"], infos["_final_obs"] = ended.copy(), ended.copy()
        for name in ("lines", "pieces"):
            infos[name][ended] = 0
        if not self._copy:
            infos["final_obs"] = self._last
            return
        final = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            final[game] = {name: array[game].copy() for name, array in self._last.items()}
        infos["final_obs"] = final

    def sample_actions(self, seed: int | None = None) -> NDArray[np.int64]:
        """Random legal actions, one for each environment; 0 where there is none.

        With a seed the numbers begin anew.
        """
        native = self.native
        if seed is not None:
            native.seed_sampler(common.as_seed(seed))
        actions = np.zeros(self.num_envs, np.int64) if self._copy else self._actions
        native.sample(actions)
        return actions

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now: one row for each environment."""
        return self._seen["mask"].astype(np.bool_)

    def game(self, number: int) -> _native.Game:
        """A copy of the game of one environment."""
        return self.native.game(number)

    def get_state(self) -> SavedVectorEnv:
        """The state of all environments, to which :meth:`set_state` returns."""
        outputs = {name: array.copy() for name, array in self._outputs.items()}
        native, seeds = self.native.save(), list(self._seeds)
        return SavedVectorEnv(native, seeds, outputs, self._ended.copy(), self._begun)

    def set_state(self, state: SavedVectorEnv) -> Observation:
        """Returns to a state of these environments, or of some with the same rules and options; what
        is observed there.

        :raises InputError: when it is something else.
        """
        if not isinstance(state, SavedVectorEnv):
            raise InputError(f"state: expected a state from get_state(), found {state!r}")
        self.native.restore(state.native)
        self._begun = state.begun
        self._seeds, self._ended[:] = list(state.seeds), state.ended
        for name, array in state.outputs.items():
            self._outputs[name][:] = array
        return self._observations()

    def render(self) -> tuple[Any, ...] | None:
        """The boards of all environments."""
        if self.render_mode is None:
            return None
        games = [self.native.game(number) for number in range(self.num_envs)]
        if self.render_mode == "rgb_array":
            return tuple(common.picture(game.picture()) for game in games)
        return tuple(common.text(game.picture(), f"{game.lines} lines") for game in games)

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the environments."""
        self._native = None


class PlacementVectorEnv(TetrolabVectorEnv):
    """Many of ``tetrolab/Placement-v0``."""

    kind = "placement"


class AfterstatesVectorEnv(TetrolabVectorEnv):
    """Many of ``tetrolab/Afterstates-v0``."""

    kind = "afterstates"


class KeysVectorEnv(TetrolabVectorEnv):
    """Many of ``tetrolab/Keys-v0``."""

    kind = "keys"

    def __init__(
        self, num_envs: int = 1, ruleset: str | _native.Ruleset = "guideline", **options: Any
    ) -> None:
        super().__init__(num_envs, ruleset, **options)


__all__ = ["AfterstatesVectorEnv", "KeysVectorEnv", "PlacementVectorEnv", "TetrolabVectorEnv"]
