"""Bags of words: texts as counts of their terms, by the rules of scikit-learn."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_int64, c_uint64
from functools import lru_cache
from typing import Any

import numpy as np

from . import _library as lib
from ._arrays import texts_of, utf8_of
from ._options import options_of
from ._process import Buffer

# The library's types of elements. Others are made of int32.
_VALUE_TYPES = {dtype: number for dtype, number in lib.TYPES.items() if number != lib.UINT8}

_INT32 = np.dtype(np.int32)
_ONE: Any = Buffer * 1
_TWO: Any = Buffer * 2
_THREE: Any = Buffer * 3

# The arrays of a matrix: start of the rows, columns, values.
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=256)
def analysis_options(
    tokens: str, ngrams: str, stop: tuple[str, ...] | None, strip_accents: str | None, keep_case: bool, unicode: str, **more: Any,
) -> bytes:
    """Return options as JSON."""
    return options_of(
        tokens=tokens, ngrams=ngrams, stop=list(stop) if stop else None, strip_accents=strip_accents, keep_case=keep_case or None,
        unicode=unicode, **more,
    )


class Texts:
    """Texts as the library reads them."""

    def __init__(self, texts: list[str]) -> None:
        self.struct, self.size = texts_of(texts)

    @property
    def count(self) -> int:
        return int(self.struct.count)


class Bag:
    """A vocabulary of the library's: terms in the order in which they first occurred, with their columns."""

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle
        self.terms = lib.sizes(handle, 3)[2]
        self.left_out = int(lib.read("read", handle, columns=6, wanted=[5])[5][0])

    @classmethod
    def fit(cls, texts: Texts, options: bytes) -> tuple[Bag, Rows]:
        """Count texts, and return the vocabulary of their terms and their rows."""
        vocabulary, rows = c_uint64(), c_uint64()
        lib.call("bag_fit", texts.struct, out=[vocabulary, rows], options=options, size=texts.size)
        return cls(lib.Handle(vocabulary.value)), Rows(lib.Handle(rows.value))

    def made_by(self, again: Callable[[], int]) -> Bag:
        """Have the vocabulary made by a function that returns a handle, in a process that was forked."""
        self._handle.made_by(again)
        return self

    def transform(self, texts: Texts, threads: int) -> Rows:
        """Count texts over the terms of the vocabulary. The columns of a row ascend."""
        return Rows(lib.made("bag_transform", self._handle, texts.struct, options=b'{"threads": %d}' % threads, size=texts.size))

    def transform_few(self, texts: list[str], dtype: np.dtype[Any]) -> Arrays | None:
        """Return the arrays of a few texts' matrix, by calls without all that serves long ones; None if they do not do."""
        library, count = lib.library_here(), len(texts)
        if library is None or dtype not in _VALUE_TYPES:
            return None
        lengths, rows = (c_int64 * count)(), c_uint64()
        first = ctypes.addressof(lengths)
        try:
            pointers = (ctypes.c_void_p * count)(*map(utf8_of, texts, range(first, first + 8 * count, 8)))
        except UnicodeEncodeError:
            return None
        struct = lib.Texts(ctypes.sizeof(lib.Texts), lib.NONE, count, None, None, ctypes.addressof(pointers), first)
        handle = c_uint64(self._handle.value)
        ins = _TWO((lib.HANDLE, 0, 1, ctypes.addressof(handle)), (lib.TEXTS, 0, 1, ctypes.addressof(struct)))
        made, told = _ONE((lib.HANDLE, 0, 1, ctypes.addressof(rows))), _THREE()
        if library.ts_call(b"bag_transform", b'{"threads": 1}', ins, 2, made, 1, 0, None) != lib.OK:
            return None
        try:
            if library.ts_call(b"read", None, made, 1, told, 3, 0, None) != lib.OK:
                return None
            arrays = _arrays(count, told[2].count, _INT32, dtype)
            for buffer, array, kind in zip(told, arrays, (lib.INT32, lib.INT32, _VALUE_TYPES[dtype])):
                buffer.type, buffer.data = kind, lib.address(array)
            status = library.ts_call(b"read", None, made, 1, told, 3, 0, None)
        finally:
            library.ts_free(rows)
        return arrays if status == lib.OK else None

    def keep(self, rows: Rows, kept: np.ndarray) -> tuple[Bag, Rows]:
        """Return the vocabulary of the terms that an array of bool has, and the rows over them."""
        vocabulary, over = c_uint64(), c_uint64()
        flags = np.ascontiguousarray(kept, dtype=np.uint8)
        lib.call("bag_keep", self._handle, rows.handle, flags, out=[vocabulary, over])
        return Bag(lib.Handle(vocabulary.value)), Rows(lib.Handle(over.value))

    def names(self) -> list[str]:
        """Return the terms."""
        return split(*self.spelled())

    def spelled(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the terms as bytes of UTF-8, one behind the other, and where each begins and the last ends."""
        names, offsets = lib.read("read", self._handle, columns=2)
        return names, offsets

    def counts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the columns of the terms, their documents and their occurrences."""
        _, _, columns, df, occurrences = lib.read("read", self._handle, columns=5, wanted=range(2, 5))
        return columns, df, occurrences


def vocabulary_of(names: list[str], options: bytes) -> int:
    """Return the handle of a vocabulary in which the column of a term is its place."""
    texts, vocabulary = Texts(names), c_uint64()
    lib.call("bag_vocabulary", texts.struct, out=[vocabulary], options=options, size=texts.size)
    return vocabulary.value


class Rows:
    """Rows of the library's, which are copied once."""

    def __init__(self, handle: lib.Handle) -> None:
        self.handle = handle
        starts, _, self.stored = lib.sizes(handle, 3)
        self.documents = starts - 1

    def arrays(self, dtype: np.dtype[Any]) -> Arrays:
        """Return the arrays of the matrix. The values are int32 where the library does not have the dtype."""
        value = dtype if dtype in _VALUE_TYPES else np.dtype(np.int32)
        index = np.dtype(np.int32 if self.stored <= np.iinfo(np.int32).max else np.int64)
        arrays = _arrays(self.documents, self.stored, index, value)
        lib.call("read", self.handle, out=arrays)
        return arrays


def _arrays(documents: int, stored: int, index: np.dtype[Any], value: np.dtype[Any]) -> Arrays:
    """Return arrays for a matrix: the values and, behind them, the columns and the starts.

    They are one piece of memory: malloc keeps it for the next call, where it gives two of half the size back to the
    system and pays for each page again.
    """
    behind = stored * value.itemsize + 7 & -8
    end = behind + stored * index.itemsize
    memory = np.empty(end + (documents + 1) * index.itemsize, dtype=np.uint8)
    return memory[end:].view(index), memory[behind:end].view(index), memory[: stored * value.itemsize].view(value)


def hashed(texts: Texts, options: bytes) -> Rows:
    """Count texts over columns that the hash of a term gives."""
    return Rows(lib.made("bag_hash", texts.struct, options=options, size=texts.size))


# The characters that may stand between names: line feed, which words do not have, and others that are rare.
_SEPARATORS = (10, *range(10), *range(11, 32), 127)


def split(names: np.ndarray, offsets: np.ndarray) -> list[str]:
    """Return texts whose bytes of UTF-8 lie one behind the other.

    All are decoded at once, and split at a character that none of them has.
    """
    count = len(offsets) - 1
    if count == 0:
        return []
    separator = next((c for c in _SEPARATORS if not (names == c).any()), None)
    if separator is None:
        places = offsets.tolist()
        data = names.tobytes()
        return [data[a:b].decode() for a, b in zip(places, places[1:])]
    joined = np.empty(len(names) + count - 1, dtype=np.uint8)
    at = offsets[1:-1] + np.arange(count - 1)  # of the separators
    within = np.ones(len(joined), dtype=bool)
    within[at] = False
    joined[at] = separator
    joined[within] = names
    return joined.tobytes().decode().split(chr(separator))


