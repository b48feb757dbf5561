"""The classes of documents: from one label each, an indicator matrix, or lists of labels."""

from __future__ import annotations

import ctypes
import numbers
import warnings
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _arrow, _columns
from . import _library as lib


class Classes:
    """The classes of documents: names in order, and numbers."""

    def __init__(self, names: Any, of: Any, start: Any = None):
        self.names = names
        self.of = lib.readable(of, np.int32)
        self.start = None if start is None else lib.readable(start, np.int64)

    @property
    def documents(self) -> int:
        return len(self.of) if self.start is None else len(self.start) - 1

    @property
    def sizes(self) -> np.ndarray:
        """The documents of each class."""
        return np.bincount(self.of, minlength=len(self.names))

    @property
    def single(self) -> bool:
        """Whether each document has one class."""
        return self.start is None or bool((np.diff(self.start) == 1).all())

    def struct(self) -> lib.Labels:
        """Return a ts_labels. It keeps what it points to."""
        labels = lib.Labels(
            ctypes.sizeof(lib.Labels), 0, self.documents, max(len(self.names), 1), len(self.of),
            lib.address(self.of), None if self.start is None else lib.address(self.start),
        )
        labels.kept = self
        return labels

    def texts(self) -> list[str]:
        """Return the names as the texts that the options take."""
        names = [str(name) for name in self.names]
        if len(set(names)) < len(names):
            raise ValueError("two classes have the same name as text")
        if "" in names:
            raise ValueError("a class of y has an empty name, which files do not tell from no class: leave out its documents, or name it")
        return names


_LISTS = (list, tuple, set, frozenset)


def classes_of(y: Any) -> Classes:
    """Return the classes of y: one label a document, an indicator matrix, or lists of labels."""
    if isinstance(y, Classes):
        return y
    if y is None or isinstance(y, (str, bytes, Mapping, AbstractSet)):
        raise ValueError(f"y must have the classes of each document, not {y!r}")
    if sp.issparse(y):
        return _of_indicator(y.tocsr())
    classes = _of_column(y)
    if classes is None:
        classes = _of_array(y)
    if classes.start is None:
        _warn_of_singles(classes)
    return classes


def _of_array(y: Any) -> Classes:
    if not hasattr(y, "__array__"):
        y = listed("y", y)
        if y and isinstance(y[0], _LISTS):
            return _of_lists(y)
        y = _array(y)
    _check_mask(y)
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    _check_missing(y)
    if y.ndim == 2:
        return _of_indicator(sp.csr_matrix(_bits(y)))
    if y.ndim != 1:
        raise ValueError(f"y must have one or two dimensions, not {y.ndim}")
    if y.dtype == object and len(y) and isinstance(y[0], _LISTS):
        return _of_lists(y)
    if y.dtype == object:
        _check_ordered(set(y))
    return _of_labels(y)


def _of_column(y: Any) -> Classes | None:
    """Return the classes of a Categorical of pandas, or of a column of Arrow, else None."""
    if type(getattr(y, "dtype", None)).__name__ == "CategoricalDtype":
        return _of_categories(getattr(y, "cat", y))
    column = _arrow.column_of("y", y)
    labels = None if column is None else _columns.labels_of(column)
    if labels is None:
        return None
    if labels.valid is not None:
        raise _null_label(int(np.argmin(labels.valid)), labels.start)
    of_values = _of_bytes(labels.values) if isinstance(labels.values, list) else _of_labels(_checked(labels.values))
    return of_values if labels.codes is None and labels.start is None else _used(of_values, labels.codes, labels.start)


def _of_categories(categorical: Any) -> Classes:
    codes = np.asarray(categorical.codes)
    if (codes < 0).any():
        raise _missing(f"y[{int(np.argmin(codes))}]", "nan")
    names = np.asarray(categorical.categories)
    if names.dtype == object:
        _check_ordered(set(names))
    return _used(_of_labels(names), codes, None)


def _null_label(at: int, start: Any) -> ValueError:
    if start is None:
        return _missing(f"y[{at}]", "null")
    document = int(np.searchsorted(start, at, side="right")) - 1
    return ValueError(f"y[{document}] has the label null: a document without a class has an empty list")


def _checked(y: np.ndarray) -> np.ndarray:
    _check_missing(y)
    return y


def _of_bytes(labels: list[bytes]) -> Classes:
    """Return the classes of labels in UTF-8, whose order by bytes is that of Python's texts."""
    names = sorted(set(labels))
    place = {name: i for i, name in enumerate(names)}
    texts = np.empty(len(names), dtype=object)
    for i, name in enumerate(names):
        try:
            texts[i] = name.decode()
        except UnicodeDecodeError as e:
            raise ValueError(f"the label {name!r} of y is no UTF-8: {e}") from e
    return Classes(texts, np.fromiter(map(place.__getitem__, labels), dtype=np.int32, count=len(labels)))


def _used(values: Classes, codes: Any, start: Any) -> Classes:
    """Return the classes of codes, which are places among values, without those that no document has."""
    of = values.of if codes is None else values.of[codes]
    used = np.bincount(of, minlength=len(values.names)) > 0
    return Classes(values.names[used], (np.cumsum(used) - 1)[of], start)


# From this many documents on, classes are suspicious if most of the documents have one of their own.
_MANY = 20


def _warn_of_singles(classes: Classes) -> None:
    """Warn if the labels look like numbers of documents, texts, or the targets of a regression."""
    documents = classes.documents
    alone = int((classes.sizes == 1).sum())
    if alone == documents > 2:
        text = f"each of the {documents} documents has a class of its own"
    elif documents >= _MANY and 2 * alone > documents:
        text = f"{alone} of the {documents} documents have a class of their own"
    else:
        return
    prose = sum(isinstance(name, str) and name.strip().count(" ") > 3 for name in classes.names)
    swapped = 2 * prose > len(classes.names)
    why = "are these the texts? They come first, and their classes second" if swapped else "is y the targets of a regression, or a key?"
    warnings.warn(f"{text}: {why}", UserWarning, stacklevel=lib.callers_level())


def _array(labels: list[Any]) -> Any:
    """Return labels as an array. One of texts and others has objects, where numpy makes all of them texts."""
    kinds = set(map(type, labels))
    if len(kinds) > 1 and not all(issubclass(kind, str) for kind in kinds) and not all(issubclass(kind, numbers.Number) for kind in kinds):
        objects = np.empty(len(labels), dtype=object)
        objects[:] = labels
        return objects
    return np.asarray(labels)


# Whole numbers in a range of this many per label are numbered by a table, without sorting.
_RANGE = 16


def _of_labels(y: np.ndarray) -> Classes:
    """Return the classes of one label a document, named in their order as by np.unique."""
    if y.dtype.kind in "iu" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low < _RANGE * len(y):
            found = np.zeros(high - low + 1, dtype=bool)
            moved = y - y.dtype.type(low) if y.dtype.kind == "u" else y.astype(np.int64) - low
            found[moved] = True
            numbered = np.flatnonzero(found)
            number = np.empty(len(found), dtype=np.int32)
            number[numbered] = np.arange(len(numbered), dtype=np.int32)
            return Classes(numbered.astype(y.dtype) + y.dtype.type(low), number[moved])
    if y.dtype.kind in "US":
        labels = y.tolist()
        names = np.array(sorted(set(labels)), dtype=y.dtype)
        place = {name: i for i, name in enumerate(names.tolist())}
        return Classes(names, np.fromiter(map(place.__getitem__, labels), dtype=np.int32, count=len(labels)))
    names, of = np.unique(y, return_inverse=True)
    return Classes(names, of)


def is_missing(label: Any) -> bool:
    """Report whether a label is None, NaN, NaT or NA."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except TypeError:  # NA of pandas is neither equal nor unequal
        return True


def _missing(place: str, label: Any) -> ValueError:
    return ValueError(f"{place} is {label}: each document needs a class, or y may be lists of labels, with empty ones")


def _check_mask(y: Any) -> None:
    if np.ma.is_masked(y):
        place = np.argwhere(np.ma.getmaskarray(y))[0].tolist()
        raise _missing(f"y{place}", "masked")


def _check_missing(y: np.ndarray) -> None:
    """Raise ValueError for labels that are None, NaN, infinity, NaT or NA, with the place of the first."""
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        place = np.argwhere(~np.isfinite(y))[0].tolist()
        value = y[tuple(place)]
        raise ValueError(f"Input y contains {'NaN' if np.isnan(value) else 'infinity'}: y{place} is {value}")
    if y.dtype.kind in "mM" and np.isnat(y).any():
        raise _missing(f"y{np.argwhere(np.isnat(y))[0].tolist()}", "NaT")
    if y.dtype == object and y.ndim == 1:
        for i, label in enumerate(y):
            if not isinstance(label, _LISTS) and is_missing(label):
                raise _missing(f"y[{i}]", label)


def _check_ordered(labels: Iterable[Any]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError as e:
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise ValueError(f"the labels of y are of several types ({kinds}), which have no order: make all of them str") from e


def listed(name: str, values: Any) -> list[Any]:
    """Return a list of the elements of a sequence."""
    try:
        return list(values)
    except TypeError as e:
        raise ValueError(f"{name} must be a sequence with an element for each document, not {values!r}") from e


def check_lengths(classes: Classes, documents: int, what: str) -> None:
    """Raise ValueError unless each of the documents has its classes."""
    if classes.documents != documents:
        raise ValueError(f"{what}, and y has {classes.documents}")
    if documents == 0:
        raise ValueError(f"{what}: nothing can be learned of none")


def _bits(y: np.ndarray) -> np.ndarray:
    """Return an indicator matrix of objects as one of bool."""
    if y.dtype.kind in "biuf":
        return y
    for i, row in enumerate(y):
        for j, value in enumerate(row):
            if not isinstance(value, (numbers.Number, np.bool_)) or value not in (0, 1):
                raise _no_indicator([i, j], value)
    return y.astype(bool)


def _no_indicator(place: list[int], value: Any) -> ValueError:
    return ValueError(
        f"y{place} is {value!s}: a y of two dimensions is an indicator matrix, of 0 and 1 with a column for each class; "
        "give one label for each document, or lists of labels"
    )


def _of_indicator(y: Any) -> Classes:
    wrong = np.flatnonzero((y.data != 0) & (y.data != 1))
    if len(wrong):
        at = wrong[0]
        row = int(np.searchsorted(y.indptr, at, side="right")) - 1
        raise _no_indicator([row, int(y.indices[at])], y.data[at])
    if not np.all(y.data):
        y = y.copy()  # the caller's stays as it is
        y.eliminate_zeros()
    return Classes(np.arange(y.shape[1]), y.indices, y.indptr)


def _of_lists(lists: Sequence[Any]) -> Classes:
    for i, labels in enumerate(lists):
        if not isinstance(labels, _LISTS):
            raise ValueError(f"y[{i}] is {labels!r}, and y[0] a list of labels: every document has a list, or none has")
        for label in labels:
            if is_missing(label):
                raise ValueError(f"y[{i}] has the label {label}: a document without a class has an empty list")
    names = _check_ordered({label for labels in lists for label in labels})
    place = {name: i for i, name in enumerate(names)}
    of = [place[label] for labels in lists for label in labels]
    start = np.concatenate([[0], np.cumsum([len(labels) for labels in lists])])
    return Classes(_array(names), of, start)
