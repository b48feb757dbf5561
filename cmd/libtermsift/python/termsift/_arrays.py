"""What the library reads: matrices and texts of the caller's, without a copy where possible."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _arrow, _columns
from . import _library as lib
from ._labels import is_missing, listed

_VALUE_TYPES = {**lib.TYPES, np.dtype(np.bool_): lib.UINT8}


def matrix_of(X: Any) -> lib.Matrix:
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
    start = lib.readable(X.indptr, index)
    indices, values = lib.readable(X.indices, index), lib.readable(values)
    m = lib.Matrix(
        ctypes.sizeof(lib.Matrix), lib.ROWS if X.format == "csr" else lib.COLUMNS, X.shape[0], X.shape[1], max(stored, 0),
        lib.INT64 if index is np.int64 else lib.INT32, _VALUE_TYPES[values.dtype],
        lib.address(start), lib.address(indices), lib.address(values),
    )
    m.kept = (X, start, indices, values)
    return m


def _sparse(X: Any) -> Any:
    """Return a CSR or CSC matrix."""
    if sp.issparse(X):
        return X if X.format in ("csr", "csc") else X.tocsr()
    try:
        X = np.asarray(X)
    except ValueError as e:
        raise ValueError("X must be a matrix, with rows of one length: count words by CountVectorizer, or give texts to rank") from e
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, documents and terms, not {X.ndim}")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X has the dtype {X.dtype}, and must have numbers: X.astype(float) makes them, if they are")
    return sp.csr_matrix(X)


# The size goes to an address: a reference made for each text would take half as long again.
utf8_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(("PyUnicode_AsUTF8AndSize", ctypes.pythonapi))


def texts_of(texts: Any, missing: str = "error") -> tuple[lib.Texts, int]:
    """Return a ts_texts of the caller's UTF-8, which keeps what it points to, and the bytes of all texts.

    missing says what a text is that is null, None, NaN or NA: "error", or "empty".
    """
    if missing not in ("error", "empty"):
        raise ValueError(f'missing must be "error" or "empty", not {missing!r}')
    _check_column(texts)
    column = _arrow.column_of("texts", texts)
    return _of_list(listed("texts", texts), missing) if column is None else _columns.texts_of(column, missing)


def _of_list(texts: list[Any], missing: str) -> tuple[lib.Texts, int]:
    sizes = np.empty(len(texts), dtype=np.intp)
    first = lib.address(sizes)
    places = range(first, first + sizes.nbytes, sizes.itemsize)
    try:
        pointers = np.fromiter(map(utf8_of, texts, places), dtype=np.uintp, count=len(texts))
    except (TypeError, UnicodeEncodeError) as e:
        if missing == "empty" and isinstance(e, TypeError) and any(map(_is_missing_text, texts)):
            return _of_list(["" if _is_missing_text(text) else text for text in texts], missing)
        raise _bad_text(texts) from e
    lengths = lib.readable(sizes, np.int64)
    return lib.Texts.at(pointers, lengths, texts), int(lengths.sum())


def _is_missing_text(text: Any) -> bool:
    return not isinstance(text, (str, list, tuple, np.ndarray)) and is_missing(text)


def _check_column(texts: Any) -> None:
    """Raise ValueError for what is no column of texts, though Python can iterate over it: a table yields its names."""
    if isinstance(texts, (str, bytes)):
        raise ValueError("texts must be an iterable of texts, and this is a single one")
    kind = type(texts).__name__
    if isinstance(texts, (Mapping, set, frozenset)):
        raise ValueError(f"texts must be a sequence of texts, not a {kind}, whose elements are keys or have no order: give a list")
    shape = _arrow.shape_of(texts)
    if len(shape) != 1 and not _arrow.is_relation(texts):
        raise ValueError(
            f'texts must be one column, and this {kind} has the shape {shape}: give df["text"], '
            'and in a ColumnTransformer the name "text" in place of the list ["text"]'
        )


def _bad_text(texts: list[Any]) -> ValueError:
    """Return the error of the first text that has no UTF-8."""
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            return ValueError(f"text {i} is not a str but {type(text).__name__}{_advice(text)}")
        try:
            text.encode()
        except UnicodeEncodeError as e:
            return ValueError(f"text {i} is no Unicode text: {e}")
    return ValueError("the texts have no UTF-8")


def _advice(text: Any) -> str:
    if isinstance(text, bytes):
        return ": decode it, as by text.decode()"
    if _is_missing_text(text):
        return f": {_columns.MISSING}"
    if isinstance(text, (list, tuple)):
        return ': join its words by " ".join(words), and pass tokens=r"pattern:\\S+" to keep them whole'
    return ""


def ids_of(ids: Any, documents: int) -> list[str] | None:
    """Return the names of so many documents as the texts that the options take, None if they have none."""
    if ids is None:
        return None
    if isinstance(ids, (str, bytes)):
        raise ValueError(f"ids must be a sequence with a name for each text, not {ids!r}")
    names = listed("ids", ids)
    if len(names) != documents:
        raise ValueError(f"there are {documents} texts, and {len(names)} ids")
    for i, name in enumerate(names):
        if is_missing(name):
            raise ValueError(f"ids[{i}] is {name!r}: give each text a name, or leave ids out")
    return list(map(str, names))


def names_of(names: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return texts that lie one behind the other."""
    data, places = names.tobytes(), offsets.tolist()  # slices by Python's own numbers take half the time
    return np.array([data[a:b].decode(errors="replace") for a, b in zip(places, places[1:])], dtype=object)
