"""ts_call of termsift.h by ctypes: loading, errors, handles, cancelling, forks."""

from __future__ import annotations

import _thread
import ctypes
import itertools
import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from ctypes import byref, c_int64, c_uint32, c_uint64, c_void_p
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import _helper, _process
from ._process import HANDLES, Buffer, Helper, Packed, Request
from ._process import HelperError as HelperError

OK, NOTHING, USAGE, BAD_INPUT, IO, CORRUPT, BAD_HANDLE, FORKED, INTERNAL, CANCELLED = 0, 1, 2, 3, 4, 5, 6, 7, 8, 130
NONE, INT32, INT64, FLOAT32, FLOAT64, UINT8, TEXT, HANDLE, MATRIX, LABELS, TEXTS = range(11)
_BYTES = (0, 4, 8, 4, 8, 1)  # of an element of each type
ROWS, COLUMNS = 0, 1
TYPES = {
    np.dtype(np.int32): INT32, np.dtype(np.int64): INT64, np.dtype(np.float32): FLOAT32, np.dtype(np.float64): FLOAT64, np.dtype(np.uint8): UINT8,
}
_DTYPES = {**{number: dtype for dtype, number in TYPES.items()}, TEXT: np.dtype(np.uint8)}


class NothingFoundError(ValueError):
    """No term passes the criterion."""


class CorruptFileError(ValueError):
    """A file or bytes have changed since they were written."""


class ForkedError(RuntimeError):
    """An object was made before a fork that Python did not see, one of C code, so that nothing is at hand to make it again."""


class InternalError(RuntimeError):
    """A fault of termsift."""


class Matrix(Packed):
    _fields_ = [
        ("struct_size", c_uint32), ("layout", c_uint32),
        ("documents", c_int64), ("terms", c_int64), ("stored", c_int64),
        ("index_type", c_uint32), ("value_type", c_uint32),
        ("start", c_void_p), ("indices", c_void_p), ("values", c_void_p),
    ]

    def pointed(self) -> dict[str, int]:
        index, lines = _BYTES[self.index_type], self.documents if self.layout == ROWS else self.terms
        return {"start": (lines + 1) * index, "indices": self.stored * index, "values": self.stored * _BYTES[self.value_type]}


class Labels(Packed):
    _fields_ = [
        ("struct_size", c_uint32), ("reserved", c_uint32),
        ("documents", c_int64), ("classes", c_int64), ("stored", c_int64),
        ("of", c_void_p), ("start", c_void_p),
    ]

    def pointed(self) -> dict[str, int]:
        return {"of": self.stored * 4, "start": (self.documents + 1) * 8}


class Texts(Packed):
    _fields_ = [
        ("struct_size", c_uint32), ("offset_type", c_uint32), ("count", c_int64),
        ("data", c_void_p), ("offsets", c_void_p), ("pointers", c_void_p), ("lengths", c_void_p),
    ]

    @classmethod
    def at(cls, pointers: np.ndarray, lengths: np.ndarray, owner: Any) -> Texts:
        """Return texts that lie anywhere in the memory of an owner, whom they keep."""
        texts = cls(ctypes.sizeof(cls), NONE, len(lengths), None, None, address(pointers), address(lengths))
        texts.kept = (pointers, lengths, owner)
        return texts

    def put(self, request: Request) -> int:
        """Lay the texts one behind the other, with offsets."""
        pointers, lengths, _ = self.kept
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        data = request.put_all(np.stack([pointers, lengths.astype(np.uintp)], axis=1), int(offsets[-1]))
        place = request.put_array(offsets)
        return request.put_struct(Texts(ctypes.sizeof(Texts), INT64, self.count), {"data": data, "offsets": place})


_STRUCTS = {Matrix: MATRIX, Labels: LABELS, Texts: TEXTS}

_loaded: ctypes.CDLL | None = None
_path = ""  # of the library that was loaded


def library() -> ctypes.CDLL:
    """Return the library, which the first call loads: from TERMSIFT_LIBRARY, or beside this file."""
    global _loaded, _path
    if _loaded is None:
        with _process.lock:
            if _loaded is None:
                path = _path_of_library()
                _loaded, _path = _helper.load(path), path
    return _loaded


_NAME = {"darwin": "libtermsift.dylib", "win32": "termsift.dll"}.get(sys.platform, "libtermsift.so.1")


def _path_of_library() -> str:
    path = _path or os.environ.get("TERMSIFT_LIBRARY") or str(Path(__file__).with_name(_NAME))
    return os.path.abspath(path) if os.sep in path else path


# The process that this is, and whether its calls go to a helper process.
_process_id = os.getpid()
_apart = False
_last: Helper | None = None


def _helper_now() -> Helper | None:
    """Return the helper process that calls go to, or None: they go to the library in this process."""
    global _apart, _last
    if os.getpid() != _process_id:  # a fork of C code
        _after_fork()
    if not _apart and (_loaded is not None or not _wanted()):
        return None
    if _last is None or _last.ended:
        with _process.lock:
            if _last is None or _last.ended:
                _apart, _last = True, Helper(_number_of(_last) + 1, _path_of_library())
    return _last


def _number_of(helper: Helper | None) -> int:
    return 0 if helper is None else helper.number


def _wanted() -> bool:
    """Report whether TERMSIFT_PROCESS asks for a helper process."""
    value = os.environ.get("TERMSIFT_PROCESS", "")
    if value not in ("", "0", "1"):
        raise ValueError(f"TERMSIFT_PROCESS is {value!r}: 1 makes all calls in a helper process, 0 only those of processes that were forked")
    return value == "1"


def _before_fork() -> None:
    """Have at hand what makes the objects again in the child."""
    _process.lock.acquire()
    for reference in list(_kept.values()):
        if (handle := reference()) is not None:
            handle.keep()


def _after_fork() -> None:
    """Call the library no more: Go's threads are those of the parent. Its helper is the parent's as well."""
    global _process_id, _apart
    _process.lock = threading.RLock()
    _apart = _apart or _loaded is not None
    if _last is not None:
        _last.forget()
    _process_id = os.getpid()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_before_fork, after_in_parent=lambda: _process.lock.release(), after_in_child=_after_fork)


def library_here() -> ctypes.CDLL | None:
    """Return the library, or None where a helper process makes the calls."""
    return library() if _helper_now() is None else None


def library_version() -> str:
    """Return the version of the library."""
    helper = _helper_now()
    return str(library().ts_version().decode()) if helper is None else helper.version


def readable(array: Any, dtype: Any = None) -> np.ndarray:
    """Return an array as the library reads it: of a type, in one piece, each element at a multiple of its size.

    It is copied only if it has to be, as one that lies anywhere in a mapped file.
    """
    return np.require(array, dtype, ["C", "A", "E"])


def address(array: np.ndarray) -> int:
    """Return the address of an array; an empty one may have any."""
    return int(array.ctypes.data)


def call(operation: str, *inputs: Any, out: Sequence[Any] = (), options: bytes | None = None, size: int = -1) -> None:
    """Do an operation of ts_call. Warn of its warnings.

    Inputs are arrays of numpy, which live as long as the call, structs, Handles, and bytes for a path. out are arrays, an
    object of c_uint64 for a new handle, or None for what is not wanted; or buffers. In a process that was forked, a
    helper process makes the call. One of a large size, in elements or bytes, can be interrupted.
    """
    given = [c_uint64(value.value) if isinstance(value, Handle) else value for value in inputs]
    outs, outputs = (out, ()) if isinstance(out, ctypes.Array) else (_buffers(out), out)
    do = partial(_answer, operation, options, _buffers(given), given, outs, outputs)
    if size < LARGE or threading.current_thread() is not threading.main_thread():
        _warn(do())
    else:
        _warn(_interruptible(do))


def _answer(operation: str, options: bytes | None, ins: Any, inputs: Any, outs: Any, outputs: Any, cancel: int = 0) -> str:
    """Do an operation, and return its warnings, one a line."""
    helper = _helper_now()
    if helper is None:
        error = _helper.Error()
        status = library().ts_call(operation.encode(), options, ins, len(ins), outs, len(outs), cancel, byref(error))
        message = error.memory.value.decode(errors="replace")
    else:
        status, message = helper.call(operation, options, ins, inputs, outs, outputs, cancel)
    if status != OK:
        raise _exception(status, message)
    return message


def _buffers(values: Sequence[Any]) -> Any:
    """Return what ts_call reads or writes."""
    described: Any = map(_buffer, values)
    return (Buffer * len(values))(*described)


def _buffer(value: Any) -> tuple[int, int, int, int | None]:
    if value is None:
        return NONE, 0, 0, None
    if isinstance(value, np.ndarray):
        return TYPES[value.dtype], 0, value.size, address(value)
    if isinstance(value, bytes):
        return TEXT, 0, 1, ctypes.cast(ctypes.c_char_p(value), c_void_p).value
    return _STRUCTS.get(type(value), HANDLE), 0, 1, ctypes.addressof(value)


def made(operation: str, *inputs: Any, **more: Any) -> Handle:
    """Do an operation that makes one object, and return its handle."""
    handle = c_uint64()
    call(operation, *inputs, out=[handle], **more)
    return Handle(handle.value)


def sizes(handle: Handle, columns: int) -> list[int]:
    """Return the sizes of the columns of an object."""
    return [buffer.count for buffer in _sized("read", (handle,), columns)]


def _sized(operation: str, inputs: Sequence[Any], columns: int) -> Any:
    buffers: Any = (Buffer * columns)()
    call(operation, *inputs, out=buffers)
    return buffers


def read(operation: str, *inputs: Any, columns: int, wanted: Container[int] | None = None) -> list[Any]:
    """Return the columns, or some of them and None, that an operation such as read gives."""
    told = _sized(operation, inputs, columns)
    arrays = [np.empty(b.count, dtype=_DTYPES[b.type]) if wanted is None or i in wanted else None for i, b in enumerate(told)]
    call(operation, *inputs, out=arrays)
    return arrays


# What begins a warning that a process tells once: how the library took what was not said.
_NOTE = "note: "
_told: set[str] = set()


def _warn(message: str) -> None:
    """Warn of the lines of a message at the caller's line."""
    for line in message.splitlines():
        text = line[len(_NOTE) :] if line.startswith(_NOTE) else line
        if text not in _told:
            if text != line:
                _told.add(text)
            warnings.warn(text, UserWarning, stacklevel=callers_level())


def callers_level() -> int:
    """Return the stacklevel of a warning for the first frame outside this package and those that call it for users."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in (__package__, "sklearn", "joblib"):
        level, frame = level + 1, frame.f_back
    return level


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


def _interruptible(do: Callable[..., str]) -> str:
    """Have a call done by a thread, which Ctrl-C ends, and return its warnings."""
    handle = c_uint64()
    call("cancel_new", out=[handle])
    cancel = handle.value
    outcome: list[BaseException] = []
    told = ""
    running = _thread.allocate_lock()
    begun = ended = False

    def work() -> None:
        nonlocal ended, told
        try:
            told = do(cancel)
        except BaseException as e:  # for the caller's thread
            outcome.append(e)
        finally:
            ended = True
            running.release()

    # A signal may raise between any two steps of Python, those of threading.Event and Thread.join among them, which then
    # hang or fail. To wait for a lock is one step.
    running.acquire()
    try:
        begun = True
        _thread.start_new_thread(work, ())
        running.acquire()
    except BaseException:
        with suppress(HelperError):  # its end has ended the call
            call("cancel", handle)
        if begun and not ended:
            running.acquire(timeout=PATIENCE)
        raise
    finally:
        with suppress(HelperError):
            call("free", handle)
    if outcome:
        raise outcome[0]
    return told


class Handle:
    """A handle of the library, which is freed with the object.

    A forked process cannot ask the library for what it knew before. loaded_by or made_by say how the object is made again.
    """

    def __init__(self, value: int) -> None:
        self._value = value
        self._owner = os.getpid()
        self._again: Callable[[], int] | None = None
        self._load = ""
        self._own()

    @property
    def value(self) -> int:
        """The number of the handle where calls go now."""
        if self._value // HANDLES != _number_of(_helper_now()):
            with _process.lock:
                self._renew()
        return self._value

    def loaded_by(self, load: str, data: bytes | None = None) -> Handle:
        """Have the object saved before a fork, and loaded of these bytes by an operation after it. data are the bytes if they are known,
        as of an object that was loaded: they are kept if it lives in a helper process, which may end."""
        self._load = load
        if data is not None and self._value >= HANDLES:
            self._again = partial(_loaded_from, load, data)
        _kept[id(self)] = weakref.ref(self, partial(_kept.pop, id(self)))
        return self

    def made_by(self, again: Callable[[], int]) -> Handle:
        """Have the object made by a function that returns a handle, as by a path that is opened."""
        self._again = again
        return self

    def keep(self) -> None:
        """Save the object, if it is not saved yet, for a process that is forked."""
        if self._again is None and self._load and self._value // HANDLES == _number_of(_last):
            with suppress(HelperError):
                self._again = partial(_loaded_from, self._load, saved_bytes(self))

    def _renew(self) -> None:
        if self._value // HANDLES == _number_of(_last):  # another thread has done it
            return
        if self._again is None:
            raise self._lost()
        del _owned[self._freed]
        self._value, self._owner = self._again(), os.getpid()
        self._own()

    def _own(self) -> None:
        self._freed = _Freed.of(self, self._value)

    def _lost(self) -> Exception:
        if self._owner != os.getpid():
            return ForkedError(
                "this object was made before the process was forked, and nothing is at hand to make it again: C code has forked, so that "
                "Python's hooks did not run, or the object was in a helper process that had ended. Make it in this process, or pass a pickle"
            )
        return HelperError("this object was in a helper process that has ended: make it again")


# Handles of objects that are saved before a fork, by their ids.
_kept: dict[int, weakref.ref[Handle]] = {}


class _Freed(weakref.ref):  # type: ignore[type-arg]
    """A reference whose callback frees a handle: at once in this process (in a child, where it does nothing, too), and in a
    helper process before its next call. No step of it is Python, which drops what the handler of a signal raises there."""

    __slots__ = ("_as_parameter_",)
    _as_parameter_: int  # what ctypes passes for it

    @staticmethod
    def of(owner: Handle, value: int) -> int:
        """Have a handle freed with its owner; return its key in _owned."""
        key = next(_keys)
        freed = _Freed(owner, library().ts_free if value < HANDLES or _last is None else _last.freed.append)
        freed._as_parameter_ = value
        _owned[key] = freed, weakref.ref(owner, partial(_owned.pop, key))
        return key


# The references must live until the callbacks of both have run.
_owned: dict[int, tuple[_Freed, weakref.ref[Handle]]] = {}
_keys = itertools.count()


def _loaded_from(operation: str, data: bytes) -> int:
    """Return a handle of what is loaded from bytes."""
    handle = c_uint64()
    call(operation, np.frombuffer(data, dtype=np.uint8), out=[handle])
    return handle.value


def loaded(operation: str, data: bytes) -> Handle:
    """Return the handle of what is loaded from bytes."""
    return Handle(_loaded_from(operation, data)).loaded_by(operation, data)


def saved_bytes(handle: Handle) -> bytes:
    """Return the bytes of the file of a model or of statistics."""
    data: bytes = read("save", handle, columns=1)[0].tobytes()
    return data
