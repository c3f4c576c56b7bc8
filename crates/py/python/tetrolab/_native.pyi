"""The native code behind the package."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

class Ruleset:
    """The rules of a game: a name (with any size), a spec with settings, or a file.

    >>> rules = Ruleset("simplified-7x12(randomizer=bag)")
    >>> rules.width, rules.height, rules.is_stepped
    (7, 12, False)
    """

    def __init__(self, spec: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def spec(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def preview(self) -> int:
        """How many pieces after the current one a player sees."""
    @property
    def is_stepped(self) -> bool:
        """Whether pieces are moved and turned while they fall."""
    @property
    def has_hold(self) -> bool: ...
    @property
    def randomizer(self) -> str: ...
    @property
    def moves(self) -> str: ...
    @property
    def end(self) -> str | None:
        """The game-over rule of a placement game; ``None`` for stepped games."""

class Game:
    """A game in progress: number ``index`` of the games that ``seed`` gives, as in ``evaluate``.

    A placement is written as the piece's letter, the first letter of the rotation and the leftmost
    column from 0: "Te3". In stepped games the row follows: "Te3@0".
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "simplified-10x10",
        seed: int = 1,
        index: int = 0,
        *,
        forecast: bool = False,
    ) -> None: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def index(self) -> int: ...
    @property
    def rows(self) -> list[str]:
        """The board, top row first, of "." and "#"."""
    @property
    def board(self) -> NDArray[np.uint8]:
        """The board as cells of 0 and 1, top row first."""
    def picture(self) -> NDArray[np.uint8]:
        """The same, with the piece that falls as 2."""
    @property
    def piece(self) -> str | None:
        """The piece to place; None when the game has ended."""
    @property
    def queue(self) -> list[str]:
        """The pieces after it that the ruleset shows."""
    @property
    def held(self) -> str | None: ...
    @property
    def can_hold(self) -> bool: ...
    @property
    def status(self) -> str:
        """ "playing", "over" or "out-of-pieces"."""
    @property
    def lines(self) -> int: ...
    @property
    def pieces(self) -> int: ...
    @property
    def line_points(self) -> int: ...
    @property
    def points(self) -> int: ...
    def placements(self) -> list[str]:
        """Every placement that the game allows now, those after a hold included."""
    def place(self, placement: str) -> int:
        """Places the piece; how many lines that cleared."""
    def cells(self, placement: str) -> list[tuple[int, int]]:
        """The four cells of a placement as (row from the bottom, column)."""
    def play(self, player: Player, pieces: int | None = None) -> int:
        """Lets a player play on, for this many pieces or to the end; the lines of the game."""
    def fork(self, seed: int) -> Game:
        """The same position with another future."""
    def clone(self) -> Game:
        """The same game again, with the same future."""

class Player:
    """A player for a ruleset: a published name, a player file, a spec, a program
    ("exec(python3 bot.py)"), or an object with a method ``choose(position)``.
    """

    def __init__(
        self, player: object, ruleset: str | Ruleset = "simplified-10x10", seed: int = 1
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def ruleset(self) -> str: ...
    def start(self, seed: int, index: int) -> None:
        """Begins a game; it matters to players that draw random numbers."""
    def choose(self, game: Game) -> str:
        """Where the piece goes."""
    def analyse(self, game: Game, top: int = 3) -> dict[str, Any]:
        """What the player thinks of its best placements."""

class Optimiser:
    """An optimiser of the laboratory, which proposes vectors and is told their fitness.

    ``learner`` is a name or a spec of ``parts("learners")`` that searches vectors of numbers, as
    "cma-es", "cross-entropy" or "ga(population=50)". A larger fitness is better.

    >>> import numpy as np
    >>> optimiser = Optimiser("cma-es", 2, seed=1)
    >>> for _ in range(80):
    ...     vectors = optimiser.ask()
    ...     optimiser.tell(-((vectors - [1.0, 2.0]) ** 2).sum(axis=1))
    >>> np.abs(optimiser.solution - [1.0, 2.0]).max() < 1e-3
    np.True_
    """

    def __init__(self, learner: str, dimension: int, seed: int = 1) -> None: ...
    @property
    def learner(self) -> str:
        """The spec with all settings."""
    @property
    def dimension(self) -> int: ...
    @property
    def generations(self) -> int:
        """How often it was told a fitness."""
    def ask(self) -> NDArray[np.float64]:
        """The vectors of the next generation, one in each row."""
    def tell(self, fitness: NDArray[np.float64]) -> None:
        """The fitness of each vector of the last ``ask()``; NaN counts as the worst."""
    @property
    def solution(self) -> NDArray[np.float64]:
        """The solution so far."""
    @property
    def spread(self) -> float:
        """How far the vectors of the last generation are apart."""
    @property
    def stopped(self) -> str | None:
        """Why there is nothing left to gain, if so."""

def save_network(
    path: object,
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]],
    activations: list[str],
    features: str,
    player: str,
) -> None: ...
def kinds() -> list[str]: ...
def parts(kind: str) -> list[dict[str, Any]]: ...
def features(
    placements: list[dict[str, Any]], features: str | None = None
) -> list[dict[str, Any]]: ...
def evaluate(
    description: dict[str, Any], keep: dict[str, Any], machine: dict[str, Any]
) -> dict[str, Any]: ...
def compare(description: dict[str, Any], machine: dict[str, Any]) -> dict[str, Any]: ...
def learn(
    description: dict[str, Any] | None,
    place: dict[str, Any],
    cluster: tuple[
        Callable[[list[str], Callable[[int], None]], Iterable[str]],
        Callable[[], object] | None,
        int,
    ]
    | None,
    machine: dict[str, Any],
) -> dict[str, Any]: ...
def split_work(
    description: dict[str, Any], parts: int, machine: dict[str, Any]
) -> tuple[list[str], list[str]]: ...
def compute_units(
    models: list[str], units: list[str], machine: dict[str, Any]
) -> list[str]: ...
def merge_work(units: list[str], answers: list[str]) -> dict[str, Any]: ...
def analyse(
    description: dict[str, Any], machine: dict[str, Any]
) -> tuple[dict[str, Any], str]: ...
def reproduce(
    name: str, scale: str, seed: int, out: object, machine: dict[str, Any]
) -> tuple[dict[str, Any], str]: ...

class EnvironmentState:
    """The state of games, to which they can return."""

class Environment:
    """One game that returns what is observed in new arrays."""

    cleared: int
    def __init__(self, ruleset: str | Ruleset, options: dict[str, Any]) -> None: ...
    def observed(self) -> list[tuple[str, list[int], str, int | None]]: ...
    @property
    def actions(self) -> int: ...
    def reset(self, seed: int, index: int) -> dict[str, NDArray[Any]]: ...
    def step(
        self, action: int | np.int64
    ) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]: ...
    def mask(self) -> NDArray[np.bool_]: ...
    def game(self) -> Game: ...
    def save(self) -> EnvironmentState: ...
    def restore(self, state: EnvironmentState) -> dict[str, NDArray[Any]]: ...

class Environments:
    """Games side by side that write into arrays."""

    def __init__(
        self,
        ruleset: str | Ruleset,
        options: dict[str, Any],
        games: int,
        autoreset: str,
        threads: int,
    ) -> None: ...
    def observed(self) -> list[tuple[str, list[int], str, int | None]]: ...
    @property
    def actions(self) -> int: ...
    def attach(
        self,
        seen: dict[str, NDArray[Any]],
        last: dict[str, NDArray[Any]],
        outputs: dict[str, NDArray[Any]],
    ) -> None: ...
    def reset(self, episodes: list[tuple[int, int] | None]) -> None: ...
    def observe(self) -> None: ...
    def step(self, actions: NDArray[np.int64]) -> None: ...
    def sample(self, actions: NDArray[np.int64]) -> None: ...
    def seed_sampler(self, seed: int) -> None: ...
    def episode(self, game: int) -> tuple[int, int]: ...
    def game(self, game: int) -> Game: ...
    def save(self) -> EnvironmentState: ...
    def restore(self, state: EnvironmentState) -> None: ...
