"""The helper process, which calls the library for a process that cannot: one that was forked after it had used it.

_process.py runs this file as a program, without the package, so that it starts in a few hundredths of a second. Requests
come over sockets, a thread for each, as lines of JSON. What a call reads and what it writes lies in memory that both
processes share, and addresses in it are places there until the helper adds where the memory is. Lines are

    [operation, place of the options or null, place and number of the inputs, those of the outputs, handle of the cancelling,
     bytes of the memory in use, places of addresses, working directory or null]

the arguments of ts_call; the answer is [status, text].
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Iterable
from typing import Any

ABI_VERSION = 2

REMEDY = "install the wheel, or set TERMSIFT_LIBRARY to the path of libtermsift.so.1"

# What a terminal or a supervisor sends to all processes of a group: the helper ends with its process, not before.
IGNORED = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)]


def load(path: str) -> ctypes.CDLL:
    """Load the library of a path, and check that it is one for this package."""
    try:
        loaded = ctypes.CDLL(path)
        version = loaded.ts_abi_version()
        loaded.ts_version.restype = ctypes.c_char_p
        number, pointer = ctypes.c_int64, ctypes.c_void_p
        loaded.ts_call.argtypes = [ctypes.c_char_p, pointer, pointer, number, pointer, number, ctypes.c_uint64, pointer]
        loaded.ts_free.argtypes = [ctypes.c_uint64]
    except OSError as e:
        raise ImportError(f"the library of termsift cannot be loaded: {e}; {REMEDY}") from e
    except AttributeError as e:  # another library, or one of another version
        raise ImportError(f"{path} is not the library of this termsift: {e}; {REMEDY}") from e
    if version != ABI_VERSION:
        raise ImportError(f"{path} has version {version} of the interface, and {ABI_VERSION} is needed; {REMEDY}")
    return loaded


class Error(ctypes.Structure):
    """A ts_error with memory for a text."""

    _fields_ = [("text", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def __init__(self) -> None:
        self.memory = ctypes.create_string_buffer(4096)
        super().__init__(ctypes.addressof(self.memory), len(self.memory))


class _Shared:
    """The memory of a lane."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.map: mmap.mmap | None = None
        self.first: Any = None  # the first byte

    def address(self, size: int) -> int:
        """Return where the memory is; as many bytes of it are in use."""
        if self.map is None or size > len(self.map):
            self.close()
            self.map = mmap.mmap(self.descriptor, os.fstat(self.descriptor).st_size)
            self.first = ctypes.c_char.from_buffer(self.map)
        return ctypes.addressof(self.first)

    def close(self) -> None:
        if self.map is not None:
            self.first = None
            self.map.close()
            self.map = None


_directory = threading.Lock()


def _run(library: ctypes.CDLL, shared: _Shared, line: bytes) -> tuple[int, str]:
    operation, options, ins, inputs, outs, outputs, cancel, size, places, directory = json.loads(line)
    base = shared.address(size) if size else 0
    for place in places:
        ctypes.c_uint64.from_address(base + place).value += base
    error = Error()
    given = None if options is None else base + options
    arguments = operation.encode(), given, base + ins, inputs, base + outs, outputs, cancel, ctypes.byref(error)
    if directory is None:
        status = library.ts_call(*arguments)
    else:
        with _directory:  # all threads have one
            os.chdir(directory)
            try:
                status = library.ts_call(*arguments)
            finally:
                os.chdir("/")
    return status, error.memory.value.decode(errors="replace")


def _serve(library: ctypes.CDLL, lane: socket.socket, descriptor: int) -> None:
    """Answer the requests of a lane until its other end is closed."""
    shared = _Shared(descriptor)
    try:
        with lane, lane.makefile("rb") as lines:
            for line in lines:
                try:
                    answer = _run(library, shared, line)
                except Exception as e:
                    answer = -1, f"{type(e).__name__}: {e}"
                lane.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:  # the other end is gone
        pass
    finally:
        shared.close()
        os.close(descriptor)


def _watch(control: socket.socket, parent: int) -> Iterable[bool]:
    """Yield whenever there is something to receive, and end with the parent.

    PR_SET_PDEATHSIG would end the helper with the thread that has started it, and the end of the socket does not come while
    a process that was forked by C code holds it.
    """
    poll = select.poll()
    poll.register(control, select.POLLIN)
    wait = 1000  # milliseconds
    try:
        poll.register(os.pidfd_open(parent), select.POLLIN)
        wait = -1
    except (AttributeError, OSError):  # another system, or an old kernel
        pass
    while os.getppid() == parent:
        yield any(descriptor == control.fileno() for descriptor, _ in poll.poll(wait))


def main() -> None:
    """Serve the process that has started this one."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED)
    control, parent, path = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]), sys.argv[3]
    try:
        library = load(path)
    except ImportError as e:
        control.sendall(json.dumps([str(e), ""]).encode() + b"\n")
        return
    try:
        control.sendall(json.dumps(["", library.ts_version().decode()]).encode() + b"\n")
    except BrokenPipeError:  # who has started this process was interrupted
        return
    for ready in _watch(control, parent):
        if ready:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 2)
            if not message:
                break
            lane = socket.socket(fileno=descriptors[0])
            threading.Thread(target=_serve, args=(library, lane, descriptors[1]), daemon=True).start()
    os._exit(0)  # whatever its threads do


if __name__ == "__main__":
    main()
