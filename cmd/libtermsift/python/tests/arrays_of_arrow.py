"""Arrays of Arrow made by hand, also such that no library makes."""

import ctypes
import mmap

import numpy as np

from termsift._arrow import Array, Schema, Stream

_libc = ctypes.CDLL(None, use_errno=True)
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_kept = []  # memory and callbacks live as long as the tests


def guarded(data):
    """Return the address of a copy of data that ends where memory ends."""
    data = bytes(data)
    size = -(-max(len(data), 1) // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, size + mmap.PAGESIZE)
    first = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert _libc.mprotect(ctypes.c_void_p(first + size), mmap.PAGESIZE, 0) == 0
    ctypes.memmove(first + size - len(data), data, len(data))
    _kept.append(memory)
    return first + size - len(data)


class Counter:
    """Counts how often each struct is released."""

    def __init__(self):
        self.released, self.made, self.arrays = {}, [], []

    def add(self, struct):
        callback = type(struct).release.__get__(struct).__class__

        def release(pointer):
            key = ctypes.addressof(struct)
            self.released[key] = self.released.get(key, 0) + 1
            pointer.contents.release = callback()

        struct.release = callback(release)
        self.made.append(ctypes.addressof(struct))
        if isinstance(struct, Array):
            self.arrays.append(ctypes.addressof(struct))
        _kept.append((struct, struct.release))
        return struct

    def all_once(self):
        return all(self.released.get(key) == 1 for key in self.made)


def schema(form, children=(), dictionary=None, name=b""):
    s = Schema(form.encode(), name, None, 2, len(children))
    if children:
        s.children = (ctypes.POINTER(Schema) * len(children))(*map(ctypes.pointer, children))
    if dictionary is not None:
        s.dictionary = ctypes.pointer(dictionary)
    _kept.append((s, children, dictionary))
    return s


def array(length, buffers, offset=0, nulls=0, children=(), dictionary=None, n_buffers=None):
    """Return an array. A buffer is bytes, an array of numpy, None for NULL, or an address."""
    places = [b if b is None or isinstance(b, int) else guarded(b) for b in buffers]
    a = Array(length, nulls, offset, len(buffers) if n_buffers is None else n_buffers, len(children))
    a.buffers = (ctypes.c_void_p * max(len(places), 1))(*places)
    if children:
        a.children = (ctypes.POINTER(Array) * len(children))(*map(ctypes.pointer, children))
    if dictionary is not None:
        a.dictionary = ctypes.pointer(dictionary)
    _kept.append((a, children, dictionary))
    return a


def bits(*values):
    return np.packbits(np.array(values, dtype=bool), bitorder="little").tobytes()


def utf8(texts, large=False, nulls=(), offset=0):
    """Return the schema and the array of texts in one piece; the ones before the offset are not in it."""
    data = [t if isinstance(t, bytes) else t.encode() for t in texts]
    offsets = np.cumsum([0, *map(len, data)]).astype(np.int64 if large else np.int32)
    valid = bits(*(i not in nulls for i in range(len(texts)))) if nulls else None
    return schema("U" if large else "u"), array(len(texts) - offset, [valid, offsets, b"".join(data)], offset, len(nulls))


def views(texts, nulls=()):
    """Return the schema and the array of a string_view whose long texts are in two buffers in turn."""
    rows, buffers = [], [b"", b""]
    for i, text in enumerate(texts):
        data = text.encode()
        if len(data) <= 12:
            rows.append(np.int32(len(data)).tobytes() + data.ljust(12, b"\0"))
        else:
            rows.append(np.int32(len(data)).tobytes() + data[:4] + np.array([i % 2, len(buffers[i % 2])], dtype=np.int32).tobytes())
            buffers[i % 2] += data
    valid = bits(*(i not in nulls for i in range(len(texts)))) if nulls else None
    sizes = np.array([len(b) for b in buffers], dtype=np.int64)
    return schema("vu"), array(len(texts), [valid, b"".join(rows), *buffers, sizes], nulls=len(nulls))


class Given:
    """An object with a schema and chunks: as __arrow_c_array__ if there is one chunk, else, or if asked, as a stream."""

    def __init__(self, of_type, *chunks, stream=None, fails=None):
        self.counter = Counter()
        self.type, self.chunks, self.fails = self.counter.add(of_type), [self.counter.add(c) for c in chunks], fails
        if len(chunks) == 1 and not stream:
            capsules = self._capsule(self.type, b"arrow_schema"), self._capsule(self.chunks[0], b"arrow_array")
            self.__arrow_c_array__ = lambda: capsules
        else:
            capsule = self._capsule(self._stream(), b"arrow_array_stream")
            self.__arrow_c_stream__ = lambda: capsule

    def _capsule(self, struct, name):
        _kept.append(name)
        return _new(ctypes.addressof(struct), name, None)

    def _stream(self):
        s, left = Stream(), list(self.chunks)
        kinds = dict(Stream._fields_)

        def move(to, struct):  # as producers do: what was moved is released by its new place only
            ctypes.memmove(to, ctypes.addressof(struct), ctypes.sizeof(struct))
            return 0

        def get_schema(_, to):
            return 22 if self.fails == "schema" else move(to, self.type)

        def get_next(_, to):
            if left:
                return move(to, left.pop(0))
            if self.fails == "next":
                return 5
            ctypes.memset(to, 0, ctypes.sizeof(Array))
            return 0

        s.get_schema, s.get_next = kinds["get_schema"](get_schema), kinds["get_next"](get_next)
        text = ctypes.create_string_buffer(b"the disk is on fire")
        s.get_last_error = kinds["get_last_error"](lambda _: ctypes.addressof(text) if self.fails == "next" else None)
        _kept.append((s.get_schema, s.get_next, s.get_last_error, text))
        return self.counter.add(s)
