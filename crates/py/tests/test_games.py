"""Games, players and rulesets as objects."""

import copy
import pickle
import random

import numpy as np
import pytest
import tetrolab
from tetrolab import errors


def test_a_ruleset_says_what_it_is():
    rules = tetrolab.Ruleset("simplified-7x12(randomizer=bag)")
    assert (rules.width, rules.height, rules.preview) == (7, 12, 0)
    assert not rules.is_stepped and not rules.has_hold
    assert tetrolab.Ruleset("guideline").has_hold
    assert tetrolab.Ruleset("thesis").end == "top-row"
    assert tetrolab.Ruleset("guideline").end is None
    assert pickle.loads(pickle.dumps(rules)) == rules and hash(rules) is not None


@pytest.mark.parametrize("ruleset", ["simplified-10x8", "two-piece-6x10", "guideline", "nes"])
def test_every_listed_placement_can_be_played(ruleset):
    chooser = random.Random(1)
    game = tetrolab.Game(ruleset, seed=3)
    for _ in range(40):
        if game.status != "playing":
            break
        placements = game.placements()
        assert len(placements) == len(set(placements))
        for placement in chooser.sample(placements, min(5, len(placements))):
            assert len(game.cells(placement)) == 4
            other = game.clone()
            other.place(placement)
            assert other.pieces == game.pieces + 1
        game.place(chooser.choice(placements))


def test_a_game_is_that_of_an_evaluation():
    result = tetrolab.evaluate("bcts", ruleset="simplified-6x8", games=1, seed=9)
    game = tetrolab.Game("simplified-6x8", seed=9)
    game.play(tetrolab.Player("bcts", "simplified-6x8"))
    assert game.status == "over"
    assert result[0].lines.mean == game.lines and result[0].pieces.mean == game.pieces


def test_choices_step_by_step_are_the_game():
    player = tetrolab.Player("bcts", "simplified-6x8")
    one, other = (tetrolab.Game("simplified-6x8", seed=2) for _ in range(2))
    one.play(player)
    while other.status == "playing":
        other.place(player.choose(other))
    assert (one.lines, one.pieces, one.rows) == (other.lines, other.pieces, other.rows)


def test_clones_share_their_future_and_forks_do_not():
    game = tetrolab.Game("simplified-10x20", seed=1)
    clones = [game.clone(), copy.copy(game), copy.deepcopy(game)]
    player = tetrolab.Player("bcts", "simplified-10x20")
    ends = []
    for each in [game, *clones, game.fork(7)]:
        each.play(player, pieces=200)
        ends.append(each.rows)
    assert ends[0] == ends[1] == ends[2] == ends[3] != ends[4]


def test_a_board_is_an_array():
    game = tetrolab.Game("simplified-10x20", seed=1)
    game.play(tetrolab.Player("bcts", "simplified-10x20"), pieces=10)
    assert game.board.dtype == np.uint8 and game.board.shape == (20, 10)
    drawn = ["".join("#" if cell else "." for cell in row) for row in game.board]
    assert drawn == game.rows == str(game).split("\n")


def test_a_player_says_what_it_thinks():
    game = tetrolab.Game("simplified-10x20", seed=1)
    player = tetrolab.Player("bcts", "simplified-10x20")
    thoughts = player.analyse(game, top=2)
    assert thoughts["player"] == "bcts" and len(thoughts["placements"]) == 2


def test_wrong_placements_and_players_are_refused():
    game = tetrolab.Game("simplified-10x20", seed=1)
    with pytest.raises(errors.ActionError, match="Xq9"):
        game.place("Xq9")
    other = next(letter for letter in "IOTZSJL" if letter != game.piece)
    with pytest.raises(errors.ActionError, match="the piece is"):
        game.place(f"{other}n0")
    with pytest.raises(errors.InputError, match="was created for"):
        game.play(tetrolab.Player("bcts", "simplified-6x8"))
    with pytest.raises(errors.InputError, match="forecast=True"):
        game.play(tetrolab.Player("expectimax(bcts,depth=2)", "simplified-10x20"))
    with pytest.raises(errors.TetrolabError, match="needs preview=1"):
        tetrolab.Player("two-piece(bcts)", "simplified-10x20")
    game.play(tetrolab.Player("random", "simplified-10x20"))
    assert game.piece is None and game.placements() == []
    with pytest.raises(errors.ActionError, match="has ended"):
        game.place("In0")
