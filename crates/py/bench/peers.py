"""The same kind of play in other packages, for `speed.py`: random legal placements with resets.

    pip install jumanji tetris-gymnasium envpool

Each function returns a workload, or raises ImportError where its package is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Workload = Callable[[int], int]
"""Makes about this many steps, and says how many placements they were."""


def jumanji(games: int) -> Workload:
    """`Tetris-v0` of jumanji (JAX), many games in one compiled step on boards of 20 x 10."""
    import jax
    from jumanji.environments.packing.tetris.env import Tetris
    from jumanji.wrappers import VmapAutoResetWrapper

    env: Any = VmapAutoResetWrapper(Tetris(num_rows=20, num_cols=10))
    keys = jax.random.split(jax.random.PRNGKey(1), games)
    state, timestep = jax.jit(env.reset)(keys)

    @jax.jit
    def step(state: Any, timestep: Any, key: Any) -> Any:
        import jax.numpy as jnp

        mask = timestep.observation.action_mask.reshape(games, -1)
        columns = timestep.observation.action_mask.shape[2]
        chosen = jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf))
        actions = jnp.stack([chosen // columns, chosen % columns], axis=1)
        return env.step(state, actions)

    key = jax.random.PRNGKey(2)
    state, timestep = step(state, timestep, key)
    jax.block_until_ready(timestep.reward)

    def run(steps: int) -> int:
        nonlocal state, timestep, key
        for _ in range(steps):
            key, use = jax.random.split(key)
            state, timestep = step(state, timestep, use)
        jax.block_until_ready(timestep.reward)
        return steps * games

    return run


def tetris_gymnasium() -> Workload:
    """Grouped actions of Tetris-Gymnasium: one environment, an action places a piece."""
    import gymnasium
    import numpy as np
    from tetris_gymnasium.envs.tetris import Tetris
    from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

    env: Any = GroupedActionsObservations(gymnasium.make("tetris_gymnasium/Tetris"))
    assert Tetris is not None  # its import registers the environment
    _, info = env.reset(seed=1)
    chooser = np.random.default_rng(1)

    def run(steps: int) -> int:
        nonlocal info
        for _ in range(steps):
            legal = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(int(chooser.choice(legal)))
            if terminated or truncated:
                _, info = env.reset()
        return steps

    return run


def envpool(games: int) -> Workload:
    """`Jumanji/Tetris-v0` of envpool (C++), many games on one thread, on boards of 10 x 10."""
    import envpool as pool
    import numpy as np

    envs: Any = pool.make(
        "Jumanji/Tetris-v0", env_type="gymnasium", num_envs=games, num_threads=1
    )
    observations, _ = envs.reset()
    chooser = np.random.default_rng(1)

    def run(steps: int) -> int:
        nonlocal observations
        for _ in range(steps):
            mask = observations["action_mask"].reshape(games, -1)
            chosen = (chooser.random(mask.shape, np.float32) * mask).argmax(axis=1)
            actions = np.stack([chosen // 10, chosen % 10], axis=1).astype(np.int32)
            observations, *_ = envs.step(actions)
        return steps * games

    return run
