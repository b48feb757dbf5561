"""Selected terms and rows over them, as the library has them."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_uint64
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._arrays import names_of, texts_of
from ._options import options_of
from ._table import Table, whole

# The measures that have one value for both of two classes.
_MIRRORED = ("chi", "g2", "emi", "ttest", "bns", "acc2", "ndm", "chitf", "g2tf")


class Model:
    """Selected terms. Its pickle is a features file, never a handle."""

    def __init__(self, handle: lib.Handle, weight: str) -> None:
        self._handle = handle.saved_by("ts_model_save", "ts_model_load")
        self.weight = weight
        self.terms, self.scores, self.df = self._read()

    @classmethod
    def load(cls, data: bytes, weight: str = "tf") -> Model:
        handle = c_uint64()
        lib.call("ts_model_load", data, len(data), byref(handle))
        return cls(lib.Handle(handle.value).saved_by("ts_model_save", "ts_model_load", data), weight)

    def save(self) -> bytes:
        return lib.saved_bytes("ts_model_save", self._handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.load, (self.save(), self.weight)

    def _read(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        sizes = np.empty(3, dtype=np.int64)
        lib.call("ts_model_sizes", self._handle.value, sizes)
        names = ctypes.create_string_buffer(max(int(sizes[1]), 1))
        offsets = np.empty(sizes[0] + 1, dtype=np.int64)
        scores, df = np.empty(sizes[0]), np.empty(sizes[0])
        lib.call("ts_model_terms", self._handle.value, names, offsets, scores, df)
        return names_of(names.raw, offsets), scores, df

    def classes(self) -> dict[str, np.ndarray]:
        """Return the classes that the terms were selected for, or that have their largest value, and what goes with them.

        class are str or None; a and b are the documents with the term in the class and outside it; log10p is the p-value. What no
        term has is left out.
        """
        sizes = np.empty(2, dtype=np.int64)
        lib.call("ts_model_class_sizes", self._handle.value, sizes)
        names, offsets = ctypes.create_string_buffer(max(int(sizes[1]), 1)), np.empty(sizes[0] + 1, dtype=np.int64)
        of, numbers = np.empty(len(self.terms), dtype=np.int32), np.empty((3, len(self.terms)))
        lib.call("ts_model_classes", self._handle.value, names, offsets, of, numbers)
        known = np.append(names_of(names.raw, offsets), [None])  # -1 is no class
        found = {"class": known[of], "a": whole(numbers[0]), "b": whole(numbers[1])} if (of >= 0).any() else {}
        if not np.isnan(numbers[2]).all():
            found["log10p"] = numbers[2]
        return found

    def best_terms(self, n: int, by: str, sizes: dict[str, int], documents: int) -> Table:
        """Return the n best terms of each class, of those that have their largest value for it, and that it has more of than all documents.

        by is the measure, sizes are the documents of the classes. Without values of classes they are the n best of all.
        """
        of = self.classes()
        columns = {"term": self.terms, "value": self.scores, "df": whole(self.df)}
        if "class" not in of:
            return Table(columns)[:n]
        names, a, df = of["class"], of["a"], whole(self.df)
        size = np.array([sizes[name] for name in names])
        if len(sizes) == 2 and by.partition(":")[0] in _MIRRORED:
            other = dict(zip(sizes, reversed(list(sizes))))
            less = a * documents < size * df
            names = np.array([other[name] if swap else name for name, swap in zip(names, less)], dtype=object)
            a, size = np.where(less, df - a, a), np.array([sizes[name] for name in names])
        table = Table({"class": names, **columns, "a": a, "b": df - a, "c": size - a, "d": documents - size - df + a})
        table = table[np.asarray(a * documents > size * df)]
        return table[np.concatenate([np.flatnonzero(table["class"] == name)[:n] for name in sorted(sizes)])]

    def rows_of_texts(self, texts: Any, threads: int | None = None, missing: str = "error") -> sp.csr_matrix:
        t, size = texts_of(texts, missing)
        rows = c_uint64()
        lib.call_long(
            "ts_transform", size, (self._handle.value, byref(t), options_of(weight=self.weight, threads=threads)), (byref(rows),)
        )
        return self.copy_rows(rows.value)

    def rows_of_corpus(self, corpus: lib.Handle, weight: str | None = None) -> sp.csr_matrix:
        rows = c_uint64()
        lib.call_long("ts_corpus_rows", lib.LARGE, (corpus.value, self._handle.value, options_of(weight=weight)), (byref(rows),))
        return self.copy_rows(rows.value)

    def copy_rows(self, rows: int) -> sp.csr_matrix:
        """Return rows as a matrix, and free them."""
        handle = lib.Handle(rows)
        sizes = np.empty(2, dtype=np.int64)
        lib.call("ts_rows_sizes", handle.value, sizes)
        start = np.empty(sizes[0] + 1, dtype=np.int64)
        # One piece of memory for both: malloc keeps it for the next call, where it gives two of half the size
        # back to the system and pays for each page again.
        both = np.empty((2, sizes[1]), dtype=np.int32)
        indices, values = both[0], both[1].view(np.float32)
        lib.call("ts_rows_copy", handle.value, start, indices, values)
        return sp.csr_matrix((values, indices, start), shape=(int(sizes[0]), len(self.terms)))


def analysis_behind(handle: lib.Handle) -> dict[str, Any]:
    """Return the options that texts were analysed with, by a handle of a corpus, statistics or a model."""
    told = json.loads(lib.saved_bytes("ts_analysis", handle))
    return {name.replace("-", "_"): value for name, value in told.items()}
