"""Key words: the terms that one corpus uses more, or less, than another."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _library as lib
from ._arrays import names_of, texts_of
from ._features import analysis_behind
from ._labels import Classes
from ._options import analysis_of, declared, options_of, path_of, threads_of
from ._statistics import _Counted
from ._table import Table, Tabular, whole

_SIGNS = np.array(["positive", "negative", "neither"], dtype=object)
_WHOLE = ("rank", "tf", "tf_reference", "df", "df_reference")
_CHANGES = np.array(["new", "gone", "rising", "falling", "steady"], dtype=object)


class FrequencyList:
    """The frequencies of a corpus that is not at hand, such as a published word list, as the reference of Keyness.

    Parameters
    ----------
    counts : the path of a file, whose lines are a term, a tab and its occurrences, and in all lines or none a tab and the documents that
        have it; or a mapping of terms to occurrences, or to pairs of occurrences and documents. A file may begin with lines of
        "#total" or "#documents", a tab and the number. What a list lacks has the frequency 0.
    total : int; all tokens of the corpus, those of terms that the list lacks, too. None takes the number of the file; a mapping needs it.
    documents : int or None; all documents of the corpus, for a list that tells those with each term.

    A list has no documents to look at, so that dispersions in it are NaN. Measures of documents, such as tdk and zeta, need the documents
    with each term; those that look at every document, such as wilcoxon, take no list. Whether its terms were found as those of the
    target only you know.

    >>> english = FrequencyList({"the": 61847, "of": 29391, "orbit": 6}, total=1_000_000)
    >>> k = Keyness(["the probe left the orbit", "an orbit of the moon"], english, by="logratio", terms=["orbit", "the"])
    >>> k.values_.round(1)
    array([15. ,  2.3])
    """

    def __init__(self, counts: Any, total: int | None = None, *, documents: int | None = None) -> None:
        if isinstance(counts, (str, os.PathLike)):
            self.counts: Any = os.fsdecode(counts)
        elif isinstance(counts, Mapping):
            self.counts = {_term(term): _counts(term, count) for term, count in counts.items()}
        else:
            raise ValueError(f"counts must be the path of a frequency list or a mapping of terms to occurrences, not {type(counts).__name__}")
        self.total = None if total is None else _whole("total", total)
        self.documents = None if documents is None else _whole("documents", documents)

    def _options(self) -> dict[str, Any]:
        return {"reference_list": self.counts, "reference_total": self.total, "reference_documents": self.documents}

    def __repr__(self) -> str:
        of = self.counts if isinstance(self.counts, str) else f"{len(self.counts)} terms"
        return f"<termsift.FrequencyList of {of}>"


def _term(term: Any) -> str:
    if not isinstance(term, str):
        raise ValueError(f"a term of a frequency list must be a str, not {term!r}")
    return term


def _counts(term: str, count: Any) -> Any:
    """Return the occurrences of a term, or a list of them and of the documents with it."""
    if isinstance(count, (tuple, list)):
        if len(count) != 2:
            raise ValueError(f"{term!r}: a pair of occurrences and documents is needed, not {count!r}")
        return [_whole(repr(term), n) for n in count]
    return _whole(repr(term), count)


def _whole(name: str, n: Any) -> int:
    """Return a whole number of any type of numbers."""
    real = isinstance(n, numbers.Real) and not isinstance(n, (bool, np.bool_))
    if not real or not math.isfinite(n) or n != int(n):
        raise ValueError(f"{name}: a whole number is needed, not {n!r}")
    if n < 0:
        raise ValueError(f"{name}: a number cannot be negative: {n!r}")
    return int(n)


class Keyness(Tabular):
    """The key words of a target against a reference.

    Parameters
    ----------
    target, reference : Statistics, a Corpus, the path of a file of either, or an iterable of texts. The reference may be a FrequencyList.
    by : the measure that ranks the keys. Of occurrences: "ll" (log-likelihood of the two cells of the term), "g2" (of all four cells),
        "chi", "z" (of the log odds with a Dirichlet prior), "logratio" (log2 of the ratio of relative frequencies), "diff" (%DIFF),
        "ell" (effect size of ll), "or" (odds ratio), "bic", "pmi", "simplemaths", "lrc" (conservative log ratio, 0 if it is not
        significant) or "lrcpos" (its lower bound). Of documents with the term: "tdk" (text dispersion keyness), "zeta", "zetacraig",
        "zetaeder", "zetalog", "jlh" (the score of significant terms) or "gnd" (Google distance). Of the share that a term has of each
        document, for which texts or a Corpus are needed: "wilcoxon" (z of the rank sum), "psup" and "rank_biserial" (its effect sizes),
        "welch" (t of the mean shares), "rrf" (their ratio) or "eta" (the dispersion in the reference less that in the target).
    top : how many keys each list has at most, or "all".
    drift : whether the target is the earlier corpus and the reference the later one. What is said of the target below is that of
        the later one then.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.
    options : also, a list of further measures that columns_ has; correct, "holm", "bh" or "none", how p-values are corrected; max_p (0.05),
        the largest corrected p-value of a key, 1 for any; min_freq (5) and min_range (1), occurrences and documents at least; exact=True, p-values of
        Fisher's test; terms, a list of these terms and no others; count_by="documents", for measures of occurrences to count documents.
        Of single measures: yates=False, chi without its correction; smooth (1), k of simplemaths; conf (0.95), the confidence of lrc and
        lrcpos for all tested terms together, or of each with correct="none"; zeta_c (1.1), c of zetalog.
        permutations=n takes p-values from n draws of the documents that are the target, which seed (0) chooses; maxt=True corrects
        them by the largest value of all terms in each draw. segments=n cuts texts into runs of n tokens, which are the documents.
        Iterables of texts also take those of Statistics.of, as stop and stem, and missing="empty" for those that are null or NaN. With
        tokens="auto", the default, the side that is counted already decides what a term is, else the target does.

    Attributes
    ----------
    All arrays have the shape (keys,), list after list, best first:

    terms_       str; the keys
    keys_        str; the list of each: positive or negative (the reference uses it more); with
                 drift new, gone, rising or falling; of terms also neither or steady
    values_      float64; by the measure
    pvalues_     float64; corrected, NaN for a term that was not tested; 0 below 1e-308, where
                 columns_["log10p_corrected"] goes on
    tf_, tf_reference_    int64; occurrences in the target and in the reference
    df_, df_reference_    int64; documents, -1 where a FrequencyList does not tell them
    columns_     dict of float64: all numbers of the keys by name. rank in the list; tf, per_million and df of both; the measures;
                 log10p and log10p_corrected; the dispersions dp, dpnorm and d of both, NaN in statistics, which know no documents
    tested_      int; the terms that were tested
    passed_      dict of int: the keys of each list before top

    >>> space = ["the probe left orbit", "an orbit of the moon", "the moon and its orbit"]
    >>> food = ["bake the bread", "bread and a little salt", "the salt"]
    >>> k = Keyness(space, food, by="ll", top=2, max_p=1, min_freq=1)
    >>> [(term, key) for term, key in zip(k.terms_, k.keys_)]
    [('orbit', 'positive'), ('moon', 'positive'), ('bread', 'negative'), ('salt', 'negative')]
    >>> k.tf_, k.df_reference_
    (array([3, 2, 0, 0]), array([0, 0, 2, 2]))
    >>> k.values_.round(2)
    array([ 2.98,  1.99, -3.75, -3.75])
    """

    def __init__(
        self, target: Any, reference: Any, by: str = "ll", *, top: Any = 20, drift: bool = False, n_jobs: int | None = None, **options: Any,
    ) -> None:
        threads = threads_of(n_jobs)
        analysis = {name: options.pop(name) for name in (*declared("analysis"), "segments", "missing") if name in options}
        counted = {"target": target, "reference": reference}
        if isinstance(target, FrequencyList):
            raise ValueError("target: a FrequencyList is a reference: exchange the two")
        if isinstance(reference, FrequencyList):
            options.update(counted.pop("reference")._options())
        text = options_of(by=by, top=top, drift=drift, threads=threads, **options)
        if analysis and not any(_is_texts(side) for side in counted.values()):
            raise ValueError(f"{next(iter(analysis))} says how texts are analysed, and target and reference are counted already")
        sides = _sides(counted, analysis, threads)
        keys = lib.made("keyness", sides["target"], sides.get("reference"), options=text, size=lib.LARGE)
        self.by, self.drift = by or "ll", drift
        self._read(keys)

    def _read(self, handle: lib.Handle) -> None:
        terms, offsets, lists, numbers, names, starts, counts = lib.read("read", handle, columns=7)
        of = _CHANGES if self.drift else _SIGNS
        self.terms_, self.keys_ = names_of(terms, offsets), of[lists]
        self.columns_: dict[str, np.ndarray] = dict(zip(names_of(names, starts), numbers.reshape(len(starts) - 1, -1)))
        self.tested_ = int(counts[0])
        self.passed_ = {of[i]: int(counts[1 + i]) for i in range(len(of) - 1 if self.drift else 2)}

    @property
    def values_(self) -> np.ndarray:
        """The values of the keys by the measure, float64."""
        return self.columns_[self.by]

    @property
    def pvalues_(self) -> np.ndarray:
        """The corrected p-values, float64; NaN for a term that was not tested."""
        return np.asarray(10.0 ** self.columns_["log10p_corrected"])

    @property
    def tf_(self) -> np.ndarray:
        """The occurrences in the target, int64."""
        return self.columns_["tf"].astype(np.int64)

    @property
    def tf_reference_(self) -> np.ndarray:
        """The occurrences in the reference, int64."""
        return self.columns_["tf_reference"].astype(np.int64)

    @property
    def df_(self) -> np.ndarray:
        """The documents of the target with the term, int64."""
        return _ranges(self.columns_["df"])

    @property
    def df_reference_(self) -> np.ndarray:
        """The documents of the reference with the term, int64; -1 where a FrequencyList does not tell them."""
        return _ranges(self.columns_["df_reference"])

    def to_table(self) -> Table:
        """Return a Table of the keys: the columns key (the list), term, those of columns_, p and p_corrected."""
        columns = {name: whole(values) if name in _WHOLE else values for name, values in self.columns_.items()}
        p = {"p": np.asarray(10.0 ** self.columns_["log10p"]), "p_corrected": self.pvalues_}
        return Table({"key": self.keys_, "term": self.terms_, **columns, **p}, value=self.by, group="key" if self.drift else None)

    def plot(self, top: int = 10, *, value: str | None = None, ax: Any = None) -> Any:
        """Draw the first keys of each list as horizontal bars, negative ones red and below, and return the axes of matplotlib.

        top is the number of keys of each list. value is the column that the bars show; None takes the measure. ax is where
        to draw. The lists of drift have axes of their own, and a list of them is returned.
        """
        table = self.to_table()
        if self.drift:
            return table.plot(top, value=value, ax=ax)
        places = np.concatenate([np.flatnonzero(self.keys_ == key)[:top] for key in _SIGNS])
        return table[places].plot(max(len(places), 1), value=value, ax=ax)

    def __len__(self) -> int:
        return len(self.terms_)

    def __repr__(self) -> str:
        lists = ", ".join(f"{n} {name}" for name, n in self.passed_.items())
        return f"<termsift.Keyness by {self.by}: {lists} of {self.tested_} terms, {len(self)} here>"


def _ranges(column: np.ndarray) -> np.ndarray:
    """Return numbers of documents, -1 where they are not known."""
    return np.where(np.isnan(column), -1, column).astype(np.int64)


def _is_texts(given: Any) -> bool:
    return not isinstance(given, (_Counted, str, os.PathLike))


def _sides(given: dict[str, Any], analysis: dict[str, Any], threads: int) -> dict[str, lib.Handle]:
    """Return handles of both sides. Where texts decide their tokens, the side that is counted already decides, else the target."""
    sides: dict[str, lib.Handle] = {}
    for name in sorted(given, key=lambda name: _is_texts(given[name])):
        if sides and analysis.get("tokens", "auto") == "auto" and _is_texts(given[name]):
            decided = analysis_behind(*sides.values())["tokens"]
            analysis = {**analysis, "tokens": "auto" if decided == "matrix" else decided}
        sides[name] = _side(name, given[name], analysis, threads)
    return sides


def _side(name: str, given: Any, analysis: dict[str, Any], threads: int) -> lib.Handle:
    """Return a handle of a side, which errors call by its name."""
    if isinstance(given, _Counted):
        return given._handle
    if not _is_texts(given):
        return lib.made("open", path_of(given))
    try:
        return _count(given, dict(analysis), threads)
    except ValueError as e:
        raise type(e)(f"{name}: {e}") from e


def _count(texts: Any, analysis: dict[str, Any], threads: int) -> lib.Handle:
    """Return a handle of a corpus of texts."""
    t, size = texts_of(texts, analysis.pop("missing", "error"))
    if t.count == 0:
        raise ValueError("there are 0 texts: nothing can be compared with none")
    labels = Classes(["texts"], np.zeros(t.count)).struct()  # one class, for classes play no part
    text = options_of(stats_only=False, threads=threads, **analysis_of(t.count, **analysis))
    return lib.made("stats_texts", t, labels, options=text, size=size)
