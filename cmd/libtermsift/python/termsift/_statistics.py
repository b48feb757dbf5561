"""Statistics and corpora."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import byref, c_uint64
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._arrays import names_of, texts_of
from ._features import Model
from ._labels import check_lengths, classes_of
from ._options import analysis_of, measure_of, options_of, path_of, threads_of


class Features:
    """Selected terms, best first: terms, scores, df. They pickle as the bytes of a features file."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def terms(self) -> np.ndarray:
        return self._model.terms

    @property
    def scores(self) -> np.ndarray:
        return self._model.scores

    @property
    def df(self) -> np.ndarray:
        return self._model.df

    def __len__(self) -> int:
        return len(self.terms)

    def __repr__(self) -> str:
        more = ", ..." if len(self) > 3 else ""
        return f"<termsift.Features: {len(self)} terms: {', '.join(self.terms[:3])}{more}>"

    def to_bytes(self) -> bytes:
        """Return the features file."""
        return self._model.save()

    @classmethod
    def from_bytes(cls, data: bytes) -> Features:
        """Return the features of a features file."""
        return cls(Model.load(bytes(data)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the features file."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Features:
        """Read a features file."""
        return cls.from_bytes(Path(path).read_bytes())

    def transform(self, texts: Any, weight: str = "tf", n_jobs: int | None = None, missing: str = "error") -> sp.csr_matrix:
        """Return the rows of texts over these terms; missing is as of TermVectorizer."""
        model = Model(self._model._handle, weight)
        return model.rows_of_texts(texts, threads_of(n_jobs), missing)


class _Counted:
    """What statistics and corpora have in common."""

    _handle: lib.Handle

    def _sizes(self) -> np.ndarray:
        sizes = np.empty(5, dtype=np.int64)
        lib.call("ts_corpus_sizes", self._handle.value, sizes)
        return sizes

    def _names(self, function: str, count: int, size: int) -> np.ndarray:
        names, offsets = ctypes.create_string_buffer(max(int(size), 1)), np.empty(count + 1, dtype=np.int64)
        lib.call(function, self._handle.value, names, offsets, None)
        return names_of(names.raw, offsets)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self._sizes()[0])

    @property
    def terms(self) -> np.ndarray:
        """The terms, by df descending, then bytes."""
        sizes = self._sizes()
        return self._names("ts_corpus_terms", sizes[1], sizes[2])

    @property
    def classes(self) -> np.ndarray:
        """The classes, by bytes."""
        sizes = self._sizes()
        return self._names("ts_corpus_classes", sizes[3], sizes[4])

    def __repr__(self) -> str:
        documents, terms, _, classes, _ = self._sizes()
        return f"<termsift.{type(self).__name__}: {documents} documents, {terms} terms, {classes} classes>"

    def select(
        self, by: str = "chi", k: Any = "all", *, weight: str | None = None, combine: str | None = None, n_jobs: int | None = None, **options: Any,
    ) -> Features:
        """Select terms; options are those of the command, as per_class=True. k=None leaves it to another criterion."""
        text = options_of(by=measure_of(by), k=k, weight=weight, combine=combine, threads=threads_of(n_jobs), **options)
        model = c_uint64()
        lib.call_long("ts_select", lib.LARGE, (self._handle.value, text), (byref(model),))
        return Features(Model(lib.Handle(model.value), weight or "tf"))

    def score(self, by: str = "chi", **options: Any) -> Features:
        """Return all terms with their values, best first."""
        return self.select(by, "all", **options)


class Statistics(_Counted):
    """Counts of each term in each class. Those of disjoint documents add up.

    >>> a = Statistics.of(["to orbit", "to the orbit"], ["space", "space"])
    >>> b = Statistics.of(["to bake bread", "bread"], ["food", "food"])
    >>> both = Statistics.from_bytes((a + b).to_bytes())
    >>> both.documents, list(both.classes)
    (4, ['food', 'space'])
    >>> both.select("chi", 2).terms
    array(['bread', 'orbit'], dtype=object)
    """

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle.saved_by("ts_stats_save", "ts_stats_load")

    @classmethod
    def of(cls, texts: Any, labels: Any, *, missing: str = "error", n_jobs: int | None = None, **analysis: Any) -> Statistics:
        """Count texts; analysis are options such as tokens, stop, stem, ngrams, normalize, markup, as of TermVectorizer."""
        analysis.setdefault("tokens", "words")  # every part of a whole must be analysed alike
        t, size = texts_of(texts, missing)
        classes = classes_of(labels)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        struct, handle = classes.struct(), c_uint64()
        options = options_of(classes=classes.texts(), threads=threads_of(n_jobs), **analysis_of(t.count, **analysis))
        lib.call_long("ts_stats_texts", size, (byref(t), byref(struct), options), (byref(handle),))
        return cls(lib.Handle(handle.value))

    def __add__(self, other: Statistics) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        handle = c_uint64()
        lib.call("ts_stats_add", self._handle.value, other._handle.value, byref(handle))
        return Statistics(lib.Handle(handle.value))

    def to_bytes(self) -> bytes:
        """Return the file of the statistics."""
        return lib.saved_bytes("ts_stats_save", self._handle)

    @classmethod
    def from_bytes(cls, data: bytes) -> Statistics:
        """Return the statistics of a file."""
        handle = c_uint64()
        data = bytes(data)
        lib.call("ts_stats_load", data, len(data), byref(handle))
        return cls(lib.Handle(handle.value).saved_by("ts_stats_save", "ts_stats_load", data))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file of the statistics, which the command reads, too."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read a file of statistics."""
        return cls.from_bytes(Path(path).read_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Statistics.from_bytes, (self.to_bytes(),)


class Corpus(_Counted):
    """An index file that the command has written."""

    def __init__(self, handle: lib.Handle, path: Any) -> None:
        self._handle = handle
        self._path = path

    @classmethod
    def open(cls, path: str | bytes | os.PathLike[Any]) -> Corpus:
        """Open an index file."""
        return cls(lib.Handle(_open(path_of(path))).made_by(_opened_again(path_of(path))), os.fspath(path))

    def rows(self, features: Features, weight: str = "tf") -> sp.csr_matrix:
        """Return the documents over selected terms, a csr_matrix of float32, in the order of the input."""
        return features._model.rows_of_corpus(self._handle, weight)

    def __reduce__(self) -> tuple[Any, ...]:
        return Corpus.open, (self._path,)


def _open(path: bytes) -> int:
    """Return a handle of the file of a path."""
    handle = c_uint64()
    lib.call("ts_open", path, byref(handle))
    return handle.value


def _opened_again(path: bytes) -> Callable[[], int]:
    """Return a function that opens a file again, unless it is another one by then."""
    path = os.path.abspath(path)
    opened = _identity(path)

    def again() -> int:
        if _identity(path) != opened:
            raise lib.CorruptFileError(f"{os.fsdecode(path)} has changed since it was opened: open it again")
        return _open(path)

    return again


def _identity(path: bytes) -> tuple[int, ...]:
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
