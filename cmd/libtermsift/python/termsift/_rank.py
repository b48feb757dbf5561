"""Rankings: the terms of each class with their values and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._arrays import texts_of
from ._arrow import is_relation
from ._labels import Classes, check_lengths, classes_of
from ._measures import check_target, of_target
from ._options import declared, measures_of, names_of_columns, options_of, threads_of
from ._ranking import ranked
from ._score import with_matrix
from ._statistics import Statistics
from ._table import Table
from ._targets import numbers_of


def rank(
    X: Any, y: Any, by: str | Sequence[str] = "chi", top: int | None = 20, class_: Any = None, pvalues: bool = False,
    combine: str | None = "class", *, positive: bool = False, exact: bool = False, correct: str = "holm", feature_names: Any = None,
    target: str | None = None, n_jobs: int | None = None, **options: Any,
) -> Table:
    """Rank the terms of texts, or the columns of a matrix, for each class. Return a long table, a row a class and term.

    Parameters
    ----------
    X : a sequence of texts, or a matrix of counts or weights, documents by terms: sparse, an array or a DataFrame.
    y : the classes of the documents: a label each, an indicator matrix of 0 and 1, or a list of labels for each.
    by : a measure, or a formula with its name, "mine=A*D/(B*C)", or a list of them; termsift.measures() has all.
    top : the number of terms of each class, best first; None is all.
    class_ : a class, or a list of them, that the table is to have; None is all.
    pvalues : whether there are p-values, for the measures that have them: the probability of a value at least as
        large if term and class are independent.
    combine : "class" ranks the terms for each class. "max", "avg", "sum" and "mean" make one value a term of those of
        the classes, and None takes the measure's own value of a term: the table has one row a term then, and the class is
        the one with the largest value, where there is such a class.
    positive : whether only terms are listed that the class has more of than all documents have. Most measures are as
        large for a term that the class avoids; the column "sign" tells. It goes without p-values.
    exact : whether p-values of tables of documents are those of Fisher's exact test.
    correct : how p-values are corrected for the number of terms ranked for the class: "holm", "bh" (Benjamini and
        Hochberg) or "none".
    feature_names : names of the columns, or a fitted vectorizer. None takes those of a DataFrame, else the numbers.
    target : a name for numbers that y has in place of classes, one for each document, such as stars or prices: measures of a
        target as "pearson" compare terms with them. Documents whose number is None or NaN are left out, which a warning tells.
    n_jobs : int or None, the threads; None is one, -1 all CPUs.
    options : parameters of measures: base, of logarithms; rs_d; signed=True, for ttest and the measures of a target;
        yates=True, for chi; weight, for ocfs, pearson and spearman; smooth, for simplemaths (1);
        zeta_c, for zetalog (1.1); bm25=True, reduce_frequent=True, seed_words, a list, and seed_multiplier (2), for ctfidf.
        With texts also those of Statistics.of, as stop="english", tokens, ngrams=(1, 2).

    Returns
    -------
    A Table with the columns

    measure     str; only where by is a list
    class       the label, as y has it; missing where no value is of a class, None where this one is of none
    term        str, or the number of the column (int64) where columns have no names
    value       float64; of equal ones the term in more documents comes first, then the first by bytes or number
    df          int64; the documents with the term
    a, b, c, d  int64; the documents in the class with the term, outside it with the term, in it without the term,
                outside it without the term; float64 with NaN if some rows are of no class
    sign        1 where the class has more of the term than all documents have, -1 where it has less, else 0
    p, p_corrected, log10p    float64, with pvalues=True: the p-value, 0 below 1e-308, corrected for the number of
                terms, and the logarithm of p to base 10

    Columns of a matrix without a document are left out.

    >>> texts = ["the probe left orbit", "an orbit of the moon", "bake the bread", "bread and a little salt"]
    >>> rank(texts, ["space", "space", "food", "food"], top=2, positive=True)
    class  term     value  df  a  b  c  d  sign
    food   bread        4   2  2  0  0  2     1
    food   and    1.33333   1  1  0  1  2     1
    space  orbit        4   2  2  0  0  2     1
    space  the    1.33333   3  2  1  0  1     1
    [4 rows]
    """
    measures, threads = measures_of(by), threads_of(n_jobs)
    if target is None:
        check_target(measures, target)
    elif combine == "class" and of_target(measures):
        combine = None
    classes = classes_of(y) if target is None else numbers_of(y)
    gone = ("continuity", "control")  # which the library refuses
    of_measures = {name: options.pop(name) for name in (*declared("rank"), *gone) if name in options}
    names = None
    if is_matrix(X):
        if options:
            raise ValueError(f"{next(iter(options))} says how texts are analysed, and X is a matrix: its terms are counted already")
        if target is not None and (classes.of < 0).any():
            raise ValueError(f"y[{int(np.argmin(classes.of))}] is no number, and X is a matrix: leave the row out")
        names = _names_of(X, feature_names)
        statistics = count_matrix(X, classes, names, threads, target)
    elif feature_names is not None:
        raise ValueError("feature_names are the names of the columns of a matrix, and X has texts, whose terms have their own")
    else:
        statistics = Statistics.of(X, classes, target=target, n_jobs=n_jobs, **options)
    labels = {str(name): name for name in np.asarray(classes.names).tolist()}
    return ranked(
        statistics._handle, measures, not isinstance(by, str), labels, numbered=is_matrix(X) and names is None, top=top, class_=class_,
        combine=combine, pvalues=pvalues, positive=positive, exact=exact, correct=correct, threads=threads, **of_measures,
    )


def is_matrix(X: Any) -> bool:
    """Report whether X is a matrix, and not a sequence of texts."""
    if sp.issparse(X):
        return True
    shape = getattr(X, "shape", None)
    if is_relation(X):
        return False
    if isinstance(shape, tuple):
        return len(shape) == 2 and not has_texts(X)
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], (list, tuple, np.ndarray)) and not has_texts(X)


def has_texts(X: Any) -> bool:
    """Report whether an array or a DataFrame has texts: it is none of counts, and no column of texts either, which its reader says."""
    array = np.asarray(X[:1] if isinstance(X, (list, tuple)) else X)  # rows of words differ in length
    return array.dtype.kind in "OUS" and array.size > 0 and isinstance(array.flat[0], str)


def _names_of(X: Any, feature_names: Any) -> list[str] | None:
    """Return the names of the columns of a matrix, None for none."""
    if feature_names is not None:
        return names_of_columns(feature_names, int(X.shape[1]) if hasattr(X, "shape") else len(X[0]))
    columns = getattr(X, "column_names", getattr(X, "columns", None))  # of a table of Arrow, of a DataFrame
    return None if columns is None else [str(name) for name in columns]


def count_matrix(
    X: Any, classes: Classes, names: list[str] | None, threads: int, target: str | None = None,
) -> Statistics:
    """Count a matrix. Columns without names are named by their numbers, all as long, so that their order by bytes is that of the numbers."""
    labels = classes.struct()
    text = options_of(classes=classes.texts(), target=target, threads=threads)

    def count(m: lib.Matrix) -> lib.Handle:
        check_lengths(classes, m.documents, f"X has {m.documents} documents")
        terms = _numbers(m.terms) if names is None else texts_of(names)[0]
        return lib.made("stats_matrix", m, terms, labels, options=text, size=m.stored)

    return Statistics(with_matrix(X, count))


def _numbers(n: int) -> lib.Texts:
    """Return the numbers below n as texts of the same length, which keep what they point to."""
    width = len(str(max(n - 1, 0)))
    digits = (np.arange(n)[:, None] // 10 ** np.arange(width - 1, -1, -1) % 10 + ord("0")).astype(np.uint8)
    pointers = (lib.address(digits) + width * np.arange(n)).astype(np.uintp)
    return lib.Texts.at(pointers, np.full(n, width, dtype=np.int64), digits)
