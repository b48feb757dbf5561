"""Data and options that cannot be: each is a ValueError that names the argument and the place."""

import unittest
import warnings

import numpy as np
import pandas as pd
import scipy.sparse as sp

import termsift

TEXTS, LABELS = ["the orbit of the moon", "a goal in the match", "an orbit", "the match"], ["a", "b", "a", "b"]


def matrix():
    r = np.random.RandomState(0)
    X = sp.random(30, 8, 0.4, format="csr", random_state=r)
    X.data = np.ceil(X.data * 5)
    return X, r.randint(0, 3, 30)


def changed(array, place, value, layout="csr"):
    """Return the matrix with one element of its arrays changed."""
    X = matrix()[0].asformat(layout)
    getattr(X, array)[place] = value
    return X


def cut(array, by):
    """Return the matrix with an array that is too short."""
    X = matrix()[0]
    setattr(X, array, getattr(X, array)[:-by].copy())
    return X


def dense(value):
    X = matrix()[0].toarray()
    X[3, 2] = value
    return X


class BadInput(unittest.TestCase):
    def refused(self, cases):
        for i, (text, call) in enumerate(cases):
            with self.subTest(text=text, case=i), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.assertRaises(ValueError) as caught:
                    call()
                self.assertIn(text, str(caught.exception))

    def test_values(self):
        y = matrix()[1]
        for function in [termsift.score, termsift.chi2, lambda X, y: termsift.TermSelector(by="ig").fit(X, y)]:
            self.refused([("document 2 and term 3: bad data: the value -1", lambda: function(changed("data", 5, -1), y))])
        for value, name in [(np.nan, "NaN"), (np.inf, "+Inf"), (-np.inf, "-Inf"), (-0.5, "-0.5")]:
            self.refused([
                (f"document 2 and term 3: bad data: the value {name};", lambda: termsift.score(changed("data", 5, value), y)),
                (f"document 3 and term 2: bad data: the value {name};", lambda: termsift.score(dense(value), y)),
                (f"document 3 and term 2: bad data: the value {name};", lambda: termsift.score(sp.csc_matrix(dense(value)), y)),
            ])
        self.refused([
            ("Input X contains NaN", lambda: termsift.TermSelector().fit(changed("data", 5, np.nan), y)),
            ("Input X contains infinity", lambda: termsift.TermSelector().fit(changed("data", 5, np.inf), y)),
        ])

    def test_indices(self):
        y = matrix()[1]
        self.refused([
            ("element 4, document 1 and term 8: bad data: the numbers of Index must be from 0 to 7", lambda: termsift.score(changed("indices", 4, 8), y)),
            ("element 4, document 1 and term -1", lambda: termsift.score(changed("indices", 4, -1), y)),
            ("element 4, document 99 and term 0", lambda: termsift.score(changed("indices", 4, 99, "csc"), y)),
            ("element 4, document 1 and term 8", lambda: termsift.TermSelector().fit(changed("indices", 4, 8), y)),
            ("Start[3] is 1, below 5", lambda: termsift.score(changed("indptr", 3, 1), y)),
            ("Start[0] is -1", lambda: termsift.score(changed("indptr", 0, -1), y)),
            ("X.indptr ends with 500", lambda: termsift.score(changed("indptr", 30, 500), y)),
            ("X.indptr has 28 elements, and must have 31", lambda: termsift.score(cut("indptr", 3), y)),
            ("X.indices has 93 elements and X.data 96", lambda: termsift.score(cut("indices", 3), y)),
            ("X.indices has 96 elements and X.data 93", lambda: termsift.score(cut("data", 3), y)),
        ])
        X = matrix()[0]
        mixed = X.copy()
        for i in range(30):  # columns of a row in any order are the same row
            row = slice(X.indptr[i], X.indptr[i + 1])
            mixed.indices[row], mixed.data[row] = X.indices[row][::-1], X.data[row][::-1]
        mixed.has_sorted_indices = False
        np.testing.assert_array_equal(termsift.score(mixed, y, "ttest"), termsift.score(X, y, "ttest"))

    def test_matrices(self):
        y = matrix()[1]
        words = "and must have numbers: X.astype(float)"
        self.refused([
            ("X has the dtype object, " + words, lambda: termsift.score(np.array([["a"] * 8] * 30, dtype=object), y)),
            ("X has the dtype object, " + words, lambda: termsift.score(np.array([[object()] * 8] * 30), y)),
            ("X has the dtype complex128", lambda: termsift.score(matrix()[0].astype(complex), y)),
            ("X has the dtype datetime64[D]", lambda: termsift.score(np.zeros((30, 2), dtype="datetime64[D]"), y)),
            ("X must have two dimensions, documents and terms, not 1", lambda: termsift.score([1, 2, 3], [0, 1, 1])),
            ("X must have two dimensions, documents and terms, not 3", lambda: termsift.score(np.zeros((3, 2, 2)), [0, 1, 1])),
            ("X must have two dimensions", lambda: termsift.score(None, y)),
            ("X has 0 documents", lambda: termsift.score(sp.csr_matrix((0, 8)), [])),
            ("0 sample(s)", lambda: termsift.TermSelector().fit(sp.csr_matrix((0, 8)), [])),
            ("matrix.terms is 0", lambda: termsift.score(sp.csr_matrix((30, 0)), y)),
        ])
        self.assertTrue(np.isnan(termsift.score(sp.csr_matrix((30, 8)), y)).all())

    def test_labels(self):
        X, y = matrix()
        self.refused([
            ("X has 30 documents, and y has 29", lambda: termsift.score(X, y[1:])),
            ("X has 30 documents, and y has 29", lambda: termsift.score(X, np.eye(3)[y][1:])),
            ("X has 30 documents, and y has 29", lambda: termsift.TermSelector().fit(X, y[1:])),
            ("there are 3 texts, and y has 4", lambda: termsift.TermVectorizer(k=2).fit(TEXTS[1:], LABELS)),
            ("there are 4 texts, and y has 3", lambda: termsift.Statistics.of(TEXTS, LABELS[1:])),
            ("y must have the classes of each document, not None", lambda: termsift.score(X, None)),
            ("the target y is None", lambda: termsift.TermSelector().fit(X)),
            ("the target y is None", lambda: termsift.TermVectorizer().fit(TEXTS)),
            ("y must have the classes of each document, not 'abc'", lambda: termsift.score(X, "abc")),
            ("y must be a sequence", lambda: termsift.score(X, 5)),
            ("y[1] is None", lambda: termsift.score(X, ["a", None] * 15)),
            ("y[1] is nan", lambda: termsift.score(X, pd.Series(["a", np.nan] * 15))),
            ("y contains NaN", lambda: termsift.score(X, np.where(y == 0, np.nan, y))),
            ("several types (int, str)", lambda: termsift.score(X, [["a"], [1]] * 15)),
            ("several types (int, str)", lambda: termsift.score(X, np.array(["a", 1] * 15, dtype=object))),
            ("y must have one or two dimensions, not 3", lambda: termsift.score(X, np.zeros((2, 3, 4)))),
            ("none of the documents has a class", lambda: termsift.score(X, np.zeros((30, 3)))),
            ("none of the documents has a class", lambda: termsift.score(X, [[]] * 30)),
        ])
        indicator = sp.csr_matrix(np.eye(3)[y])
        indicator.data[0] = 0
        termsift.score(X, indicator)
        self.assertEqual(indicator.nnz, 30)  # the caller's matrix stays as it is
        with self.assertWarnsRegex(UserWarning, "one class only"):
            np.testing.assert_array_equal(termsift.score(X, np.zeros(30)), np.zeros(8))

    def test_texts(self):
        fit = lambda texts: termsift.TermVectorizer(k=2).fit(texts, LABELS)  # noqa: E731
        fitted = fit(TEXTS)
        self.refused([
            ("this is a single one", lambda: fit("one text")),
            ("this is a single one", lambda: fitted.transform("one text")),
            ("text 1 is not a str but bytes", lambda: fit(["x", b"y", "z", "w"])),
            ("text 1 is not a str but NoneType", lambda: fit(["x", None, "z", "w"])),
            ("text 1 is not a str but NoneType", lambda: fitted.transform(["x", None])),
            ("text 1 is not a str but float", lambda: fit(pd.Series(["x", np.nan, "z", "w"]))),
            ("text 1 is no Unicode text", lambda: fit(["x", "y\ud800", "z", "w"])),
            ("text 0 is no Unicode text", lambda: fitted.transform(["\udfff"])),
            ("text 2 is not a str but int", lambda: termsift.Statistics.of(["x", "y", 3, "w"], LABELS)),
            ("texts must be a sequence", lambda: fit(None)),
            ("there are 0 texts", lambda: termsift.TermVectorizer(k=2).fit([], [])),
            ("none of the 4 documents has a term", lambda: fit([""] * 4)),
        ])

    def test_options(self):
        X, y = matrix()
        known = 'unknown measure "chy"; did you mean chi'
        cases = [
            (known, lambda: termsift.score(X, y, "chy")), (known, lambda: termsift.score(X, y, ["ig", "chy"])),
            (known, lambda: termsift.TermSelector(by="chy").fit(X, y)),
            ('unknown method "chy"', lambda: termsift.TermVectorizer(by="chy").fit(TEXTS, LABELS)),
            ("by must be the name of a measure or a list", lambda: termsift.score(X, y, 3)),
            ('option "by" has no measure', lambda: termsift.score(X, y, [])),
            ('unknown option "bas"; did you mean base', lambda: termsift.score(X, y, bas=2)),
            ('option "base" must be a number', lambda: termsift.score(X, y, base="e")),
            ("is no option", lambda: termsift.score(X, y, base=object())),
            ('unknown combination "most"', lambda: termsift.score(X, y, combine="most")),
            ("n_jobs must not be 0", lambda: termsift.score(X, y, n_jobs=0)),
            ("n_jobs must be a whole number or None, not 1.5", lambda: termsift.score(X, y, n_jobs=1.5)),
            ("n_jobs must be a whole number or None, not 'all'", lambda: termsift.TermVectorizer(n_jobs="all").fit(TEXTS, LABELS)),
        ]
        for k in [0, -1, 1.5, "al", None, True]:
            text = f'k must be a number above 0 or "all", not {k!r}'
            cases.append((text, lambda k=k: termsift.TermSelector(k=k).fit(X, y)))
            cases.append((text, lambda k=k: termsift.TermVectorizer(k=k).fit(TEXTS, LABELS)))
        for name, value, text in [
            ("weight", "tfx", 'unknown weighting "tfx"'), ("tokens", "wrods", 'unknown tokens "wrods"'), ("stop", "smrt", 'unknown stop list "smrt"'),
            ("stop", 5, 'option "stop" must be'), ("stem", "portr", 'unknown stemmer "portr"'), ("ngrams", (1, 2), 'option "ngrams" must be a text'),
            ("ngrams", "2-1", 'unknown n-grams "2-1"'), ("min_df", -1, 'option "min-df" must be 0 or more'), ("max_df", "x", 'option "max-df" must be a number'),
        ]:
            cases.append((text, lambda name=name, value=value: termsift.TermVectorizer(k=2, **{name: value}).fit(TEXTS, LABELS)))
        counted = termsift.Statistics.of(TEXTS, LABELS)
        self.refused(cases + [
            ("did you mean per-class", lambda: counted.select("chi", 3, perclass=True)),
            ("all else needs a corpus", lambda: counted.select("chi", None, fdr=0.05)),
            ('did you mean stem', lambda: termsift.Statistics.of(TEXTS, LABELS, stm="porter")),
            ("not a features file", lambda: termsift.Features.from_bytes(b"xx")),
            ("TERMSSTA", lambda: termsift.Statistics.from_bytes(b"xx")),
        ])


if __name__ == "__main__":
    unittest.main()
