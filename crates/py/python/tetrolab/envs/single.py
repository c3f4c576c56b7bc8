"""One environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .. import _native
from ..errors import ClosedEnvironment, InputError
from . import common
from .common import Observation

Reward = str | Callable[[dict[str, Any]], float]
"""A name, or a function of a step: ``action``, ``lines``, ``terminated``, ``truncated`` and
``observation``."""


@dataclass(frozen=True)
class SavedEnv:
    """The state of an environment, as :meth:`TetrolabEnv.get_state` returns it."""

    native: _native.EnvironmentState
    seed: int | None
    index: int
    begun: bool


class TetrolabEnv(gymnasium.Env[Observation, np.int64]):
    """A game as an environment; its subclasses say what an action is.

    :param ruleset: the game: a name, a spec or a :class:`tetrolab.Ruleset`.
    :param board: how the board is observed: "cells" (top row first), "packed" (64 bits for each
        column, bit 0 at the bottom) or None.
    :param pieces: how the visible pieces are observed (the current one, those after it, the hold):
        "one-hot" or "index" (I O T Z S J L, 7 for none).
    :param features: a feature set, or features with commas between them, that are observed: those of
        the last step (0 at the beginning), or of every afterstate.
    :param reward: "lines", "points", "survival", or a function of a step.
    :param shaping: a player whose evaluator is the potential of potential-based shaping, with
        ``shaping_discount`` and ``shaping_scale``; it is added to every kind of reward.
    :param max_steps: the episode is cut off (truncated) after this many steps.
    :param illegal: "nearest" takes the nearest legal action instead of an illegal one; "raise" raises
        :class:`tetrolab.errors.ActionError`.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi", "rgb_array", "svg"],
        "render_fps": 10,
    }
    kind: ClassVar[str]

    def __init__(
        self,
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
        illegal: str = "nearest",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            known = ", ".join(self.metadata["render_modes"])
            raise InputError(f"render_mode: expected {known} or None, found {render_mode!r}")
        common.check_reward(reward)
        self.render_mode = render_mode
        self._reward = reward if callable(reward) else None
        options = {
            "board": board,
            "pieces": pieces,
            "features": features,
            "reward": "nothing" if callable(reward) else reward,
            "shaping": shaping,
            "shaping_discount": float(shaping_discount),
            "shaping_scale": float(shaping_scale),
            "max_steps": max_steps,
            "illegal": illegal,
        }
        ruleset = common.find_ruleset(ruleset)
        native = _native.Environment(ruleset, {"kind": self.kind, **options})
        space: Any = common.observation_space(native)
        self.observation_space = space
        self.action_space = spaces.Discrete(native.actions)
        self._native: _native.Environment | None = native
        self._seed: int | None = None
        self._index = 0
        self._begun = False

    @property
    def native(self) -> _native.Environment:
        """The native environment.

        :raises ClosedEnvironment: when it was closed.
        """
        if self._native is None:
            raise ClosedEnvironment("the environment is closed; make another one")
        return self._native

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game: number 0 of the seed, or the next one of the same seed.

        ``options={"index": K}`` takes number K.
        """
        native = self.native
        if seed is not None:
            seed = common.as_seed(seed)
        super().reset(seed=seed)
        index = common.as_index(options)
        if seed is not None:
            self._seed, self._index = seed, 0
        elif self._seed is None:
            self._seed, self._index = common.draw_seed(self.np_random), 0
        else:
            self._index += 1
        if index is not None:
            self._index = index
        observation = native.reset(self._seed, self._index)
        self._begun = True
        info = {
            "action_mask": observation["mask"], "lines": 0, "pieces": 0, "seed": self._seed,
            "index": self._index,
        }
        return observation, info

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action.

        :raises ActionError: when the action is outside the space, illegal where illegal actions
            raise, or the episode has ended.
        """
        native = self._native
        if native is None or not self._begun:
            raise self._not_ready()
        step = native.step(action)
        if self._reward is None:
            return step
        observation, reward, terminated, truncated, info = step
        own = {
            "action": action, "lines": native.cleared, "terminated": terminated,
            "truncated": truncated, "observation": observation,
        }
        return observation, reward + float(self._reward(own)), terminated, truncated, info

    def _not_ready(self) -> Exception:
        if self._native is None:
            return ClosedEnvironment("the environment is closed; make another one")
        return gymnasium.error.ResetNeeded("the environment has not begun; call reset() first")

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as sb3-contrib's MaskablePPO asks for them."""
        return self.native.mask()

    def game(self) -> _native.Game:
        """A copy of the game, for inspection or further play."""
        return self.native.game()

    def get_state(self) -> SavedEnv:
        """The state, to which :meth:`set_state` returns: for search."""
        return SavedEnv(self.native.save(), self._seed, self._index, self._begun)

    def set_state(self, state: SavedEnv) -> Observation:
        """Returns to a state of this environment, or of one with the same rules and options; what is
        observed there.

        :raises InputError: when it is something else.
        """
        if not isinstance(state, SavedEnv):
            raise InputError(f"state: expected a state from get_state(), found {state!r}")
        observation = self.native.restore(state.native)
        self._seed, self._index, self._begun = state.seed, state.index, state.begun
        return observation

    def render(self) -> Any:
        """The board as text, as an image or as SVG."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: ansi, rgb_array or svg")
            return None
        game = self.native.game()
        rows = game.picture()
        if self.render_mode == "rgb_array":
            return common.picture(rows)
        if self.render_mode == "svg":
            return common.svg(rows)
        waiting = "".join([game.piece or "-", *game.queue])
        return common.text(rows, f"{waiting} {game.lines} lines, {game.pieces} pieces")

    def close(self) -> None:
        """Ends the environment; it can be closed more than once."""
        self._native = None


class PlacementEnv(TetrolabEnv):
    """``tetrolab/Placement-v0``: an action places a piece."""

    kind = "placement"


class AfterstatesEnv(TetrolabEnv):
    """``tetrolab/Afterstates-v0``: an action selects one of the boards that are observed.

    ``boards`` (with ``board="cells"``), ``features``, ``lines`` (that the step clears) and ``over``
    (whether it ends the game) have one row for each action; ``mask`` says which rows are valid.
    """

    kind = "afterstates"


class KeysEnv(TetrolabEnv):
    """``tetrolab/Keys-v0``: an action presses a key in one tick of a stepped game.

    In ``board``, 2 is the falling piece.
    """

    kind = "keys"

    def __init__(self, ruleset: str | _native.Ruleset = "guideline", **options: Any) -> None:
        super().__init__(ruleset, **options)


__all__ = ["AfterstatesEnv", "KeysEnv", "PlacementEnv", "TetrolabEnv"]
