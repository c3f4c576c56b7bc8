"""Every named part of the laboratory, as listed by ``tetrolab list``."""

from __future__ import annotations

from typing import Any

from . import _native
from .results import Record


class Part(Record):
    """A part with a name: a ruleset, a feature, a player, a learner and so on."""

    name: str
    definition: str
    source: str
    settings: list[dict[str, Any]]


def kinds() -> list[str]:
    """The kinds of parts.

    >>> "randomizers" in kinds()
    True
    """
    return list(_native.kinds())


def parts(kind: str) -> list[Part]:
    """Every part of a kind, with its definition, its source and its settings.

    >>> [part.name for part in parts("ends")]
    ['above-top', 'above-top-after-clearing', 'top-row', 'entry-blocked']
    """
    return [Part(row) for row in _native.parts(kind)]


__all__ = ["Part", "kinds", "parts"]
