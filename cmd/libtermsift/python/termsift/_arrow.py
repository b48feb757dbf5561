"""Columns of Arrow, which pyarrow, polars, pandas, DuckDB and others hand over by its C interface.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html defines the capsules and the structs.
"""

from __future__ import annotations

import ctypes
import weakref
from ctypes import CFUNCTYPE, POINTER, PYFUNCTYPE, Structure, c_char_p, c_int, c_int64, c_void_p, py_object, pythonapi
from typing import Any

import numpy as np


class Schema(Structure):
    """ArrowSchema: the type of a column."""


class Array(Structure):
    """ArrowArray: the buffers of a chunk."""


class Stream(Structure):
    """ArrowArrayStream: chunks of one type."""


Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
    ("release", CFUNCTYPE(None, POINTER(Schema))), ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)),
    ("release", CFUNCTYPE(None, POINTER(Array))), ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_void_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p),
]

_pointer_of = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))


class Column:
    """The type and the chunks of a column. The chunks are released with the object."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.schema = Schema()
        self.chunks: list[Array] = []

    @property
    def format(self) -> str:
        return format_of(self.schema)

    def broken(self, what: str) -> ValueError:
        return ValueError(f"the Arrow column of {self.name} is broken: {what}")

    def keep(self, struct: Any) -> Any:
        """Release a struct with the column, whatever happens."""
        weakref.finalize(self, _release, struct).atexit = False
        return struct


def format_of(schema: Schema) -> str:
    return (schema.format or b"").decode(errors="replace")


def _release(struct: Any) -> None:
    """Call the callback of a struct once, which sets it to NULL."""
    if struct.release:
        struct.release(ctypes.byref(struct))
        struct.release = type(struct.release)()


def column_of(name: str, values: Any) -> Column | None:
    """Return the column of values that come by Arrow, or None where NumPy or Python hold them."""
    if isinstance(getattr(values, "dtype", None), np.dtype) or hasattr(values, "__array__") and len(shape_of(values)) != 1:
        return None
    values = _of_datasets(values)
    stream = getattr(values, "__arrow_c_stream__", None)
    export = stream or getattr(values, "__arrow_c_array__", None)
    if export is None:
        return None
    try:
        given = export()
    except Exception:
        if hasattr(values, "__array__"):  # pandas without pyarrow, and values that Arrow has no type for
            return None
        raise
    column = Column(name)
    if stream:
        _read_stream(column, given)
    else:
        _read_array(column, *given)
    if column.format == "+s":
        return None if name == "y" and hasattr(values, "__array__") else _only(column, values)  # labels such as intervals of pandas
    return column


def shape_of(values: Any) -> tuple[Any, ...]:
    """Return the shape of an array or a table, (0,) for what has none."""
    shape = getattr(values, "shape", None)
    return shape if isinstance(shape, tuple) else (0,)


def is_relation(values: Any) -> bool:
    """Report whether values are a relation of DuckDB, whose columns are relations, too."""
    return type(values).__name__ == "DuckDBPyRelation"


def _of_datasets(values: Any) -> Any:
    """Return a column of Hugging Face's datasets as one of Arrow, unless a transform makes its values."""
    if type(values).__module__ != "datasets.arrow_dataset" or type(values).__name__ != "Column":
        return values
    source = values.source
    if not hasattr(source, "with_format") or source.format["type"] == "custom":
        return values
    return source.with_format("arrow")[values.column_name][:]


def _struct(column: Column, capsule: Any, kind: Any, name: bytes) -> Any:
    """Return the struct of a capsule, which its consumer releases."""
    try:
        struct = kind.from_address(_pointer_of(capsule, name))
    except ValueError as e:
        raise ValueError(f"{column.name} hand over {type(capsule).__name__} where Arrow's interface has a capsule named {name.decode()}") from e
    if not struct.release:
        raise ValueError(f"the Arrow capsule of {column.name} was released: a stream can be read only once")
    struct.capsule = capsule
    return column.keep(struct)


def _read_array(column: Column, schema: Any, array: Any) -> None:
    column.schema = _struct(column, schema, Schema, b"arrow_schema")
    column.chunks.append(_struct(column, array, Array, b"arrow_array"))


def _read_stream(column: Column, capsule: Any) -> None:
    stream = _struct(column, capsule, Stream, b"arrow_array_stream")
    try:
        _next(column, stream, stream.get_schema, column.keep(column.schema))
        while (chunk := _next(column, stream, stream.get_next, column.keep(Array()))).release:
            column.chunks.append(chunk)
    finally:
        _release(stream)


def _next(column: Column, stream: Stream, function: Any, to: Any) -> Any:
    if status := function(ctypes.byref(stream), ctypes.byref(to)):
        at = stream.get_last_error(ctypes.byref(stream))
        text = ctypes.string_at(at).decode(errors="replace") if at else "no reason is given"
        raise ValueError(f"the Arrow stream of {column.name} failed with the status {status}: {text}")
    return to


def _only(column: Column, values: Any) -> Column:
    """Return a relation of one column. Refuse other tables."""
    names = [(child.name or b"").decode(errors="replace") for child in children_of(column, column.schema)]
    if is_relation(values) and len(names) == 1:
        return column
    first = names[0] if names else "text"
    advice = f'.select("{first}")' if is_relation(values) else f'["{first}"]'
    what = f"this {type(values).__name__} is a table of {', '.join(names) or 'none'}"
    raise ValueError(f"{column.name} must be one column, and {what}: give one of them, as by {advice}")


def children_of(column: Column, struct: Any) -> list[Any]:
    n = struct.n_children
    if not 0 <= n < 1 << 20 or n and not struct.children or not all(struct.children[i] for i in range(n)):
        raise column.broken(f"it says that it has {n} children")
    return [struct.children[i].contents for i in range(n)]


