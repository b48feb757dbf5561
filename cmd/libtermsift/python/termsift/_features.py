"""Selected terms and rows over them, as the library has them."""

from __future__ import annotations

import json
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
        self._handle = handle.loaded_by("model_load")
        self.weight = weight
        self.terms, self.scores, self.df = self._read()

    @classmethod
    def load(cls, data: bytes, weight: str = "tf") -> Model:
        return cls(lib.loaded("model_load", data), weight)

    def save(self) -> bytes:
        return lib.saved_bytes(self._handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.load, (self.save(), self.weight)

    def _read(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        names, offsets, scores, df = lib.read("read", self._handle, columns=4)
        return names_of(names, offsets), scores, df

    def classes(self) -> dict[str, np.ndarray]:
        """Return the classes that the terms were selected for, or that have their largest value, and what goes with them.

        class are str or None; a and b are the documents with the term in the class and outside it; log10p is the p-value. What no
        term has is left out.
        """
        *_, names, offsets, of, numbers = lib.read("read", self._handle, columns=8, wanted=range(4, 8))
        numbers = numbers.reshape(3, -1)
        known = np.append(names_of(names, offsets), [None])  # -1 is no class
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
        return self.copy_rows(lib.made("transform", self._handle, t, options=options_of(weight=self.weight, threads=threads), size=size))

    def rows_of_corpus(self, corpus: lib.Handle, weight: str | None = None) -> sp.csr_matrix:
        return self.copy_rows(lib.made("corpus_rows", corpus, self._handle, options=options_of(weight=weight), size=lib.LARGE))

    def copy_rows(self, rows: lib.Handle) -> sp.csr_matrix:
        """Return rows as a matrix."""
        starts, _, stored = lib.sizes(rows, 3)
        start = np.empty(starts, dtype=np.int64)
        # One piece of memory for both: malloc keeps it for the next call, where it gives two of half the size
        # back to the system and pays for each page again.
        both = np.empty((2, stored), dtype=np.int32)
        indices, values = both[0], both[1].view(np.float32)
        lib.call("read", rows, out=[start, indices, values])
        return sp.csr_matrix((values, indices, start), shape=(starts - 1, len(self.terms)))


def analysis_behind(handle: lib.Handle) -> dict[str, Any]:
    """Return the options that texts were analysed with, by a handle of a corpus, statistics or a model."""
    told = json.loads(lib.read("analysis", handle, columns=1)[0].tobytes())
    return {name.replace("-", "_"): value for name, value in told.items()}
