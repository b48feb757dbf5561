"""Calls in a helper process: it is sent what a call reads, and sends back what the call has written.

A helper belongs to the process that has started it. Each thread that calls has a socket of its own meanwhile, its lane.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._helper import IGNORED


class HelperError(RuntimeError):
    """The helper process, which calls the library for a process that was forked, has ended or cannot be started."""


class Buffer(ctypes.Structure):
    """A ts_buffer: count elements of a type at data, or a single struct, text or handle."""

    _fields_ = [("type", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("count", ctypes.c_int64), ("data", ctypes.c_void_p)]


class Packed(ctypes.Structure):
    """A struct with pointers to memory that the library reads."""

    kept: Any  # what the pointers point to

    def pointed(self) -> dict[str, int]:
        """Return the bytes that each pointer points to."""
        raise NotImplementedError

    def put(self, request: Request) -> int:
        """Lay the struct and all it points to into the memory of a request, and return its place."""
        given = {name: size for name, size in self.pointed().items() if getattr(self, name) is not None}
        return request.put_struct(self, {name: request.put(getattr(self, name), size) for name, size in given.items()})


# A handle of the n-th helper of a process is n of these above the number that it has there, so that no two are the same.
HANDLES = 1 << 40

_HANDLE = 7  # TS_HANDLE
_ALIGNED = 8
_ZEROS = (ctypes.c_char * _ALIGNED)()


class Request:
    """A call as it lies in the memory of the helper: what it reads, one behind the other, then room for what it writes."""

    def __init__(self, helper: int) -> None:
        self.helper = helper  # its number
        self.size = 0
        self.given = self.written = 0  # the end of what is sent, and the beginning of what is sent back
        self.pieces: list[np.ndarray] = []  # the addresses and sizes of what is sent
        self.addresses: list[int] = []  # places of addresses
        self.results: list[tuple[int, int, int]] = []  # place, address and size of what is sent back
        self.kept: list[Any] = []

    def inputs(self, buffers: ctypes.Array[Buffer], given: Sequence[Any]) -> int:
        """Lay what a call reads into the memory, and return the place of the buffers."""
        places = {}
        for i, (buffer, value) in enumerate(zip(buffers, given)):
            if isinstance(value, Packed):
                places[i] = value.put(self)
            elif isinstance(value, ctypes.c_uint64):
                places[i] = self.put_array(np.array([self.here(value.value)], dtype=np.uint64))
            elif buffer.data is not None:
                places[i] = self.put(*_memory(value))
        return self._put_buffers(buffers, places)

    def outputs(self, buffers: ctypes.Array[Buffer], taken: Sequence[Any]) -> int:
        """Have room for what a call writes, last in the memory, and return the place of the buffers, which are also written."""
        place = self.written = self.size
        self.size += ctypes.sizeof(buffers)
        self.results.append((place, ctypes.addressof(buffers), ctypes.sizeof(buffers)))
        places = {i: self._room(value) for i, value in enumerate(taken) if value is not None}
        end, self.size = self.size, place
        self._put_buffers(buffers, places)
        self.given, self.size = self.size, end
        return place

    def _put_buffers(self, buffers: ctypes.Array[Buffer], places: dict[int, int]) -> int:
        copied = type(buffers).from_buffer_copy(buffers)
        self.kept.append(copied)
        place = self.put(ctypes.addressof(copied), ctypes.sizeof(copied))
        for i, to in places.items():
            copied[i].data = to
            self.addresses.append(place + i * ctypes.sizeof(Buffer) + Buffer.data.offset)
        return place

    def here(self, number: int) -> int:
        """Return the number that a handle has in the helper process."""
        helper, number = divmod(number, HANDLES)
        if number and helper != self.helper:
            raise HelperError("the helper process that had an object of this call has ended: call again")
        return number

    def put(self, address: int, size: int) -> int:
        """Lay memory into that of the request, and return its place."""
        return self.put_all(np.array([[address, size]], dtype=np.uintp), size)

    def put_all(self, pieces: np.ndarray, size: int) -> int:
        """Lay pieces of memory one behind the other, rows of address and bytes, size bytes in all."""
        place, rest = self.size, -size % _ALIGNED
        self.pieces.append(pieces)
        if rest:
            self.pieces.append(np.array([[ctypes.addressof(_ZEROS), rest]], dtype=np.uintp))
        self.size += size + rest
        return place

    def put_array(self, array: np.ndarray) -> int:
        """Lay an array, which is kept, into the memory."""
        self.kept.append(array)
        return self.put(array.ctypes.data, array.nbytes)

    def put_struct(self, struct: Packed, places: dict[str, int]) -> int:
        """Lay a copy of a struct into the memory; these of its pointers are places there."""
        copied = type(struct).from_buffer_copy(struct)
        self.kept.append(copied)
        place = self.put(ctypes.addressof(copied), ctypes.sizeof(copied))
        for name, to in places.items():
            setattr(copied, name, to)
            self.addresses.append(place + getattr(type(struct), name).offset)
        return place

    def _room(self, taken: Any) -> int:
        address, size = _memory(taken)
        place = self.size
        self.size += size + -size % _ALIGNED
        self.results.append((place, address, size))
        return place


def _memory(given: Any) -> tuple[int, int]:
    """Return the address and the bytes of an array, of bytes with the null behind them, or of an object of ctypes."""
    if isinstance(given, np.ndarray):
        return int(given.ctypes.data), given.nbytes
    if isinstance(given, bytes):
        return ctypes.cast(ctypes.c_char_p(given), ctypes.c_void_p).value or 0, len(given) + 1
    return ctypes.addressof(given), ctypes.sizeof(given)


# The pieces that the system takes at once.
_PIECES = 1024

# The bytes of the longest answer: 4,096 of a text, each of which may take 6 as JSON.
_ANSWER = 1 << 15


class _Lane:
    """A socket for one call at a time."""

    def __init__(self, control: socket.socket) -> None:
        self.socket, other = socket.socketpair()
        self.socket.settimeout(None)  # whatever the default is
        self._writev = ctypes.CDLL(None, use_errno=True).writev
        self._writev.restype = ctypes.c_ssize_t
        with other:
            socket.send_fds(control, [b"+"], [other.fileno()])

    def call(self, request: Request, arguments: Sequence[Any], directory: str | None = None) -> tuple[int, str]:
        line = json.dumps([*arguments, request.size, request.given, request.written, request.addresses, directory])
        self.socket.sendall(line.encode() + b"\n")
        self._send(np.concatenate(request.pieces))
        (status, text), interruption = self._answer()
        if interruption is not None:
            raise interruption
        if status == 0:
            self._receive(request)
        return status, text

    def _send(self, pieces: np.ndarray) -> None:
        """Send memory, rows of addresses and bytes."""
        while len(pieces):
            sent = int(self._writev(self.socket.fileno(), ctypes.c_void_p(pieces.ctypes.data), min(len(pieces), _PIECES)))
            if sent < 0:
                if ctypes.get_errno() == errno.EINTR:
                    continue
                raise OSError(ctypes.get_errno(), f"the helper process of termsift: {os.strerror(ctypes.get_errno())}")
            ends = np.cumsum(pieces[:_PIECES, 1])
            whole = int(np.searchsorted(ends, sent, side="right"))
            rest = sent - (int(ends[whole - 1]) if whole else 0)
            pieces = pieces[whole:]
            if rest:
                pieces[0] += np.array([rest, -rest], dtype=np.intp).view(np.uintp)

    def _answer(self) -> tuple[Any, BaseException | None]:
        """Return the answer, and what the handler of a signal has raised: it waits for the end of the call, as it does
        for that of a call in this process."""
        answer, interruption = bytearray(_ANSWER), None
        with memoryview(answer) as view:
            while answer.find(b"\n") < 0:
                received = answer.find(b"\0")  # a number of bytes that the call returns would be lost by an exception
                try:
                    ended = not self.socket.recv_into(view[received:])
                except BaseException as e:
                    ended, interruption = isinstance(e, OSError) and e.errno is not None, e
                if ended:
                    raise EOFError
        return json.loads(answer[: answer.find(b"\n")]), interruption

    def _receive(self, request: Request) -> None:
        """Ask for what a call has written, and copy it to where it goes."""
        self.socket.sendall(b"+")
        written = np.empty(request.size - request.written, dtype=np.uint8)
        rest = written.data
        while rest:
            received = self.socket.recv_into(rest)
            if not received:
                raise EOFError
            rest = rest[received:]
        for place, address, size in request.results:
            ctypes.memmove(address, written.ctypes.data + place - request.written, size)


_NOT_STARTED = "the helper process of termsift cannot be started"

# The seconds that a helper has to start, or to end.
_PATIENCE = 60

# The lanes that wait for a call.
_IDLE = 8

# Its owner holds up forks in other threads: no helper is started while the process is copied.
lock = threading.RLock()


class Helper:
    """A helper process. Those of a process, and of the processes that it was forked from, are numbered from 1."""

    def __init__(self, number: int, library: str) -> None:
        if not hasattr(os, "fork"):
            raise HelperError(f"{_NOT_STARTED}: this system has no forks, and needs none")
        if getattr(sys, "frozen", False):
            raise HelperError(f"{_NOT_STARTED}: {sys.executable!r} is a program, and not Python. Start processes by spawn")
        self.number = number
        self.owner = os.getpid()
        self.ended = False
        self._idle: list[_Lane] = []
        self._lanes: set[_Lane] = set()
        self.freed: list[Any] = []  # the handles that are freed before the next call, as arguments
        self._control, other = socket.socketpair()
        program = sys.executable or "python3"
        command = [program, "-I", "-S", str(Path(__file__).with_name("_helper.py")), str(other.fileno()), str(self.owner)]
        try:
            with other, _blocked():
                self._process = subprocess.Popen(
                    [*command, library], pass_fds=[other.fileno()], cwd="/",
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                )
        except OSError as e:
            raise HelperError(f"{_NOT_STARTED}: {e}") from e
        try:
            refused, self.version = self._greeting()
        except BaseException as e:
            self._process.kill()
            reason = self._end()
            if isinstance(e, (EOFError, OSError, ValueError)):
                raise HelperError(f"the helper process of termsift {reason} and did not start: {program!r} must be Python") from e
            raise
        if refused:
            self._end()
            raise ImportError(refused)
        atexit.register(self.stop)

    def _greeting(self) -> tuple[str, str]:
        """Return why the helper cannot load the library, and the version of the library."""
        self._control.settimeout(_PATIENCE)
        greeting = b""
        while not greeting.endswith(b"\n"):
            part = self._control.recv(1 << 16)
            if not part:
                raise EOFError
            greeting += part
        self._control.settimeout(None)
        refused, version = json.loads(greeting)
        return refused, version

    def call(
        self, operation: str, options: bytes | None, ins: ctypes.Array[Buffer], inputs: Sequence[Any], outs: ctypes.Array[Buffer],
        outputs: Sequence[Any], cancel: int = 0,
    ) -> tuple[int, str]:
        """Have ts_call called, but for its error; return its status and text."""
        request = Request(self.number)
        given = None if options is None else request.put(*_memory(options))
        arguments = operation, given, request.inputs(ins, inputs), len(ins), request.outputs(outs, outputs), len(outs), request.here(cancel)
        relative = any(isinstance(value, bytes) and not os.path.isabs(value) for value in inputs)  # a path
        try:
            lane = self._lane()
            try:
                self._free(lane)
                status, text = lane.call(request, arguments, os.getcwd() if relative else None)
            except BaseException:
                self._drop(lane)
                raise
        except (EOFError, ConnectionError):
            raise HelperError(f"the helper process of termsift {self._end()}: call again, and another one starts") from None
        self._put_back(lane)
        for value in outputs:
            if isinstance(value, ctypes.c_uint64) and status == 0:
                value.value += self.number * HANDLES
        return status, text

    def _free(self, lane: _Lane) -> None:
        """Free the handles that wait for it."""
        while True:
            try:
                handle = ctypes.c_uint64(self.freed.pop()._as_parameter_)
            except IndexError:  # perhaps another thread took the last one
                return
            request = Request(self.number)
            ins, outs = (Buffer * 1)(Buffer(_HANDLE, 0, 1, ctypes.addressof(handle))), (Buffer * 0)()
            lane.call(request, ("free", None, request.inputs(ins, [handle]), 1, request.outputs(outs, []), 0, 0))

    def _lane(self) -> _Lane:
        try:
            return self._idle.pop()
        except IndexError:
            pass
        with lock:
            try:
                lane = _Lane(self._control)
            except OSError:
                if self.ended:  # another thread has found out
                    raise EOFError from None
                raise
            self._lanes.add(lane)
            return lane

    def _put_back(self, lane: _Lane) -> None:
        if len(self._idle) < _IDLE:
            self._idle.append(lane)
        else:
            self._drop(lane)

    def _drop(self, lane: _Lane) -> None:
        self._lanes.discard(lane)
        lane.socket.close()

    def _end(self) -> str:
        """Reap the process, and tell how it ended."""
        self.ended = True
        self._control.close()
        with contextlib.suppress(IndexError):
            while True:
                self._drop(self._idle.pop())
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        if status >= 0:
            return f"has ended with status {status}"
        return f"was ended by signal {-status}" + (" (by the system, if memory was short)" if status == -signal.SIGKILL else "")

    def forget(self) -> None:
        """Close what a process that was forked has of the helper, which is not its own."""
        self.ended = True
        self._process.returncode = 0  # it cannot wait for it
        self._control.close()
        for lane in self._lanes:
            lane.socket.close()

    def stop(self) -> None:
        """End the process, as the end of this one does."""
        if not self.ended and self.owner == os.getpid():
            self._end()


@contextlib.contextmanager
def _blocked() -> Iterator[None]:
    """Block the signals that a helper ignores, until it does."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, IGNORED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
