"""The texts and labels in columns of Arrow, read where they lie.

https://arrow.apache.org/docs/format/Columnar.html defines the layouts. Nothing tells how long most buffers are, but
offsets, lengths, counts and codes are compared with each other before anything is read by them.
"""

from __future__ import annotations

import ctypes
from ctypes import PYFUNCTYPE, c_void_p, py_object, pythonapi
from typing import Any, NamedTuple

import numpy as np

from . import _library as lib
from ._arrow import Array, Column, Schema, children_of, format_of

_bytes_at = PYFUNCTYPE(py_object, c_void_p, ctypes.c_ssize_t)(("PyBytes_FromStringAndSize", pythonapi))

# The types of numbers by their formats.
_NUMBERS = {
    "c": np.int8, "C": np.uint8, "s": np.int16, "S": np.uint16, "i": np.int32, "I": np.uint32, "l": np.int64, "L": np.uint64,
    "e": np.float16, "f": np.float32, "g": np.float64,
}
_INDICES = "cCsSiIlL"
_OFFSETS = {"u": np.int32, "U": np.int64, "+l": np.int32, "+L": np.int64}
_BYTES = ("z", "Z", "vz")

# A length or an offset above this is no number of elements: it could not be added to another.
_MOST = 1 << 60


class _Memory:
    """Memory of a column as numpy reads it."""

    def __init__(self, column: Column, address: int, dtype: Any, n: int) -> None:
        self.column = column
        self.__array_interface__ = {"version": 3, "shape": (n,), "typestr": np.dtype(dtype).str, "data": (address, True)}


class Part:
    """Elements of a chunk: from offset, and as many as length says, within its own."""

    def __init__(self, column: Column, schema: Schema, array: Array, offset: int, length: int | None) -> None:
        self.column, self.schema, self.array = column, schema, array
        for name in ("length", "offset"):
            if not 0 <= getattr(array, name) < _MOST:
                raise column.broken(f"its {name} is {getattr(array, name)}")
        self.length = array.length if length is None else length
        if offset + self.length > array.length:
            raise column.broken(f"{offset + self.length} elements are expected of one with {array.length}")
        self.offset = array.offset + offset

    @property
    def format(self) -> str:
        return format_of(self.schema)

    def buffer(self, number: int, least: int) -> int:
        """Return the address of a buffer, 0 for none. There are at least so many."""
        if self.array.n_buffers < least or not self.array.buffers:
            raise self.column.broken(f"it has {self.array.n_buffers} buffers, and the type {self.format!r} has {least}")
        return self.array.buffers[number] or 0

    def view(self, number: int, dtype: Any, n: int, least: int = 2) -> np.ndarray:
        """Return n elements of a buffer."""
        address = self.buffer(number, least)
        if n == 0:
            return np.empty(0, dtype=dtype)
        if not address:
            raise self.column.broken(f"buffer {number} is NULL, and should have {n} elements")
        return np.asarray(_Memory(self.column, address, dtype, n))

    def bits(self, number: int, n_buffers: int) -> np.ndarray:
        """Return bits of a buffer as bool."""
        first, last = self.offset // 8, (self.offset + self.length + 7) // 8
        bits = np.unpackbits(self.view(number, np.uint8, last, n_buffers)[first:], bitorder="little")
        return bits[self.offset - 8 * first:][: self.length].astype(bool)

    def valid(self) -> np.ndarray | None:
        """Return which elements are not null, None if all are."""
        if self.format == "n":
            return np.zeros(self.length, dtype=bool)
        nulls = self.array.null_count
        if not -1 <= nulls <= self.array.length:
            raise self.column.broken(f"its null_count is {nulls}, and its length {self.array.length}")
        if nulls == 0 or self.length == 0 or nulls < 0 and not self.buffer(0, 1):
            return None
        if not self.buffer(0, 1):
            raise self.column.broken(f"its null_count is {nulls}, and it has no bitmap of them")
        valid = self.bits(0, 1)
        return None if valid.all() else valid

    def offsets(self) -> np.ndarray:
        """Return the offsets of texts or lists, one more than these, which ascend."""
        dtype = _OFFSETS[self.format]
        if self.length == 0:
            return np.zeros(1, dtype=dtype)  # the buffer of an array without elements may be NULL
        offsets = self.view(1, dtype, self.offset + self.length + 1)[self.offset:]
        falls = np.flatnonzero(offsets[1:] < offsets[:-1])
        if offsets[0] < 0 or len(falls):
            i = int(falls[0]) + 1 if offsets[0] >= 0 else 0
            before = f"below {offsets[i - 1]}" if i else "below 0"
            raise self.column.broken(f"offset {i} is {offsets[i]}, {before}: offsets must ascend from 0 or above")
        return offsets

    def child(self, number: int = 0, offset: int = 0, length: int | None = None) -> Part:
        types, arrays = children_of(self.column, self.schema), children_of(self.column, self.array)
        if len(types) <= number or len(arrays) != len(types):
            raise self.column.broken(f"it has {len(arrays)} children, and its type {len(types)}")
        return Part(self.column, types[number], arrays[number], offset, length)

    def strings(self) -> Strings:
        """Return where the texts are."""
        if self.schema.dictionary:
            values, codes = self.dictionary().strings(), self.codes()
            return Strings(np.append(values.pointers, np.uintp(0))[codes], np.append(values.lengths, 0)[codes], self.valid_codes(codes))
        if self.format == "n":
            return Strings(np.zeros(self.length, dtype=np.uintp), np.zeros(self.length, dtype=np.int64), self.valid())
        if self.format == "vu":
            return self.views()
        offsets = self.offsets().astype(np.int64)
        lengths = np.diff(offsets)
        data = self.buffer(2, 3) if self.length else 0
        if not data and lengths.any():
            raise self.column.broken(f"its data is NULL, and its offsets end with {offsets[-1]}")
        return Strings((offsets[:-1] + data).astype(np.uintp), lengths, self.valid())

    def views(self) -> Strings:
        """Return the texts of a string_view: short ones are in the view, long ones at an offset of one of the buffers."""
        n = self.array.n_buffers - 3  # bitmap and views come first, the sizes of the others last
        if n < 0:
            raise self.column.broken(f"it has {n + 3} buffers, and the type 'vu' at least 3")
        views = self.view(1, np.int32, 4 * (self.offset + self.length), 3).reshape(-1, 4)[self.offset:]
        valid = self.valid()
        lengths = views[:, 0].astype(np.int64)
        if valid is not None:
            lengths[~valid] = 0  # what is in the view of a null is of no meaning
        if (lengths < 0).any():
            i = int(np.argmax(lengths < 0))
            raise self.column.broken(f"the length of element {i} is {lengths[i]}")
        pointers = (self.buffer(1, 3) + 16 * np.arange(self.offset, self.offset + self.length) + 4).astype(np.uintp)
        long = np.flatnonzero(lengths > 12)
        if len(long):
            sizes = self.view(n + 2, np.int64, n, 3)
            starts = np.array([self.buffer(2 + i, 3) for i in range(n)], dtype=np.uintp)
            number, at = views[long, 2].astype(np.int64), views[long, 3].astype(np.int64)
            inside = (number >= 0) & (number < n)
            inside[inside] = (at[inside] >= 0) & (at[inside] + lengths[long][inside] <= sizes[number[inside]]) & (starts[number[inside]] != 0)
            if not inside.all():
                i = int(np.argmin(inside))
                raise self.column.broken(f"element {long[i]} is at {at[i]} of data buffer {number[i]}, which has no {lengths[long[i]]} bytes there")
            pointers[long] = starts[number] + at.astype(np.uintp)
        return Strings(pointers, lengths, valid)

    def dictionary(self) -> Part:
        if not self.array.dictionary:
            raise self.column.broken("its type has a dictionary, and it has none")
        return Part(self.column, self.schema.dictionary.contents, self.array.dictionary.contents, 0, None)

    def codes(self) -> np.ndarray:
        """Return the places in the dictionary. Nulls have the place behind its last value."""
        values = self.dictionary().length
        if self.format not in _INDICES:
            raise self.column.broken(f"its dictionary has indices of the type {self.format!r}")
        codes = self.view(1, _NUMBERS[self.format], self.offset + self.length)[self.offset:]
        valid = self.valid()
        wrong = (codes < 0) | (codes >= values)
        if valid is not None:
            wrong &= valid
        if wrong.any():
            i = int(np.argmax(wrong))
            raise self.column.broken(f"element {i} has the code {codes[i]}, and its dictionary {values} values")
        return codes.astype(np.int64) if valid is None else np.where(valid, codes, values).astype(np.int64)

    def valid_codes(self, codes: np.ndarray) -> np.ndarray | None:
        """Return which codes stand for a value that is not null."""
        of = self.dictionary()
        known = of.valid()
        valid = np.append(np.ones(of.length, dtype=bool) if known is None else known, False)[codes]
        return None if valid.all() else valid

    def numbers(self) -> np.ndarray:
        """Return numbers, or bool."""
        if self.format == "b":
            return self.bits(1, 2)
        return self.view(1, _NUMBERS[self.format], self.offset + self.length)[self.offset:]


class Strings(NamedTuple):
    """Texts by their addresses and lengths in bytes; which are not null, None if all are."""

    pointers: np.ndarray
    lengths: np.ndarray
    valid: np.ndarray | None


def parts_of(column: Column) -> list[Part]:
    """Return the chunks of a column; those of a table's only column, if it is one."""
    parts = [Part(column, column.schema, chunk, 0, None) for chunk in column.chunks]
    if column.format != "+s":
        return parts
    if any(part.valid() is not None for part in parts):
        raise column.broken("a row of the table is null")
    return [part.child(0, part.offset, part.length) for part in parts]


def texts_of(column: Column, missing: str) -> tuple[lib.Texts, int]:
    """Return a ts_texts of a column of texts, which keeps the column, and the bytes of all texts."""
    parts = parts_of(column)
    for part in parts:
        _check_texts(part)
    strings = [part.strings() for part in parts]
    pointers = np.concatenate([np.empty(0, dtype=np.uintp), *(s.pointers for s in strings)])
    lengths = np.concatenate([np.empty(0, dtype=np.int64), *(s.lengths for s in strings)])
    valid = _joined([(s.valid, len(s.lengths)) for s in strings])
    if valid is not None:
        if missing != "empty":
            raise ValueError(f"text {int(np.argmin(valid))} is null: {MISSING}")
        lengths[~valid] = 0
    t, size = lib.Texts.at(pointers, lengths, column), int(lengths.sum())
    lib.call("texts_check", t, size=size)
    return t, size


def _check_texts(part: Part) -> None:
    of = part.dictionary() if part.schema.dictionary else part
    if of.format in _BYTES:
        raise ValueError(f"{part.column.name} must be texts, and this column has bytes: cast it to strings")
    if of.format not in ("u", "U", "vu", "n") or of.schema.dictionary:
        raise ValueError(f"{part.column.name} must be texts, and this column has the Arrow type {_type_of(of.format)}: cast it to strings")


# What Arrow calls the types that are no texts, by what their formats begin with.
_TYPES = {
    "+r": "run-end encoded", "+vl": "list view", "+vL": "large list view", "+w": "fixed-size list", "+u": "union", "+l": "list",
    "+L": "large list", "+s": "struct", "+m": "map", "b": "bool", "c": "int8", "C": "uint8", "s": "int16", "S": "uint16", "i": "int32",
    "I": "uint32", "l": "int64", "L": "uint64", "e": "float16", "f": "float32", "g": "float64", "d": "decimal", "w": "fixed-size binary",
    "td": "date", "tt": "time", "ts": "timestamp", "tD": "duration", "ti": "interval",
}  # fmt: skip


def _type_of(code: str) -> str:
    return next((f"{name} ({code!r})" for begins, name in _TYPES.items() if code.startswith(begins)), repr(code))


# What to do about texts that are not there.
MISSING = 'leave out its row, fill it in, or count it as empty by missing="empty"'


def _joined(valid: list[tuple[np.ndarray | None, int]]) -> np.ndarray | None:
    """Return which elements of all parts are not null, None if all are."""
    if all(v is None for v, _ in valid):
        return None
    return np.concatenate([np.ones(n, dtype=bool) if v is None else v for v, n in valid])


class Labels(NamedTuple):
    """Labels, and where each document's begin, None if each has one. With codes these are places in the values."""

    values: Any  # an array of numbers or bool, or a list of bytes
    codes: np.ndarray | None
    valid: np.ndarray | None  # which labels are not null, None if all are
    start: np.ndarray | None


def labels_of(column: Column) -> Labels | None:
    """Return the labels of a column, or None where it has a type that is read in another way, as dates."""
    parts, start = parts_of(column), None
    if parts and parts[0].format in ("+l", "+L"):
        parts, start = _lists(parts)
    if not parts:
        return Labels(np.empty(0), None, None, start)
    of = parts[0].dictionary() if parts[0].schema.dictionary else parts[0]
    if of.schema.dictionary or of.format not in ("u", "U", "vu", "n", "b", *_NUMBERS):
        return None
    if parts[0].schema.dictionary:
        return _encoded(parts, start)
    values, valid = _elements(parts)
    return Labels(values, None, valid, start)


def _lists(parts: list[Part]) -> tuple[list[Part], np.ndarray]:
    """Return the elements of lists, and where each list begins."""
    children, starts, row, stored = [], [np.zeros(1, dtype=np.int64)], 0, 0
    for part in parts:
        valid, offsets = part.valid(), part.offsets().astype(np.int64)
        if valid is not None:
            raise ValueError(f"y[{row + int(np.argmin(valid))}] is null: a document without a class has an empty list")
        starts.append(offsets[1:] - offsets[0] + stored)
        child = part.child(0, int(offsets[0]), int(offsets[-1] - offsets[0]))
        children.append(child)
        row, stored = row + part.length, stored + child.length
    return children, np.concatenate(starts)


def _encoded(parts: list[Part], start: np.ndarray | None) -> Labels:
    """Return labels by their codes in the dictionaries of all parts, one behind the other, each with a place for nulls."""
    dictionaries, codes, valid, values = [part.dictionary() for part in parts], [], [], 0
    for part, dictionary in zip(parts, dictionaries):
        own = part.codes()
        codes.append(own + values)
        valid.append((part.valid_codes(own), part.length))
        values += dictionary.length
    return Labels(_elements(dictionaries)[0], np.concatenate(codes), _joined(valid), start)


def _elements(parts: list[Part]) -> tuple[Any, np.ndarray | None]:
    """Return numbers as an array or texts as a list of bytes, and which are not null."""
    valid = _joined([(part.valid(), part.length) for part in parts])
    if parts[0].format in ("b", *_NUMBERS):
        return np.concatenate([part.numbers() for part in parts]), valid
    values: list[bytes] = []
    for part in parts:
        s = part.strings()
        values.extend(map(_bytes_at, s.pointers.tolist(), s.lengths.tolist()))
    return values, valid
