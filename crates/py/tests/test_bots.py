"""Players in any language: programs that speak JSON lines, and objects of Python."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tetrolab
from tetrolab import errors

BOT = Path(__file__).parents[1] / "examples" / "bots" / "low_and_flat.py"
sys.path.insert(0, str(BOT.parent))

from low_and_flat import LowAndFlat  # noqa: E402

EXEC = f"exec({sys.executable} {BOT})"


@pytest.mark.parametrize("ruleset", ["simplified-6x8", "two-piece-6x8", "guideline"])
def test_a_bot_plays_the_same_games_as_a_program_and_as_an_object(ruleset):
    results = [
        tetrolab.evaluate(player, ruleset=ruleset, games=2, max_pieces=40, seed=3)[0]
        for player in [EXEC, LowAndFlat()]
    ]
    assert [result.player for result in results] == [EXEC, "LowAndFlat"]
    played = [(result.lines.mean, result.pieces_simulated, result.lines.max) for result in results]
    assert played[0] == played[1] and results[0].pieces_simulated > 10
    games = [tetrolab.Game(ruleset, seed=3) for _ in range(2)]
    for game, player in zip(games, [EXEC, LowAndFlat()], strict=True):
        game.play(tetrolab.Player(player, ruleset), pieces=15)
    assert games[0].rows == games[1].rows


def test_the_program_gives_the_digits_of_the_package():
    command = [os.environ["TETROLAB_PROGRAM"], "eval", EXEC, "--ruleset", "simplified-6x8"]
    shown = subprocess.run(
        [*command, "--games", "2", "--seed", "3", "--json"], capture_output=True, check=True, text=True
    ).stdout
    own = tetrolab.evaluate(LowAndFlat(), ruleset="simplified-6x8", games=2, seed=3)[0]
    assert f'"mean": {own.lines.mean}' in shown


def test_the_documented_messages_are_those_of_a_game(tmp_path):
    """The conformance test of the protocol: docs/how-to/write-a-bot.md has this game."""
    log = tmp_path / "log"
    code = tmp_path / "bot.py"
    code.write_text(
        "import json, sys\n"
        "log = open(sys.argv[1], 'w')\n"
        "for line in sys.stdin:\n"
        "    print('>', line, end='', file=log, flush=True)\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello':\n"
        "        answer = {'type': 'ready', 'protocol': 1}\n"
        "    elif message['type'] == 'decide':\n"
        "        answer = {'id': message['id'], 'placement': message['placements'][0]}\n"
        "    else:\n"
        "        continue\n"
        "    text = json.dumps(answer, separators=(',', ':'))\n"
        "    print('<', text, file=log, flush=True)\n"
        "    print(text, flush=True)\n"
    )
    bot = f"exec({sys.executable} {code} {log})"
    tetrolab.evaluate(bot, ruleset="simplified-6x8", games=1, max_pieces=1, threads=1)
    said = log.read_text().splitlines()
    page = (BOT.parents[4] / "docs" / "how-to" / "write-a-bot.md").read_text()
    documented = [line for line in page.splitlines() if line[:2] in ("> ", "< ")]
    assert len(said) == len(documented)
    for line, expected in zip(said, documented, strict=True):
        parts = expected.split("...")
        at = 0
        for part in parts:
            at = line.index(part, at) + len(part)
        assert line.startswith(parts[0]) and at == len(line)


def test_a_bot_is_compared_and_asked():
    compared = tetrolab.compare(LowAndFlat(), "random", ruleset="simplified-6x5", method="games")
    assert compared.verdict == "first" and compared.first == "LowAndFlat"
    for player in [LowAndFlat(), EXEC]:
        analysed = tetrolab.analyse(player, board="##.#######/##.#######", piece="I")
        assert analysed.players[0].placements[0].placement == "Ie2"


class Wrong:
    """A bot that does something else."""

    def __init__(self, choose):
        self.choose = choose


def _raise(position):
    raise ZeroDivisionError("of the bot")


@pytest.mark.parametrize(
    ("choose", "error", "text"),
    [
        (_raise, ZeroDivisionError, "of the bot"),
        (lambda position: 3, errors.InputError, "text of a placement"),
        (lambda position: "Xx9", errors.InputError, "legal placements"),
        (lambda: "Te3", TypeError, "positional argument"),
    ],
)
def test_objects_that_fail_raise_their_exception(choose, error, text):
    calls = [
        lambda: tetrolab.evaluate(Wrong(choose), ruleset="simplified-6x8", games=2),
        lambda: tetrolab.compare("bcts", Wrong(choose), ruleset="simplified-6x8", method="games"),
        lambda: tetrolab.analyse(Wrong(choose)),
        lambda: tetrolab.Game().play(tetrolab.Player(Wrong(choose))),
        lambda: tetrolab.Player(Wrong(choose)).choose(tetrolab.Game()),
    ]
    for call in calls:
        with pytest.raises(error, match=text):
            call()


@pytest.mark.parametrize("player", [3, None, LowAndFlat, object()])
def test_what_is_not_a_player_is_refused(player):
    for call in [tetrolab.evaluate, tetrolab.analyse, tetrolab.Player]:
        with pytest.raises((errors.InputError, TypeError), match="choose"):
            call(player)
    with pytest.raises(errors.InputError, match="different names"):
        tetrolab.evaluate(LowAndFlat(), LowAndFlat())


def program(text):
    """A program that runs this after its import of json and sys."""
    ready = "print(json.dumps({'type': 'ready', 'protocol': 1}), flush=True)"
    return f'exec(timeout=2,{sys.executable} -c "import json, sys, time; {ready}; {text}")'


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (program("time.sleep(60)"), "within 2 s, found no answer"),
        (program("sys.exit('out of ideas')"), "ended .*out of ideas"),
        (program("print('nonsense', flush=True); time.sleep(60)"), "as JSON, found"),
        (program("print('x' * 10**8, flush=True); time.sleep(60)"), "at most 65536 bytes"),
        ("exec(there-is-no-such-program)", "cannot be started"),
    ],
)
def test_programs_that_fail_raise_and_are_gone(player, text):
    calls = [
        lambda: tetrolab.evaluate(player, ruleset="simplified-6x8", games=2),
        lambda: tetrolab.Player(player).choose(tetrolab.Game()),
    ]
    for call in calls:
        with pytest.raises(errors.BotFailed, match=text):
            call()
    # No child is left, not even as a zombie.
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_programs_are_started_by_their_user_alone(tmp_path):
    trace = tmp_path / "started"
    player = f"exec(touch {trace})"
    with pytest.raises(errors.TetrolabError):
        tetrolab.learn("cross-entropy", player=player, run=tmp_path / "run")
    with pytest.raises(errors.TetrolabError):
        tetrolab.envs.PlacementEnv(shaping=player)
    assert not trace.exists()


@pytest.mark.parametrize("call", ["evaluate(BOT, games=1)", "Game().play(tetrolab.Player(BOT))"])
def test_ctrl_c_ends_a_program_that_hangs(call):
    slow = program("time.sleep(60)").replace("timeout=2", "timeout=50")
    # A process that was started in the background ignores the signal, unless it says otherwise.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        f"import tetrolab; BOT = {slow!r}; "
        f"print('ready', flush=True); tetrolab.{call}; print('end')"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout.readline() == "ready\n"
    time.sleep(1.0)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    if "Game" in call:
        assert "KeyboardInterrupt" in err
    else:
        assert out == "end\n", err
