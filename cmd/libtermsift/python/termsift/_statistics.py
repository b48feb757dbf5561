"""Statistics and corpora."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_uint64
from pathlib import Path

import numpy as np

from . import _library as lib
from ._arrays import check_lengths, classes_of, names_of, texts_of
from ._features import Model


class Features:
    """Selected terms, best first: terms, scores, df. They pickle as the bytes of a features file."""

    def __init__(self, model: Model):
        self._model = model

    @property
    def terms(self):
        return self._model.terms

    @property
    def scores(self):
        return self._model.scores

    @property
    def df(self):
        return self._model.df

    def __len__(self):
        return len(self.terms)

    def __repr__(self):
        more = ", ..." if len(self) > 3 else ""
        return f"<termsift.Features: {len(self)} terms: {', '.join(self.terms[:3])}{more}>"

    def to_bytes(self) -> bytes:
        """Return the features file."""
        return self._model.save()

    @classmethod
    def from_bytes(cls, data: bytes) -> Features:
        """Return the features of a features file."""
        return cls(Model.load(bytes(data)))

    def save(self, path):
        """Write the features file."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path) -> Features:
        """Read a features file."""
        return cls.from_bytes(Path(path).read_bytes())

    def transform(self, texts, weight="tf", n_jobs=None):
        """Return the rows of texts over these terms."""
        model = Model(self._model._handle, weight)
        return model.rows_of_texts(texts, lib.threads_of(n_jobs))


class _Counted:
    """What statistics and corpora have in common."""

    _handle: lib.Handle

    def _sizes(self):
        sizes = np.empty(5, dtype=np.int64)
        lib.call("ts_corpus_sizes", self._handle.value, sizes)
        return sizes

    def _names(self, function, count, size):
        names, offsets = ctypes.create_string_buffer(max(int(size), 1)), np.empty(count + 1, dtype=np.int64)
        lib.call(function, self._handle.value, names, offsets, None)
        return names_of(names.raw, offsets)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self._sizes()[0])

    @property
    def terms(self):
        """The terms, by df descending, then bytes."""
        sizes = self._sizes()
        return self._names("ts_corpus_terms", sizes[1], sizes[2])

    @property
    def classes(self):
        """The classes, by bytes."""
        sizes = self._sizes()
        return self._names("ts_corpus_classes", sizes[3], sizes[4])

    def __repr__(self):
        documents, terms, _, classes, _ = self._sizes()
        return f"<termsift.{type(self).__name__}: {documents} documents, {terms} terms, {classes} classes>"

    def select(self, by="chi", k="all", *, weight=None, combine=None, n_jobs=None, **options) -> Features:
        """Select terms; options are those of the command, as per_class=True. k=None leaves it to another criterion."""
        text = lib.options_of(by=by, k=k, weight=weight, combine=combine, threads=lib.threads_of(n_jobs), **options)
        model = c_uint64()
        lib.call_long("ts_select", lib.LARGE, (self._handle.value, text), (byref(model),))
        return Features(Model(lib.Handle(model.value), weight or "tf"))

    def score(self, by="chi", **options) -> Features:
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

    def __init__(self, handle: lib.Handle):
        self._handle = handle

    @classmethod
    def of(cls, texts, labels, *, n_jobs=None, **analysis) -> Statistics:
        """Count texts; analysis are options such as tokens, stop, stem, ngrams."""
        analysis.setdefault("tokens", "words")  # every part of a whole must be analysed alike
        t, size = texts_of(texts)
        classes = classes_of(labels)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        struct, handle = classes.struct(), c_uint64()
        options = lib.options_of(classes=classes.texts(), threads=lib.threads_of(n_jobs), **analysis)
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
        lib.call("ts_stats_load", bytes(data), len(data), byref(handle))
        return cls(lib.Handle(handle.value))

    def save(self, path):
        """Write the file of the statistics, which the command reads, too."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path) -> Statistics:
        """Read a file of statistics."""
        return cls.from_bytes(Path(path).read_bytes())

    def __reduce__(self):
        return Statistics.from_bytes, (self.to_bytes(),)


class Corpus(_Counted):
    """An index file that the command has written."""

    def __init__(self, handle: lib.Handle, path):
        self._handle = handle
        self._path = path

    @classmethod
    def open(cls, path) -> Corpus:
        """Open an index file."""
        path = os.fspath(path)
        handle = c_uint64()
        lib.call("ts_open", os.fsencode(path), byref(handle))
        return cls(lib.Handle(handle.value), path)

    def rows(self, features: Features, weight="tf"):
        """Return the documents over selected terms, a csr_matrix of float32, in the order of the input."""
        return features._model.rows_of_corpus(self._handle, weight)

    def __reduce__(self):
        return Corpus.open, (self._path,)
