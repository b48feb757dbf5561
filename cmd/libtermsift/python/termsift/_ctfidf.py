"""Class-based tf-idf."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _library as lib
from ._arrays import matrix_of
from ._options import options_of, threads_of
from ._rank import has_texts
from ._selector import has_negative, numeric_or_none, validate_data


class ClassTfidf(TransformerMixin, BaseEstimator):
    """Weight the counts of terms in classes, such as topics: c-TF-IDF, in place of BERTopic's ClassTfidfTransformer.

    The weight of a term in a class is the share of the class's words that it is, times ln(1 + A/f): A is the mean number
    of words of a class, rounded down, and f how often the term occurs in all classes.

    Parameters
    ----------
    bm25_weighting : whether the second factor is ln(1 + (A - f + 0.5)/(f + 0.5)), which is negative for terms above A.
    reduce_frequent_words : whether the root of the share is taken.
    seed_words : terms whose second factor is multiplied by seed_multiplier. fit must know the terms of the columns.
    seed_multiplier : a number.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.

    Attributes
    ----------
    idf_ : the second factor of each column, 0 for a term that does not occur.

    Examples
    --------
    >>> ClassTfidf().fit_transform([[3, 1, 0], [0, 1, 4]]).toarray().round(3)
    array([[0.635, 0.275, 0.   ],
           [0.   , 0.22 , 0.555]])
    """

    def __init__(
        self, bm25_weighting: bool = False, reduce_frequent_words: bool = False, seed_words: Collection[str] | None = None,
        seed_multiplier: float = 2, *, n_jobs: int | None = None,
    ) -> None:
        self.bm25_weighting = bm25_weighting
        self.reduce_frequent_words = reduce_frequent_words
        self.seed_words = seed_words
        self.seed_multiplier = seed_multiplier
        self.n_jobs = n_jobs

    def fit(self, X: Any, multiplier: Any = None, *, terms: Any = None) -> ClassTfidf:
        """Learn the second factor of each term.

        X is a matrix of counts, classes by terms. multiplier has a number for each column, which its factor is multiplied
        by. terms are the names of the columns, for seed_words.
        """
        X = self._counts(X, reset=True)
        frequency = self._call("matrix_sums", X, np.empty(X.shape[1]))
        mean = int(frequency.sum() / X.shape[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            idf = np.log((mean + 1) / (frequency + 0.5)) if self.bm25_weighting else np.log1p(mean / frequency)
        idf[frequency == 0] = 0
        self.idf_ = idf * self._multiplier(X.shape[1], multiplier, terms)
        return self

    def _multiplier(self, columns: int, multiplier: Any, terms: Any) -> Any:
        if multiplier is None and self.seed_words is not None:
            if terms is None:
                raise ValueError("seed_words need the terms of the columns: fit(X, terms=vectorizer.get_feature_names_out())")
            seeds = set(self.seed_words)
            multiplier = [self.seed_multiplier if term in seeds else 1 for term in terms]
        if multiplier is None:
            return 1
        multiplier = np.asarray(multiplier, dtype=np.float64)
        if multiplier.shape != (columns,):
            raise ValueError(f"the multiplier, or the terms, have the shape {multiplier.shape}, and X has {columns} columns")
        return multiplier

    def transform(self, X: Any) -> sp.csr_matrix:
        """Return the weights of a matrix of counts, a csr_matrix of float64 of the same shape. X stays as it is."""
        check_is_fitted(self)
        X = self._counts(X, reset=False)
        if X.shape[1] != len(self.idf_):
            raise ValueError(f"X has {X.shape[1]} columns, and ClassTfidf was fitted on {len(self.idf_)}")
        options = options_of(root=bool(self.reduce_frequent_words), threads=threads_of(self.n_jobs))
        values = self._call("matrix_shares", X, np.empty(X.indptr[-1]), lib.readable(self.idf_, np.float64), options=options)
        return sp.csr_matrix((values, X.indices[: len(values)].copy(), X.indptr.copy()), shape=X.shape)

    def fit_transform(self, X: Any, multiplier: Any = None, *, terms: Any = None) -> sp.csr_matrix:
        """Fit to a matrix of counts and return its weights."""
        return self.fit(X, multiplier, terms=terms).transform(X)

    def _counts(self, X: Any, *, reset: bool) -> Any:
        """Return a matrix of counts by rows."""
        if not sp.issparse(X) and has_texts(X):
            raise ValueError("X has texts, and ClassTfidf weights counts. Counts first: CountVectorizer().fit_transform(a text for each class)")
        X = validate_data(self, X, accept_sparse=["csr"], dtype=numeric_or_none(X), reset=reset)
        return X if sp.issparse(X) else sp.csr_matrix(X)

    def _call(self, operation: str, X: Any, result: np.ndarray, *more: np.ndarray, options: bytes | None = None) -> np.ndarray:
        """Do an operation of the library for a matrix of counts."""
        m = matrix_of(X)
        try:
            lib.call(operation, m, *more, out=[result], options=options, size=m.stored)
        except ValueError as e:
            if not has_negative(X):
                raise
            raise ValueError(f"Negative values in data passed to {type(self).__name__}: {e}") from e
        return result

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"requires_positive_X": True, "preserves_dtype": [], "X_types": ["2darray", "sparse"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []  # weights are float64
        return tags

    @property
    def _idf_diag(self) -> sp.csr_matrix:
        """The factors as BERTopic saves them with a model and sets them again."""
        n = len(self.idf_)
        return sp.csr_matrix((self.idf_, np.arange(n), np.arange(n + 1)), shape=(n, n))

    @_idf_diag.setter
    def _idf_diag(self, diagonal: Any) -> None:
        # Where topics are deleted, BERTopic takes away rows, after which no matrix of counts fits.
        rows, columns = diagonal.shape
        self.idf_ = diagonal.diagonal() if rows == columns else np.full(rows, np.nan)
