"""Environments: the protocol of Gymnasium, masks, seeds, and games that are the library's."""

import copy
import hashlib
import itertools
import os
import subprocess
import sys
import threading
import warnings
from collections import Counter

import gymnasium
import numpy as np
import pytest
import tetrolab
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from tetrolab import errors
from tetrolab.envs import (
    AfterstatesEnv,
    AfterstatesVectorEnv,
    KeysEnv,
    KeysVectorEnv,
    PlacementEnv,
    PlacementVectorEnv,
)

# The size of the tests that can be of any size: FULL=1 takes minutes.
FULL = bool(os.environ.get("FULL"))

DROPS = [
    "simplified-10x20", "simplified-10x10", "simplified-4x4", "simplified-16x40",
    "simplified-7x12(randomizer=bag)", "simplified-hard-6x12", "two-piece-10x20",
    "simplified-10x20(preview=6)", "near-perfect", "thesis",
    "simplified-10x20(end=top-row)", "simplified-8x8(end=above-top-after-clearing)",
    "simplified-5x9(end=entry-blocked,randomizer=tgm)",
]
STEPPED = [
    "guideline", "nes", "tgm", "tgm3", "near-perfect-stepped", "thesis-stepped",
    "guideline(preview=0)",
]
RULESETS = DROPS + STEPPED
KEYS = [
    *STEPPED, "guideline(preview=1)", "guideline(randomizer=uniform)", "guideline(level=9)",
    "nes(level=18)", "nes(randomizer=bag)", "nes(preview=2)", "tgm(level=300)", "tgm(preview=3)",
    "tgm3(preview=0)", "tgm3(randomizer=bag)", "thesis-stepped(preview=2)",
    "thesis-stepped(randomizer=uniform)", "near-perfect-stepped(randomizer=nes)",
]
CHECKED = [
    *itertools.product(["Placement", "Afterstates"], RULESETS),
    *itertools.product(["Keys"], KEYS),
]


@pytest.mark.parametrize(("name", "ruleset"), CHECKED)
def test_the_checker_of_gymnasium_is_silent(name, ruleset):
    options = {"features": "bcts", "board": None} if name == "Afterstates" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"tetrolab/{name}-v0", ruleset=ruleset, **options)
        check_env(env.unwrapped)


def random_positions(ruleset, games, **options):
    """Games of random legal actions, position by position."""
    env = PlacementEnv(ruleset, **options)
    chooser = np.random.default_rng(1)
    for seed in range(games):
        observation, info = env.reset(seed=seed)
        ended = False
        while not ended:
            yield env, observation, info
            action = chooser.choice(np.flatnonzero(info["action_mask"]))
            observation, _, terminated, truncated, info = env.step(action)
            ended = terminated or truncated


def action_of(placement, width, rows, piece):
    """The number of a placement of the library."""
    turned = "nesw".index(placement[1]) + 4 * (placement[0] != piece)
    if rows is None:
        return turned * width + int(placement[2:])
    column, row = placement[2:].rstrip("mf").split("@")
    return (turned * width + int(column)) * rows + int(row)


@pytest.mark.parametrize("ruleset", [*DROPS, *STEPPED])
def test_masks_are_exactly_the_legal_placements(ruleset):
    rules = tetrolab.Ruleset(ruleset)
    rows = rules.height + 4 if rules.is_stepped else None
    # With FULL=1 these are 100,000 positions.
    wanted = 5000 if FULL else 60
    positions = itertools.islice(random_positions(ruleset, 10**6, max_steps=40), wanted)
    for env, observation, info in positions:
        game = env.game()
        placements = game.placements()
        legal = {action_of(each, rules.width, rows, game.piece) for each in placements}
        assert set(np.flatnonzero(info["action_mask"])) == legal
        assert (observation["mask"] == info["action_mask"]).all()
        assert (env.action_masks() == (info["action_mask"] == 1)).all()
        assert (observation["board"] == game.board).all()


def test_a_hundred_thousand_masks_have_the_placements_of_their_piece():
    counts = {"I": 17, "O": 9, "T": 34, "Z": 17, "S": 17, "J": 34, "L": 34}
    expected = np.array([counts[piece] for piece in "IOTZSJL"])
    envs = PlacementVectorEnv(1000, pieces="index", autoreset_mode="SameStep")
    observations, _ = envs.reset(seed=1)
    for _ in range(100):
        piece = observations["pieces"][:, 0]
        assert (observations["mask"].sum(axis=1) == expected[piece]).all()
        observations, *_ = envs.step(envs.sample_actions())


@pytest.mark.parametrize("ruleset", ["simplified-6x8", "two-piece-10x10", "thesis", "tgm"])
def test_an_episode_is_the_game_of_the_library(ruleset):
    player = tetrolab.Player("bcts", ruleset)
    rules = tetrolab.Ruleset(ruleset)
    rows = rules.height + 4 if rules.is_stepped else None
    env = PlacementEnv(ruleset, illegal="raise", max_steps=150)
    for index in range(2):
        env.reset(seed=5, options={"index": index})
        game = tetrolab.Game(ruleset, seed=5, index=index)
        ended = False
        while not ended:
            assert env.game().piece == game.piece and env.game().rows == game.rows
            placement = player.choose(game)
            lines = game.place(placement)
            action = action_of(placement, rules.width, rows, placement[0])
            _, reward, terminated, truncated, info = env.step(action)
            assert reward == lines and info["lines"] == game.lines
            assert terminated == (game.status == "over")
            ended = terminated or truncated


def test_resets_go_on_with_the_next_game_of_the_seed():
    env = PlacementEnv("simplified-10x20")
    _, info = env.reset(seed=4)
    assert (info["seed"], info["index"]) == (4, 0)
    _, info = env.reset()
    assert (info["seed"], info["index"]) == (4, 1)
    assert env.game().piece == tetrolab.Game("simplified-10x20", seed=4, index=1).piece
    _, first = PlacementEnv().reset()
    _, second = PlacementEnv().reset()
    assert first["seed"] != second["seed"]


def test_afterstates_lead_where_they_say():
    env = gymnasium.make(
        "tetrolab/Afterstates-v0", ruleset="simplified-8x10", features="bcts"
    ).unwrapped
    observation, _ = env.reset(seed=3)
    chooser = np.random.default_rng(3)
    ended = False
    while not ended:
        action = int(chooser.choice(np.flatnonzero(observation["mask"])))
        game = env.game()
        assert observation["mask"].sum() == len(game.placements())
        board, lines = observation["boards"][action].copy(), observation["lines"][action]
        over = observation["over"][action]
        observation, reward, terminated, _, _ = env.step(action)
        assert reward == lines and terminated == bool(over)
        if not terminated:
            assert (env.game().board == board).all()
        ended = terminated


def test_large_features_are_in_the_space():
    env = PlacementEnv("simplified-16x40", board=None, features="xtris_embedded_holes")
    observation, info = env.reset(seed=3)
    chooser, largest, ended = np.random.default_rng(3), 0.0, False
    while not ended:
        action = chooser.choice(np.flatnonzero(info["action_mask"]))
        observation, _, ended, _, info = env.step(action)
        assert env.observation_space.contains(observation)
        largest = max(largest, observation["features"][0])
    assert largest > 1e9


def test_features_of_afterstates_are_those_of_the_library():
    env = gymnasium.make(
        "tetrolab/Afterstates-v0", ruleset="simplified-10x20", features="bcts"
    ).unwrapped
    env.reset(seed=1)
    for action in [0, 5, 9, 3]:
        observation = env.step(action)[0]
    game = env.game()
    cases = [
        {"width": 10, "height": 20, "rows": game.rows, "piece": game.piece,
         "cells": game.cells(placement)}
        for placement in game.placements()
    ]
    for row, expected in enumerate(tetrolab.features(cases, "bcts")):
        values = list(expected.features.to_dict().values())
        assert np.allclose(observation["features"][row], values)


KINDS = {
    "placement": (PlacementEnv, PlacementVectorEnv, {"ruleset": "simplified-6x8"}),
    "features": (
        AfterstatesEnv, AfterstatesVectorEnv,
        {"ruleset": "simplified-6x8", "board": None, "features": "holes,landing_height,column_heights,total_lines,diversity"},
    ),
    "shown": (
        AfterstatesEnv, AfterstatesVectorEnv,
        {"ruleset": "two-piece-10x10", "board": None, "features": "thesis-6", "max_steps": 9},
    ),
    "boards": (
        AfterstatesEnv, AfterstatesVectorEnv, {"ruleset": "simplified-6x8", "features": "holes"},
    ),
    "stepped": (
        AfterstatesEnv, AfterstatesVectorEnv,
        {"ruleset": "guideline", "board": None, "features": "bcts", "max_steps": 7},
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("threads", [1, 3])
def test_vectors_do_what_single_environments_do(kind, mode, threads):
    count, seed = 19, 11
    make, make_vector, options = KINDS[kind]
    single = [make(**options) for _ in range(count)]
    envs = make_vector(count, autoreset_mode=mode, threads=threads, **options)
    observations, _ = envs.reset(seed=seed)
    own = [env.reset(seed=seed + i)[0] for i, env in enumerate(single)]
    ended = [False] * count
    for _ in range(80):
        for i in range(count):
            for name, array in observations.items():
                assert (array[i] == own[i][name]).all(), name
        actions = envs.sample_actions()
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for i, env in enumerate(single):
            if ended[i]:
                own[i], _ = env.reset()
                ended[i] = False
                assert rewards[i] == 0 and not terminated[i]
                continue
            own[i], reward, over, cut, info = env.step(actions[i])
            assert reward == rewards[i] and over == terminated[i] and cut == truncated[i]
            if not (over or cut):
                assert infos["lines"][i] == info["lines"]
            elif mode is AutoresetMode.NEXT_STEP:
                ended[i] = True
            elif mode is AutoresetMode.SAME_STEP:
                assert infos["_final_obs"][i]
                for name, array in infos["final_obs"][i].items():
                    assert (array == own[i][name]).all(), name
                assert infos["final_info"]["lines"][i] == info["lines"]
                own[i], _ = env.reset()
        over = terminated | truncated
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(errors.ActionError, match="has ended"):
                envs.step(actions)
            observations, _ = envs.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                own[i], _ = single[i].reset()


def trajectory(count, threads, steps=60):
    """A hash of what environments with these seeds observe."""
    envs = PlacementVectorEnv(
        count, "simplified-10x10", threads=threads, autoreset_mode="SameStep"
    )
    observations, _ = envs.reset(seed=100)
    hashes = [hashlib.sha256() for _ in range(count)]
    for step in range(steps):
        masks = observations["mask"]
        actions = [np.flatnonzero(mask)[step % mask.sum()] for mask in masks]
        observations, rewards, *_ = envs.step(np.array(actions))
        for i, each in enumerate(hashes):
            each.update(observations["board"][i].tobytes() + rewards[i].tobytes())
    return [each.hexdigest()[:16] for each in hashes]


def test_neither_batch_size_nor_threads_matter_and_trajectories_have_published_hashes():
    assert trajectory(3, 1) == trajectory(9, 4)[:3]
    assert trajectory(3, 1) == PUBLISHED


# Of the seeds 100, 101 and 102: they change only if a game does.
PUBLISHED = ["c1a768c1b9514b89", "4f1c10bcbee52ecd", "7908fb8d298d69b4"]


def test_truncation_is_not_termination():
    env = PlacementEnv("simplified-10x20", max_steps=3)
    env.reset(seed=1)
    ends = [env.step(0)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    with pytest.raises(errors.ActionError, match="has ended"):
        env.step(0)
    env = PlacementEnv("simplified-10x20(randomizer=fixed(IO,then=end))")
    env.reset(seed=1)
    ends = [env.step(0)[2:4] for _ in range(2)]
    assert ends[-1] == (False, True)
    made = gymnasium.make_vec("tetrolab/Placement-v0", num_envs=2, max_episode_steps=2)
    made.reset(seed=1)
    made.step([0, 0])
    assert made.step([0, 0])[3].tolist() == [True, True]


def test_buffers_are_copied_unless_asked_otherwise():
    envs = PlacementVectorEnv(4)
    first, _ = envs.reset(seed=1)
    kept = first["board"].copy()
    second = envs.step(envs.sample_actions())[0]
    assert (first["board"] == kept).all() and second["board"] is not first["board"]
    envs = PlacementVectorEnv(4, copy=False)
    first, _ = envs.reset(seed=1)
    second = envs.step(envs.sample_actions())[0]
    assert second["board"] is first["board"] and not (first["board"] == kept).all()


def test_rewards():
    for reward, expected in [("lines", 0), ("points", 0), ("survival", 1)]:
        env = PlacementEnv("simplified-10x20", reward=reward)
        env.reset(seed=1)
        assert env.step(0)[1] == expected
    env = PlacementEnv(reward=lambda step: 7.0 * step["terminated"] - 1)
    env.reset(seed=1)
    assert env.step(0)[1] == -1
    envs = PlacementVectorEnv(3, reward=lambda steps: steps["lines"] - 1)
    envs.reset(seed=1)
    assert envs.step([0, 0, 0])[1].tolist() == [-1, -1, -1]


def test_shaping_adds_up_to_nothing():
    plain, shaped = PlacementEnv("simplified-6x8"), PlacementEnv("simplified-6x8", shaping="bcts")
    plain.reset(seed=2)
    shaped.reset(seed=2)
    totals, ended, nonzero = [0.0, 0.0], False, False
    while not ended:
        action = int(np.flatnonzero(plain.action_masks())[0])
        rewards = plain.step(action)[1], shaped.step(action)
        totals[0] += rewards[0]
        totals[1] += rewards[1][1]
        nonzero |= rewards[1][1] != rewards[0]
        ended = rewards[1][2]
    assert nonzero and totals[1] == pytest.approx(totals[0])


def test_states_can_be_kept_and_restored():
    env = PlacementEnv("two-piece-10x20")
    env.reset(seed=1)
    for _ in range(5):
        env.step(3)
    state, before = env.get_state(), env.game().rows
    ends = []
    for _ in range(2):
        env.set_state(state)
        assert env.game().rows == before
        for action in [1, 2, 3]:
            env.step(action)
        ends.append((env.game().rows, env.game().piece))
    assert ends[0] == ends[1]
    envs = PlacementVectorEnv(3)
    envs.reset(seed=1)
    state = envs.get_state()
    one = envs.step([1, 2, 3])[0]
    envs.set_state(state)
    other = envs.step([1, 2, 3])[0]
    assert (one["board"] == other["board"]).all()


def test_states_of_other_environments_are_refused():
    state = PlacementEnv("simplified-10x20").get_state()
    PlacementEnv("simplified-10x20").set_state(state)
    others = [
        PlacementEnv("simplified-10x20(preview=1)"), PlacementEnv("simplified-10x20(randomizer=bag)"),
        PlacementEnv("simplified-10x20", max_steps=5), PlacementEnv("simplified-10x20", reward="points"),
        PlacementVectorEnv(1, "simplified-10x20", autoreset_mode="Disabled"),
    ]
    for env in others:
        for wrong in [state, None, (1, 2, 3, 4), "state"]:
            with pytest.raises(errors.InputError, match="state"):
                env.set_state(wrong)
        env.reset(seed=1)
    vector = PlacementVectorEnv(2).get_state()
    with pytest.raises(errors.InputError, match="state"):
        PlacementVectorEnv(3).set_state(vector)
    with pytest.raises(errors.InputError, match="state"):
        PlacementVectorEnv(2, autoreset_mode="SameStep").set_state(vector)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_own_rewards_of_episodes_that_begin_again(mode):
    seen = []

    def reward(steps):
        seen.append(steps["observations"]["board"].sum(axis=(1, 2)).tolist())
        return np.ones(4)

    envs = PlacementVectorEnv(4, "simplified-6x8", max_steps=3, reward=reward, autoreset_mode=mode)
    envs.reset(seed=1)
    rewards = [envs.step(np.zeros(4, np.int64))[1].tolist() for _ in range(6)]
    if mode == "NextStep":
        # The fourth step only begins the next episode.
        assert rewards == [[1.0] * 4] * 3 + [[0.0] * 4] + [[1.0] * 4] * 2
    else:
        assert rewards == [[1.0] * 4] * 6
        # The function sees the last boards of episodes, not the empty ones of the next.
        assert all(cells > 4 for cells in seen[2] + seen[5]) and seen[3] == [4, 4, 4, 4]


def test_shaping_is_added_to_own_rewards():
    options = {"ruleset": "simplified-6x8", "shaping": "bcts"}
    named, own = PlacementEnv(**options), PlacementEnv(reward=lambda step: step["lines"], **options)
    several = PlacementVectorEnv(1, reward=lambda steps: steps["lines"], **options)
    for env in [named, own, several]:
        env.reset(seed=5)
    for _ in range(10):
        action = int(np.flatnonzero(named.action_masks())[-1])
        expected = named.step(action)
        assert own.step(action)[1] == expected[1]
        assert several.step([action])[1].tolist() == [expected[1]]
        if expected[2]:
            break


def test_infos_share_no_arrays():
    envs = PlacementVectorEnv(3, "simplified-6x8", max_steps=1, autoreset_mode="SameStep")
    infos = [envs.reset(seed=1)[1], envs.step([0, 0, 0])[4], envs.step([0, 0, 0])[4]]
    arrays = []
    for info in infos:
        arrays += [value for value in info.values() if isinstance(value, np.ndarray)]
        arrays += list(info.get("final_info", {}).values())
    assert not any(np.shares_memory(one, two) for one, two in itertools.combinations(arrays, 2))


def test_packed_boards_of_keys_have_the_piece_that_falls():
    cells, packed = KeysEnv("guideline"), KeysEnv("guideline", board="packed")
    one, other = cells.reset(seed=3)[0], packed.reset(seed=3)[0]
    for tick in range(300):
        height, width = one["board"].shape
        rows = np.arange(height - 1, -1, -1)[:, None].astype(np.uint64)
        fallen = other["columns"][None, :] >> rows & np.uint64(1)
        falling = other["falling"][None, :] >> rows & np.uint64(1)
        assert (fallen + np.uint64(2) * falling == one["board"]).all()
        assert packed.observation_space.contains(other)
        action = [0, 1, 3, 7, 8][tick % 5]
        (one, *_), (other, _, over, *_) = cells.step(action), packed.step(action)
        if over:
            break


def test_a_game_in_mid_fall_is_played_on():
    env = KeysEnv("guideline")
    chooser = np.random.default_rng(1)
    player = tetrolab.Player("bcts", "guideline")
    for start in range(12):
        env.reset(seed=start)
        for _ in range(int(chooser.integers(1, 400))):
            if env.step(int(chooser.integers(9)))[2]:
                break
        game = env.game()
        if game.status != "playing":
            continue
        for placement in game.placements():
            game.clone().place(placement)
        before = game.pieces
        try:
            game.clone().place(player.choose(game))
        except errors.ActionError as error:
            assert "no piece is falling" in str(error)
        game.play(player, pieces=5)
        assert game.pieces == before + 5 or game.status != "playing"


def test_the_piece_distribution_is_that_of_the_randomizer():
    pieces = Counter()
    envs = PlacementVectorEnv(256, pieces="index", autoreset_mode="SameStep")
    observations, _ = envs.reset(seed=1)
    for _ in range(100):
        pieces.update(observations["pieces"][:, 0].tolist())
        observations, *_ = envs.step(envs.sample_actions())
    expected = sum(pieces.values()) / 7
    assert sum((count - expected) ** 2 / expected for count in pieces.values()) < 30
    envs = PlacementVectorEnv(64, "simplified-10x20(randomizer=bag)", pieces="index")
    observations, _ = envs.reset(seed=1)
    bags = []
    for _ in range(7):
        bags.append(observations["pieces"][:, 0])
        observations, *_ = envs.step(envs.sample_actions())
    assert (np.sort(np.array(bags), axis=0) == np.arange(7)[:, None]).all()


def test_keys_move_pieces():
    env = KeysEnv("guideline")
    observation, _ = env.reset(seed=1)
    assert (observation["board"] == 2).sum() == 4
    terminated, total = False, 0
    for tick in range(5000):
        observation, reward, terminated, truncated, _ = env.step(7 if tick % 2 else 0)
        total += reward
        if terminated:
            break
    assert terminated and env.game().pieces > 5
    with pytest.raises(errors.SpecificationError, match="no keys to press"):
        KeysEnv("simplified-10x20")
    assert KeysVectorEnv(2).single_action_space.n == 9


@pytest.mark.parametrize("name", ["Placement", "Afterstates"])
def test_rendering(name):
    for mode in ["ansi", "rgb_array", "svg"]:
        env = gymnasium.make(f"tetrolab/{name}-v0", ruleset="simplified-6x8", render_mode=mode)
        env.reset(seed=1)
        env.step(0)
        shown = env.render()
        if mode == "rgb_array":
            assert shown.shape == (96, 72, 3) and shown.dtype == np.uint8
        else:
            assert isinstance(shown, str) and len(shown) > 50
        env.close()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: PlacementEnv("simplifyed"), errors.SpecificationError, "simplified"),
        (lambda: PlacementEnv(board="pixels"), errors.InputError, "pixels"),
        (lambda: PlacementEnv(features="hole"), errors.SpecificationError, "holes"),
        (lambda: PlacementEnv(reward="fame"), errors.InputError, "fame"),
        (lambda: PlacementEnv(reward=3), errors.InputError, "reward"),
        (lambda: PlacementEnv(shaping="bctz"), errors.SpecificationError, "bcts"),
        (lambda: PlacementEnv(shaping="bcts", shaping_scale=float("nan")), errors.InputError,
         "finite"),
        (lambda: PlacementEnv(max_steps=0), errors.InputError, "at least one"),
        (lambda: PlacementEnv(render_mode="human"), errors.InputError, "human"),
        (lambda: PlacementEnv().reset(seed=-1), errors.InputError, "seed"),
        (lambda: PlacementEnv().reset(seed=2**64), errors.InputError, "seed"),
        (lambda: PlacementEnv().step(0), gymnasium.error.ResetNeeded, "reset"),
        (lambda: PlacementVectorEnv(0), errors.InputError, "environments"),
        (lambda: PlacementVectorEnv(2, threads=0), errors.InputError, "threads"),
        (lambda: PlacementVectorEnv(2).reset(seed=[1]), errors.InputError, "2 seeds"),
        (lambda: PlacementVectorEnv(2).step([0, 0]), gymnasium.error.ResetNeeded, "reset"),
        (lambda: AfterstatesVectorEnv(2, board=None), errors.InputError, "afterstates"),
    ],
)
def test_wrong_environments_raise_typed_exceptions(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_wrong_actions_change_nothing():
    env = PlacementEnv("simplified-10x20", illegal="raise")
    env.reset(seed=1)
    for action in [-1, 40, 2**40]:
        with pytest.raises(errors.ActionError, match="expected an action from 0 to 39"):
            env.step(action)
    illegal = int(np.flatnonzero(env.action_masks() == 0)[0])
    with pytest.raises(errors.ActionError, match="not legal"):
        env.step(illegal)
    with pytest.raises(TypeError):
        env.step(1.5)
    with pytest.raises(TypeError):
        env.step("0")
    assert env.game().pieces == 0
    env.close()
    env.close()
    with pytest.raises(errors.ClosedEnvironment):
        env.step(0)
    with pytest.raises(errors.ClosedEnvironment):
        env.reset()
    envs = PlacementVectorEnv(2, illegal="raise")
    envs.reset(seed=1)
    for actions in [[0.5, 0.5], [0], [[0, 0]], np.array([True, False])]:
        with pytest.raises(errors.InputError, match="actions"):
            envs.step(actions)
    with pytest.raises(errors.ActionError, match="game 1"):
        envs.step([0, 99])
    assert envs.game(0).pieces == 0
    envs.step(np.array([0, 0], np.uint8))
    assert envs.game(0).pieces == 1
    others = PlacementVectorEnv(2)
    masks = others.reset(seed=1)[0]["mask"]
    mixed = [int(np.flatnonzero(masks[0])[0]), int(np.flatnonzero(masks[1] == 0)[0])]
    assert others.step(mixed)[4]["legal"].tolist() == [True, False]
    envs.close()
    with pytest.raises(errors.ClosedEnvironment):
        envs.step([0, 0])


def test_two_threads_cannot_use_the_same_environments():
    envs = PlacementVectorEnv(4096, copy=False, autoreset_mode="SameStep")
    envs.reset(seed=1)
    actions = np.zeros(4096, np.int64)
    problems, stop = [], threading.Event()

    def step():
        while not stop.is_set():
            try:
                envs.step(actions)
            except Exception as error:
                problems.append(error)
                stop.set()

    threads = [threading.Thread(target=step) for _ in range(4)]
    for thread in threads:
        thread.start()
    stop.wait(10)
    stop.set()
    for thread in threads:
        thread.join()
    assert problems and all(type(each) is errors.EnvironmentInUse for each in problems)
    envs.step(actions)


FORKS = """
import os, sys
import tetrolab
from tetrolab.envs import PlacementVectorEnv

def play():
    envs = PlacementVectorEnv(64, "simplified-6x8", threads=2)
    envs.reset(seed=1)
    for _ in range(20):
        envs.step(envs.sample_actions(seed=1))
    lines = tetrolab.evaluate("bcts", ruleset="simplified-6x8", games=20, threads=2)
    return f"{envs.game(0).rows} {lines['bcts'].lines.mean}"

before = play()
child = os.fork()
if child == 0:
    os._exit(0 if play() == before else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_forked_processes_play_on():
    subprocess.run([sys.executable, "-c", FORKS], check=True, timeout=60)


def test_states_are_their_own_copies():
    env = PlacementEnv()
    env.reset(seed=1)
    state = copy.deepcopy(env.get_state())
    before = env.game().rows
    env.step(0)
    env.set_state(state)
    assert env.game().rows == before


def resident():
    """Bytes of memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory of the process")
@pytest.mark.parametrize("copies", [False, True])
def test_memory_of_vectors_does_not_grow(copies):
    envs = [
        PlacementVectorEnv(256, copy=copies, autoreset_mode="SameStep"),
        AfterstatesVectorEnv(256, board=None, features="bcts", copy=copies),
        PlacementVectorEnv(16, "guideline", copy=copies),
    ]
    for each in envs:
        each.reset(seed=1)

    def run(steps):
        for each in envs:
            for _ in range(steps):
                each.step(each.sample_actions())
        return resident()

    before = run(100)
    # With FULL=1 these are 10 million steps, twice.
    assert run(19_000 if FULL else 300) - before < 4_000_000


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory of the process")
def test_memory_of_single_environments_does_not_grow():
    def run(steps):
        for env in [PlacementEnv(), KeysEnv(), AfterstatesEnv(features="bcts")]:
            env.reset(seed=1)
            for _ in range(steps):
                if env.step(env.action_space.sample(env.action_masks().astype(np.int8)))[2]:
                    env.reset()
            env.get_state()
        return resident()

    before = run(500)
    assert run(100_000 if FULL else 2000) - before < 4_000_000
