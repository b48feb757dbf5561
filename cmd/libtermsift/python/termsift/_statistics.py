"""Statistics and corpora."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from ctypes import c_uint64
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._arrays import ids_of, names_of, texts_of
from ._features import Features, analysis_behind
from ._labels import check_lengths, classes_of
from ._options import analysis_of, measure_of, measures_of, options_of, path_of, threads_of
from ._ranking import ranked
from ._table import Table
from ._targets import numbers_of


class _Counted:
    """What statistics and corpora have in common."""

    _handle: lib.Handle

    def _columns(self, *wanted: int) -> list[np.ndarray]:
        columns = lib.read("read", self._handle, columns=max(wanted) + 1, wanted=wanted)
        return [columns[i] for i in wanted]

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self._columns(6)[0][0])

    @property
    def terms(self) -> np.ndarray:
        """The terms, by df descending, then bytes."""
        return names_of(*self._columns(0, 1))

    @property
    def classes(self) -> np.ndarray:
        """The classes, by bytes."""
        return names_of(*self._columns(3, 4))

    @property
    def class_documents(self) -> np.ndarray:
        """The numbers of documents of the classes, int64."""
        return self._columns(5)[0].astype(np.int64)

    @property
    def analysis(self) -> dict[str, Any]:
        """How the texts were analysed: the options of Statistics.of, with the tokens that the texts decided where they were "auto"."""
        return analysis_behind(self._handle)

    def __repr__(self) -> str:
        _, _, terms, _, _, classes = lib.sizes(self._handle, 6)
        return f"<termsift.{type(self).__name__}: {self.documents} documents, {terms} terms, {classes} classes>"

    def rank(
        self, by: str | Sequence[str] = "chi", top: int | None = 20, class_: Any = None, pvalues: bool = False, combine: str | None = "class",
        *, positive: bool = False, exact: bool = False, correct: str = "holm", n_jobs: int | None = None, **parameters: Any,
    ) -> Table:
        """Rank the terms for each class. Return a long table, a row a class and term, as termsift.rank does, which says what the parameters are."""
        return ranked(
            self._handle, measures_of(by), not isinstance(by, str), top=top, class_=class_, pvalues=pvalues, combine=combine, positive=positive,
            exact=exact, correct=correct, threads=threads_of(n_jobs), **parameters,
        )

    def best_terms(self, n: int = 10, by: str = "chi", *, class_: Any = None, n_jobs: int | None = None, **parameters: Any) -> Table:
        """Return the n best terms of each class, or of some, that the class has more of than all documents have: a Table as of rank."""
        return self.rank(by, n, class_, positive=True, n_jobs=n_jobs, **parameters)

    def select(
        self, by: str = "chi", k: int | str | None = "all", *, weight: str | None = None, combine: str | None = None, n_jobs: int | None = None,
        **options: Any,
    ) -> Features:
        """Select terms by a measure.

        Parameters
        ----------
        by : a measure, also as "ttest:avg", or a formula, "mine=A/df"; termsift.measures() has all. Of a Corpus also "mrmr", "jmi" and
            "cmim", which leave out what other terms tell, "best-terms:p=0.25" and "project".
        k : how many are kept, or "all"; None leaves it to one of the options percentile (of the terms), min_score, energy (the share
            of the sum of all values), fpr, fdr, fwe (levels of p-values), and per_document (the best of each document; of a Corpus).
        weight : how rows of texts are weighted that transform makes: "tf", "binary", "tfidf", "tfidf-unit", "ltc", or one that
            classes decide, as "tf-rf".
        combine : how the values of the classes become one: "max", "avg", "sum" or "mean"; None is the measure's own way.
        n_jobs : int or None, the threads; None is one, -1 all CPUs.
        options : per_class=True keeps k of each class, and unites them; round_robin=True takes the best of each class in turn until
            there are k; keep and drop, lists of terms; p_values and exact; and the parameters of measures, as of termsift.score.

        No term that passes is a NothingFoundError.
        """
        text = options_of(by=measure_of(by), k=k, weight=weight, combine=combine, threads=threads_of(n_jobs), **options)
        return Features(lib.made("select", self._handle, options=text, size=lib.LARGE))

    def score(self, by: str | Sequence[str] = "chi", **options: Any) -> Any:
        """Return all terms with their values as Features, best first, or a dict of these for a list of measures.

        options are those of select but k. Values of each class are those of rank.
        """
        if options.get("combine") == "class":
            raise ValueError("score has one value for each term: rank has the values of each class")
        if isinstance(by, str):
            return self.select(by, "all", **options)
        return {measure: self.select(measure, "all", **options) for measure in measures_of(by)}


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
        self._handle = handle.loaded_by("stats_load")

    @classmethod
    def of(
        cls, texts: Any, labels: Any, *, target: str | None = None, ids: Any = None,
        like: Statistics | Corpus | None = None, missing: str = "error", n_jobs: int | None = None, **analysis: Any,
    ) -> Statistics:
        """Count texts; analysis are options such as tokens, stop, stem, ngrams, strip_accents, keep_case, as of TermVectorizer.

        With target, a name, labels are numbers, one for each text, such as stars or prices: measures of a target as "pearson"
        compare terms with them. Texts whose number is None or NaN are left out, which a warning tells. Statistics of one target
        add up with those of the same name alone.

        Statistics add up if they were analysed alike. With tokens="auto", the default, each decide by their own texts: give parts of
        a whole their tokens by name, or like=other, which takes the analysis of other Statistics or of a Corpus.

        ids are a name for each text, else its number from 0. Files know their input by a hash of ids, labels and texts in their order:
        with the ids that the command reads, parts added up in order give the command's files, byte for byte. Texts with ids are
        some of many: that none has a class, or a term, is a warning.
        """
        if like is not None:
            if analysis:
                raise ValueError(f"like is the analysis of other texts, and {next(iter(analysis))} says another one: give one of both")
            if not isinstance(like, _Counted):
                raise ValueError(f"like must be Statistics or a Corpus, not {type(like).__name__}")
            analysis = like.analysis
        t, size = texts_of(texts, missing)
        classes = classes_of(labels) if target is None else numbers_of(labels)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        options = options_of(
            classes=classes.texts() or None, target=target, ids=ids_of(ids, t.count), threads=threads_of(n_jobs),
            **analysis_of(t.count, **analysis),
        )
        return cls(lib.made("stats_texts", t, classes.struct(), options=options, size=size))

    def __add__(self, other: Statistics) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        try:
            return Statistics(lib.made("stats_add", self._handle, other._handle))
        except ValueError as e:
            if "do not fit together" not in str(e) or " of the first is" in str(e) and "the target" in str(e):
                raise
            raise ValueError(f"{e}; Statistics.of(texts, labels, like=other) takes the analysis of other") from e

    def to_bytes(self) -> bytes:
        """Return the file of the statistics."""
        return lib.saved_bytes(self._handle)

    @classmethod
    def from_bytes(cls, data: bytes) -> Statistics:
        """Return the statistics of a file."""
        return cls(lib.loaded("stats_load", bytes(data)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file of the statistics, which the program termsift reads, too."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read a file of statistics."""
        return cls.from_bytes(Path(path).read_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Statistics.from_bytes, (self.to_bytes(),)


class Corpus(_Counted):
    """A file that ``termsift index`` has written: documents, terms and classes, ready to be ranked, selected and turned into rows."""

    def __init__(self, handle: lib.Handle, path: Any) -> None:
        self._handle = handle
        self._path = path

    @classmethod
    def open(cls, path: str | bytes | os.PathLike[Any]) -> Corpus:
        """Open an index file."""
        return cls(lib.Handle(_open(path_of(path))).made_by(_opened_again(path_of(path))), os.fspath(path))

    def rows(self, features: Features, weight: str = "tf") -> sp.csr_matrix:
        """Return the documents over selected terms, a csr_matrix of float32, in the order of the input."""
        options = options_of(weight=weight)
        return features._rows(lib.made("corpus_rows", self._handle, features._handle, options=options, size=lib.LARGE))

    def __reduce__(self) -> tuple[Any, ...]:
        return Corpus.open, (self._path,)


def _open(path: bytes) -> int:
    """Return a handle of the file of a path."""
    handle = c_uint64()
    lib.call("open", path, out=[handle])
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
