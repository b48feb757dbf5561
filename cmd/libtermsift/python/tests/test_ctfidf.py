"""Class-based tf-idf beside BERTopic's formula, worked examples and errors."""

import pickle
import unittest

import numpy as np
import scipy.sparse as sp
from common import Refusing
from sklearn.base import clone
from sklearn.preprocessing import normalize

from termsift import ClassTfidf, rank, score

# 13 terms in three classes; values computed with 50 digits.
TERMS = ["dog", "every", "fox", "key", "map", "of", "once", "red", "ronly", "sea", "sun", "the", "tonly"]
COUNTS = np.array([
    [7, 5, 14, 2, 7, 22, 1, 9, 0, 6, 13, 15, 5],
    [2, 3, 8, 1, 2, 8, 0, 3, 5, 3, 1, 6, 0],
    [3, 3, 1, 0, 2, 5, 0, 6, 2, 8, 8, 10, 0],
])


def formula(X, multiplier=1, bm25=False, root=False):
    """Return what BERTopic's transformer does, by its steps."""
    X = sp.csr_matrix(X, dtype=float)
    f = np.asarray(X.sum(axis=0)).ravel()
    mean = int(X.sum(axis=1).mean())
    with np.errstate(divide="ignore"):
        idf = np.log(1 + (mean - f + 0.5) / (f + 0.5)) if bm25 else np.log(mean / f + 1)
    Y = normalize(X, norm="l1")
    if root:
        Y.data = np.sqrt(Y.data)
    return Y @ sp.diags(np.where(f > 0, idf * multiplier, 0))


def topics(seed, shape=(40, 300), dtype=np.int64):
    X = sp.random(*shape, 0.1, format="csr", random_state=seed)
    X.data = np.ceil(X.data * 30).astype(dtype)
    return X


class Values(unittest.TestCase):
    def test_worked_examples(self):
        for options, term, want in [
            ({}, "dog", [0.1227574660798093, 0.08851898914598492, 0.11618117325410522]),
            ({}, "fox", [0.17722449414798863, 0.25558906639029655, 0.027955054136438683]),
            ({}, "tonly", [0.12448383630260654, 0, 0]),
            ({"bm25_weighting": True}, "of", [0.1287045754904832, 0.11811848486572483, 0.06459604641094327]),
            ({"reduce_frequent_words": True}, "sun", [0.48148084043599715, 0.21214637790307433, 0.561286557474663]),
            ({"bm25_weighting": True, "reduce_frequent_words": True}, "dog", [0.4275925411332232, 0.36309844255266677, 0.4159815244295425]),
        ]:
            got = ClassTfidf(**options).fit_transform(COUNTS).toarray()[:, TERMS.index(term)]
            np.testing.assert_allclose(got, want, rtol=1e-12)

    def test_measure(self):
        """The measure ctfidf of documents has the values of their sums by topic."""
        X, y = topics(7, (200, 60)), np.random.RandomState(7).randint(0, 8, 200)
        sums = np.array([np.asarray(X[y == k].sum(axis=0)).ravel() for k in range(8)])
        for bm25 in [False, True]:
            for root in [False, True]:
                want = ClassTfidf(bm25, root).fit_transform(sums).toarray()
                got = score(X, y, "ctfidf", combine="class", bm25=bm25, reduce_frequent=root)
                np.testing.assert_allclose(got, want, rtol=1e-12)
                np.testing.assert_array_equal(score(X, y, "ctfidf", bm25=bm25, reduce_frequent=root), got.max(axis=0))
        table = rank(["red fox", "sea sun"], ["a", "b"], "ctfidf", seed_words=["fox"], seed_multiplier=3, top=1)
        self.assertEqual(list(table["term"]), ["fox", "sea"])
        with self.assertWarnsRegex(UserWarning, '1 of the seed words are no terms: "unicorn"'):
            rank(["red fox", "sea sun"], ["a", "b"], "ctfidf", seed_words=["unicorn"])
        for options, message in [
            ({"seed_words": []}, "has no word"), ({"seed_words": ["fox"], "seed_multiplier": 0}, "a number above 0"), ({"smooth": 0}, "a number above 0"), ({"zeta_c": -1}, "a number above 0"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                rank(["red fox", "sea sun"], ["a", "b"], "ctfidf", **options)

    def test_formula(self):
        for seed, dtype in enumerate([np.int32, np.int64, np.float32, np.float64, np.uint8]):
            X = topics(seed, dtype=dtype)
            for bm25 in [False, True]:
                for root in [False, True]:
                    for n_jobs in [None, 3]:
                        model = ClassTfidf(bm25, root, n_jobs=n_jobs)
                        got = model.fit(X).transform(X)
                        np.testing.assert_allclose(got.toarray(), formula(X, 1, bm25, root).toarray(), rtol=1e-12, atol=0)
                        self.assertEqual(got.dtype, np.float64)
                        for same in [X.tocsc(), X.toarray(), X.tocoo(), X[::-1][::-1]]:
                            np.testing.assert_array_equal(model.fit_transform(same).toarray(), got.toarray())

    def test_what_is_not_there_is_zero(self):
        X = sp.csr_matrix([[1, 2, 0], [0, 0, 0]])
        np.testing.assert_array_equal(ClassTfidf().fit_transform(X).toarray()[1], 0)
        self.assertEqual(ClassTfidf().fit(X).idf_[2], 0)
        np.testing.assert_array_equal(ClassTfidf().fit(X).transform([[0, 0, 5]]).toarray(), 0)  # a term that fit did not see
        np.testing.assert_array_equal(ClassTfidf().fit_transform([[0, 0]]).toarray(), 0)

    def test_seeds(self):
        seeds = [2.0 if term == "fox" else 1 for term in TERMS]
        want = formula(COUNTS, seeds).toarray()
        np.testing.assert_allclose(want[:, 2], [0.35444898829597726, 0.5111781327805931, 0.055910108272877366], rtol=1e-12)
        for model in [ClassTfidf().fit(COUNTS, multiplier=seeds), ClassTfidf(seed_words=["fox", "unicorn"]).fit(COUNTS, terms=TERMS), ClassTfidf(seed_words={"fox"}).fit(COUNTS, seeds)]:
            np.testing.assert_allclose(model.transform(COUNTS).toarray(), want, rtol=1e-12)
        np.testing.assert_allclose(ClassTfidf(seed_words=["fox"], seed_multiplier=5).fit_transform(COUNTS, terms=TERMS).toarray()[:, 2], want[:, 2] * 2.5, rtol=1e-12)

    def test_the_matrix_stays_as_it_is(self):
        X = topics(1, dtype=np.float64)
        before = X.copy()
        got = ClassTfidf().fit_transform(X)
        got.data[:], got.indices[:] = 0, 0
        self.assertEqual(abs(X - before).max(), 0)
        for array in [X.data, X.indices, X.indptr]:
            array.flags.writeable = False
        ClassTfidf().fit_transform(X)

    def test_elements_that_stand_twice_add_up(self):
        twice = sp.csr_matrix((np.array([1, 2, 4]), np.array([1, 1, 0]), np.array([0, 3])), shape=(1, 2))
        np.testing.assert_allclose(ClassTfidf().fit_transform(twice).toarray(), ClassTfidf().fit_transform([[4, 3]]).toarray(), rtol=1e-14)

    def test_models_are_kept(self):
        model = ClassTfidf(True, seed_words=["fox"]).fit(COUNTS, terms=TERMS)
        for same in [pickle.loads(pickle.dumps(model)), clone(model).fit(COUNTS, terms=TERMS), clone(model)]:
            if not hasattr(same, "idf_"):
                same._idf_diag = sp.diags(model._idf_diag.data)  # as BERTopic reads a saved model
            np.testing.assert_array_equal(same.transform(COUNTS).toarray(), model.transform(COUNTS).toarray())
        np.testing.assert_array_equal(model._idf_diag.toarray(), np.diag(model.idf_))
        for rows in [slice(1, None), [0, *range(13)]]:  # as BERTopic deletes and adds topics
            changed = clone(model).fit(COUNTS, terms=TERMS)
            changed._idf_diag = changed._idf_diag[rows]
            with self.assertRaisesRegex(ValueError, "X has 13 columns, and ClassTfidf was fitted on 1[24]"):
                changed.transform(COUNTS)


class Refused(Refusing):
    def test_errors(self):
        fitted = ClassTfidf().fit(COUNTS)
        self.refused([
            ("the value -1", lambda: ClassTfidf().fit([[1, -1]])), ("contains NaN", lambda: ClassTfidf().fit([[1, np.nan]])), ("contains infinity", lambda: ClassTfidf().fit([[1, np.inf]])),
            ("document 0 and term 1: bad data: the value -5", lambda: fitted.transform(-COUNTS * (np.arange(13) == 1))),
            ("X has 2 features, but ClassTfidf is expecting 13 features", lambda: fitted.transform([[1, 2]])),
            ("0 sample(s)", lambda: ClassTfidf().fit(sp.csr_matrix((0, 3)))), ("0 feature(s)", lambda: ClassTfidf().fit(sp.csr_matrix((3, 0)))),
            ("Complex data not supported", lambda: ClassTfidf().fit(sp.csr_matrix(COUNTS).astype(complex))),
            ("have the shape (2,), and X has 13 columns", lambda: ClassTfidf().fit(COUNTS, [1, 2])),
            ("have the shape (1,), and X has 13 columns", lambda: ClassTfidf(seed_words=["a"]).fit(COUNTS, terms=["a"])),
            ("seed_words need the terms of the columns", lambda: ClassTfidf(seed_words=["a"]).fit(COUNTS)),
            ("n_jobs must not be 0", lambda: ClassTfidf(n_jobs=0).fit_transform(COUNTS)),
            *[("Counts first: CountVectorizer()", lambda X=X: ClassTfidf().fit(X)) for X in (["to orbit", "bread"], np.array(["to orbit"]), np.array(["bread"], dtype=object))],
            ("is not fitted yet", lambda: ClassTfidf().transform(COUNTS)),
        ])
