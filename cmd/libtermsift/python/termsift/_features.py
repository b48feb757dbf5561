"""Selected terms and rows over them, as the library has them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._arrays import names_of, texts_of
from ._options import options_of, threads_of
from ._table import Table, Tabular, whole

# The measures that have one value for both of two classes.
_MIRRORED = ("chi", "g2", "emi", "ttest", "bns", "acc2", "ndm", "chitf", "g2tf")


class Features(Tabular):
    """Selected terms, best first: a sequence of them. They pickle as the bytes of a features file.

    terms    array of str
    scores   float64; their values by the measure
    df       float64; the documents with the term

    >>> from termsift import Statistics
    >>> statistics = Statistics.of(["to orbit", "an orbit", "to bake bread", "bread"], ["space", "space", "food", "food"])
    >>> features = statistics.select("chi", 2)
    >>> len(features), features[0], list(features), "orbit" in features
    (2, 'bread', ['bread', 'orbit'], True)
    >>> features.to_table()
    class  term   value  df  a  b
    food   bread      4   2  2  0
    space  orbit      4   2  2  0
    [2 rows]
    """

    terms: np.ndarray
    scores: np.ndarray
    df: np.ndarray

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle.loaded_by("model_load")
        names, offsets, self.scores, self.df = lib.read("read", handle, columns=4)
        self.terms = names_of(names, offsets)

    @cached_property
    def names(self) -> list[list[str]] | None:
        """The terms behind each column, the most frequent first, where terms were hashed and the command select found their names; else None."""
        lines = self.to_bytes().decode().split("\n")
        header = next(i for i, line in enumerate(lines) if not line.startswith("#"))
        if not lines[header].endswith("\tnames"):
            return None
        return [json.loads(line.rpartition("\t")[2]) for line in lines[header + 1 :] if line]

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Iterator[str]:
        return iter(self.terms.tolist())

    def __getitem__(self, key: Any) -> Any:
        """Return a term by its place, or an array of terms by a slice, places or a mask."""
        if isinstance(key, str):
            raise TypeError(f"features have terms by place: features.scores[features.terms == {key!r}] is the value of one")
        return self.terms[key]

    def __contains__(self, term: object) -> bool:
        return term in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.terms.tolist())

    def to_table(self) -> Table:
        """Return a Table of the terms, best first.

        class        str; the class that the term was selected for, or that has its largest value; missing where the values
                     are not those of classes
        term         str
        value        float64
        df           int64; the documents with the term
        a, b         int64; the documents with the term in the class, and outside it
        p, log10p    float64; the p-value and its logarithm to base 10, where the selection has them
        """
        of = self._classes()
        columns = {"term": self.terms, "value": self.scores, "df": whole(self.df)}
        if "class" in of:
            columns = {"class": of["class"], **columns, "a": of["a"], "b": of["b"]}
        if "log10p" in of:
            columns.update(p=10.0 ** of["log10p"], log10p=of["log10p"])
        return Table(columns)

    def __repr__(self) -> str:
        more = ", ..." if len(self) > 3 else ""
        return f"<termsift.Features: {len(self)} terms: {', '.join(self.terms[:3])}{more}>"

    def to_bytes(self) -> bytes:
        """Return the features file."""
        return lib.saved_bytes(self._handle)

    @classmethod
    def from_bytes(cls, data: bytes) -> Features:
        """Return the features of a features file."""
        return cls(lib.loaded("model_load", bytes(data)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Features.from_bytes, (self.to_bytes(),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the features file."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Features:
        """Read a features file."""
        return cls.from_bytes(Path(path).read_bytes())

    def transform(self, texts: Any, weight: str = "tf", n_jobs: int | None = None, missing: str = "error") -> sp.csr_matrix:
        """Return the rows of texts over these terms; missing is as of TermVectorizer."""
        t, size = texts_of(texts, missing)
        options = options_of(weight=weight, threads=threads_of(n_jobs))
        return self._rows(lib.made("transform", self._handle, t, options=options, size=size))

    def _rows(self, rows: lib.Handle) -> sp.csr_matrix:
        """Return rows as a matrix."""
        starts, _, stored = lib.sizes(rows, 3)
        start = np.empty(starts, dtype=np.int64)
        # One piece of memory for both: malloc keeps it for the next call, where it gives two of half the size
        # back to the system and pays for each page again.
        both = np.empty((2, stored), dtype=np.int32)
        indices, values = both[0], both[1].view(np.float32)
        lib.call("read", rows, out=[start, indices, values])
        return sp.csr_matrix((values, indices, start), shape=(starts - 1, len(self)))

    def _classes(self) -> dict[str, np.ndarray]:
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

    def _best_terms(self, n: int, by: str, sizes: dict[str, int], documents: int) -> Table:
        """Return the n best terms of each class, of those that have their largest value for it, and that it has more of than all documents.

        by is the measure, sizes are the documents of the classes. Without values of classes they are the n best of all.
        """
        of = self._classes()
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


def analysis_behind(handle: lib.Handle) -> dict[str, Any]:
    """Return the options that texts were analysed with, by a handle of a corpus, statistics or features."""
    told = json.loads(lib.read("analysis", handle, columns=1)[0].tobytes())
    return {name.replace("-", "_"): value for name, value in told.items()}
