"""What a call reads and writes, in memory that two processes share."""

import ctypes
import unittest
from ctypes import c_uint64

import numpy as np

from termsift import _helper, _process
from termsift import _library as lib


class Reader:
    """A request as the helper sees it."""

    def __init__(self, memory, request):
        memory.write(request)
        self.shared = _helper._Shared(memory.file.fileno())
        self.base = self.shared.address(request.size)
        for place in request.addresses:
            ctypes.c_uint64.from_address(self.base + place).value += self.base

    def buffer(self, place, i=0):
        return _process.Buffer.from_address(self.base + place + i * ctypes.sizeof(_process.Buffer))

    def array(self, address, kind, count):
        return np.frombuffer((ctypes.c_char * (count * np.dtype(kind).itemsize)).from_address(address), dtype=kind).tolist()

    def texts(self, place):
        t = lib.Texts.from_address(self.buffer(place).data)
        offsets = self.array(t.offsets, {lib.INT32: np.int32, lib.INT64: np.int64}[t.offset_type], t.count + 1)
        return [ctypes.string_at(t.data + a, b - a) for a, b in zip(offsets, offsets[1:])]


def pointed(texts):
    """A ts_texts of pointers."""
    arrays = [np.frombuffer(t, dtype=np.uint8) if t else np.empty(0, dtype=np.uint8) for t in texts]
    pointers = np.array([a.ctypes.data for a in arrays], dtype=np.uintp)
    lengths = np.array([len(t) for t in texts], dtype=np.int64)
    t = lib.Texts(ctypes.sizeof(lib.Texts), lib.NONE, len(texts), None, None, pointers.ctypes.data, lengths.ctypes.data)
    t.kept = (arrays, pointers, lengths)
    return t


def cut(data, offsets, kind):
    """A ts_texts of offsets."""
    data, offsets = np.frombuffer(data, dtype=np.uint8), np.array(offsets, dtype=kind)
    t = lib.Texts(ctypes.sizeof(lib.Texts), lib.INT32 if kind is np.int32 else lib.INT64, len(offsets) - 1, data.ctypes.data, offsets.ctypes.data)
    t.kept = (data, offsets)
    return t


class Shared(unittest.TestCase):
    def setUp(self):
        self.memory = _process._Memory()
        self.addCleanup(self.memory.file.close)

    def request(self, *inputs, out=(), helper=0):
        """A request, and the places of its inputs and outputs."""
        request, outs = _process.Request(helper), lib._buffers(out)
        request.kept.append(inputs)
        ins = request.inputs(lib._buffers(inputs), inputs)
        return request, ins, request.outputs(outs, out), outs

    def test_texts(self):
        """Those of pointers, and those of offsets that begin above 0, are texts one behind the other."""
        several = [b"a", b"", "caf\u00e9".encode(), b"x" * 70_000, b""] * 1000
        for given, want in [
            (pointed([]), []), (pointed([b""]), [b""]), (pointed(several), several),
            (cut(b"unusedabc", [6, 7, 7, 9], np.int32), [b"a", b"", b"bc"]), (cut(b"abc", [0, 1, 3], np.int64), [b"a", b"bc"]), (cut(b"", [0], np.int64), []),
        ]:
            request, ins, *_ = self.request(given)
            self.assertEqual(Reader(self.memory, request).texts(ins), want)

    def test_broken_offsets(self):
        """They are refused with the same text as in the process."""
        for offsets in ([-1, 2], [3, 1], [0, 3, 2, 3]):
            given = cut(b"abc", offsets, np.int64)
            with self.assertRaisesRegex(ValueError, "offsets must ascend") as here:
                lib.call("texts_check", given)
            request, ins, *_ = self.request(given)
            reader = Reader(self.memory, request)
            with self.assertRaises(ValueError) as there:
                lib.call("texts_check", lib.Texts.from_address(reader.buffer(ins).data))
            self.assertEqual(str(there.exception), str(here.exception))

    def test_writing_in_parts(self):
        """The system may write less than it is asked to, as it does above two gigabytes."""
        several = [bytes([65 + i % 26]) * (i % 50) for i in range(5000)]
        whole = self.memory.libc.pwritev
        for most in (1, 7, 1000):

            def part(descriptor, address, count, place, most=most):
                piece = np.frombuffer((ctypes.c_char * 16).from_address(address.value), dtype=np.uintp).copy()
                piece[1] = min(int(piece[1]), most)
                return whole(descriptor, ctypes.c_void_p(piece.ctypes.data), ctypes.c_int(1), place)

            self.memory.libc = type("Libc", (), {"pwritev": staticmethod(part), "pread": None})
            request, ins, *_ = self.request(pointed(several[: 300 * most]))
            self.assertEqual(Reader(self.memory, request).texts(ins), several[: 300 * most])

    def test_refused_memory(self):
        self.memory.file.close()
        request, *_ = self.request(np.arange(3))
        with self.assertRaises((OSError, ValueError)):
            self.memory.write(request)

    def test_results(self):
        """What is written comes out, and the types and counts of the buffers; NULL stays NULL."""
        out, new, given = np.zeros(3), c_uint64(), np.arange(4, dtype=np.int32)
        request, ins, outs, buffers = self.request(given, b"text", None, out=(new, None, out))
        reader = Reader(self.memory, request)
        self.assertEqual(reader.array(reader.buffer(ins).data, np.int32, 4), [0, 1, 2, 3])
        self.assertEqual(ctypes.string_at(reader.buffer(ins, 1).data), b"text")
        self.assertEqual([reader.buffer(ins, 2).data, reader.buffer(outs, 1).data], [None, None])
        self.assertEqual((reader.buffer(outs, 2).type, reader.buffer(outs, 2).count), (lib.FLOAT64, 3))
        c_uint64.from_address(reader.buffer(outs).data).value = 9
        reader.buffer(outs, 1).type, reader.buffer(outs, 1).count = lib.INT32, 7
        for i in range(3):
            ctypes.c_double.from_address(reader.buffer(outs, 2).data + 8 * i).value = i + 0.5
        self.memory.read(request)
        self.assertEqual((out.tolist(), new.value, buffers[1].type, buffers[1].count), ([0.5, 1.5, 2.5], 9, lib.INT32, 7))

    def test_structs(self):
        """Pointers are those of the other process, and NULL stays NULL."""
        of = np.array([0, 1, 1], dtype=np.int32)
        labels = lib.Labels(ctypes.sizeof(lib.Labels), 0, 3, 2, 3, of.ctypes.data, None)
        request, ins, *_ = self.request(labels)
        reader = Reader(self.memory, request)
        got = lib.Labels.from_address(reader.buffer(ins).data)
        self.assertEqual((got.documents, reader.array(got.of, np.int32, 3), got.start), (3, [0, 1, 1], None))
        self.assertEqual(labels.of, of.ctypes.data)

    def test_handles(self):
        """Those of another helper are refused."""
        for number, want in {0: 0, 3 * _process.HANDLES + 5: 5}.items():
            request, ins, *_ = self.request(c_uint64(number), helper=3)
            reader = Reader(self.memory, request)
            self.assertEqual(c_uint64.from_address(reader.buffer(ins).data).value, want)
        for number in (5, 2 * _process.HANDLES + 5):
            with self.assertRaisesRegex(_process.HelperError, "has ended: call again"):
                self.request(c_uint64(number), helper=3)


if __name__ == "__main__":
    unittest.main()
