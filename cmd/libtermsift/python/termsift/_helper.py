"""The helper process, which calls the library for a process that cannot: one that was forked after it had used it.

_process.py runs this file as a program, without the package, so that it starts in a few hundredths of a second. Requests
come over sockets, a thread for each, as lines of JSON with what a call reads behind them. What it reads and writes lies in memory
of the helper, and addresses in it are places there until the helper adds where the memory is. Lines are

    [operation, place of the options or null, place and number of the inputs, those of the outputs, handle of the cancelling,
     bytes of the memory, bytes that follow, place of what is written, places of addresses, working directory or null]

the arguments of ts_call; the answer is [status, text], and behind it what was written, when a byte asks for it.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

ABI_VERSION = 1

REMEDY = "install the wheel for this system, or set TERMSIFT_LIBRARY to the path of its library"

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


_directory = threading.Lock()


def _run(library: ctypes.CDLL, base: int, arguments: list[Any], places: list[int], directory: str | None) -> tuple[int, str]:
    """Make a call whose memory begins at base."""
    operation, options, ins, inputs, outs, outputs, cancel = arguments
    for place in places:
        ctypes.c_uint64.from_address(base + place).value += base
    error = Error()
    given = None if options is None else base + options
    arguments = [operation.encode(), given, base + ins, inputs, base + outs, outputs, cancel, ctypes.byref(error)]
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


# The bytes of memory that are kept for the next call.
_KEPT = 64 << 20


def _serve(library: ctypes.CDLL, lane: socket.socket) -> None:
    """Answer the requests of a lane until its other end is closed."""
    memory = bytearray(1)
    with suppress(OSError), lane, lane.makefile("rb") as requests:
        for line in requests:
            *arguments, size, given, written, places, directory = json.loads(line)
            if len(memory) < size:
                memory = bytearray(size)
            with memoryview(memory) as view:
                if requests.readinto(view[:given]) < given:
                    return
                try:
                    answer = _run(library, ctypes.addressof(ctypes.c_char.from_buffer(memory)), arguments, places, directory)
                except Exception as e:
                    answer = -1, f"{type(e).__name__}: {e}"
                lane.sendall(json.dumps(answer).encode() + b"\n")
                if answer[0] == 0 and requests.read(1):
                    lane.sendall(view[written:size])
            if len(memory) > _KEPT:
                memory = bytearray(1)


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
            message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not message:
                break
            lane = socket.socket(fileno=descriptors[0])
            threading.Thread(target=_serve, args=(library, lane), daemon=True).start()
    os._exit(0)  # whatever its threads do


if __name__ == "__main__":
    main()
