"""P-values of the values of columns: those that the library gives to rankings, for scores that are arrays already."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, fdtrc, ndtr, stdtr

from ._labels import Classes


class Population(NamedTuple):
    """The numbers that distributions depend on."""

    documents: int
    pairs: int  # of a document and a class
    classes: int  # with a document
    single: bool  # every document has one class


def population_of(classes: Classes) -> Population:
    """Return the population of labelled documents."""
    sizes = classes.sizes
    return Population(classes.documents, int(sizes.sum()), int((sizes > 0).sum()), classes.single)


_Tail = Callable[[np.ndarray, Population], np.ndarray]


def _deviance(values: np.ndarray, p: Population) -> np.ndarray:
    """Return G² of mutual information in nats."""
    return 2 * p.documents * values


def _chi_square(values: np.ndarray, _: Population) -> np.ndarray:
    return np.asarray(chdtrc(1, values))


def _normal(values: np.ndarray, _: Population) -> np.ndarray:
    return np.asarray(2 * ndtr(-np.abs(values)))


# Of one class; the largest of several has p times their number (Bonferroni).
_OF_CLASS: dict[str, _Tail] = {
    "chi": _chi_square,
    "g2": _chi_square,
    "chitf": _chi_square,
    "g2tf": _chi_square,
    "emi": lambda values, p: chdtrc(1, _deviance(values, p)),
    "ngl": _normal,
    "logoddsz": _normal,
    "ttest": lambda values, p: 2 * stdtr(p.pairs - p.classes, -np.abs(values)),
}

def _coefficient(r: np.ndarray, p: Population) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.asarray(2 * stdtr(p.documents - 2, -np.abs(r) * np.sqrt((p.documents - 2) / ((1 - r) * (1 + r)))))


# Of all classes at once.
_OVERALL: dict[str, _Tail] = {
    "pearson": _coefficient,
    "spearman": _coefficient,
    "trend": _normal,
    "anova": lambda values, p: fdtrc(p.classes - 1, p.pairs - p.classes, values),
    "ig": lambda values, p: chdtrc(p.classes - 1, _deviance(values, p)),
    "sklearn-chi2": lambda values, p: chdtrc(p.classes - 1, values),
}


def pvalues_of(values: np.ndarray, by: str, combine: str | None, p: Population) -> np.ndarray | None:
    """Return the p-value of each value of a measure, or None where its distribution is not known.

    Values of classes have one where the largest counts ("max"); "ig" where each document has one class.
    """
    measure, _, combined = by.partition(":")
    combined = combined or combine or ""
    with np.errstate(invalid="ignore"):
        if measure in _OVERALL:
            known = not combined and (p.single or measure != "ig")
            return np.asarray(np.minimum(_OVERALL[measure](values, p), 1)) if known else None
        if measure in _OF_CLASS and combined in ("", "max"):
            return np.asarray(np.minimum(_OF_CLASS[measure](values, p) * p.classes, 1))
    return None
