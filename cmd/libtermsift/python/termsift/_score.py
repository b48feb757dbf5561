"""Scores of the columns of a matrix."""

from __future__ import annotations

from ctypes import byref

import numpy as np
from scipy.special import chdtrc

from . import _library as lib
from ._arrays import check_lengths, classes_of, matrix_of


def score(X, y, by="chi", *, combine=None, n_jobs=None, return_df=False, **parameters):
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
    if not isinstance(by, (str, list, tuple)):
        raise ValueError(f"by must be the name of a measure or a list of names, not {by!r}")
    measures = [by] if isinstance(by, str) else list(by)
    values, df = values_of(X, classes_of(y), measures, return_df, combine=combine, threads=lib.threads_of(n_jobs), **parameters)
    result = values[0] if isinstance(by, str) else dict(zip(measures, values))
    return (result, df) if return_df else result


def values_of(X, classes, measures, with_df=True, **options):
    """Return the values, a row a measure, and df, or None."""
    m = matrix_of(X)
    check_lengths(classes, m.documents, f"X has {m.documents} documents")
    try:
        return _values(m, classes, measures, with_df, options)
    except ValueError as e:
        if "stands there twice" not in str(e):
            raise
    X = m.kept[0].copy()
    X.sum_duplicates()
    return _values(matrix_of(X), classes, measures, with_df, options)


def _values(m, classes, measures, with_df, options):
    values, df = np.empty((len(measures), m.terms)), np.empty(m.terms) if with_df else None
    labels = classes.struct()
    lib.call_long(
        "ts_score", m.stored, (byref(m), byref(labels), lib.options_of(by=measures, **options)),
        (values, df),
    )
    return values, df


def best(values, df, k):
    """Return the k best columns, best first: by value, then df, then column."""
    values, df = np.ascontiguousarray(values, dtype=np.float64), np.ascontiguousarray(df, dtype=np.float64)
    out = np.empty(min(k, len(values)), dtype=np.int64)
    lib.call("ts_best", values, df, len(values), len(out), out)
    return out


def chi2(X, y):
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
    return values[0], np.minimum(chdtrc(1, values[0]) * len(classes.names), 1)
