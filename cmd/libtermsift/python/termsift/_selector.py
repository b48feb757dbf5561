"""A selector of columns for scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ._measures import check_target
from ._options import check_k, measure_of, names_of_columns, threads_of, top_of
from ._pvalues import population_of, pvalues_of
from ._score import best, values_of
from ._table import Table
from ._targets import Numbers, target_of

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data as validate_data
except ImportError:

    def validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


class TermSelector(SelectorMixin, BaseEstimator):
    """Select the k best columns by a measure.

    Parameters
    ----------
    by : str, a measure, also with a combination as "ttest:avg", or a formula with its name, "mine=A*D/(B*C)"; termsift.measures() has
        all. "sklearn-chi2" is chi2 of scikit-learn.
    k : int above 0, or "all".
    combine : how the values of the classes become one: "max", "avg" (weighted by their shares of the documents), "sum" or "mean";
        None is the measure's own way.
    weight : what ocfs, pearson, f and spearman read: "tf", the values of X, or "binary", 1 for each; None is "tf".
    target : None, or "number" if y has numbers, not classes, for the measures of a target, as in score.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.

    Attributes
    ----------
    scores_, df_ : float64 of the shape (columns,), the value of each column and its documents. A column without a document has NaN.
    pvalues_ : float64 of the shape (columns,), the p-values; of the largest of several classes times their number. None where the
        distribution of the measure is not known.
    ranking_ : int64 of the shape (columns,), the columns, best first; of equal values the one in more documents, then the first.
    classes_ : the classes of y, in order; with target="number" there are none.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2, 1, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1]])
    >>> selector = TermSelector(by="ig", k=2).fit(X, [0, 0, 1, 1])
    >>> selector.ranking_, selector.get_support()
    (array([0, 1, 2]), array([ True,  True, False]))
    >>> selector.transform(X).shape
    (4, 2)
    """

    def __init__(
        self, by: str = "chi", k: Any = 10, *, combine: str | None = None, weight: str | None = None, n_jobs: int | None = None,
        target: str | None = None,
    ) -> None:
        self.by = by
        self.k = k
        self.combine = combine
        self.weight = weight
        self.n_jobs = n_jobs
        self.target = target

    def fit(self, X: Any, y: Any = None) -> TermSelector:
        """Score the columns of X for the classes y, or for the numbers y."""
        if y is None:
            raise ValueError("TermSelector requires y to be passed, but the target y is None")
        X = validate_data(self, X, accept_sparse=["csr", "csc"], dtype=numeric_or_none(X))
        check_k(self.k)
        classes = target_of(y, self.target)
        check_target([measure_of(self.by)], self.target)
        try:
            values, self.df_ = values_of(
                X, classes, [measure_of(self.by)], combine=self.combine, weight=self.weight, threads=threads_of(self.n_jobs),
            )
        except ValueError as e:
            if has_negative(X):  # in the words that scikit-learn's checks look for
                raise ValueError(f"Negative values in data passed to {type(self).__name__}: {e}") from None
            raise
        self.scores_ = values[0]
        if not isinstance(classes, Numbers):
            self.classes_ = classes.names
        self._population = population_of(classes)
        return self

    @property
    def ranking_(self) -> np.ndarray:
        """The columns, best first: int64 of the shape (columns,). Of equal values the one in more documents comes first, then the first."""
        check_is_fitted(self)
        return best(self.scores_, self.df_, len(self.scores_))

    @property
    def pvalues_(self) -> np.ndarray | None:
        """The p-values of the columns, float64 of the shape (columns,), or None where the distribution of the measure is not known."""
        check_is_fitted(self)
        return pvalues_of(self.scores_, self.by, self.combine, self._population)

    def best_terms(self, n: int = 10, feature_names: Any = None) -> Table:
        """Return the n best of the selected columns as a Table: term, value, df, and p if pvalues_ are known.

        feature_names are names of the columns, or a fitted vectorizer; None takes those of the DataFrame that was fitted, else the
        numbers. The best of each class are those of termsift.rank(X, y, top=n, positive=True).
        """
        check_is_fitted(self)
        ranking, n = self.ranking_, int(top_of(n))
        chosen = ranking[self._get_support_mask()[ranking] & (self.df_[ranking] > 0)][:n]
        names = getattr(self, "feature_names_in_", None) if feature_names is None else names_of_columns(feature_names, len(ranking))
        terms = chosen if names is None else np.asarray(names, dtype=object)[chosen]
        columns = {"term": terms, "value": self.scores_[chosen], "df": self.df_[chosen].astype(np.int64)}
        if (p := self.pvalues_) is not None:
            columns["p"] = p[chosen]
        return Table(columns)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        if self.k == "all":
            return np.ones(len(self.scores_), dtype=bool)
        mask = np.zeros(len(self.scores_), dtype=bool)
        mask[best(self.scores_, self.df_, self.k)] = True
        return mask

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"requires_y": True, "requires_positive_X": True, "multilabel": True, "X_types": ["2darray", "sparse"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags


def numeric_or_none(X: Any) -> str | None:
    """Return the dtype for validate_data: numbers stay as they are."""
    dtype = getattr(X, "dtype", None)
    return None if isinstance(dtype, np.dtype) and dtype.kind in "biuf" else "numeric"


def has_negative(X: Any) -> bool:
    """Report whether a matrix has values below 0."""
    values = X.data if sp.issparse(X) else X
    return bool(values.size) and bool(values.min() < 0)
