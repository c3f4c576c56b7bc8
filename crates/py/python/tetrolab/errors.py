"""The exceptions of the package. All of them are a :class:`TetrolabError`."""

from __future__ import annotations


class TetrolabError(Exception):
    """The base class of errors, with a sentence that says what is wrong and where."""


class InputError(TetrolabError, ValueError):
    """An invalid value: a number out of range, an invalid board, an unknown field."""


class SpecificationError(TetrolabError, ValueError):
    """An unknown name, or a setting that does not fit: players, rulesets, features, learners."""


class PlayerFileError(TetrolabError, OSError):
    """A file that cannot be read or written, or whose content is invalid."""


class StudyRefused(TetrolabError, RuntimeError):
    """A study that cannot be carried out as described."""


class BotFailed(TetrolabError, RuntimeError):
    """A program that plays (``exec(COMMAND)``) and hangs, exits, or gives an invalid answer."""


class ActionError(TetrolabError, ValueError):
    """An action or a placement that the game does not allow now."""


class ClosedEnvironment(TetrolabError, RuntimeError):
    """An environment that was used after it was closed."""


class EnvironmentInUse(TetrolabError, RuntimeError):
    """Environments that two threads use at the same time."""


class ClusterError(TetrolabError, RuntimeError):
    """Units of work that a cluster did not compute."""


__all__ = [
    "ActionError",
    "BotFailed",
    "ClosedEnvironment",
    "ClusterError",
    "EnvironmentInUse",
    "InputError",
    "PlayerFileError",
    "SpecificationError",
    "StudyRefused",
    "TetrolabError",
]
