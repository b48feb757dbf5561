"""What scikit-learn's vectorizers do slowly, done by the library: their own methods under their own names.

A method counts with the library where that gives the same matrix, and calls scikit-learn's method elsewhere.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import compress
from math import ceil, floor
from numbers import Integral
from typing import Any
from unicodedata import unidata_version
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp
import sklearn
import sklearn.feature_extraction.text as text
from sklearn.base import BaseEstimator
from sklearn.preprocessing import normalize

from ._bag import Arrays, Bag, Rows, Texts, analysis_options, hashed
from ._options import threads_of
from ._vocabulary import STRINGS, Known, Learned, Reading, Refused, Unread, known_of, watch


class Original:
    """scikit-learn's own methods."""

    count_vocab = text.CountVectorizer._count_vocab
    sort_features = text.CountVectorizer._sort_features
    limit_features = text.CountVectorizer._limit_features
    validate_vocabulary = text.CountVectorizer._validate_vocabulary
    set_state = text.CountVectorizer.__setstate__
    hash = text.HashingVectorizer.transform


# ---- who counts ----

# The way that each vectorizer took last. It is not in the pickle.
_ways: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def took(vectorizer: Any, way: str) -> None:
    """Note the way that a vectorizer took."""
    _ways[vectorizer] = way


class Path:
    """The property path_."""

    @property
    def path_(self) -> str | None:
        """Who counted last: "termsift", or "scikit-learn: " and the reason. None before, and after unpickling."""
        return _ways.get(self)

    def __dir__(self) -> list[str]:
        """Leave out path_: programs take names that end in _ for what fit has learned, and compare or copy it."""
        return [name for name in BaseEstimator.__dir__(self) if name != "path_"]


class Counting(Path):
    """The methods of CountVectorizer and TfidfVectorizer that are replaced."""

    def __setstate__(self, state: Any) -> None:
        Original.set_state(self, state)
        watch(self)

    def __copy__(self) -> Any:
        """Return a copy that has the same dict vocabulary_, as that of scikit-learn's class has."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def _validate_vocabulary(self) -> None:
        Original.validate_vocabulary(self)
        watch(self)

    def _count_vocab(self, raw_documents: Any, fixed_vocab: bool) -> tuple[dict[str, Any], Any]:
        documents = _Documents(self, raw_documents)
        try:
            _check_way(self)
            self.build_analyzer()  # type: ignore[attr-defined]  # it checks parameters and warns
            counted = _transformed(self, documents) if fixed_vocab else _fitted(self, documents.texts())
        except Refused as e:
            took(self, f"scikit-learn: {e}")
            return Original.count_vocab(self, documents.raw, fixed_vocab)  # type: ignore[no-any-return]
        took(self, "termsift")
        return counted

    def _limit_features(self, X: Any, vocabulary: dict[str, Any], high: Any = None, low: Any = None, limit: Any = None) -> Any:
        left_out = getattr(X, _LEFT_OUT, None)
        if left_out is None or X.shape[1] == 0:
            return Original.limit_features(self, X, vocabulary, high, low, limit)
        if limit is not None:  # the features are sorted
            delattr(X, _LEFT_OUT)
        return (X, left_out) if _RETURNS_LEFT_OUT else X

    def _sort_features(self, X: Any, vocabulary: dict[str, Any]) -> Any:
        if not hasattr(X, _LEFT_OUT):
            return Original.sort_features(self, X, vocabulary)
        if self.max_features is None:  # type: ignore[attr-defined]  # they are limited
            delattr(X, _LEFT_OUT)
        return X


class Hashing(Path):
    """The method of HashingVectorizer that is replaced."""

    def transform(self, X: Any) -> Any:
        """Return a matrix of documents and the hashes of their terms, shape (documents, n_features)."""
        if isinstance(X, str):
            return Original.hash(self, X)  # which raises
        documents = _Documents(self, X)
        try:
            _check_way(self)
            self._validate_ngram_range()  # type: ignore[attr-defined]
            self.build_analyzer()  # type: ignore[attr-defined]  # it checks parameters and warns
            X = _hashed(self, documents.texts())
        except Refused as e:
            took(self, f"scikit-learn: {e}")
            return Original.hash(self, documents.raw)
        took(self, "termsift")
        if self.binary:  # type: ignore[attr-defined]
            X.data.fill(1)
        if self.norm is not None:  # type: ignore[attr-defined]
            X = normalize(X, norm=self.norm, copy=False)  # type: ignore[attr-defined]
        return X


# What says how a vectorizer counts. One that has its own is left to scikit-learn.
_USUAL = {
    name: [getattr(kind, name) for kind in (text.CountVectorizer, text.HashingVectorizer, Counting) if hasattr(kind, name)]
    for name in (
        "decode", "build_analyzer", "build_preprocessor", "build_tokenizer", "get_stop_words", "_word_ngrams", "_char_ngrams",
        "_char_wb_ngrams", "_white_spaces", "_count_vocab", "_sort_features", "_limit_features", "_get_hasher",
    )
}


def _check_way(v: Any) -> None:
    """Raise Refused for what only scikit-learn does."""
    kind: Any = type(v)
    own = _own_of(kind) or next((name for name in v.__dict__ if name in _USUAL), None)
    if own:
        raise Refused(f"the vectorizer has a {own} of its own")
    if callable(v.analyzer):
        raise Refused("analyzer is a function")
    if v.preprocessor is not None:
        raise Refused("preprocessor is a function")
    if v.tokenizer is not None and v.analyzer == "word":
        raise Refused("tokenizer is a function")
    if callable(v.strip_accents):
        raise Refused("strip_accents is a function")


@lru_cache(maxsize=256)
def _own_of(kind: Any) -> str | None:
    """Return the name of what a class has changed."""
    for name, usual in _USUAL.items():
        if hasattr(kind, name) and not any(getattr(kind, name) is one for one in usual):
            return name
    return None


# ---- documents ----

_STR = {str}


class _Documents:
    """The documents of a call, which are read once: they may come from a generator or from open files."""

    def __init__(self, vectorizer: Any, raw: Any) -> None:
        self.vectorizer = vectorizer
        # As scikit-learn can still read them: columns of Arrow yield scalars that are no str.
        self.raw = raw.to_pylist() if hasattr(raw, "to_pylist") else raw

    def texts(self) -> Texts:
        """Return the documents as the library reads them."""
        documents = self.strings()
        try:
            return Texts(documents)
        except ValueError as e:
            raise Refused(str(e)) from e

    def strings(self) -> list[str]:
        """Return the documents as a list of str. It is called once."""
        v = self.vectorizer
        documents = self.raw if type(self.raw) is list else list(self.raw)
        self.raw = documents
        kinds = set(map(type, documents))
        if v.input != "content" or kinds != _STR:
            documents = list(map(v.decode, documents))
            kinds = set(map(type, documents))
        if v.input == "file":
            self.raw = list(map(_File, documents))
        if not documents:
            raise Refused("there are no documents")
        if not kinds <= STRINGS:
            raise Refused("a document is no str")
        return documents


class _File:
    """A file that has been read."""

    def __init__(self, document: Any) -> None:
        self.document = document

    def read(self) -> Any:
        return self.document


# ---- options ----

_DEFAULT_PATTERN = r"(?u)\b\w\w+\b"

# The version of Unicode whose characters this Python knows, as 14.0.
_UNICODE = ".".join(unidata_version.split(".")[:2])

# The n_jobs of vectorizers that do not have the parameter.
default_jobs: int | None = None


def _threads(v: Any) -> int:
    return threads_of(getattr(v, "n_jobs", default_jobs))


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral)


def _dtype(v: Any) -> np.dtype[Any]:
    try:
        dtype: np.dtype[Any] = np.dtype(v.dtype)
    except TypeError as e:
        raise Refused(str(e)) from e
    if dtype.kind not in "biu" and dtype not in _EXACT_SUMS:
        raise Refused(f"dtype is {dtype}")
    return dtype


def _analysis(v: Any) -> tuple[Any, ...]:
    """Return what says how texts become terms, as analysis_options takes it."""
    low, high = v.ngram_range
    if not (_is_whole(low) and _is_whole(high) and 1 <= low <= high):
        raise Refused(f"ngram_range is {v.ngram_range!r}")
    tokens, stop = v.analyzer, None
    if tokens == "word":
        if not isinstance(v.token_pattern, str):
            raise Refused("token_pattern is no str")
        try:
            re.compile(v.token_pattern)
        except re.error as e:  # of which the library takes some
            raise Refused(str(e)) from e
        tokens = "words" if v.token_pattern == _DEFAULT_PATTERN else "pattern:" + v.token_pattern
        stop = v.get_stop_words()
    return tokens, f"{low:d}-{high:d}", _words(stop) if stop else None, v.strip_accents or None, not v.lowercase, _UNICODE


@lru_cache(maxsize=64)
def _words(stop: frozenset[Any]) -> tuple[str, ...]:
    """Return the stop words that a text with UTF-8 can have."""
    return tuple(sorted(str(word) for word in stop if isinstance(word, str) and _has_utf8(word)))


def _has_utf8(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


# ---- fitting ----

# Whether _limit_features returns the terms that it leaves out, for stop_words_: before scikit-learn 1.7.
_RETURNS_LEFT_OUT = isinstance(
    Original.limit_features(text.CountVectorizer(), sp.csr_matrix([[1, 1]]), {"a": 0, "b": 1}, 1, 1, None), tuple,
)

# The attribute of a matrix that is pruned and sorted: the terms that were left out.
_LEFT_OUT = "_termsift_left_out"


def _fitted(v: Any, texts: Texts) -> tuple[Any, Any]:
    """Return the vocabulary of texts, an Unread where v can have one, and their matrix, pruned and sorted."""
    analysis, dtype, threads = _analysis(v), _dtype(v), _threads(v)
    bounds = _Bounds(v, texts.count)
    try:
        bag, rows = Bag.fit(texts, analysis_options(*analysis, threads=threads, **bounds.options()))
        if bag.terms + bag.left_out > 0:
            bag, rows, left_out = bounds.prune(bag, rows)
    except ValueError as e:
        raise Refused(str(e)) from e
    if bag.terms + bag.left_out == 0:
        return Original.count_vocab(v, [], False)  # type: ignore[no-any-return]  # which raises
    learned = Learned(bag, plain=v.max_features is None)  # else scikit-learn's columns are NumPy's
    vocabulary = Unread(learned, Known(bag, learned.by_column, analysis))
    X = _matrix(rows.arrays(dtype), (texts.count, bag.terms), dtype)
    setattr(X, _LEFT_OUT, left_out)
    return vocabulary if isinstance(v, Reading) and bag.terms > 0 else vocabulary.read(), X


class _Bounds:
    """min_df, max_df and max_features."""

    def __init__(self, v: Any, documents: int) -> None:
        self.high = v.max_df if _is_whole(v.max_df) else v.max_df * documents
        self.low = v.min_df if _is_whole(v.min_df) else v.min_df * documents
        self.documents = documents
        self.limit = v.max_features
        self.binary = v.binary
        self.dtype = np.dtype(v.dtype)

    def options(self) -> dict[str, int]:
        """Return the options by which the library drops terms whose names nobody asks for."""
        if _RETURNS_LEFT_OUT or self.low > self.high:
            return {}
        return {
            **({"min_df": ceil(self.low)} if self.low > 1 else {}),
            **({"max_df": floor(self.high)} if self.high < self.documents else {}),
        }

    def prune(self, bag: Bag, rows: Rows) -> tuple[Bag, Rows, set[str]]:
        """Return the bag and the rows of the terms that stay, and the terms that do not, if scikit-learn tells them."""
        bounded = _RETURNS_LEFT_OUT and (self.low > 1 or self.high < self.documents)
        if self.low > self.high or not bounded and (self.limit is None or bag.terms <= self.limit):
            return bag, rows, set()
        columns, df, occurrences = bag.counts()
        kept = (df <= self.high) & (df >= self.low)
        if self.limit is not None and kept.sum() > self.limit:
            kept = self._most_frequent(columns, kept, df if self.binary else occurrences)
        if kept.all():
            return bag, rows, set()
        left_out = set(compress(bag.names(), ~kept)) if _RETURNS_LEFT_OUT else set()
        return (*bag.keep(rows, kept), left_out)

    def _most_frequent(self, columns: np.ndarray, kept: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return which of the kept terms are the most frequent. Those of one count fall as numpy sorts them."""
        if self.dtype not in _EXACT_SUMS or counts.max() >= _EXACT_SUMS[self.dtype]:
            raise Refused(f"sums of max_features are not exact in {self.dtype}")
        by_name = np.argsort(columns)
        candidates = by_name[kept[by_name]]
        # Sums have the type that scipy gives them, because numpy sorts each type in its own way.
        sums = counts[candidates].astype(np.int64 if self.dtype.kind == "i" else self.dtype)
        most = np.zeros(len(kept), dtype=bool)
        most[candidates[(-sums).argsort()[: self.limit]]] = True
        return most


# The types of elements, and the least sum that may not be exact.
_EXACT_SUMS = {np.dtype(np.int32): 2**62, np.dtype(np.int64): 2**62, np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}


def _container() -> Any:
    """Return the class of scikit-learn's matrices."""
    return sp.csr_array if sklearn.get_config().get("sparse_interface") == "sparray" else sp.csr_matrix


def _matrix(arrays: Arrays, shape: tuple[int, int], dtype: np.dtype[Any]) -> Any:
    """Return the matrix of arrays of the library's. It has the attributes of an empty one, and none of the checks that take long."""
    empty = (_empty if shape[0] < _REPEATED else _empty.__wrapped__)(_container(), shape, dtype)
    X = object.__new__(type(empty))
    X.__dict__.update(empty.__dict__)
    X.indptr, X.indices, values = arrays
    X.data = values if values.dtype == dtype else values.astype(dtype)
    return X


# From so many documents on an empty matrix is not kept for the next call.
_REPEATED = 1000


@lru_cache(maxsize=32)
def _empty(container: Any, shape: tuple[int, int], dtype: np.dtype[Any]) -> Any:
    start = np.zeros(shape[0] + 1, dtype=np.int32)
    return container((np.empty(0, dtype=dtype), np.empty(0, dtype=np.int32), start), shape=shape)


# ---- counting over a vocabulary ----

def _transformed(v: Any, documents: _Documents) -> tuple[Any, Any]:
    """Return the matrix of documents over vocabulary_."""
    vocabulary, analysis, dtype, threads = v.__dict__.get("vocabulary_"), _analysis(v), _dtype(v), _threads(v)
    strings = documents.strings()
    size = sum(map(len, strings))
    try:
        known = known_of(v, vocabulary, analysis, size)
        shape = (len(strings), known.bag.terms)
        if len(strings) <= _FEW and size <= _SHORT:
            arrays = known.bag.transform_few(strings, dtype)
            if arrays is not None:
                return vocabulary, _matrix(arrays, shape, dtype)
        rows = known.bag.transform(Texts(strings), threads)
    except ValueError as e:
        raise Refused(str(e)) from e
    return vocabulary, _matrix(rows.arrays(dtype), shape, dtype)


# The most documents, and characters of all, of which a matrix is made in the shortest way.
_FEW, _SHORT = 4, 50_000


# ---- hashing ----

def _hashed(v: Any, texts: Texts) -> Any:
    """Return the sums of a term's signs, in the columns of its hashes."""
    dtype, threads = _dtype(v), _threads(v)
    if dtype not in _EXACT_SUMS:
        raise Refused(f"hashes are not added as {dtype}")
    if not (_is_whole(v.n_features) and 1 <= v.n_features < 2**31):
        raise Refused(f"n_features is {v.n_features!r}")
    try:
        options = analysis_options(*_analysis(v), threads=threads, features=int(v.n_features), alternate_sign=bool(v.alternate_sign))
        rows = hashed(texts, options)
    except ValueError as e:
        raise Refused(str(e)) from e
    return _matrix(rows.arrays(dtype), (texts.count, int(v.n_features)), dtype)
