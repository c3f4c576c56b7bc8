"""Studies from Python: the same digits as the program, plain results, typed errors."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
import tetrolab
from tetrolab import errors

PROGRAM = os.environ.get("TETROLAB_PROGRAM") or shutil.which("tetrolab")


def without_time(result):
    """What does not depend on the machine."""
    times = {"decisions_per_second", "seconds", "command"}
    return {name: value for name, value in result.items() if name not in times}


def test_an_evaluation_has_the_digits_of_the_command_line():
    if PROGRAM is None:
        pytest.skip("set TETROLAB_PROGRAM to the program")
    arguments = ["bcts", "dellacherie", "--ruleset", "simplified-6x10", "--games", "60"]
    command = [PROGRAM, "eval", *arguments, "--seed", "5", "--json"]
    printed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    result = tetrolab.evaluate(
        "bcts", "dellacherie", ruleset="simplified-6x10", games=60, seed=5, threads=2
    )
    own = result.to_dict()
    assert [without_time(row) for row in own["results"]] == [
        without_time(row) for row in printed["results"]
    ]
    assert own["comparisons"] == printed["comparisons"]


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_the_kernel_do_not_change_a_result(threads):
    arguments = {"ruleset": "simplified-6x8", "games": 40, "seed": 3}
    one = tetrolab.evaluate("bcts", **arguments, threads=1)
    other = tetrolab.evaluate("bcts", **arguments, threads=threads, kernel=False)
    assert without_time(one[0].to_dict()) == without_time(other[0].to_dict())


def test_splitting_can_be_asked_for():
    result = tetrolab.evaluate("bcts", ruleset="simplified-6x8", repetitions=2, trajectories=100)
    assert result[0].method == "splitting"
    assert result[0].repetitions == 2


def test_results_are_plain_objects():
    result = tetrolab.evaluate("bcts", "random", ruleset="simplified-6x8", games=20)
    assert len(result) == 2
    assert [row.player for row in result] == ["bcts", "random"]
    assert result["random"].lines.mean < result["bcts"].lines.mean
    low, high = result["bcts"].lines.ci95
    assert low < result["bcts"].lines.mean < high
    assert result.comparisons[0].games == 20
    assert tetrolab.Evaluated.from_json(result.to_json()) == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert "<table>" in result._repr_html_()
    with pytest.raises(AttributeError, match="has no field 'line'"):
        result[0].line  # noqa: B018
    with pytest.raises(KeyError, match="there are results of bcts, random"):
        result["dt-10"]


def test_a_result_is_a_table_of_pandas():
    pytest.importorskip("pandas")
    result = tetrolab.evaluate("bcts", "random", ruleset="simplified-6x8", games=20)
    table = result.to_pandas()
    assert list(table["player"]) == ["bcts", "random"]
    assert table["lines.mean"][0] == result[0].lines.mean


def test_a_comparison_is_decided():
    compared = tetrolab.compare("bcts", "random", ruleset="simplified-6x8")
    assert compared.verdict == "first"
    assert compared.ratio.first_to_second > 1


def test_a_run_learns_is_refused_twice_and_is_shown_again(tmp_path):
    settings = {
        "ruleset": "simplified-6x8",
        "features": "dellacherie",
        "games": 3,
        "max_pieces": 300,
        "budget": {"generations": 3},
        "run": tmp_path / "mine",
    }
    events = []
    learned = tetrolab.learn("cma-es", **settings, on_event=events.append)
    assert learned.player == str(tmp_path / "mine" / "player.toml")
    assert [event["number"] for event in events if event["event"] == "generation"] == [0, 1, 2]
    again = tetrolab.learn(run=tmp_path / "mine", resume=True)
    assert again.finished_before and again.solutions == learned.solutions
    result = tetrolab.evaluate(learned.player, ruleset="simplified-6x8", games=5)
    assert result[0].games == 5


def test_an_analysis_has_a_drawing():
    analysed = tetrolab.analyse("dellacherie", "bcts", board="#.......##/##.#######", piece="T")
    assert [player.player for player in analysed.players] == ["dellacherie", "bcts"]
    assert analysed._repr_svg_().startswith("<svg")
    assert len(analysed.players[0].placements) == 3


def test_features_of_placements():
    placed = {
        "width": 4,
        "height": 4,
        "rows": ["....", "....", "....", "##.."],
        "piece": "O",
        "cells": [[0, 2], [0, 3], [1, 2], [1, 3]],
    }
    [row] = tetrolab.features([placed])
    assert row.lines == 1 and not row.game_over
    assert len(row.features.to_dict()) == len(tetrolab.parts("features"))
    with pytest.raises(errors.InputError, match="placement 0"):
        tetrolab.features([{"width": 4}])


def test_every_registry_is_listed():
    for kind in tetrolab.kinds():
        listed = tetrolab.parts(kind)
        assert listed and all(part.name and part.definition for part in listed)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: tetrolab.evaluate("bctz"), errors.SpecificationError, "did you mean 'bcts'"),
        (lambda: tetrolab.evaluate(), errors.InputError, "at least one player"),
        (lambda: tetrolab.evaluate("bcts", games=0), errors.StudyRefused, "game"),
        (lambda: tetrolab.evaluate("bcts", precision=float("nan")), errors.InputError, "finite"),
        (lambda: tetrolab.evaluate("bcts", precision=7.0), errors.StudyRefused, "precision"),
        (lambda: tetrolab.evaluate("bcts", seed=-1), errors.InputError, "seed|integer"),
        (lambda: tetrolab.evaluate("bcts", seed=2**70), OverflowError, "64 bits"),
        (lambda: tetrolab.evaluate("bcts", threads=0), errors.InputError, "threads"),
        (lambda: tetrolab.evaluate("bcts", games=3, precision=0.1), errors.InputError, "one"),
        (lambda: tetrolab.evaluate("no.toml", games=1), errors.PlayerFileError, "no.toml"),
        (lambda: tetrolab.evaluate(object(), games=1), TypeError, "object"),
        (lambda: tetrolab.Ruleset("simplified-99x2"), errors.SpecificationError, "99"),
        (lambda: tetrolab.parts("playerz"), errors.SpecificationError, "playerz"),
        (lambda: tetrolab.learn("nothing", run="x"), errors.SpecificationError, "nothing"),
        (lambda: tetrolab.learn("cma-es(sigmas=1)", run="x"), errors.SpecificationError, "sigmas"),
        (lambda: tetrolab.evaluate("bcts", games=9, level="danger"), errors.InputError, "level"),
        (lambda: tetrolab.evaluate("bcts", method="games", trajectories=9), errors.InputError,
         "trajectories"),
        (lambda: tetrolab.compare("bcts", "dt-10", method="games", level="danger"),
         errors.InputError, "level"),
        (lambda: tetrolab.learn(ruleset="simplified", layer=3), errors.InputError, "layer"),
        (lambda: tetrolab.reproduce("nothing"), errors.TetrolabError, "nothing"),
        (lambda: tetrolab.analyse(board="#x", piece="T"), errors.InputError, "row"),
        (lambda: tetrolab.evaluate("bcts", on_event=3), TypeError, "on_event"),
    ],
)
def test_wrong_input_raises_a_typed_exception(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_an_exception_of_the_callback_stops_the_study():
    def fail(event):
        raise LookupError(event["event"])

    began = time.monotonic()
    with pytest.raises(LookupError):
        tetrolab.evaluate("bcts", ruleset="simplified-10x20", games=1000, on_event=fail)
    assert time.monotonic() - began < 20


def test_other_threads_run_while_a_study_does():
    counted = 0
    study = threading.Thread(
        target=lambda: tetrolab.evaluate("bcts", ruleset="simplified-10x10", games=100, threads=1)
    )
    study.start()
    while study.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 3


INTERRUPTED = """
import tetrolab
print("begin", flush=True)
result = tetrolab.evaluate("bcts", ruleset="simplified-10x20", games=100000, threads=1)
print(result.interrupted, len(result))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_returns_what_is_known():
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "begin\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline().startswith("True")
        assert process.wait(20) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_can_study():
    tetrolab.evaluate("bcts", ruleset="simplified-6x8", games=2)
    child = os.fork()
    if child == 0:
        result = tetrolab.evaluate("bcts", ruleset="simplified-6x8", games=20, threads=2)
        os._exit(0 if result[0].games == 20 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
