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
                if name == "large":
                    continue  # scikit-learn loses digits of it
                F, p = f_regression(X, y)
                values = score(X, y, ["f", "pearson"], target="number", signed=True)
                np.testing.assert_allclose(values["f"], F, rtol=1e-12, atol=1e-15)
                np.testing.assert_allclose(values["pearson"], r_regression(X, y), rtol=1e-12, atol=1e-15)
                for by in ("f", "pearson"):
                    np.testing.assert_allclose(TermSelector(by, target="number").fit(X, y).pvalues_, p, rtol=1e-11)

    def test_fractions(self) -> None:
        far = COUNTS.toarray() + 1e6
        for X in (SPARSE.toarray(), far):
            for y in TARGETS.values():
                want = [exact(column, y) for column in X.T]
                np.testing.assert_allclose(score(X, y, "pearson", target="number", signed=True), want, rtol=1e-12, atol=1e-15)

    def test_scipy(self) -> None:
        there = (COUNTS.toarray() > 0).astype(float)
        for y in TARGETS.values():
            by = ["kendall", "mannwhitney", "trend", "psup", "linear_by_linear"]
            values = score(COUNTS, y, by, target="number", signed=True)
            pvalues = {name: TermSelector(name, target="number").fit(COUNTS, y).pvalues_ for name in by}
            ranks = score(COUNTS, y, "spearman", target="number", signed=True, weight="binary")
            self.assertIsNone(pvalues["psup"])
            for j, x in enumerate(there.T):
                tau = stats.kendalltau(x, y, method="asymptotic")
                test = stats.mannwhitneyu(y[x > 0], y[x == 0], method="asymptotic")
                r = stats.pearsonr(x, y)[0]
                got = [values["kendall"][j], pvalues["kendall"][j], pvalues["mannwhitney"][j], values["psup"][j], ranks[j], values["trend"][j]]
                want = [tau[0], tau[1], test.pvalue, test.statistic / (x.sum() * (x == 0).sum()), stats.spearmanr(x, y)[0], r * np.sqrt(len(x))]
                np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
                np.testing.assert_allclose(values["linear_by_linear"][j], r * r * (len(x) - 1), rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(pvalues["trend"], 2 * stats.norm.sf(np.abs(values["trend"])), rtol=1e-12)
            np.testing.assert_allclose(pvalues["linear_by_linear"], stats.chi2.sf(values["linear_by_linear"], 1), rtol=1e-12)

    def test_forms_of_y(self) -> None:
        want = score(COUNTS, TARGETS["price"], "f", target="number")
        texts = [str(v) for v in TARGETS["price"]]
        for y in (TARGETS["price"].tolist(), texts, [Decimal(text) for text in texts], TARGETS["price"][:, None]):
            np.testing.assert_array_equal(score(COUNTS, y, "f", target="number"), want)
        stars = TARGETS["stars"]
        np.testing.assert_array_equal(score(COUNTS, stars.astype(int), "f", target="number"), score(COUNTS, stars, "f", target="number"))

    def test_degenerate(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            values = score(COUNTS, np.full(DOCUMENTS, 2.5), ["pearson", "f", "trend", "kendall", "mannwhitney"], target="number")
        for name, v in values.items():
            self.assertTrue((v == 0).all(), name)
        X = np.array([[1, 2], [2, 4], [3, 7], [0, 0]])
        values = score(X, [1, 2, 3, 0], ["pearson", "f"], target="number")
        self.assertEqual((values["pearson"][0], values["f"][0]), (1, np.inf))
        self.assertTrue(values["pearson"][1] < 1 and np.isfinite(values["f"][1]))
        self.assertTrue(np.isnan(score(np.ones((4, 1)), [1, 2, 3, 0], "mannwhitney", target="number")[0]))


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
            ("infinity|inf", (COUNTS, np.r_[np.inf, y[1:]], "f"), {"target": "number"}),
            ("NaN", (COUNTS, np.r_[y[1:], np.nan], "f"), {"target": "number"}),
            ("no number", (COUNTS, ["a"] * DOCUMENTS, "f"), {"target": "number"}),
            ('None, for a y of classes, or "number"', (COUNTS, y, "f"), {"target": "stars"}),
            ("has 5", (COUNTS, y[:5], "f"), {"target": "number"}),
            ("divide each row", (COUNTS, y, "f"), {"target": "number", "weight": "share"}),
            ("three documents", (COUNTS[:2], y[:2], "f"), {"target": "number"}),
            ("one value for a term", (COUNTS, y, "f"), {"target": "number", "combine": "class"}),
            ("one dimension", (COUNTS, np.ones((DOCUMENTS, 2)), "f"), {"target": "number"}),
        ):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, wrong), warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                score(*arguments, **options)
        with self.assertRaisesRegex(ValueError, "chi compares classes"):
            TermSelector(target="number").fit(COUNTS, y)


if __name__ == "__main__":
    unittest.main()
