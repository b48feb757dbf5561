"""A vectorizer of texts that selects terms."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from ctypes import c_uint64
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from . import _library as lib
from ._arrays import texts_of
from ._features import Features, analysis_behind
from ._labels import check_lengths, classes_of
from ._options import analysis_of, check_k, measure_of, options_of, threads_of, top_of
from ._statistics import Statistics
from ._table import Table

# The weights of rows that counts of terms in classes are enough for.
_WEIGHTS_OF_COUNTS = ("tf", "binary", "tfidf", "tfidf-unit", "ltc")


class TermVectorizer(TransformerMixin, BaseEstimator):
    """Turn texts into rows over the k best terms by a measure.

    Texts are a list or another iterable of str, or a column of pandas, polars, pyarrow, DuckDB, datasets or any library that
    hands over Arrow's, which is read where it lies. Classes come in the same ways.

    Parameters
    ----------
    by : str, a measure, also as "ttest:avg", or a formula, "mine=A*D/(B*C)"; termsift.measures() has all. Also "mrmr", "jmi" and "cmim", which leave
        out what other terms tell, "best-terms:p=0.25" and "project".
    k : int above 0, or "all".
    combine : how the values of the classes become one: "max", "avg" (weighted by their shares of the documents), "sum" or "mean";
        None is the measure's own way.
    weight : "tf", "binary", "tfidf", "tfidf-unit" (rows of length 1), "ltc" (log tf times idf, of length 1), or one that classes decide:
        "tf-rf", "tf-chi", "tf-ig" or "delta-idf", each also with "-unit".
    tokens : "words" (two letters or digits and more, as in scikit-learn), "letters", "unicode", "zh-bigrams", "char" or "char_wb"
        (n-grams of characters, as in scikit-learn), "pattern:REGEX" (what re.findall finds), or "auto": "zh-bigrams" where more than
        half of the first letters are Han, with a UserWarning, else "words". tokens_ says which.
    stem : "none", "porter", "porter2", "porter-c", or arabic, danish, dutch, english, finnish, french, german, hungarian, irish,
        italian, norwegian, portuguese, romanian, russian, spanish, swedish, tamil or turkish.
    stop : "none", the name of a list, or words: a list, a set or an array. Lists are glasgow, smart, sklearn, snowball, chinese, danish,
        dutch, english, finnish, french, german, hungarian, italian, norwegian, portuguese, russian, spanish, swedish and turkish.
    ngrams : words in a row that make a term, as "1-2" or (1, 2), up to 5; of "char" and "char_wb" characters, up to 30.
    hash_bits : None, or N from 1 to 30 to hash terms into 2**N columns without a dictionary, as HashingVectorizer(n_features=2**N,
        alternate_sign=False) of scikit-learn does. A term is then a column's number, as a str.
    normalize : "none", or Unicode's normal form "nfc" or "nfkc" of the texts; None is "none".
    markup : "keep", or "strip" to leave out tags of HTML and XML and decode entities; None is "keep".
    strip_accents : "none", "unicode" (é is e) or "ascii" (which drops all else beyond ASCII), as in scikit-learn; None is "none".
    keep_case : True leaves letters in their case. There is no stemmer then.
    min_df, max_df : an int is a number of documents, max_df=0 no bound; a float is a share of them, 1.0 all, as in scikit-learn.
    missing : "error", or "empty" to count a text that is null, None or NaN as an empty one.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.

    Attributes
    ----------
    terms_, scores_, df_ : the terms, best first, with their values and documents.
    vocabulary_ : a dict of the terms to their columns.
    tokens_ : what tokens are, "auto" decided by the texts of fit, or of the first partial_fit.
    statistics_ : the Statistics of all texts, after partial_fit.

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

    statistics_: Statistics

    def __init__(
        self, by: str = "chi", k: Any = 10000, *, combine: str | None = None, weight: str = "tf", tokens: str = "auto",
        stop: str | Collection[str] = "none", stem: str = "none", ngrams: str | tuple[int, int] = "1", hash_bits: int | None = None,
        normalize: str | None = None, markup: str | None = None, strip_accents: str | None = None, keep_case: bool = False,
        min_df: float = 0, max_df: float = 0, missing: str = "error", n_jobs: int | None = None,
    ) -> None:
        self.by = by
        self.k = k
        self.combine = combine
        self.weight = weight
        self.tokens = tokens
        self.stop = stop
        self.stem = stem
        self.ngrams = ngrams
        self.hash_bits = hash_bits
        self.normalize = normalize
        self.markup = markup
        self.strip_accents = strip_accents
        self.keep_case = keep_case
        self.min_df = min_df
        self.max_df = max_df
        self.missing = missing
        self.n_jobs = n_jobs

    def fit(self, texts: Any, y: Any = None) -> TermVectorizer:
        """Select terms of the texts for the classes y."""
        self._fit(texts, y, False)
        return self

    def fit_transform(self, texts: Any, y: Any = None) -> sp.csr_matrix:
        """Select terms of the texts, and return their rows."""
        return self._fit(texts, y, True)

    def transform(self, texts: Any) -> sp.csr_matrix:
        """Return the rows of texts, a csr_matrix of float32."""
        check_is_fitted(self)
        return self._model.transform(texts, self._weight, self.n_jobs, self.missing)

    def inverse_transform(self, X: Any) -> list[np.ndarray]:
        """Return the terms of each row of X, a matrix as transform returns it, in the order of the columns."""
        check_is_fitted(self)
        X = sp.csr_matrix(check_array(X, accept_sparse="csr", ensure_min_samples=0, ensure_min_features=0))
        if X.shape[1] != len(self.terms_):
            raise ValueError(f"X has {X.shape[1]} features, but TermVectorizer is expecting {len(self.terms_)} features as input")
        return [self.terms_[np.sort(X.indices[a:b][X.data[a:b] != 0])] for a, b in zip(X.indptr, X.indptr[1:])]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the terms in the order of the columns."""
        check_is_fitted(self)
        return self.terms_

    def best_terms(self, n: int = 10) -> Table:
        """Return the n best of the selected terms for each class as a Table: class, term, value, df, a, b, c, d as of termsift.rank.

        A term stands at the class with its largest value, if that class has more of it than all documents have. Where a
        measure has one value for all classes, as "ig", the table has the n best terms and no class. All terms of each class are those
        of termsift.rank(texts, y, top=n, positive=True).
        """
        check_is_fitted(self)
        n = int(top_of(n))
        if hasattr(self, "statistics_"):
            counted = self.statistics_
            return self._model._best_terms(n, self.by, dict(zip(counted.classes.tolist(), counted.class_documents.tolist())), counted.documents)
        return self._model._best_terms(n, self.by, *self._sizes)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """A dict of the terms to their columns."""
        check_is_fitted(self)
        return {term: column for column, term in enumerate(self.terms_)}

    @property
    def tokens_(self) -> str:
        check_is_fitted(self)
        return str(analysis_behind(self._model._handle)["tokens"])

    def partial_fit(self, texts: Any, y: Any = None) -> TermVectorizer:
        """Count further texts, and select terms of all texts so far.

        The counts are statistics_. Measures and weights that need the documents themselves are a ValueError, and so are
        min_df and max_df, because a part does not tell how many documents of the whole have a term. Nothing is counted of
        a call that raises an error. After fit, which keeps no counts, partial_fit begins anew, with a UserWarning.
        """
        check_k(self.k)
        if (self.min_df, self.max_df) != (0, 0):
            raise ValueError("partial_fit takes no min_df and no max_df: a part does not tell how many of all documents have a term")
        if self.weight not in _WEIGHTS_OF_COUNTS:
            raise ValueError(f"weight={self.weight!r} needs the documents themselves: partial_fit takes {', '.join(_WEIGHTS_OF_COUNTS)}")
        if y is None:
            raise ValueError("TermVectorizer requires y to be passed, but the target y is None")
        if hasattr(self, "_model") and not hasattr(self, "statistics_"):
            text = "fit keeps no statistics that partial_fit could go on with: these texts are the first that are counted"
            warnings.warn(text, UserWarning, stacklevel=lib.callers_level())
        analysis = self._analysis()
        if hasattr(self, "statistics_") and self.tokens == "auto":
            analysis["tokens"] = self.tokens_
        counted = Statistics.of(texts, y, missing=self.missing, n_jobs=self.n_jobs, **analysis)
        if hasattr(self, "statistics_"):
            counted = self.statistics_ + counted
        chosen = counted.select(self.by, self.k, combine=self.combine, weight=self.weight, n_jobs=self.n_jobs)
        self.statistics_ = counted
        self._learn(chosen)
        return self

    def _analysis(self) -> dict[str, Any]:
        """Return the parameters that say how texts become terms."""
        return {
            "tokens": self.tokens, "stop": self.stop, "stem": self.stem, "ngrams": self.ngrams, "hash_bits": self.hash_bits,
            "normalize": self.normalize, "markup": self.markup, "strip_accents": self.strip_accents, "keep_case": self.keep_case,
        }

    def _learn(self, model: Features) -> None:
        self._model, self._weight = model, self.weight
        self.terms_, self.scores_, self.df_ = model.terms, model.scores, model.df

    def _fit(self, texts: Any, y: Any, with_rows: bool) -> Any:
        if y is None:
            raise ValueError("TermVectorizer requires y to be passed, but the target y is None")
        check_k(self.k)
        t, size = texts_of(texts, self.missing)
        classes = classes_of(y)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        options = options_of(
            by=measure_of(self.by), k=self.k, combine=self.combine, weight=self.weight, threads=threads_of(self.n_jobs), classes=classes.texts(),
            **analysis_of(t.count, **self._analysis(), min_df=self.min_df, max_df=self.max_df),
        )
        model, rows = c_uint64(), c_uint64()
        lib.call("fit", t, classes.struct(), out=[model, rows if with_rows else None], options=options, size=size)
        if hasattr(self, "statistics_"):
            del self.statistics_
        self._sizes = dict(zip(classes.texts(), classes.sizes.tolist())), classes.documents
        self._learn(Features(lib.Handle(model.value)))
        return self._model._rows(lib.Handle(rows.value)) if with_rows else None

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"X_types": ["string"], "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
