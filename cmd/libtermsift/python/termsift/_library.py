"""The functions of termsift.h by ctypes: loading, errors, handles, cancelling."""

from __future__ import annotations

import ctypes
import os
import threading
import warnings
import weakref
from ctypes import POINTER, Structure, byref, c_char_p, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

ABI_VERSION = 1

OK, NOTHING, USAGE, BAD_INPUT, IO, CORRUPT, BAD_HANDLE, FORKED, INTERNAL, CANCELLED = 0, 1, 2, 3, 4, 5, 6, 7, 8, 130
NONE, INT32, INT64, FLOAT32, FLOAT64, UINT8 = range(6)
ROWS, COLUMNS = 0, 1


class NothingFoundError(ValueError):
    """No term passes the criterion."""


class CorruptFileError(ValueError):
    """A file or bytes have changed since they were written."""


class ForkedError(RuntimeError):
    """The process was forked after the library was loaded: start processes by spawn or forkserver."""


class InternalError(RuntimeError):
    """A fault of termsift."""


class Error(Structure):
    _fields_ = [("text", c_void_p), ("size", c_size_t)]


class Matrix(Structure):
    kept: Any  # what the pointers point to
    _fields_ = [
        ("struct_size", c_uint32), ("layout", c_uint32),
        ("documents", c_int64), ("terms", c_int64), ("stored", c_int64),
        ("index_type", c_uint32), ("value_type", c_uint32),
        ("start", c_void_p), ("indices", c_void_p), ("values", c_void_p),
    ]


class Labels(Structure):
    kept: Any  # what the pointers point to
    _fields_ = [
        ("struct_size", c_uint32), ("reserved", c_uint32),
        ("documents", c_int64), ("classes", c_int64), ("stored", c_int64),
        ("of", c_void_p), ("start", c_void_p),
    ]


class Texts(Structure):
    kept: Any  # what the pointers point to
    _fields_ = [
        ("struct_size", c_uint32), ("offset_type", c_uint32), ("count", c_int64),
        ("data", c_void_p), ("offsets", c_void_p), ("pointers", c_void_p), ("lengths", c_void_p),
    ]


_P, _H, _E = c_void_p, POINTER(c_uint64), POINTER(Error)
_SIGNATURES = {
    "ts_cancel_new": [_H],
    "ts_cancel": [c_uint64],
    "ts_cancel_free": [c_uint64],
    "ts_free": [c_uint64],
    "ts_score": [POINTER(Matrix), POINTER(Labels), c_char_p, c_uint64, _P, _P, _E],
    "ts_best": [_P, _P, c_int64, c_int64, _P, _E],
    "ts_fit": [POINTER(Texts), POINTER(Labels), c_char_p, c_uint64, _H, _H, _E],
    "ts_transform": [c_uint64, POINTER(Texts), c_char_p, c_uint64, _H, _E],
    "ts_select": [c_uint64, c_char_p, c_uint64, _H, _E],
    "ts_model_sizes": [c_uint64, _P, _E],
    "ts_model_terms": [c_uint64, _P, _P, _P, _P, _E],
    "ts_model_save": [c_uint64, _P, POINTER(c_int64), _E],
    "ts_model_load": [c_char_p, c_int64, _H, _E],
    "ts_rows_sizes": [c_uint64, _P, _E],
    "ts_rows_copy": [c_uint64, _P, _P, _P, _E],
    "ts_open": [c_char_p, _H, _E],
    "ts_corpus_rows": [c_uint64, c_uint64, c_char_p, c_uint64, _H, _E],
    "ts_corpus_sizes": [c_uint64, _P, _E],
    "ts_corpus_terms": [c_uint64, _P, _P, _P, _E],
    "ts_corpus_classes": [c_uint64, _P, _P, _P, _E],
    "ts_stats_texts": [POINTER(Texts), POINTER(Labels), c_char_p, c_uint64, _H, _E],
    "ts_stats_add": [c_uint64, c_uint64, _H, _E],
    "ts_stats_save": [c_uint64, _P, POINTER(c_int64), _E],
    "ts_stats_load": [c_char_p, c_int64, _H, _E],
    "ts_keyness": [c_uint64, c_uint64, c_char_p, c_uint64, _H, _E],
    "ts_keyness_sizes": [c_uint64, _P, _E],
    "ts_keyness_columns": [c_uint64, _P, _P, _E],
    "ts_keyness_copy": [c_uint64, _P, _P, _P, _P, _E],
}

_REMEDY = "install the wheel, or set TERMSIFT_LIBRARY to the path of libtermsift.so.1"

_loading = threading.Lock()
_loaded: ctypes.CDLL | None = None


def library() -> ctypes.CDLL:
    """Return the library, which the first call loads: from TERMSIFT_LIBRARY, or beside this file."""
    global _loaded
    if _loaded is None:
        with _loading:
            if _loaded is None:
                _loaded = _load()
    return _loaded


def _load() -> ctypes.CDLL:
    path = os.environ.get("TERMSIFT_LIBRARY") or str(Path(__file__).with_name("libtermsift.so.1"))
    try:
        loaded = ctypes.CDLL(path)
        version = loaded.ts_abi_version()
        loaded.ts_version.restype = c_char_p
        for name, arguments in _SIGNATURES.items():
            getattr(loaded, name).argtypes = arguments
    except OSError as e:
        raise ImportError(f"the library of termsift cannot be loaded: {e}; {_REMEDY}") from e
    except AttributeError as e:  # another library, or one of another version
        raise ImportError(f"{path} is not the library of this termsift: {e}; {_REMEDY}") from e
    if version != ABI_VERSION:
        raise ImportError(f"{path} has version {version} of the interface, and {ABI_VERSION} is needed; {_REMEDY}")
    return loaded


def library_version() -> str:
    """Return the version of the library."""
    return str(library().ts_version().decode())


def address(array: np.ndarray) -> int:
    """Return the address of an array; an empty one may have any."""
    return int(array.ctypes.data)


def call(name: str, *arguments: Any) -> None:
    """Call a function whose last parameter is a ts_error. Warn of its warnings.

    Arrays of numpy are passed by their addresses, and live as long as the call.
    """
    text = ctypes.create_string_buffer(4096)
    error = Error(ctypes.addressof(text), len(text))
    passed = [address(a) if isinstance(a, np.ndarray) else a for a in arguments]
    status = getattr(library(), name)(*passed, byref(error))
    message = text.value.decode(errors="replace")
    if status != OK:
        raise _exception(status, message)
    if message:
        for line in message.splitlines():
            warnings.warn(line, UserWarning, stacklevel=3)


def _exception(status: int, message: str) -> BaseException:
    kinds: dict[int, type[BaseException]] = {
        NOTHING: NothingFoundError, USAGE: ValueError, BAD_INPUT: ValueError, IO: OSError, CORRUPT: CorruptFileError,
        FORKED: ForkedError, CANCELLED: KeyboardInterrupt,
    }
    return kinds.get(status, InternalError)(message)


# A call of this many elements or bytes runs in a thread of its own, so that Ctrl-C ends it.
LARGE = 2_000_000

# The seconds that an interrupted call has to end.
PATIENCE = 10


def call_long(name: str, size: int, before: tuple[Any, ...], after: tuple[Any, ...] = ()) -> None:
    """Call a function with a cancel handle between the arguments before and after it."""
    if size < LARGE or threading.current_thread() is not threading.main_thread():
        call(name, *before, 0, *after)
        return
    cancel = c_uint64()
    if status := library().ts_cancel_new(byref(cancel)):
        raise _exception(status, "no handle to cancel by")
    outcome: list[BaseException] = []
    caught: list[warnings.WarningMessage] = []
    finished = threading.Event()

    def work() -> None:
        try:
            with warnings.catch_warnings(record=True) as raised:
                warnings.simplefilter("always")
                call(name, *before, cancel.value, *after)
            caught.extend(raised)
        except BaseException as e:  # for the caller's thread
            outcome.append(e)
        finally:
            finished.set()

    worker = threading.Thread(target=work, daemon=True)
    try:
        worker.start()
        finished.wait()
        worker.join()
    except BaseException:
        library().ts_cancel(cancel)
        if finished.wait(PATIENCE):  # not if the interruption came before the thread
            worker.join()
        raise
    finally:
        library().ts_cancel_free(cancel)
    if outcome:
        raise outcome[0]
    for w in caught:
        warnings.warn(w.message, stacklevel=3)


class Handle:
    """A handle of the library, which is freed with the object."""

    def __init__(self, value: int) -> None:
        self.value = value
        weakref.finalize(self, library().ts_free, value)


def saved_bytes(function: str, handle: Handle) -> bytes:
    """Return the bytes that a function saves."""
    size = c_int64()
    call(function, handle.value, None, byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    call(function, handle.value, buffer, byref(size))
    return buffer.raw
