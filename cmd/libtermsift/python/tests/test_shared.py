"""What a call reads and writes, in memory that two processes share."""

import ctypes
import re
import unittest
from ctypes import byref, c_int64, c_uint64
from pathlib import Path

import numpy as np

from termsift import _helper, _process
from termsift import _library as lib

# It is in the tree of the library, and not beside a wheel.
HEADER = Path(__file__).parents[2] / "termsift.h"


class Reader:
    """A request as the helper sees it."""

    def __init__(self, memory, request):
        memory.write(request)
        self.shared = _helper._Shared(memory.file.fileno())
        self.base = self.shared.address(request.size)
        for place in request.addresses:
            ctypes.c_uint64.from_address(self.base + place).value += self.base

    def at(self, place, kind):
        return kind.from_address(self.base + place)

    def array(self, address, kind, count):
        return np.frombuffer((ctypes.c_char * (count * np.dtype(kind).itemsize)).from_address(address), dtype=kind).tolist()

    def texts(self, place):
        t = self.at(place, lib.Texts)
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

    def request(self, kinds, *arguments, helper=0):
        request = _process.Request(helper)
        return request, request.arguments(kinds, arguments)

    def test_texts(self):
        """Those of pointers, and those of offsets that begin above 0, are texts one behind the other."""
        several = [b"a", b"", "caf\u00e9".encode(), b"x" * 70_000, b""] * 1000
        for given, want in [
            (pointed([]), []), (pointed([b""]), [b""]), (pointed(several), several),
            (cut(b"unusedabc", [6, 7, 7, 9], np.int32), [b"a", b"", b"bc"]), (cut(b"abc", [0, 1, 3], np.int64), [b"a", b"bc"]), (cut(b"", [0], np.int64), []),
        ]:
            request, sent = self.request([lib.TEXTS], byref(given))
            self.assertEqual(Reader(self.memory, request).texts(sent[0][0]), want)

    def test_broken_offsets(self):
        """They are refused with the same text as in the process."""
        for offsets in ([-1, 2], [3, 1], [0, 3, 2, 3]):
            given = cut(b"abc", offsets, np.int64)
            with self.assertRaisesRegex(ValueError, "offsets must ascend") as here:
                lib.call("ts_texts_check", byref(given), 0)
            request, sent = self.request([lib.TEXTS], byref(given))
            reader = Reader(self.memory, request)
            with self.assertRaises(ValueError) as there:
                lib.call("ts_texts_check", byref(reader.at(sent[0][0], lib.Texts)), 0)
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
            request, sent = self.request([lib.TEXTS], byref(pointed(several[: 300 * most])))
            self.assertEqual(Reader(self.memory, request).texts(sent[0][0]), several[: 300 * most])

    def test_refused_memory(self):
        self.memory.file.close()
        request, _ = self.request([lib.IN], np.arange(3))
        with self.assertRaises((OSError, ValueError)):
            self.memory.write(request)

    def test_results(self):
        """What is written comes out, also into an array that was read; NULL stays NULL."""
        out, size, new, given = np.zeros(3), c_int64(5), c_uint64(), np.arange(4, dtype=np.int32)
        kinds = [lib.IN, lib.OUT, lib.OUT, lib.SIZE, lib.NEW, lib.TEXT, lib.NUMBER, lib.ERROR]
        request, sent = self.request(kinds, given, out, None, byref(size), byref(new), b"text", -7)
        self.assertEqual([sent[2], *sent[6:]], [0, -7, "error"])
        reader = Reader(self.memory, request)
        self.assertEqual(reader.array(reader.base + sent[0][0], np.int32, 4), [0, 1, 2, 3])
        self.assertEqual(ctypes.string_at(reader.base + sent[5][0]), b"text")
        self.assertEqual(reader.at(sent[3][0], c_int64).value, 5)
        reader.at(sent[3][0], c_int64).value = 6
        reader.at(sent[4][0], c_uint64).value = 9
        for i in range(3):
            reader.at(sent[1][0] + 8 * i, ctypes.c_double).value = i + 0.5
        self.memory.read(request)
        self.assertEqual((out.tolist(), size.value, new.value), ([0.5, 1.5, 2.5], 6, 9))

    def test_structs(self):
        """Pointers are those of the other process, and NULL stays NULL."""
        of = np.array([0, 1, 1], dtype=np.int32)
        labels = lib.Labels(ctypes.sizeof(lib.Labels), 0, 3, 2, 3, of.ctypes.data, None)
        request, sent = self.request([lib.LABELS], byref(labels))
        reader = Reader(self.memory, request)
        got = reader.at(sent[0][0], lib.Labels)
        self.assertEqual((got.documents, reader.array(got.of, np.int32, 3), got.start), (3, [0, 1, 1], None))
        self.assertEqual(labels.of, of.ctypes.data)

    def test_handles(self):
        """Those of another helper are refused."""
        self.assertEqual(self.request([lib.HANDLE], 0, helper=3)[1], [0])
        self.assertEqual(self.request([lib.HANDLE], 3 * _process.HANDLES + 5, helper=3)[1], [5])
        for number in (5, 2 * _process.HANDLES + 5):
            with self.assertRaisesRegex(_process.HelperError, "has ended: call again"):
                self.request([lib.HANDLE], number, helper=3)

    @unittest.skipUnless(HEADER.exists(), "needs header")
    def test_signatures(self):
        """What is read and what is written is as the header has it."""
        kinds = {
            "const ts_matrix *": lib.MATRIX, "const ts_labels *": lib.LABELS, "const ts_texts *": lib.TEXTS, "ts_error *": lib.ERROR,
            "uint64_t ": lib.HANDLE, "uint64_t *": lib.NEW, "int64_t ": lib.NUMBER, "uint32_t ": _process.SHORT, "int32_t ": lib.NUMBER,
        }
        found = dict(re.findall(r"^int32_t (ts_\w+)\(([^;]*)\);", HEADER.read_text(encoding="utf-8"), re.M))
        self.assertGreater(len(found), 20)
        for name, signature in lib._SIGNATURES.items():
            parameters = re.findall(r"((?:const )?\w+ \*?)(\w+)(?:,|$)", found[name])
            self.assertEqual(len(parameters), len(signature), name)
            for (kind, parameter), got in zip(parameters, signature):
                with self.subTest(name=name, parameter=parameter):
                    if kind in kinds:
                        self.assertEqual(got, kinds[kind])
                    elif kind == "const char *":
                        self.assertEqual(got, lib.PATH if parameter == "path" else lib.TEXT)
                    elif parameter == "size":
                        self.assertEqual(got, lib.SIZE)
                    else:
                        self.assertEqual((got.reads, got.writes), (kind.startswith("const "), not kind.startswith("const ")))


if __name__ == "__main__":
    unittest.main()
