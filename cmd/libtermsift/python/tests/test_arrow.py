"""Columns of Arrow: texts and labels from each library, and arrays that lie."""

import gc
import unittest
import warnings

import numpy as np
import pandas as pd
from arrays_of_arrow import Given, array, bits, guarded, schema, utf8, views
from common import Refusing, needs

import termsift
from termsift._arrays import texts_of
from termsift._labels import classes_of

TEXTS = ["to orbit", "to the orbit around the moon of the earth", "to bake bread with salt", "bread ä €"]
LABELS = ["space", "space", "food", "food"]


def rows(texts, labels=LABELS, **options):
    return termsift.TermVectorizer(k=4, **options).fit_transform(texts, labels).toarray()


def lists_of(form, offsets, child, **more):
    return schema(form, [child[0]]), array(len(offsets) - 1, [None, np.array(offsets, dtype=np.int32 if form == "+l" else np.int64)], children=[child[1]], **more)


class Made(Refusing):
    """Arrays whose buffers end where memory ends."""

    def test_texts(self):
        padded = ["x", "yy", *TEXTS]
        words, codes = utf8(TEXTS[::-1]), np.array([3, 2, 1, 0], dtype=np.int8)
        for name, given in {
            "utf8": Given(*utf8(TEXTS)), "large": Given(*utf8(TEXTS, large=True)), "slice": Given(*utf8(padded, offset=2)),
            "views": Given(*views(TEXTS)), "stream": Given(*utf8(TEXTS), stream=True),
            "chunks": Given(utf8([])[0], utf8(TEXTS[:1])[1], utf8([])[1], utf8(["x", *TEXTS[1:]], offset=1)[1]),
            "dictionary": Given(schema("c", dictionary=words[0]), array(4, [None, codes], dictionary=words[1])),
            "no data": Given(schema("u"), array(4, [None, np.zeros(5, dtype=np.int32), None])),
        }.items():
            with self.subTest(name):
                if name == "no data":
                    self.assertEqual(texts_of(given)[1], 0)
                else:
                    np.testing.assert_array_equal(rows(given), rows(TEXTS))
                del given.__dict__
        self.assertEqual(texts_of(Given(*utf8([])))[0].count, 0)
        self.assertEqual(texts_of(Given(utf8([])[0]))[0].count, 0)  # a stream of no chunks
        self.assertEqual(texts_of(Given(schema("u"), array(0, [None, None, None])))[0].count, 0)

    def test_nothing_is_copied(self):
        for large in [False, True]:
            of_type, made = utf8(TEXTS, large)
            t, size = texts_of(Given(of_type, made))
            self.assertEqual((int(t.kept[0][0]), size), (made.buffers[2], len("".join(TEXTS).encode())))

    def test_all_is_released_once(self):
        for name, given in {
            "array": Given(*utf8(TEXTS)), "stream": Given(utf8([])[0], utf8(TEXTS[:2])[1], utf8(TEXTS[2:])[1]),
            "error of the stream": Given(*utf8(TEXTS), stream=True, fails="next"), "no UTF-8": Given(*utf8([b"\xff"] * 4)), "a null": Given(*utf8(TEXTS, nulls=[1])),
        }.items():
            with self.subTest(name):
                try:
                    rows(given)
                except ValueError:
                    pass
                gc.collect()
                self.assertTrue(given.counter.all_once(), given.counter.released)

    def test_all_lives_during_the_call(self):
        words = utf8(TEXTS)
        coded = schema("c", dictionary=words[0]), array(4, [None, np.arange(4, dtype=np.int8)], dictionary=words[1])
        for given in [Given(*utf8(TEXTS)), Given(*views(TEXTS)), Given(*coded), Given(utf8([])[0], utf8(TEXTS[:2])[1], utf8(TEXTS[2:])[1])]:
            t, _ = texts_of(given)
            gc.collect()
            self.assertFalse(any(given.counter.released.get(key) for key in given.counter.arrays))
            del t
            gc.collect()
            self.assertTrue(given.counter.all_once())

    def test_nulls(self):
        empty = ["to orbit", "", *TEXTS[2:]]
        dictionary = utf8(["bread", "x"], nulls=[1])
        given = {
            "utf8": lambda: Given(*utf8(TEXTS, nulls=[1])), "views": lambda: Given(*views(TEXTS, nulls=[1])),
            "chunks": lambda: Given(utf8([])[0], utf8(TEXTS[:1])[1], utf8(["", *TEXTS[2:]], nulls=[0])[1]),
            "unknown number": lambda: Given(schema("u"), array(4, [bits(1, 0, 1, 1), np.array([0, 8, 8, 31, 43], dtype=np.int32), "".join(empty).encode()], nulls=-1)),
            "list": lambda: [TEXTS[0], None, *TEXTS[2:]], "series": lambda: pd.Series([TEXTS[0], np.nan, *TEXTS[2:]], dtype=object), "NA": lambda: [TEXTS[0], pd.NA, *TEXTS[2:]],
        }
        for name, make in given.items():
            with self.subTest(name):
                with self.assertRaisesRegex(ValueError, 'text 1 is .*missing="empty"'):
                    rows(make())
                np.testing.assert_array_equal(rows(make(), missing="empty"), rows(empty))
                target = termsift.Keyness(make(), ["to orbit"], missing="empty", top="all", max_p=1, min_freq=1)
                np.testing.assert_array_equal(target.values_, termsift.Keyness(empty, ["to orbit"], top="all", max_p=1, min_freq=1).values_)
                counted = termsift.Statistics.of(make(), LABELS, missing="empty")
                self.assertEqual(counted.to_bytes(), termsift.Statistics.of(empty, LABELS).to_bytes())
                np.testing.assert_array_equal(counted.score().transform(make(), missing="empty").toarray(), counted.score().transform(empty).toarray())
        none = Given(schema("n"), array(4, []))
        self.refused([("text 0 is null", none)], rows)
        codes = np.array([0, 1, 0], dtype=np.uint16)
        coded = Given(schema("S", dictionary=dictionary[0]), array(3, [bits(1, 1, 0), codes, None], nulls=1, dictionary=dictionary[1]))
        self.refused([("text 1 is null", coded)], texts_of)
        self.refused([('missing must be "error" or "empty", not \'drop\'', TEXTS)], lambda t: rows(t, missing="drop"))
        self.refused([("text 2 is not a str but int", ["a", None, 3, "b"])], lambda t: rows(t, missing="empty"))

    def test_texts_that_lie(self):
        data, offsets = b"onetwo", np.array([0, 3, 6], dtype=np.int32)
        u = lambda *buffers, **more: Given(schema("u"), array(2, list(buffers), **more))  # noqa: E731
        large = lambda *of: Given(schema("U"), array(len(of) - 1, [None, np.array(of, dtype=np.int64), data]))  # noqa: E731
        view = lambda *words, n=1, sizes=(20,), valid=None: Given(schema("vu"), array(  # noqa: E731
            len(words), [valid, np.array(words, dtype=np.int32), *[b"x" * 20] * n, np.array(sizes, dtype=np.int64)], nulls=0 if valid is None else 1))
        words = utf8(["a", "b"])
        coded = lambda codes, form="i", **more: Given(schema(form, dictionary=words[0]), array(len(codes), [None, np.array(codes, dtype=np.int32), None], dictionary=words[1], **more))  # noqa: E731
        released = Given(*utf8(TEXTS), stream=True)
        texts_of(released)
        negative, other = schema("+s"), Given(*utf8(TEXTS))
        negative.n_children = -1
        other.__arrow_c_stream__ = other.__dict__.pop("__arrow_c_array__")
        self.refused([
            ("offset 2 is 1, below 3: offsets must ascend", u(None, np.array([0, 3, 1], dtype=np.int32), data)),
            ("offset 0 is -1, below 0", u(None, np.array([-1, 3, 6], dtype=np.int32), data)),
            ("offset 1 is -9223372036854775808, below 0", large(0, -2**63, 3)),
            ("offset 2 is 3, below 9223372036854775807", large(0, 2**63 - 1, 3)),
            ("buffer 1 is NULL, and should have 3 elements", u(None, None, data)),
            ("its data is NULL, and its offsets end with 6", u(None, offsets, None)),
            ("its null_count is 1, and it has no bitmap", u(None, offsets, data, nulls=1)),
            ("its null_count is 3, and its length 2", u(bits(0, 1), offsets, data, nulls=3)),
            ("its null_count is -2", u(bits(0, 1), offsets, data, nulls=-2)),
            ("its offset is -1", u(None, offsets, data, offset=-1)),
            ("its offset is 9223372036854775807", u(None, offsets, data, offset=2**63 - 1)),
            ("its length is -2", Given(schema("u"), array(-2, [None, offsets, data]))),
            ("its length is 4611686018427387904", Given(schema("u"), array(2**62, [None, offsets, data]))),
            ("it has 1 buffers, and the type 'u' has 2", u(None, offsets, data, n_buffers=1)),
            ("it has 2 buffers, and the type 'u' has 3", u(None, offsets, data, n_buffers=2)),
            ("it has -3 buffers", u(None, offsets, data, n_buffers=-3)),
            ("the length of element 1 is -5", view([1, 0, 0, 0], [-5, 0, 0, 0])),
            ("element 0 is at 0 of data buffer 1, which has no 13 bytes there", view([13, 0, 1, 0])),
            ("element 0 is at 0 of data buffer -1", view([13, 0, -1, 0])),
            ("element 1 is at 8 of data buffer 0, which has no 13 bytes", view([13, 0, 0, 7], [13, 0, 0, 8])),
            ("element 0 is at -1 of data buffer 0", view([13, 0, 0, -1])),
            ("element 0 is at 0 of data buffer 0, which has no 2147483647 bytes", view([2**31 - 1, 0, 0, 0])),
            ("element 0 is at 0 of data buffer 0, which has no 13 bytes there", view([13, 0, 0, 0], n=0, sizes=())),
            ("element 0 is at 0 of data buffer 0, which has no 13 bytes there", view([13, 0, 0, 0], sizes=(-1,))),
            ("it has 2 buffers, and the type 'vu' at least 3", Given(schema("vu"), array(1, [None, b"\0" * 16]))),
            ("element 1 has the code 2, and its dictionary 2 values", coded([0, 2])),
            ("element 0 has the code -1, and its dictionary 2 values", coded([-1, 0])),
            ("its dictionary has indices of the type 'g'", coded([0, 0], "g")),
            ("its type has a dictionary, and it has none", Given(schema("i", dictionary=words[0]), array(1, [None, offsets]))),
            ("text 1 is no UTF-8: its byte 2 is 0xff", Given(*utf8(["a", b"ok\xff"]))),
            ("text 0 is no UTF-8: its byte 0 is 0xc3", Given(schema("u"), array(2, [None, np.array([0, 1, 2], dtype=np.int32), "ä".encode()]))),
            ("the Arrow stream of texts failed with the status 22: no reason is given", Given(*utf8(TEXTS), stream=True, fails="schema")),
            ("the Arrow stream of texts failed with the status 5: the disk is on fire", Given(*utf8(TEXTS), stream=True, fails="next")),
            ("the Arrow capsule of texts was released", released),
            ("texts hand over tuple where Arrow's interface has a capsule named arrow_array_stream", other),
            ("must be texts, and this column has bytes: cast it", Given(schema("z"), array(2, [None, offsets, data]))),
            ("must be texts, and this column has the Arrow type int32 ('i')", Given(schema("i"), array(2, [None, offsets]))),
            ("must be texts, and this column has the Arrow type run-end encoded ('+r'): cast it to strings", Given(schema("+r"), array(1, [None]))),
            ("must be texts, and this column has the Arrow type list ('+l')", Given(*lists_of("+l", [0, 1], utf8(["a"])))),
            ("is a table of text, label: give one of them, as by [\"text\"]", Given(schema("+s", [schema("u", name=b"text"), schema("u", name=b"label")]), array(0, [None]))),
            ("it says that it has -1 children", Given(negative, array(0, [None]))),
        ], texts_of)
        fine = view([13, 0, 0, 0], [13, 0, 9, 9], valid=bits(1, 0))  # what is in the view of a null is of no meaning
        self.assertEqual(texts_of(fine, "empty")[1], 13)

    def test_offsets_that_are_not_aligned(self):
        of_type, made = utf8(TEXTS, large=True)
        moved = guarded(bytes(np.ctypeslib.as_array((np.ctypeslib.ctypes.c_uint8 * 40).from_address(made.buffers[1]))) + b"\0")
        made.buffers[1] = moved
        np.testing.assert_array_equal(rows(Given(of_type, made)), rows(TEXTS))

    def test_labels(self):
        names = utf8(["food", "never", "space", "food"])
        for given, want in [
            (Given(*utf8(LABELS)), LABELS), (Given(*views(LABELS)), LABELS), (Given(*utf8(LABELS, large=True), stream=True), LABELS),
            (Given(schema("C", dictionary=names[0]), array(4, [None, np.array([2, 2, 3, 0], dtype=np.uint8)], dictionary=names[1])), LABELS),
            (Given(schema("c", dictionary=names[0]), *(array(2, [None, np.array(c, dtype=np.int8)], dictionary=n) for c, n in [([0, 0], utf8(["space"])[1]), ([1, 0], utf8(["food"] * 2)[1])])), LABELS),
            (Given(schema("b"), array(4, [None, bits(0, 0, 0, 1, 1, 0, 0)], offset=3)), [True, True, False, False]),
            (Given(schema("s"), array(4, [None, np.array([7, 2, 2, -1, -1], dtype=np.int16)], offset=1)), [2, 2, -1, -1]),
            (Given(*lists_of("+l", [0, 1, 1, 3], utf8(["b", "a", "b"]))), [["b"], [], ["a", "b"]]),
            (Given(lists_of("+L", [0], utf8([]))[0], *(lists_of("+L", [1, 2, 4], utf8(["x", *three]))[1] for three in [["b", "a", "b"], ["a", "c", "a"]])), [["b"], ["a", "b"], ["a"], ["c", "a"]]),
        ]:
            with self.subTest(want=want):
                a, b = classes_of(given), classes_of(want)
                self.assertEqual((a.names.tolist(), a.of.tolist()), (b.names.tolist(), b.of.tolist()))
                self.assertEqual(a.start is None, b.start is None)
                if b.start is not None:
                    self.assertEqual(a.start.tolist(), b.start.tolist())

    def test_labels_that_lie(self):
        names, three = utf8(["a", "b"], nulls=[1]), utf8(["a", "b", "c"])
        codes = lambda *of, **more: Given(schema("c", dictionary=names[0]), array(len(of), [more.pop("valid", None), np.array(of, dtype=np.int8)], dictionary=names[1], **more))  # noqa: E731
        self.refused([
            ("y[1] is null: each document needs a class", Given(*utf8(LABELS, nulls=[1]))),
            ("y[0] is null", Given(schema("n"), array(2, []))),
            ("y[2] is null", codes(0, 0, 1)),
            ("y[1] is null", codes(0, 99, 0, valid=bits(1, 0, 1), nulls=1)),
            ("element 1 has the code 2, and its dictionary 2 values", codes(0, 2)),
            ("element 0 has the code -1", codes(-1)),
            ("y[1] is null: a document without a class has an empty list", Given(schema("+l", [three[0]]), array(2, [bits(1, 0), np.array([0, 1, 1], dtype=np.int32)], nulls=1, children=[three[1]]))),
            ("y[1] has the label null", Given(*lists_of("+l", [0, 0, 2], names))),
            ("5 elements are expected of one with 3", Given(*lists_of("+l", [0, 1, 5], three))),
            ("offset 2 is 0, below 1", Given(*lists_of("+l", [0, 1, 0], three))),
            ("it has 0 children, and its type 1", Given(schema("+l", [three[0]]), array(1, [None, np.array([0, 1], dtype=np.int32)]))),
            ("the label b'\\xff' of y is no UTF-8", Given(*utf8(["a", b"\xff"]))),
            ("buffer 1 is NULL, and should have 3 elements", Given(schema("i"), array(3, [None, None]))),
            ("Input y contains NaN: y[1] is nan", Given(schema("g"), array(2, [None, np.array([1.0, np.nan])]))),
            ("y must be one column, and this Given is a table of a", Given(schema("+s", [schema("u", name=b"a")]), array(0, [None]))),
            ("y must be a sequence", Given(schema("tdD"), array(1, [None, np.zeros(1, dtype=np.int32)]))),
        ], classes_of)


class Libraries(Refusing):
    def equal(self, given):
        for name, texts, labels in given:
            with self.subTest(name):
                np.testing.assert_array_equal(rows(texts, labels), rows(TEXTS))

    def test_pandas(self):
        self.equal([(str(dtype), pd.Series(TEXTS, dtype=dtype), pd.Series(LABELS, dtype=dtype)) for dtype in [None, object, "string", "category"]])
        of = pd.Series(LABELS)
        self.equal([("numbers", TEXTS, pd.Series([1, 1, 0, 0], dtype="Int64")), ("categorical", TEXTS, pd.Categorical(LABELS, ["z", "space", "food"])), ("index", pd.Index(TEXTS), pd.Index(of)),
                    ("lists", TEXTS, of.map(lambda label: [label]))])
        self.assertEqual(classes_of(pd.Categorical(LABELS, ["z", "space", "food"])).names.tolist(), ["food", "space"])
        for odd in [pd.Series(pd.interval_range(0, 4)), pd.Series(pd.arrays.SparseArray([1, 0, 1])), pd.Series(pd.date_range("2026", periods=3, tz="UTC"))]:
            self.assertEqual(classes_of(odd).of.tolist(), classes_of(list(odd)).of.tolist())
        self.refused([("y[1] is nan", pd.Categorical(["a", None])), ("several types", pd.Categorical(["a", 1]))], classes_of)

    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow as pa

        for kind in [pa.string(), pa.large_string(), pa.string_view()]:
            a, y = pa.array(TEXTS, kind), pa.array(LABELS, kind)
            self.equal([(kind, a, y), ("chunks", pa.chunked_array([TEXTS[:3], TEXTS[3:]], kind), pa.chunked_array([LABELS[:1], LABELS[1:]], kind)), ("slice", pa.array(["x", *TEXTS, "y"], kind).slice(1, 4), y)])
        encoded = pa.array(LABELS).dictionary_encode()
        self.equal([("dictionary", pa.array(TEXTS).dictionary_encode(), encoded), ("lists", TEXTS, pa.array([[x] for x in LABELS])), ("lists of codes", TEXTS, pa.ListArray.from_arrays([0, 1, 2, 3, 4], encoded))])
        table = pa.table({"text": TEXTS, "n": [1, 2, 3, 4]})
        self.refused([('this Table has the shape (4, 2): give df["text"]', table), ("this RecordBatch has the shape (4, 2)", table.to_batches()[0]), ('is a table of text, n: give one of them, as by ["text"]', table.to_reader())], texts_of)
        fitted = termsift.TermVectorizer(k=2).fit(TEXTS, LABELS)
        self.refused([("this Table has the shape", table), ("text 1 is null", pa.array(["a", None]))], fitted.transform)
        bad = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], dtype=np.int32)), pa.py_buffer(b"\xff")])
        self.refused([("text 0 is no UTF-8", bad)], fitted.transform)

    @needs("polars")
    def test_polars(self):
        import polars as pl

        for kind, of in [(pl.String, pl.String), (pl.Categorical, pl.Categorical), (pl.String, pl.Enum(["z", "space", "food"]))]:
            self.equal([(of, pl.Series(TEXTS, dtype=kind), pl.Series(LABELS, dtype=of)), ("slice", pl.Series(["x", *TEXTS], dtype=kind)[1:], pl.Series(LABELS, dtype=of)), ("list", TEXTS, pl.Series([[x] for x in LABELS], dtype=pl.List(of)))])
        self.equal([("bool", TEXTS, pl.Series([True, True, False, False])), ("int", TEXTS, pl.Series([5, 5, 3, 3])), ("days", TEXTS, pl.Series(["2026-01-02"] * 2 + ["2026-01-01"] * 2).str.to_date())])
        frame = pl.DataFrame({"text": TEXTS})
        self.refused([("this DataFrame has the shape (4, 1)", frame), ("texts must be a sequence", frame.lazy()), ("this column has the Arrow type", pl.Series([1, 2]))], texts_of)

    @needs("duckdb")
    def test_duckdb(self):
        import duckdb

        both = duckdb.sql("SELECT unnest($texts) AS t, unnest($labels) AS l", params={"texts": TEXTS, "labels": LABELS})
        self.equal([("relations", both.select("t"), both.select("l")), ("attribute", both["t"], LABELS)])
        self.assertEqual(list(termsift.rank(both["t"], both["l"])), list(termsift.rank(TEXTS, LABELS)))
        self.refused([('this DuckDBPyRelation is a table of t, l: give one of them, as by .select("t")', both)], texts_of)
        with self.assertRaisesRegex(duckdb.Error, "broken pipe"):  # the error of the query, not one of ours
            texts_of(duckdb.sql("SELECT error('broken pipe') AS t"))

    @needs("datasets")
    def test_datasets(self):
        import datasets

        d = datasets.Dataset.from_dict({"t": TEXTS, "l": LABELS})
        self.equal([("columns", d["t"], d["l"]), ("chosen", d.select([3, 2, 1, 0]).select([3, 2, 1, 0])["t"], LABELS)])
        loud = d.with_transform(lambda batch: {"t": [text.upper() + " moon moon" for text in batch["t"]]})
        np.testing.assert_array_equal(rows(loud["t"]), rows([text.upper() + " moon moon" for text in TEXTS]))
        self.refused([("this Dataset has the shape (4, 2)", d)], texts_of)

    if hasattr(np, "dtypes") and hasattr(np.dtypes, "StringDType"):  # from numpy 2 on

        def test_strings_of_numpy(self):
            kind = np.dtypes.StringDType(na_object=None)
            self.equal([("StringDType", np.array(TEXTS, dtype=kind), np.array(LABELS, dtype=kind))])
            self.refused([("text 1 is not a str but NoneType", np.array(["a", None], dtype=kind))], texts_of)


class Mistakes(unittest.TestCase):
    def test_classes_that_are_nearly_as_many_as_texts(self):
        for labels, text in [
            (list(range(30)), "each of the 30 documents has a class of its own: is y the targets"),
            ([*range(11), *[99] * 9], "11 of the 20 documents have a class of their own: is y the targets"),
            ([f"this is the text number {i}" for i in range(20)], "are these the texts? They come first"),
            (pd.Series([f"this is the text number {i}" for i in range(20)]), "are these the texts? They come first"),
        ]:
            with self.assertWarns(UserWarning) as caught:
                classes_of(labels)
            self.assertIn(text, str(caught.warning))
        for labels in [[*range(10), *[99] * 10], [1, 2], list(range(5)) * 2, [[1], [2], [3]], np.eye(30)]:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                classes_of(labels)

    def test_the_warning_points_to_the_caller(self):
        for call in [lambda: termsift.score(np.eye(30), list(range(30))), lambda: termsift.TermVectorizer(k=2).fit(["moon orbit", "moon"] * 15, list(range(30)))]:
            with self.assertWarns(UserWarning) as caught:
                call()
            self.assertEqual(caught.filename, __file__)
