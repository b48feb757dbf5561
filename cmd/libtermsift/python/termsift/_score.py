"""Scores of the columns of a matrix."""

from __future__ import annotations

from ctypes import byref
from typing import Any

import numpy as np

from . import _library as lib
from ._arrays import matrix_of
from ._labels import Classes, check_lengths, classes_of
from ._options import measure_of, options_of, threads_of
from ._pvalues import population_of, pvalues_of


def score(
    X: Any, y: Any, by: str | list[str] | tuple[str, ...] = "chi", *, combine: str | None = None, n_jobs: int | None = None,
    return_df: bool = False, **parameters: Any,
) -> Any:
    """Return the values of the columns of X by a measure, or a dict of them for a list of measures.

    X is a matrix of counts or weights, documents by terms, sparse or dense; y has the classes:
    one for each document, an indicator matrix, or a list of labels for each. A column without a
    document has the value NaN. With return_df the numbers of documents follow. parameters are
    options of the command, as base=2 or rs_d=0.3. n_jobs are the threads: None is one, -1 all CPUs.

    The values have the shape (n_columns,).

    >>> from scipy.sparse import csr_matrix
    >>> X = csr_matrix([[2, 1, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]])
    >>> score(X, ["a", "a", "b", "b"])
    array([4.        , 1.33333333,        nan])
    >>> values, df = score(X, ["a", "a", "b", "b"], by=["ig", "df"], base=2, return_df=True)
    >>> values["ig"].round(4), df
    (array([1.    , 0.3113,    nan]), array([2., 3., 0.]))
    """
    several = isinstance(by, (list, tuple))
    measures = [measure_of(name) for name in by] if several else [measure_of(by)]
    values, df = values_of(X, classes_of(y), measures, return_df, combine=combine, threads=threads_of(n_jobs), **parameters)
    result = dict(zip(measures, values)) if several else values[0]
    return (result, df) if return_df else result


def values_of(X: Any, classes: Classes, measures: list[str], with_df: bool = True, **options: Any) -> tuple[np.ndarray, Any]:
    """Return the values, a row a measure, and df, or None."""
    m = matrix_of(X)
    check_lengths(classes, m.documents, f"X has {m.documents} documents")
    try:
        return _values(m, classes, measures, with_df, options)
    except ValueError as refused:
        X = m.kept[0]
        if X.has_canonical_format:
            raise  # not for elements that are there twice
        X = X.copy()
        X.sum_duplicates()
        try:
            return _values(matrix_of(X), classes, measures, with_df, options)
        except ValueError:
            raise refused from None


def _values(
    m: lib.Matrix, classes: Classes, measures: list[str], with_df: bool, options: dict[str, Any],
) -> tuple[np.ndarray, Any]:
    values, df = np.empty((len(measures), m.terms)), np.empty(m.terms) if with_df else None
    labels = classes.struct()
    lib.call_long(
        "ts_score", m.stored, (byref(m), byref(labels), options_of(by=measures, **options)),
        (values, df),
    )
    return values, df


def best(values: np.ndarray, df: np.ndarray, k: int) -> np.ndarray:
    """Return the k best columns, best first: by value, then df, then column."""
    values, df = lib.readable(values, np.float64), lib.readable(df, np.float64)
    out = np.empty(min(k, len(values)), dtype=np.int64)
    lib.call("ts_best", values, df, len(values), len(out), out)
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
