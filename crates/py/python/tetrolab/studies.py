"""The studies: each takes a description, runs without the interpreter's lock, and returns a result.

All of them take these arguments: ``threads``, how many threads play (every core without it);
``kernel=False`` makes every decision on the general path, which never changes a result; ``on_event``
is called with a dictionary for each event of the study, on the thread that called. Ctrl-C stops a
study, and it returns what is known so far, with ``interrupted`` set; a second Ctrl-C raises
``KeyboardInterrupt``. An exception of ``on_event`` stops the study and is raised.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from . import _native
from . import clusters
from .clusters import Cluster
from .errors import InputError
from .results import Analysed, Compared, Evaluated, ExperimentReport, Learned, Record

Path = str | os.PathLike[str]
"""Where a file is."""

Events = Callable[[dict[str, Any]], object]
"""What is called for each event of a study."""


@runtime_checkable
class Bot(Protocol):
    """A Python object that plays.

    ``choose`` gets a position, a dictionary as programs get it (docs/how-to/write-a-bot.md), and
    returns one of ``position["placements"]``. If there is a method ``start(seed)``, it is called
    before each game. An attribute ``name`` names the player, else its class does.
    """

    def choose(self, position: dict[str, Any]) -> str:
        """The placement of the current piece."""
        ...


def _machine(
    threads: int | None,
    kernel: bool,
    on_event: Events | None,
    players: Mapping[str, Bot] | None = None,
) -> dict[str, Any]:
    if on_event is not None and not callable(on_event):
        raise TypeError(f"on_event: expected a function of one event, found {on_event!r}")
    return {"threads": threads, "kernel": bool(kernel), "on_event": on_event, "players": players}


def _named(players: Iterable[str | Bot]) -> tuple[list[str], dict[str, Bot]]:
    """The names of players, and the objects among them by name."""
    names: list[str] = []
    objects: dict[str, Bot] = {}
    for player in players:
        if isinstance(player, str):
            names.append(player)
            continue
        if isinstance(player, type) or not isinstance(player, Bot):
            raise TypeError(
                "expected the name of a player, or an object with a method choose(position), "
                f"found {player!r}"
            )
        name = getattr(player, "name", None)
        name = name if isinstance(name, str) else type(player).__name__
        names.append(name)
        objects[name] = player
    if len(set(names)) < len(names):
        raise InputError(f"players need different names, found {', '.join(names)}")
    return names, objects


def _given(**fields: Any) -> dict[str, Any]:
    """The fields that were given."""
    return {name: value for name, value in fields.items() if value is not None}


def _ruleset(ruleset: str | _native.Ruleset) -> str:
    return ruleset.spec if isinstance(ruleset, _native.Ruleset) else ruleset


def evaluate(
    *players: str | Bot,
    ruleset: str | _native.Ruleset = "simplified-10x10",
    games: int | None = None,
    precision: float | None = None,
    budget: int | None = None,
    repetitions: int | None = None,
    method: str | None = None,
    max_pieces: int | None = None,
    trajectories: int | None = None,
    level: str | None = None,
    seed: int = 1,
    record: Path | None = None,
    csv: Path | None = None,
    resume: Path | None = None,
    cluster: Cluster | None = None,
    parts: int | None = None,
    threads: int | None = None,
    kernel: bool = True,
    on_event: Events | None = None,
) -> Evaluated:
    """Estimates the mean lines of players, with 95 % intervals.

    The same as ``tetrolab eval``, to the last digit. At most one of ``games`` (that many whole
    games), ``precision`` (the half width of the interval, 0.05 without it), ``budget`` (pieces of
    splitting) and ``repetitions`` (of splitting) is given. ``method`` is "auto", "games" or
    "splitting". A player is a name, a file, a spec, a program ("exec(python3 bot.py)"), or an object
    with a method ``choose(position)``: see :class:`Bot`; objects play on one thread.

    A ``cluster`` of ``tetrolab.clusters`` computes a number of games or repetitions; ``parts`` is
    the number of units for each player, four for each slot of the cluster without it.

    >>> result = evaluate("bcts", "dellacherie", ruleset="simplified-6x8", games=100, seed=1)
    >>> result["bcts"].games
    100
    >>> result.interrupted
    False
    """
    targets = _given(games=games, precision=precision, pieces=budget, repetitions=repetitions)
    if len(targets) > 1:
        raise InputError(
            "an evaluation has one target: games, precision, budget or repetitions; found "
            + " and ".join("budget" if name == "pieces" else name for name in targets)
        )
    names, objects = _named(players)
    of_splitting = list(_given(trajectories=trajectories, level=level))
    if of_splitting and (games is not None or method == "games"):
        raise InputError(
            f"{' and '.join(of_splitting)}: only splitting has such a setting, not whole games; "
            "leave it out, or leave out games=... and method='games'"
        )
    description = _given(
        players=names,
        ruleset=_ruleset(ruleset),
        target=targets or None,
        method=method,
        max_pieces=max_pieces,
        trajectories=trajectories,
        level=level,
        seed=seed,
    )
    if not players:
        raise InputError("an evaluation needs at least one player, such as evaluate('bcts')")
    if cluster is not None:
        if objects:
            raise InputError("a cluster needs names of players; objects play in this process")
        if record is not None or csv is not None or resume is not None:
            raise InputError("a cluster keeps no files; leave out record, csv and resume")
        machine = _machine(threads, kernel, on_event)
        models, units = _native.split_work(description, parts or 4 * cluster.slots, machine)

        def progress(done: int) -> None:
            if on_event is not None:
                on_event({"event": "units", "done": done, "total": len(units)})

        answers = clusters.compute_on(cluster, units, models, progress)
        return Evaluated(_native.merge_work(units, answers))
    keep = {"records": record, "table": csv, "resume": resume}
    machine = _machine(threads, kernel, on_event, objects)
    return Evaluated(_native.evaluate(description, keep, machine))


def compare(
    first: str | Bot,
    second: str | Bot,
    *,
    ruleset: str | _native.Ruleset = "simplified-10x10",
    method: str | None = None,
    margin: float | None = None,
    trajectories: int | None = None,
    level: str | None = None,
    seed: int = 1,
    threads: int | None = None,
    kernel: bool = True,
    on_event: Events | None = None,
) -> Compared:
    """Decides which of two players is better, stopping as soon as the data suffice.

    The same as ``tetrolab compare``. ``margin`` is a difference that does not matter, 0.05 without
    it: closer players are called equal.

    >>> compare("bcts", "random", ruleset="simplified-6x8").verdict
    'first'
    """
    names, objects = _named([first, second])
    of_splitting = list(_given(trajectories=trajectories, level=level))
    if of_splitting and method == "games":
        raise InputError(
            f"{' and '.join(of_splitting)}: only splitting has such a setting, not whole games; "
            "leave it out, or leave out method='games'"
        )
    description = _given(
        first=names[0],
        second=names[1],
        ruleset=_ruleset(ruleset),
        method=method,
        margin=margin,
        trajectories=trajectories,
        level=level,
        seed=seed,
    )
    machine = _machine(threads, kernel, on_event, objects)
    return Compared(_native.compare(description, machine))


def learn(
    learner: str | None = None,
    *,
    run: Path | None = None,
    out: Path | None = None,
    resume: bool = False,
    memory: int | None = None,
    threads: int | None = None,
    kernel: bool = True,
    on_event: Events | None = None,
    budget: Mapping[str, float] | None = None,
    cluster: Cluster | None = None,
    **settings: Any,
) -> Learned:
    """Learns a player and writes its file into the folder of the run.

    ``settings`` are those of a learning run: ``ruleset``, ``features``, ``player``, ``evaluator``,
    ``layers``, ``activation``, ``start``, ``scale``, ``objective``, ``games``, ``fixed_games``,
    ``max_pieces``, ``runs``, ``seed``. ``budget`` has ``generations``, ``games``, ``pieces``,
    ``seconds`` or ``fitness``. What is left out is what ``tetrolab learn`` takes: the settings of
    the learner or its preset, and ``danger-quick`` if nothing says what is to be learned.

    With ``resume=True`` and ``run`` alone, a run that was stopped goes on. A ``cluster`` of
    ``tetrolab.clusters`` evaluates the candidates of an optimiser; the result is the same.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     learned = learn(
    ...         "cross-entropy", ruleset="simplified-6x8", games=3, max_pieces=300,
    ...         budget={"generations": 2}, run=f"{folder}/mine")
    ...     learned.player is not None
    True
    """
    place = {"run": run, "out": out, "resume": bool(resume), "memory": memory}
    description = None
    if learner is not None or settings or budget is not None:
        description = dict(settings)
        if "ruleset" in settings:
            description["ruleset"] = _ruleset(settings["ruleset"])
        if budget is not None:
            description["budget"] = dict(budget)
        if learner is not None:
            description["learner"] = learner
    elif not resume:
        description = {}
    workers = None
    if cluster is not None:
        compute = functools.partial(clusters.compute_in_learning, cluster)
        workers = (compute, getattr(cluster, "cancel", None), cluster.slots)
    machine = _machine(threads, kernel, on_event)
    return Learned(_native.learn(description, place, workers, machine))


def analyse(
    *players: str | Bot,
    board: Iterable[str] | str = (),
    piece: str = "T",
    next: str = "",
    ruleset: str | _native.Ruleset = "simplified-10x10",
    record: Path | None = None,
    game: int = 1,
    at: int = 0,
    top: int = 3,
    seed: int = 1,
) -> Analysed:
    """Asks players about one position: a board that is drawn, or a position in a recorded game.

    The board has rows of "." and "#", top row first, as a list or as a text with "/" between them;
    rows that are left out at the top are empty.

    >>> analysed = analyse("dellacherie", board="#.......##/##.#######", piece="T")
    >>> [player.player for player in analysed.players]
    ['dellacherie']
    """
    position: dict[str, Any]
    if record is not None:
        position = {"record": {"file": os.fspath(record), "game": game, "at": at}}
    else:
        rows = board.replace("\n", "/").split("/") if isinstance(board, str) else list(board)
        rows = [row.strip() for row in rows if row.strip()]
        position = {
            "board": {"ruleset": _ruleset(ruleset), "rows": rows, "piece": piece, "next": next}
        }
    names, objects = _named(players or ["dellacherie"])
    description = {
        "players": names,
        "position": position,
        "top": top,
        "seed": seed,
    }
    data, svg = _native.analyse(description, _machine(1, True, None, objects))
    return Analysed(data, svg)


def features(
    placements: Iterable[Mapping[str, Any]], features: str | None = None
) -> list[Record]:
    """The values of features of placements, under the rules of the simplified game.

    A placement has ``width``, ``height``, ``rows`` (all rows, top row first), ``piece`` and
    ``cells`` (the four placed cells as [row from the bottom, column]), as ``tetrolab features``
    reads them. ``features`` is a named set, or ids with commas between them; all without it.

    >>> placed = {"width": 4, "height": 4, "rows": ["....", "....", "....", "##.."],
    ...           "piece": "O", "cells": [[0, 2], [0, 3], [1, 2], [1, 3]]}
    >>> features([placed], "lines_cleared,holes")[0].features.to_dict()
    {'lines_cleared': 1, 'holes': 0}
    """
    cases = [dict(placement) for placement in placements]
    return [Record(row) for row in _native.features(cases, features)]


def reproduce(
    experiment: str,
    *,
    scale: str = "quick",
    seed: int = 1,
    out: Path | None = None,
    threads: int | None = None,
    kernel: bool = True,
    on_event: Events | None = None,
) -> ExperimentReport:
    """Runs an experiment from the literature and compares its results with the published numbers.

    ``experiment`` is a name (``parts("experiments")``) or a TOML file; results are kept in the
    folder ``out`` (runs/reproduce/NAME-SCALE without it), from which a stopped run can be resumed.
    """
    machine = _machine(threads, kernel, on_event)
    data, page = _native.reproduce(experiment, scale, seed, out, machine)
    return ExperimentReport(data, page)


__all__ = ["Bot", "analyse", "compare", "evaluate", "features", "learn", "reproduce"]
