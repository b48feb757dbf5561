"""What the library reads: matrices, labels and texts of the caller's, without a copy where possible."""

from __future__ import annotations

import ctypes

import numpy as np
import scipy.sparse as sp

from . import _library as lib

_VALUE_TYPES = {
    np.dtype(np.int32): lib.INT32,
    np.dtype(np.int64): lib.INT64,
    np.dtype(np.float32): lib.FLOAT32,
    np.dtype(np.float64): lib.FLOAT64,
    np.dtype(np.uint8): lib.UINT8,
    np.dtype(np.bool_): lib.UINT8,
}


def address(array):
    """Return the address of an array; an empty one may have any."""
    return array.ctypes.data


def matrix_of(X):
    """Return a ts_matrix of a sparse or dense matrix. It keeps what it points to."""
    X = _sparse(X)
    values = X.data
    if values.dtype.kind not in "biuf":
        raise ValueError(f"X has the dtype {values.dtype}, and must have numbers: X.astype(float) makes them, if they are")
    if values.dtype not in _VALUE_TYPES:
        values = values.astype(np.float64)
    lines = X.shape[0] if X.format == "csr" else X.shape[1]
    if len(X.indptr) != lines + 1:
        raise ValueError(f"X.indptr has {len(X.indptr)} elements, and must have {lines + 1} for the shape {X.shape}")
    stored = int(X.indptr[-1])
    if len(X.indices) < stored or len(values) < stored:
        raise ValueError(f"X.indices has {len(X.indices)} elements and X.data {len(values)}, and X.indptr ends with {stored}")
    index = np.int64 if np.int64 in (X.indptr.dtype, X.indices.dtype) else np.int32
    start = np.ascontiguousarray(X.indptr, dtype=index)
    indices, values = np.ascontiguousarray(X.indices, dtype=index), np.ascontiguousarray(values)
    m = lib.Matrix(
        ctypes.sizeof(lib.Matrix), lib.ROWS if X.format == "csr" else lib.COLUMNS, X.shape[0], X.shape[1], max(stored, 0),
        lib.INT64 if index is np.int64 else lib.INT32, _VALUE_TYPES[values.dtype],
        address(start), address(indices), address(values),
    )
    m.kept = (X, start, indices, values)
    return m


def _sparse(X):
    """Return a CSR or CSC matrix."""
    if sp.issparse(X):
        return X if X.format in ("csr", "csc") else X.tocsr()
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, documents and terms, not {X.ndim}")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X has the dtype {X.dtype}, and must have numbers: X.astype(float) makes them, if they are")
    return sp.csr_matrix(X)


class Classes:
    """The classes of documents: names in order, and numbers."""

    def __init__(self, names, of, start=None):
        self.names = names
        self.of = np.ascontiguousarray(of, dtype=np.int32)
        self.start = None if start is None else np.ascontiguousarray(start, dtype=np.int64)

    @property
    def documents(self):
        return len(self.of) if self.start is None else len(self.start) - 1

    def struct(self):
        """Return a ts_labels. It keeps what it points to."""
        labels = lib.Labels(
            ctypes.sizeof(lib.Labels), 0, self.documents, max(len(self.names), 1), len(self.of),
            address(self.of), None if self.start is None else address(self.start),
        )
        labels.kept = self
        return labels

    def texts(self):
        """Return the names as the texts that the options take."""
        names = [str(name) for name in self.names]
        if len(set(names)) < len(names):
            raise ValueError("two classes have the same name as text")
        return names


def classes_of(y) -> Classes:
    """Return the classes of y: one label a document, an indicator matrix, or lists of labels."""
    if y is None or isinstance(y, (str, bytes)):
        raise ValueError(f"y must have the classes of each document, not {y!r}")
    if sp.issparse(y):
        return _of_indicator(y.tocsr())
    if not hasattr(y, "__array__"):
        y = _listed("y", y)
        if y and isinstance(y[0], (list, tuple, set, frozenset)):
            return _of_lists(y)
    y = np.asarray(y)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity.")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim == 2:
        return _of_indicator(sp.csr_matrix(y))
    if y.ndim != 1:
        raise ValueError(f"y must have one or two dimensions, not {y.ndim}")
    if y.dtype == object and len(y) and isinstance(y[0], (list, tuple, set, frozenset)):
        return _of_lists(y)
    _check_labels(y)
    return _of_labels(y)


# Whole numbers in a range of this many per label are numbered by a table, without sorting.
_RANGE = 16


def _of_labels(y) -> Classes:
    """Return the classes of one label a document, named in their order as by np.unique."""
    if y.dtype.kind in "iu" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low < _RANGE * len(y):
            found = np.zeros(high - low + 1, dtype=bool)
            moved = y - y.dtype.type(low) if y.dtype.kind == "u" else y.astype(np.int64) - low
            found[moved] = True
            names = np.flatnonzero(found)
            number = np.empty(len(found), dtype=np.int32)
            number[names] = np.arange(len(names), dtype=np.int32)
            return Classes(names.astype(y.dtype) + y.dtype.type(low), number[moved])
    if y.dtype.kind in "US":
        labels = y.tolist()
        names = np.array(sorted(set(labels)), dtype=y.dtype)
        place = {name: i for i, name in enumerate(names.tolist())}
        return Classes(names, np.fromiter(map(place.__getitem__, labels), dtype=np.int32, count=len(labels)))
    names, of = np.unique(y, return_inverse=True)
    return Classes(names, of)


def _check_labels(y):
    """Raise ValueError for None and NaN among labels, and for labels that have no order."""
    if y.dtype != object:
        return
    for i, label in enumerate(y):
        if label is None or label != label:
            raise ValueError(f"y[{i}] is {label}: each document needs a class, or y may be lists of labels, with empty ones")
    _check_ordered(set(y))


def _check_ordered(labels):
    try:
        return sorted(labels)
    except TypeError as e:
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise ValueError(f"the labels of y are of several types ({kinds}), which have no order: make all of them str") from e


def _listed(name, values):
    try:
        return list(values)
    except TypeError as e:
        raise ValueError(f"{name} must be a sequence with an element for each document, not {values!r}") from e


def check_lengths(classes, documents, what):
    """Raise ValueError unless each of the documents has its classes."""
    if classes.documents != documents:
        raise ValueError(f"{what}, and y has {classes.documents}")
    if documents == 0:
        raise ValueError(f"{what}: nothing can be learned of none")


def _of_indicator(y) -> Classes:
    if not np.all(y.data):
        y = y.copy()  # the caller's stays as it is
        y.eliminate_zeros()
    return Classes(np.arange(y.shape[1]), y.indices, y.indptr)


def _of_lists(lists) -> Classes:
    names = _check_ordered({label for labels in lists for label in labels})
    place = {name: i for i, name in enumerate(names)}
    of = [place[label] for labels in lists for label in labels]
    start = np.concatenate([[0], np.cumsum([len(labels) for labels in lists])])
    return Classes(np.asarray(names), of, start)


# The size goes to an address: a reference made for each text would take half as long again.
_utf8 = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(("PyUnicode_AsUTF8AndSize", ctypes.pythonapi))


def texts_of(texts):
    """Return a ts_texts of Python's own UTF-8, which keeps what it points to, and the bytes of all texts."""
    if isinstance(texts, (str, bytes)):
        raise ValueError("texts must be an iterable of texts, and this is a single one")
    texts = _listed("texts", texts)
    sizes = np.empty(len(texts), dtype=np.intp)
    places = range(address(sizes), address(sizes) + sizes.nbytes, sizes.itemsize)
    try:
        pointers = np.fromiter(map(_utf8, texts, places), dtype=np.uintp, count=len(texts))
    except (TypeError, UnicodeEncodeError) as e:
        raise _bad_text(texts) from e
    lengths = np.ascontiguousarray(sizes, dtype=np.int64)
    t = lib.Texts(ctypes.sizeof(lib.Texts), lib.NONE, len(texts), None, None, address(pointers), address(lengths))
    t.kept = (texts, pointers, lengths)
    return t, int(lengths.sum())


def _bad_text(texts):
    """Return the error of the first text that has no UTF-8."""
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            return ValueError(f"text {i} is not a str but {type(text).__name__}")
        try:
            text.encode()
        except UnicodeEncodeError as e:
            return ValueError(f"text {i} is no Unicode text: {e}")
    return ValueError("the texts have no UTF-8")


def names_of(data: bytes, offsets):
    """Return texts that lie one behind the other."""
    places = offsets.tolist()  # slices by Python's own numbers take half the time
    return np.array([data[a:b].decode(errors="replace") for a, b in zip(places, places[1:])], dtype=object)
