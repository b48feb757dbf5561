"""Rankings of the terms of statistics and corpora, as the library makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _library as lib
from ._measures import listed
from ._options import options_of, top_of
from ._table import Table, whole

# The columns of numbers in the order of the library; those of documents are whole numbers.
_COLUMNS = ("value", "df", "a", "b", "c", "d", "sign", "log10p", "log10p_corrected")
_WHOLE = _COLUMNS[1:7]
_OF_CLASS = _COLUMNS[2:7]


def ranked(
    handle: lib.Handle, measures: list[str], several: bool, labels: Mapping[str, Any] | None = None, *, numbered: bool = False, top: Any = None,
    class_: Any = None, combine: str | None = "class", pvalues: bool = False, **options: Any,
) -> Table:
    """Return a ranking as a table.

    labels are the labels of classes by their names as texts. The names of the terms are numbers if numbered is set.
    """
    if combine == "class":
        _check_classes(measures)
    text = options_of(
        by=measures, top=top_of(top), **{"class": _classes_of(class_)}, combine="" if combine is None else combine, p_values=pvalues, **options,
    )
    of, classes, terms, numbers = lib.read("read", lib.made("rank", handle, options=text, size=lib.LARGE), columns=4)
    numbers = dict(zip(_COLUMNS, numbers.reshape(len(_COLUMNS), -1)))
    columns: dict[str, np.ndarray] = {}
    if several:
        columns["measure"] = _objects(measures)[of]
    if len(classes) == 0 or (classes >= 0).any():
        columns["class"] = _labels_at(handle, classes, labels or {})
    columns["term"] = _terms_at(handle, terms, numbered)
    for name in _COLUMNS[:7]:
        if "class" in columns or name not in _OF_CLASS:
            columns[name] = whole(numbers[name]) if name in _WHOLE else numbers[name]
    if pvalues:
        columns["p"], columns["p_corrected"] = 10.0 ** numbers["log10p"], 10.0 ** numbers["log10p_corrected"]
        columns["log10p"] = numbers["log10p"]
    return Table(columns)


def _check_classes(measures: list[str]) -> None:
    """Raise ValueError for a measure that has no values of classes."""
    for measure in listed():
        if measure["name"] in measures and not measure["classes"]:
            raise ValueError(f"{measure['name']} has one value for a term, none for each class: combine=None ranks by it")


def _classes_of(class_: Any) -> list[str] | None:
    """Return the names of classes as texts, None for all."""
    if class_ is None:
        return None
    return [str(name) for name in (class_ if isinstance(class_, (list, tuple, np.ndarray)) else [class_])]


def _objects(values: Sequence[Any]) -> np.ndarray:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _labels_at(handle: lib.Handle, classes: np.ndarray, labels: Mapping[str, Any]) -> np.ndarray:
    """Return the labels of classes by number, None for -1."""
    known: Any = [labels.get(name, name) for name in _names(handle, 3)]
    if len(known) == 0 or isinstance(known[0], str) or (classes < 0).any():
        known = _objects([*known, None])
    labelled: np.ndarray = np.asarray(known)[classes]
    return labelled


def _terms_at(handle: lib.Handle, terms: np.ndarray, numbered: bool) -> np.ndarray:
    """Return the terms by number, each decoded once."""
    some, place = np.unique(terms, return_inverse=True)
    names = _names(handle, 0, some)
    named = np.array([int(name) for name in names], dtype=np.int64) if numbered else _objects(names)
    at: np.ndarray = named[place]
    return at


def _names(handle: lib.Handle, column: int, numbers: np.ndarray | None = None) -> list[str]:
    """Return some names of terms or classes, or all, whose column of the statistics this is."""
    *_, names, offsets = lib.read("read", handle, columns=column + 2, wanted=range(column, column + 2))
    data, starts = names.tobytes(), offsets.tolist()
    every = range(len(starts) - 1) if numbers is None else numbers.tolist()
    return [data[starts[i] : starts[i + 1]].decode(errors="replace") for i in every]
