"""Tests of Table: what goes in comes out, in other libraries, too, and nothing of a term is HTML."""

import builtins
import pickle
import re
import unittest
from unittest import mock

import numpy as np
import pandas as pd
from common import Refusing, needs

from termsift import Table


def table():
    return Table({"class": ["a", "a", "b"], "term": ["o$r$bit", "<b>&中", "x\ny"], "value": [4.0, -1.5, np.inf], "df": np.array([1, 2, 3])})


def without(name):
    """Return a patch under which a library cannot be imported."""
    real = builtins.__import__

    def refuse(module, *rest, **named):
        if module.split(".")[0] == name:
            raise ImportError(f"No module named {name}")
        return real(module, *rest, **named)

    return mock.patch.dict("sys.modules", dict.fromkeys((name, f"{name}.pyplot"))), mock.patch("builtins.__import__", refuse)


class Columns(Refusing):
    def test_columns_and_rows(self):
        t = table()
        self.assertEqual((len(t), t.shape, t.columns), (3, (3, 4), ("class", "term", "value", "df")))
        self.assertEqual(list(t["df"]), [1, 2, 3])
        self.assertEqual(t["term"].dtype, object)
        self.assertEqual(tuple(t[0]), ("a", "o$r$bit", 4.0, 1))
        self.assertEqual(t[-1].class_, "b")
        self.assertEqual([row.df for row in t], [1, 2, 3])
        self.assertEqual(list(t[1:]["df"]), [2, 3])
        self.assertEqual(list(t[t["class"] == "a"]["term"]), ["o$r$bit", "<b>&中"])
        self.assertEqual(list(t[np.argsort(-t["df"])]["df"]), [3, 2, 1])
        self.assertIn("df", t)
        self.assertNotIn("p", t)
        self.assertIn(("b", "x\ny", np.inf, 3), t)
        self.assertEqual(len(Table({})), 0)
        self.assertEqual(list(Table({"term": []})), [])
        self.assertEqual(Table({"a b": [1], "a_b": [2]})[0]._fields, ("_0", "a_b"))

    def test_never_changes(self):
        mine = np.array([1.0, 2.0])
        t = Table({"value": mine})
        with self.assertRaises(ValueError):
            t["value"][0] = 5
        mine[0] = 3  # the caller's own array stays writeable
        frame = t.to_pandas()
        frame.loc[0, "value"] = 7
        self.assertEqual(t["value"][0], 3)

    def test_pickle(self):
        t = Table({"key": ["a", "b"], "term": ["x", "y"], "ll": [1.0, 2.0]}, value="ll", group="key")
        again = pickle.loads(pickle.dumps(t))
        self.assertEqual(list(again), list(t))
        self.assertEqual((again._value, again._group), ("ll", "key"))
        self.assertFalse(again["ll"].flags.writeable)

    def test_mistakes(self):
        t = table()
        self.refused([
            ("there is no column 'p'; there are class, term, value, df", KeyError, lambda: t["p"]),
            ("there is no row 3: the table has 3", IndexError, lambda: t[3]),
            ("there is no row -4", IndexError, lambda: t[-4]),
            ("by number, slice or mask, not by 1.5", TypeError, lambda: t[1.5]),
            ("not by True", TypeError, lambda: t[True]),
            ("must have the same length, not {'a': 1, 'b': 2}", ValueError, lambda: Table({"a": [1], "b": [1, 2]})),
            ("the column 'a' must have one dimension, not 2", ValueError, lambda: Table({"a": [[1], [2]]})),
            ("the name of a column must be a str, not 1", ValueError, lambda: Table({1: [1]})),
            ("there is no column 'b'", KeyError, lambda: Table({"a": [1]}, value="b")),
        ])


class Shown(unittest.TestCase):
    def test_text(self):
        self.assertEqual(
            repr(table()),
            "class  term     value  df\n"
            "a      o$r$bit      4   1\n"
            "a      <b>&中    -1.5   2\n"
            "b      x\\ny       inf   3\n"
            "[3 rows]",
        )
        long = Table({"term": [f"t{i}" for i in range(11)]})
        self.assertTrue(repr(long).endswith("t9\n... [11 rows]"))
        self.assertTrue(repr(Table({"term": ["x" * 99]})).endswith("x…\n[1 row]"))
        self.assertEqual(repr(Table({})), "[0 rows]")
        wide = Table({f"column{i}": ["x" * 30] for i in range(8)})
        self.assertEqual(repr(wide).splitlines()[-1], "[1 row, without column6, column7]")
        self.assertLess(max(map(len, repr(wide).splitlines())), 121)

    def test_html_is_escaped_and_small(self):
        hostile = ["<script>alert(1)</script>", "'\" onmouseover='x", "&amp;"] * 500
        html = Table({"<i>": hostile, "value": np.linspace(-1, 1, 1500)})._repr_html_()
        self.assertNotIn("<script", html)
        self.assertNotIn("<i>", html)
        self.assertIn("&#x27;&quot; onmouseover=&#x27;x", html)
        self.assertEqual(html.count("<tr>"), 21)
        self.assertIn("1500 rows, 2 columns, of which 20 are shown", html)
        self.assertLess(len(html), 10_000)

    def test_bars_are_shares_of_the_largest(self):
        html = Table({"value": [4.0, -1.0, np.nan, np.inf, -np.inf, 0.0]})._repr_html_()
        self.assertEqual(re.findall(r"([\d.]+)%", html), ["100.0", "25.0", "0.0", "100.0", "100.0", "0.0"])
        self.assertEqual(html.count("rgba(214,96,77"), 2)
        for values in ([], [0.0], [np.nan], [np.inf], [0, 3]):
            self.assertIn("value", Table({"value": values})._repr_html_())


class Libraries(unittest.TestCase):
    def test_pandas(self):
        frame = table().to_pandas()
        self.assertIsInstance(frame, pd.DataFrame)
        self.assertEqual([tuple(row) for row in frame.itertuples(index=False)], [tuple(row) for row in table()])

    @needs("polars", "pyarrow")
    def test_polars_and_arrow(self):
        import polars
        import pyarrow

        want = [tuple(row) for row in table()]
        self.assertEqual(table().to_polars().rows(), want)
        self.assertEqual(polars.DataFrame(table()).rows(), want)  # by the stream
        arrow = table().to_arrow()
        self.assertIsInstance(arrow, pyarrow.Table)
        self.assertEqual([tuple(row.values()) for row in arrow.to_pylist()], want)
        self.assertEqual(pyarrow.table(table()), arrow)

    def test_advice_where_a_library_is_missing(self):
        for name, call in [("pandas", Table.to_pandas), ("polars", Table.to_polars), ("pyarrow", Table.to_arrow), ("matplotlib", Table.plot)]:
            modules, imports = without(name)
            with modules, imports, self.assertRaisesRegex(ImportError, f"needs {name}, which is not installed: pip install {name}"):
                call(table())
        with mock.patch("importlib.util.find_spec", return_value=None):
            self.assertFalse(hasattr(table(), "__arrow_c_stream__"))


class Plots(Refusing):
    @needs("matplotlib")
    def test_bars(self):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        axes = table().plot(top=1)
        self.assertEqual([ax.get_title() for ax in axes], ["a", "b"])
        self.assertEqual([[label.get_text() for label in ax.get_yticklabels()] for ax in axes], [[r"o\$r\$bit"], ["x\ny"]])
        one = table()[:2].plot()
        self.assertEqual([bar.get_width() for bar in one.patches], [4.0, -1.5])
        self.assertEqual([bar.get_width() for bar in table()[:2].plot(value="df").patches], [1, 2])
        infinite = Table({"term": ["a", "b", "c", "d"], "value": [np.inf, 2, np.nan, -np.inf]}).plot()
        self.assertEqual([bar.get_width() for bar in infinite.patches], [2, 2, 0, -2])
        _, mine = pyplot.subplots()
        self.assertIs(table()[:2].plot(ax=mine), mine)
        mine.figure.canvas.draw()
        pyplot.close("all")

    def test_mistakes(self):
        self.refused([
            ("top must be a number of rows above 0, not 0", lambda: table().plot(0)),
            ("top must be a number of rows above 0, not True", lambda: table().plot(True)),
            ("has no numbers", lambda: table().plot(value="term")),
            ('bars need a column "term" and one of numbers', lambda: table().plot(value="p")),
            ('bars need a column "term"', lambda: Table({"value": [1]}).plot()),
            ("has no rows", lambda: table()[:0].plot()),
            ("the table has 2 classes", lambda: table().plot(ax=object())),
            ("the table has 61 classes, and 60 can be drawn", lambda: Table({"class": range(61), "term": range(61), "value": range(61)}).plot()),
        ])
