"""Results of studies: plain objects over the data that ``tetrolab ... --json`` prints.

Every result is a :class:`Record`: its fields are attributes, ``to_dict()`` gives all of them, and
``to_pandas()`` a table where pandas is installed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    import pandas


class Record:
    """Data with its fields as attributes."""

    _fields: ClassVar[dict[str, type[Record]]] = {}
    """The fields that are records themselves, or lists of them."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = self._data[name]
        except KeyError:
            known = ", ".join(self._data)
            message = f"{type(self).__name__} has no field {name!r}; it has {known}"
            raise AttributeError(message) from None
        kind = self._fields.get(name, Record)
        if isinstance(value, dict):
            return kind(value)
        if isinstance(value, list) and name in self._fields:
            return [kind(item) for item in value]
        return value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._data == other._data

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._data.items())
        return f"{type(self).__name__}({fields})"

    def __getstate__(self) -> dict[str, Any]:
        return self._data

    def __setstate__(self, data: dict[str, Any]) -> None:
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        """All fields, as a dictionary of plain values."""
        plain: dict[str, Any] = json.loads(self.to_json())
        return plain

    def to_json(self) -> str:
        """All fields, as JSON."""
        return json.dumps(self._data)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The result that :meth:`to_json` or ``tetrolab ... --json`` wrote."""
        return cls(json.loads(text))

    def _rows(self) -> list[dict[str, Any]]:
        return [self._data]

    def to_pandas(self) -> pandas.DataFrame:
        """A table, one row for each player or step; nested fields have names with dots.

        :raises ImportError: when pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError(
                "to_pandas() needs pandas: pip install pandas (in a clone: pip install '.[pandas]')"
            ) from error
        return pandas.json_normalize(self._rows())


class Mean(Record):
    """A mean with its 95 % interval."""

    mean: float | None
    ci95: list[float | None] | None


class Lines(Mean):
    """The lines of a game."""

    method: str | None
    median: float | None
    mean_by_median: float | None
    sd: float | None
    max: int | None


class Note(Record):
    """A remark for readers of a result."""

    kind: str
    text: str


class PlayerResult(Record):
    """The result of one player."""

    _fields = {"lines": Lines, "pieces": Mean, "line_points": Mean, "points": Mean, "notes": Note}

    player: str
    ruleset: str
    seed: int
    method: str
    games: int
    finished: int
    cut_off: int
    interrupted: bool
    lines: Lines
    pieces: Mean
    line_points: Mean
    rate: float | None
    precision: float | None
    reached: bool
    pieces_simulated: int
    levels: list[dict[str, Any]]
    notes: list[Note]
    decisions_per_second: float
    seconds: float


class Pair(Record):
    """Two players on the same games."""

    first: str
    second: str
    games: int
    first_wins: int
    second_wins: int
    ties: int
    undecided: int


class Evaluated(Record):
    """The result of an evaluation: a sequence of players, accessible by number or name."""

    _fields = {"results": PlayerResult, "comparisons": Pair, "failed": Record}

    schema: int
    interrupted: bool
    results: list[PlayerResult]

    @property
    def comparisons(self) -> list[Pair]:
        """The players that played whole games, each against the first of them."""
        return [Pair(pair) for pair in self._data.get("comparisons", [])]

    @property
    def failed(self) -> list[Record]:
        """The players that could not be measured, each with its ``error``."""
        return [Record(player) for player in self._data.get("failed", [])]

    def __iter__(self) -> Iterator[PlayerResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self._data["results"])

    def __getitem__(self, key: int | str) -> PlayerResult:
        if isinstance(key, int):
            return self.results[key]
        for result in self.results:
            if result.player == key:
                return result
        known = ", ".join(result.player for result in self.results)
        raise KeyError(f"no result of {key!r}; there are results of {known}")

    def _rows(self) -> list[dict[str, Any]]:
        return list(self._data["results"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{_escaped(row.player)}</td><td>{_shown(row.lines.mean)}</td>"
            f"<td>{_interval(row.lines.ci95)}</td><td>{row.games:,}</td></tr>"
            for row in self
        )
        head = "<tr><th>player</th><th>mean lines</th><th>95 % interval</th><th>games</th></tr>"
        return f"<table>{head}{rows}</table>"


class Compared(Record):
    """Which of two players is better."""

    schema: int
    interrupted: bool
    first: str
    second: str
    ruleset: str
    seed: int
    method: str | None
    units: int
    looks: int
    most_looks: int
    error_rate: float
    margin: float
    lines: Record | None
    ratio: Record | None
    verdict: str
    trusted: bool
    doubts: list[str]
    pieces_simulated: int


class Learned(Record):
    """The result of learning, including the path of the player."""

    schema: int
    interrupted: bool
    run: str
    player: str | None
    ended: list[str]
    games: int
    pieces: int
    seconds: float
    solutions: list[list[float]]
    finished_before: bool

    @property
    def plan(self) -> dict[str, Any]:
        """The description of the run, with the complete rules."""
        plan: dict[str, Any] = self._data["plan"]
        return plan


class AnalysedPlayer(Record):
    """One player's analysis of a position."""

    _fields = {"placements": Record}

    player: str
    rated: int
    has_memory: bool
    placements: list[Record]


class Analysed(Record):
    """Several players' analyses of one position. Notebooks show it as a drawing."""

    _fields = {"players": AnalysedPlayer}

    schema: int
    players: list[AnalysedPlayer]
    position: Record

    def __init__(self, data: dict[str, Any], svg: str = "") -> None:
        super().__init__(data)
        self._svg = svg

    @property
    def svg(self) -> str:
        """The drawing, as SVG."""
        return self._svg

    def __getstate__(self) -> dict[str, Any]:
        return {"data": self._data, "svg": self._svg}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._data = state["data"]
        self._svg = state["svg"]

    def _repr_svg_(self) -> str:
        return self._svg

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"player": player["player"], **placement}
            for player in self._data["players"]
            for placement in player["placements"]
        ]


class ExperimentReport(Record):
    """The results of an experiment and published numbers. Notebooks show it as a page."""

    experiment: str
    scale: str
    seed: int
    interrupted: bool
    question: str

    def __init__(self, data: dict[str, Any], page: str = "") -> None:
        super().__init__(data)
        self._page = page

    def __getstate__(self) -> dict[str, Any]:
        return {"data": self._data, "page": self._page}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._data = state["data"]
        self._page = state["page"]

    def html(self) -> str:
        """The report as a self-contained page that needs no network."""
        return self._page

    def _repr_html_(self) -> str:
        page = _escaped(self._page)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _interval(interval: list[float | None] | None) -> str:
    if not interval:
        return "–"
    low, high = interval
    return f"{_shown(low)} to {_shown(high)}"


def _escaped(text: str) -> str:
    import html

    return html.escape(text)


__all__ = [
    "Analysed",
    "AnalysedPlayer",
    "Compared",
    "Evaluated",
    "ExperimentReport",
    "Learned",
    "Lines",
    "Mean",
    "Note",
    "Pair",
    "PlayerResult",
    "Record",
]
