"""scikit-learn's scores of columns, for counts: the numbers of its functions, sooner.

A function hands over to scikit-learn's what is no sparse matrix of counts with one class a document.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy import special
from sklearn import feature_selection as theirs

from ._labels import Classes
from ._score import values_of

_their_chi2, _their_f_classif, _their_mutual_info = theirs.chi2, theirs.f_classif, theirs.mutual_info_classif

_EPS = float(np.finfo(np.float64).eps)

# A value whose rounding in scikit-learn's formula may be greater is taken from scikit-learn, so that all agree to 1e-12.
_MOST_ROUNDING = 2e-13


def chi2(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return scikit-learn's chi2 of the columns of X and the p-values, each of shape (n_columns,).

    X has counts or other values that are not negative, shape (n_documents, n_columns); y has a class a document.
    """
    counts = _counts(X, y)
    if counts is None:
        return _their_chi2(X, y)  # type: ignore[no-any-return]
    X, classes = counts
    total = _sums(X, X.data)
    if not (total > 0).all():
        return _their_chi2(X, y)  # type: ignore[no-any-return]
    values = values_of(X, classes, ["sklearn-chi2"], with_df=False)[0][0]
    with np.errstate(divide="ignore"):
        doubtful = 4 * _EPS * np.sqrt(total / values) > _MOST_ROUNDING
    if doubtful.any():
        values[doubtful] = _their_chi2(X[:, doubtful], y)[0]
    return values, special.chdtrc(len(classes.names) - 1, values)


def f_classif(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return scikit-learn's F values of the columns of X and the p-values, each of shape (n_columns,).

    X has the values, shape (n_documents, n_columns); y has a class a document.
    """
    counts = _counts(X, y)
    if counts is None or X.dtype.kind in "biu" and X.dtype.itemsize <= 4:  # of these scikit-learn makes float32
        return _their_f_classif(X, y)  # type: ignore[no-any-return]
    X, classes = counts
    n, k = X.shape[0], len(classes.names)
    values = values_of(X, classes, ["anova"], with_df=False)[0][0]
    if n <= k or not np.isfinite(values).all():
        return _their_f_classif(X, y)  # type: ignore[no-any-return]
    squares, square = _sums(X, X.data.astype(np.float64) ** 2), _sums(X, X.data) ** 2 / n
    within = (squares - square) / (1 + values * (k - 1) / (n - k))
    between = squares - square - within
    with np.errstate(divide="ignore", invalid="ignore"):
        doubtful = ~(4 * _EPS * (square / between + squares / within) < _MOST_ROUNDING)
    if doubtful.any():
        values[doubtful] = _their_f_classif(X[:, doubtful], y)[0]
    return values, special.fdtrc(k - 1, n - k, values)


def mutual_info_classif(X: Any, y: Any, *, discrete_features: Any = "auto", **options: Any) -> np.ndarray:
    """Return scikit-learn's mutual information of each column of X and the class, in nats, shape (n_columns,).

    X has counts, shape (n_documents, n_columns), whose values are categories; y has a class a document.
    options are those of scikit-learn's function; counts need none of them.
    """
    counts = _counts(X, y) if isinstance(discrete_features, (str, bool)) and discrete_features in ("auto", True) else None
    if counts is None:
        return _their_mutual_info(X, y, discrete_features=discrete_features, **options)  # type: ignore[no-any-return]
    X, classes = counts
    n, k = X.shape[0], len(classes.names)
    X = X.tocsc()
    # The cells of the table of a column: a value, a class and their documents.
    column = np.repeat(np.arange(X.shape[1], dtype=np.int64), np.diff(X.indptr))
    stored = X.data != 0
    column, value, of = column[stored], X.data[stored].astype(np.int64), classes.of[X.indices[stored]]
    of_value, first = _numbered(column, value)
    cell, cells = np.unique(of_value * k + of, return_counts=True)
    terms = [_cells(cells, np.bincount(of_value)[cell // k], classes.sizes[cell % k], n)]
    columns = [first[cell // k]]
    absent = classes.sizes - np.bincount(column * k + of, minlength=X.shape[1] * k).reshape(-1, k)
    at, of_absent = np.nonzero(absent)
    terms.append(_cells(absent[at, of_absent], absent.sum(axis=1)[at], classes.sizes[of_absent], n))
    columns.append(at)
    information = np.bincount(np.concatenate(columns), np.concatenate(terms), minlength=X.shape[1])
    return np.clip(information, 0, None)


def _numbered(column: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each pair of a column and a value, and the columns of the numbers."""
    span = int(value.max(initial=0)) + 1
    pairs, number = np.unique(column * span + value, return_inverse=True)
    return number, pairs // span


def _cells(cells: np.ndarray, of_value: np.ndarray, of_class: np.ndarray, n: int) -> np.ndarray:
    """Return what cells add to the mutual information. scikit-learn takes terms below the rounding for 0."""
    term = cells / n * (np.log(cells) - np.log(n)) + cells / n * (2 * np.log(n) - np.log(of_value * of_class))
    return np.where(np.abs(term) < _EPS, 0.0, term)


def _sums(X: Any, data: np.ndarray) -> np.ndarray:
    """Return the sums of the columns of X with other data."""
    if X.format == "csr":
        return np.bincount(X.indices, data, minlength=X.shape[1])
    return np.asarray(sp.csc_matrix((data, X.indices, X.indptr), shape=X.shape).sum(axis=0), dtype=np.float64).ravel()


def _turned(X: Any) -> Any:
    """Return X by its other side, where elements are sorted, so that those of one place lie together."""
    return X.tocsc() if X.format == "csr" else X.tocsr()


# Sums of squares up to this are exact in float64.
_EXACT = 2.0**53


def _counts(X: Any, y: Any) -> tuple[Any, Classes] | None:
    """Return X and the classes of y if X is a sparse matrix of counts, and y has a class for each of its documents."""
    if not sp.issparse(X) or X.format not in ("csr", "csc") or not (X.dtype.kind in "iu" or X.dtype == np.float64):
        return None
    if 0 in X.shape or X.nnz == 0 or not (X.has_canonical_format or _turned(X).has_canonical_format):
        return None
    least, most = X.data.min(), X.data.max()
    if not (0 <= least and float(most) ** 2 * X.shape[0] <= _EXACT) or X.dtype.kind == "f" and (np.floor(X.data) != X.data).any():
        return None
    labels = np.asarray(y)
    if labels.shape != (X.shape[0],) or not (labels.dtype.kind in "iubU" or labels.dtype == object and set(map(type, labels)) == {str}):
        return None
    names, of = np.unique(labels, return_inverse=True)
    return (X, Classes(names, of)) if len(names) > 1 else None
