"""Scores of columns by a number of each document, held against scikit-learn, scipy and exact fractions."""

from __future__ import annotations

import unittest
import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy import stats
from sklearn.base import clone
from sklearn.feature_selection import f_regression, r_regression

import termsift
from termsift import TermSelector, score

DOCUMENTS = 120
RNG = np.random.default_rng(39)
SPARSE = sp.random(DOCUMENTS, 30, 0.15, random_state=3, format="csr")
COUNTS = SPARSE.copy()
COUNTS.data = np.ceil(COUNTS.data * 5)
TARGETS = {
    "stars": RNG.integers(1, 6, DOCUMENTS).astype(float),
    "real": RNG.normal(size=DOCUMENTS),
    "price": np.round(RNG.lognormal(3, 1, DOCUMENTS), 2),
    "two": RNG.integers(0, 2, DOCUMENTS) * 7.5 - 3,
    "large": 1e9 + RNG.integers(0, 3, DOCUMENTS),
    "far": 1e15 + RNG.integers(0, 3, DOCUMENTS) / 4,
    "beyond": -1e17 + 16 * RNG.integers(0, 5, DOCUMENTS),
}


def exact(x: Any, y: Any) -> float:
    """Return Pearson's r by fractions."""
    x, y, n = [Fraction(v) for v in x], [Fraction(v) for v in y], len(x)

    def moment(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return n * sum(p * q for p, q in zip(a, b)) - sum(a) * sum(b)

    gap, both = moment(x, y), moment(x, x) * moment(y, y)
    return 0.0 if both == 0 else float(np.sign(float(gap)) * np.sqrt(float(gap * gap / both)))


class Values(unittest.TestCase):
    def test_scikit_learn(self) -> None:
        for X in (COUNTS, SPARSE, SPARSE.tocsc(), COUNTS.toarray()):
            for name, y in TARGETS.items():
                near = y - y.min() if name in ("large", "far", "beyond") else y  # scikit-learn loses digits of what is far from zero
                _, p = f_regression(X, near)
                values = score(X, y, "pearson", target="number", signed=True)
                np.testing.assert_allclose(values, r_regression(X, near), rtol=1e-12, atol=1e-15)
                np.testing.assert_allclose(TermSelector("pearson", target="number").fit(X, y).pvalues_, p, rtol=1e-11)

    def test_fractions(self) -> None:
        for X, within in ((SPARSE.toarray(), 1e-12), (COUNTS.toarray() + 1e5, 1e-9)):  # a deviation is a millionth of the mean at least
            for y in TARGETS.values():
                want = [exact(column, y) for column in X.T]
                np.testing.assert_allclose(score(X, y, "pearson", target="number", signed=True), want, rtol=within, atol=1e-15)

    def test_scipy(self) -> None:
        there = (COUNTS.toarray() > 0).astype(float)
        for y in TARGETS.values():
            trend = score(COUNTS, y, "trend", target="number", signed=True)
            ranks = score(COUNTS, y, "spearman", target="number", signed=True, weight="binary")
            for j, x in enumerate(there.T):
                want = [stats.spearmanr(x, y)[0], stats.pearsonr(x, y - y.min())[0] * np.sqrt(len(x))]
                np.testing.assert_allclose([ranks[j], trend[j]], want, rtol=1e-9, atol=1e-12)
            pvalues = TermSelector("trend", target="number").fit(COUNTS, y).pvalues_
            np.testing.assert_allclose(pvalues, 2 * stats.norm.sf(np.abs(trend)), rtol=1e-12)

    def test_forms_of_y(self) -> None:
        want = score(COUNTS, TARGETS["price"], "pearson", target="number")
        texts = [str(v) for v in TARGETS["price"]]
        for y in (TARGETS["price"].tolist(), texts, [Decimal(text) for text in texts], TARGETS["price"][:, None]):
            np.testing.assert_array_equal(score(COUNTS, y, "pearson", target="number"), want)
        stars = TARGETS["stars"]
        np.testing.assert_array_equal(score(COUNTS, stars.astype(int), "pearson", target="number"), score(COUNTS, stars, "pearson", target="number"))

    def test_degenerate(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            values = score(COUNTS, np.full(DOCUMENTS, 2.5), ["pearson", "trend"], target="number")
        for name, v in values.items():
            self.assertTrue((v == 0).all(), name)
        X = np.array([[1, 2], [2, 4], [3, 7], [0, 0]])
        values = score(X, [1, 2, 3, 0], "pearson", target="number")
        self.assertEqual(values[0], 1)
        self.assertTrue(values[1] < 1)


class Doors(unittest.TestCase):
    def test_selector(self) -> None:
        y = TARGETS["price"]
        selector = clone(TermSelector("pearson", 5, target="number")).fit(COUNTS, y)
        self.assertEqual(set(np.flatnonzero(selector.get_support())), set(np.argsort(-np.abs(r_regression(COUNTS, y)))[:5]))
        self.assertFalse(hasattr(selector, "classes_"))
        self.assertEqual(selector.transform(COUNTS).shape, (DOCUMENTS, 5))

    def test_rank(self) -> None:
        texts = ["good good room", "bad room", "good view", "bad smell"]
        table = termsift.rank(texts, [5, 1, 4, 2.5], "pearson", target="stars", signed=True, pvalues=True)
        self.assertEqual((table["term"][0], table["term"][-1]), ("good", "bad"))
        self.assertNotIn("class", table)
        self.assertAlmostEqual(table["value"][0], stats.pearsonr([2, 0, 1, 0], [5, 1, 4, 2.5])[0], places=12)
        self.assertAlmostEqual(table["p"][0], stats.pearsonr([2, 0, 1, 0], [5, 1, 4, 2.5])[1], places=12)

    def test_errors(self) -> None:
        y = TARGETS["real"]
        for wrong, arguments, options in (
            ("give target|name it, as target", (COUNTS, TARGETS["stars"].astype(int), "pearson"), {}),
            ("chi compares classes", (COUNTS, y), {"target": "number"}),
            ("infinity|inf", (COUNTS, np.r_[np.inf, y[1:]], "pearson"), {"target": "number"}),
            ("NaN", (COUNTS, np.r_[y[1:], np.nan], "pearson"), {"target": "number"}),
            ("no number", (COUNTS, ["a"] * DOCUMENTS, "pearson"), {"target": "number"}),
            ('None, for a y of classes, or "number"', (COUNTS, y, "pearson"), {"target": "stars"}),
            ("has 5", (COUNTS, y[:5], "pearson"), {"target": "number"}),
            ("divide each row", (COUNTS, y, "pearson"), {"target": "number", "weight": "share"}),
            ("kendall went in 0.2.0: spearman", (COUNTS, y, "kendall"), {"target": "number"}),
            ("one value for a term", (COUNTS, y, "pearson"), {"target": "number", "combine": "class"}),
            ("one dimension", (COUNTS, np.ones((DOCUMENTS, 2)), "pearson"), {"target": "number"}),
        ):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, wrong), warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                score(*arguments, **options)
        with self.assertRaisesRegex(ValueError, "chi compares classes"):
            TermSelector(target="number").fit(COUNTS, y)
