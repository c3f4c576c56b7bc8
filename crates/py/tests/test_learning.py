"""Optimisers, and networks that were trained elsewhere."""

import numpy as np
import pytest
import tetrolab
from tetrolab import errors


def test_optimisers_are_those_of_the_laboratory():
    one, other = (tetrolab.Optimiser("cma-es", 3, seed=7) for _ in range(2))
    for _ in range(30):
        vectors = one.ask()
        assert (vectors == other.ask()).all() and vectors.shape[1] == 3
        for each in [one, other]:
            each.tell(-np.abs(vectors - 2).sum(axis=1))
    assert (one.solution == other.solution).all() and np.abs(one.solution - 2).max() < 0.5
    assert one.generations == 30 and one.spread > 0 and one.learner.startswith("cma-es(")
    names = [part.name for part in tetrolab.parts("learners")]
    made = 0
    for name in names:
        try:
            optimiser = tetrolab.Optimiser(name, 4)
        except errors.SpecificationError as error:
            assert "is not an optimiser" in str(error)
            continue
        optimiser.tell(optimiser.ask().sum(axis=1))
        made += 1
    assert made > 4


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: tetrolab.Optimiser("cma", 2), errors.SpecificationError, "cma"),
        (lambda: tetrolab.Optimiser("cma-es(sigmas=1)", 2), errors.SpecificationError, "sigmas"),
        (lambda: tetrolab.Optimiser("cma-es", 0), errors.InputError, "dimension"),
        (lambda: tetrolab.Optimiser("cma-es", 2).tell(np.zeros(3)), errors.StudyRefused, "ask"),
        (lambda: tetrolab.Optimiser("cma-es", 2).tell([0.0]), TypeError, "fitness"),
    ],
)
def test_wrong_optimisers_raise(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_an_optimiser_is_told_once_for_each_question():
    optimiser = tetrolab.Optimiser("cross-entropy", 2)
    vectors = optimiser.ask()
    with pytest.raises(errors.StudyRefused, match="already called"):
        optimiser.ask()
    with pytest.raises(errors.InputError, match="expected"):
        optimiser.tell(np.zeros(len(vectors) + 1))
    optimiser.tell(np.full(len(vectors), np.nan))
    optimiser.ask()


def test_a_network_comes_back_as_a_player(tmp_path):
    # -4 holes - well sums, in two layers: the first has both signs of each feature.
    first = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.float64)
    second = np.array([[-1, 1, -4, 4]])
    layers = [(first, np.zeros(4)), (second, np.zeros(1))]
    mine = tetrolab.save_network(tmp_path / "mine.toml", layers, features="well_sums,holes")
    linear = tmp_path / "linear.toml"
    linear.write_text(
        'name = "linear"\nfeatures = ["well_sums", "holes"]\n[weights]\nwell_sums = -1\nholes = -4\n'
    )
    results = [
        tetrolab.evaluate(player, ruleset="simplified-8x10", games=20, seed=2)[0]
        for player in [mine, str(linear)]
    ]
    assert results[0].lines.mean == results[1].lines.mean > 0
    for wrong, text in [
        ({"layers": [(np.zeros((2, 3)), np.zeros(3))]}, "do not fit"),
        ({"layers": [(np.full((1, 2), np.nan), np.zeros(1))]}, "nan|NaN|finite"),
        ({"layers": []}, "layer"),
        ({"layers": [(np.zeros(3), np.zeros(3))]}, "dimensions"),
        ({"activation": "tanh"}, "tanh"),
        ({"features": "well_sums,hole"}, "hole"),
        ({"player": "nobody"}, "nobody"),
    ]:
        options = {"layers": layers, "features": "well_sums,holes"} | wrong
        with pytest.raises(errors.TetrolabError, match=text):
            tetrolab.save_network(tmp_path / "other.toml", **options)
    assert not (tmp_path / "other.toml").exists()
    with pytest.raises(errors.InputError, match=".toml"):
        tetrolab.save_network(tmp_path / "other.txt", layers, features="well_sums,holes")
