"""The exceptions of the package. All of them are a :class:`TetrolabError`."""

from __future__ import annotations


class TetrolabError(Exception):
    """Something that the laboratory refuses, with a sentence that says what and where."""


class InputError(TetrolabError, ValueError):
    """A value that makes no sense: a number out of range, a board that is none, an unknown field."""


class SpecificationError(TetrolabError, ValueError):
    """An unknown name, or a setting that does not fit: players, rulesets, features, learners."""


class PlayerFileError(TetrolabError, OSError):
    """A file that cannot be read or written, or whose content is wrong."""


class StudyRefused(TetrolabError, RuntimeError):
    """A study that cannot be carried out as it is described."""


class BotFailed(TetrolabError, RuntimeError):
    """A program that plays (``exec(COMMAND)``) and hangs, ends, or answers something else."""


class ActionError(TetrolabError, ValueError):
    """An action or a placement that the game does not allow now."""


class ClosedEnvironment(TetrolabError, RuntimeError):
    """An environment that is used after it was closed."""


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
