"""Scores of the columns of a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from . import _library as lib
from ._arrays import matrix_of
from ._labels import Classes, check_lengths, classes_of
from ._measures import check_target
from ._options import measures_of, options_of, threads_of
from ._pvalues import population_of, pvalues_of
from ._targets import Numbers, target_of

_Result = TypeVar("_Result")


def score(
    X: Any, y: Any, by: str | Sequence[str] = "chi", *, combine: str | None = None, n_jobs: int | None = None,
    return_df: bool = False, target: str | None = None, **parameters: Any,
) -> Any:
    """Return the values of the columns of X by a measure, or a dict of them for a list of measures.

    Parameters
    ----------
    X : a matrix of counts or weights, documents by terms: sparse, an array or a DataFrame; nothing may be negative.
    y : the classes of the documents: a label each, an indicator matrix of 0 and 1, or a list of labels for each.
    by : a measure, also as "ttest:avg", or a formula with its name, "mine=A*D/(B*C)", or a list of them; termsift.measures() has all.
        "sklearn-chi2" is chi2 of scikit-learn.
    combine : how a column gets one value of those of the classes: "max", "avg" (weighted by their shares of the
        documents), "sum" or "mean"; None takes the measure's own way, and "class" returns the values of all classes.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.
    return_df : whether the numbers of documents of the columns are returned, too.
    target : None, or "number" if y has a finite number for each document, such as stars or a price, for the measures
        "pearson", "trend" and "spearman".
    parameters : base, of the logarithms of mi, emi, ig, ece, rs and rsw (e); rs_d, of rs and rsw (1/6); signed=True, for
        ttest and the measures of a target, which are sizes without; yates=True, for chi;
        weight, "tf" or "binary", for ocfs, pearson and spearman; smooth, for simplemaths (1); zeta_c, for zetalog (1.1);
        bm25=True and reduce_frequent=True, for ctfidf.

    Returns
    -------
    A float64 array of the shape (columns,), or with combine="class" (classes, columns), a row a class in the order of
    np.unique(y). A list of measures gives a dict of such arrays by name. A column without a document, and a class
    without one, have NaN. With return_df it is a tuple of these and a float64 array of the shape (columns,).

    Examples
    --------
    >>> from scipy.sparse import csr_matrix
    >>> X = csr_matrix([[2, 1, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]])
    >>> score(X, ["a", "a", "b", "b"])
    array([4.        , 1.33333333,        nan])
    >>> values, df = score(X, ["a", "a", "b", "b"], by=["ig", "df"], base=2, return_df=True)
    >>> values["ig"].round(4), df
    (array([1.    , 0.3113,    nan]), array([2., 3., 0.]))
    >>> score(X, ["a", "a", "b", "b"], by="ngl", combine="class").round(2)
    array([[ 2.  , -1.15,   nan],
           [-2.  ,  1.15,   nan]])
    >>> score(X, [1.5, 2, 3, 4.5], by="pearson", target="number", signed=True).round(4)
    array([-0.8553,  0.378 ,     nan])
    """
    measures, several = measures_of(by), not isinstance(by, str)
    classes = target_of(y, target)
    check_target(measures, target)
    if combine == "class":
        values, df = values_of_classes(X, classes, measures, return_df, threads=threads_of(n_jobs), **parameters)
    else:
        values, df = values_of(X, classes, measures, return_df, combine=combine, threads=threads_of(n_jobs), **parameters)
    result = dict(zip(measures, values)) if several else values[0]
    return (result, df) if return_df else result


def values_of(X: Any, classes: Classes, measures: list[str], with_df: bool = True, **options: Any) -> tuple[np.ndarray, Any]:
    """Return the values, a row a measure, and df, or None."""
    text = options_of(by=measures, target=classes.names if isinstance(classes, Numbers) else None, **options)
    return with_matrix(X, lambda m: _values("score", m, classes, (len(measures), m.terms), with_df, text))


def values_of_classes(X: Any, classes: Classes, measures: list[str], with_df: bool, **options: Any) -> tuple[np.ndarray, Any]:
    """Return the values for each class, measures x classes x columns, and df, or None."""
    rows = len(measures), max(len(classes.names), 1)
    return with_matrix(X, lambda m: _values("score_classes", m, classes, (*rows, m.terms), with_df, options_of(by=measures, **options)))


def with_matrix(X: Any, function: Callable[[lib.Matrix], _Result]) -> _Result:
    """Call a function of the library's with a matrix; once more, if it refuses elements that are there twice, with their sums."""
    m = matrix_of(X)
    try:
        return function(m)
    except ValueError as refused:
        X = m.kept[0]
        if X.has_canonical_format:
            raise  # not for elements that are there twice
        X = X.copy()
        X.sum_duplicates()
        try:
            return function(matrix_of(X))
        except ValueError:
            raise refused from None


def _values(
    operation: str, m: lib.Matrix, classes: Classes, shape: tuple[int, ...], with_df: bool, options: bytes,
) -> tuple[np.ndarray, np.ndarray | None]:
    check_lengths(classes, m.documents, f"X has {m.documents} documents")
    values, df = np.empty(shape), np.empty(m.terms) if with_df else None
    lib.call(operation, m, classes.struct(), out=[values, df], options=options, size=m.stored)
    return values, df


def best(values: np.ndarray, df: np.ndarray, k: int) -> np.ndarray:
    """Return the k best columns, best first: by value, then df, then column."""
    values, df = lib.readable(values, np.float64), lib.readable(df, np.float64)
    out = np.empty(min(k, len(values)), dtype=np.int64)
    lib.call("best", values, df, out=[out])
    return out


def chi2(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Return chi-square and p-values, a score_func for SelectKBest.

    It is the largest statistic, over the classes, of the contingency table of documents with and
    without the term, in and outside the class. scikit-learn's chi2 sums the values of a term
    instead, and leaves out the documents without it; that is score(X, y, by="sklearn-chi2"). The
    p-value is that of one degree of freedom, times the number of classes (Bonferroni).

    >>> values, p = chi2([[2, 1], [1, 0], [0, 1], [0, 1]], [0, 0, 1, 1])
    >>> values.round(3), p.round(3)
    (array([4.   , 1.333]), array([0.091, 0.496]))
    """
    classes = classes_of(y)
    values, _ = values_of(X, classes, ["chi"], with_df=False)
    return values[0], pvalues_of(values[0], "chi", None, population_of(classes))
