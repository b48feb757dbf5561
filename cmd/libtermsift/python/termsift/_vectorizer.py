"""A vectorizer of texts that selects terms."""

from __future__ import annotations

from ctypes import byref, c_uint64

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _library as lib
from ._arrays import check_lengths, classes_of, texts_of
from ._features import Model


class TermVectorizer(TransformerMixin, BaseEstimator):
    """Turn texts into rows over the k best terms by a measure.

    Parameters
    ----------
    by, k, combine : as of TermSelector; k may be "all".
    weight : "tf", "binary", "tfidf", "tfidf-unit", "ltc", or a supervised one such as "tf-rf".
    tokens, stem, ngrams, min_df, max_df : as of the command.
    stop : the name of a list, or a list of words.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.

    Attributes
    ----------
    terms_, scores_, df_ : the terms, best first, with their values and documents.

    Examples
    --------
    >>> vectorizer = TermVectorizer(k=2)
    >>> vectorizer.fit_transform(["to orbit", "to the orbit", "to bake bread", "bread"], ["space", "space", "food", "food"]).toarray()
    array([[0., 1.],
           [0., 1.],
           [1., 0.],
           [1., 0.]], dtype=float32)
    >>> vectorizer.terms_
    array(['bread', 'orbit'], dtype=object)
    >>> vectorizer.transform(["orbit orbit"]).toarray()
    array([[0., 2.]], dtype=float32)
    """

    def __init__(
        self, by="chi", k=10000, *, combine=None, weight="tf", tokens="words", stop="none", stem="none", ngrams="1",
        min_df=0, max_df=0, n_jobs=None,
    ):
        self.by = by
        self.k = k
        self.combine = combine
        self.weight = weight
        self.tokens = tokens
        self.stop = stop
        self.stem = stem
        self.ngrams = ngrams
        self.min_df = min_df
        self.max_df = max_df
        self.n_jobs = n_jobs

    def fit(self, texts, y=None):
        """Select terms of the texts for the classes y."""
        self._fit(texts, y, False)
        return self

    def fit_transform(self, texts, y=None):
        """Select terms of the texts, and return their rows."""
        return self._fit(texts, y, True)

    def transform(self, texts):
        """Return the rows of texts, a csr_matrix of float32."""
        check_is_fitted(self)
        return self._model.rows_of_texts(texts, lib.threads_of(self.n_jobs))

    def get_feature_names_out(self, input_features=None):
        """Return the terms in the order of the columns."""
        check_is_fitted(self)
        return self.terms_

    def _fit(self, texts, y, with_rows):
        if y is None:
            raise ValueError("TermVectorizer requires y to be passed, but the target y is None")
        lib.check_k(self.k)
        t, size = texts_of(texts)
        classes = classes_of(y)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        options = lib.options_of(
            by=self.by, k=self.k, combine=self.combine, weight=self.weight, tokens=self.tokens, stop=self.stop, stem=self.stem,
            ngrams=self.ngrams, min_df=self.min_df, max_df=self.max_df, threads=lib.threads_of(self.n_jobs), classes=classes.texts(),
        )
        labels, model, rows = classes.struct(), c_uint64(), c_uint64()
        lib.call_long("ts_fit", size, (byref(t), byref(labels), options), (byref(model), byref(rows) if with_rows else None))
        self._model = Model(lib.Handle(model.value), self.weight)
        self.terms_, self.scores_, self.df_ = self._model.terms, self._model.scores, self._model.df
        return self._model.copy_rows(rows.value) if with_rows else None

    def _more_tags(self):  # before scikit-learn 1.6
        return {"X_types": ["string"], "requires_y": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
