"""Data and options that cannot be: each is a ValueError that names the argument and the place."""

from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from common import Refusing
from sklearn.feature_selection import chi2, f_classif, mutual_info_classif

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


class BadInput(Refusing):
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
            ("X must be a matrix, with rows of one length: count words", lambda: termsift.score([["bad"], ["good", "hotel"]], [0, 1])),
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
            ("y contains NaN", lambda: termsift.score(X, np.where(y == 0, np.nan, y))),
            ("y contains infinity: y[2] is inf", lambda: termsift.score(X, [0.0, 1.0, np.inf] * 10)),
            ("y must have the classes of each document, not {", lambda: termsift.score(X, dict(enumerate(y)))),
            ("y must have the classes of each document, not {", lambda: termsift.score(X, {"a", "b"})),
            ("several types (int, str)", lambda: termsift.score(X, [["a"], [1]] * 15)),
            ("several types (int, str)", lambda: termsift.score(X, np.array(["a", 1] * 15, dtype=object))),
            ("a class of y has an empty name", lambda: termsift.TermVectorizer(k=2).fit(TEXTS, ["", "a", "a", "b"])),
            ("a class of y has an empty name", lambda: termsift.Statistics.of(TEXTS, [["a", ""], [], ["a"], ["b"]])),
            ("y[1] is None", lambda: termsift.score(X, pd.DataFrame({"label": ["a", None] * 15}, dtype=object))),
            ("y[1] is nan", lambda: termsift.score(X, pd.DataFrame({"label": [1, None] * 15}))),
            ("y must have one or two dimensions, not 3", lambda: termsift.score(X, np.zeros((2, 3, 4)))),
            ("none of the documents has a class", lambda: termsift.score(X, np.zeros((30, 3)))),
            ("none of the documents has a class", lambda: termsift.score(X, [[]] * 30)),
        ])
        # What is missing in a column of pandas has the name that its version gives it.
        self.refused([(f"y[1] is {name}", lambda same=same: termsift.score(X, same)) for name, same in [
            ("None", ["a", None] * 15), ("", pd.Series(["a", np.nan] * 15)), ("nan", ["a", float("nan")] * 15),
            ("<NA>", ["a", pd.NA] * 15), ("", pd.Series(["a", pd.NA] * 15, dtype="string")),
            ("", pd.Series([1, pd.NA] * 15, dtype="Int64")), ("", pd.Series([True, None] * 15, dtype="boolean")), ("nan", pd.Categorical(["a", None] * 15)), ("masked", np.ma.array(y, mask=[False, True] * 15)),
            ("NaT", pd.Series(["2026-11-27", None] * 15, dtype="datetime64[ns]")), ("NaT", [pd.Timestamp(0), pd.NaT] * 15),
            ("'b', and y[0] a list", [["a"], "b"] * 15), ("None, and y[0] a list", [["a"], None] * 15),
        ]])
        self.refused([("y[1] has the label " + str(label), lambda label=label: termsift.score(X, [["a"], ["b", label]] * 15)) for label in [None, np.nan, pd.NA]])
        pair, text = np.c_[y % 2, y], "an indicator matrix, of 0 and 1"
        row = int(np.flatnonzero(y == 2)[0])
        self.refused([(f"y[{row}, 1] is 2", lambda same=same: termsift.score(X, same)) for same in [
            pair, pd.DataFrame(pair), sp.csr_matrix(pair), sp.csc_matrix(pair), pair.astype(object), pair.astype(float)]])
        self.refused([(text, lambda same=same: termsift.score(X, same)) for same in [
            np.eye(3)[y] / 2, -np.eye(3)[y], np.array([["a", "b"]] * 30), np.array([["1", "0"]] * 30, dtype=object), pd.DataFrame({"a": [1, pd.NA] * 15, "b": 0})]])
        indicator = sp.csr_matrix(np.eye(3)[y])
        indicator.data[0] = 0
        termsift.score(X, indicator)
        self.assertEqual(indicator.nnz, 30)  # the caller's matrix stays as it is
        with self.assertWarnsRegex(UserWarning, "each of the 30 documents has a class of its own"):
            termsift.score(X, np.linspace(0, 1, 30))
        with self.assertWarnsRegex(UserWarning, "one class only"):
            np.testing.assert_array_equal(termsift.score(X, np.zeros(30)), np.zeros(8))

    def test_texts(self):
        fit = lambda texts: termsift.TermVectorizer(k=2).fit(texts, LABELS)  # noqa: E731
        fitted = fit(TEXTS)
        self.refused([
            ("this is a single one", lambda: fit("one text")),
            ("this is a single one", lambda: fitted.transform("one text")),
            ('text 0 is not a str but list: join its words by " ".join(words)', lambda: termsift.rank([["bad"], ["good", "hotel"]], [0, 1])),
            ("text 1 is not a str but bytes", lambda: fit(["x", b"y", "z", "w"])),
            ("text 1 is not a str but NoneType", lambda: fit(["x", None, "z", "w"])),
            ("text 1 is not a str but NoneType", lambda: fitted.transform(["x", None])),
            ('count it as empty by missing="empty"', lambda: fit(pd.Series(["x", np.nan, "z", "w"]))),
            ("text 1 is no Unicode text", lambda: fit(["x", "y\ud800", "z", "w"])),
            ("text 0 is no Unicode text", lambda: fitted.transform(["\udfff"])),
            ("text 2 is not a str but int", lambda: termsift.Statistics.of(["x", "y", 3, "w"], LABELS)),
            ("texts must be a sequence", lambda: fit(None)),
            ('one column, and this DataFrame has the shape (4, 1): give df["text"]', lambda: fit(pd.DataFrame({"text": TEXTS}))),
            ('and in a ColumnTransformer the name "text"', lambda: fitted.transform(pd.DataFrame({"text": TEXTS}))),
            ("this ndarray has the shape (2, 2)", lambda: fitted.transform(np.array([["a", "b"], ["c", "d"]], dtype=object))),
            ("this ndarray has the shape ()", lambda: fitted.transform(np.array("one text"))),
            ("this csr_matrix has the shape", lambda: fitted.transform(matrix()[0])),
            ("not a dict, whose elements are keys", lambda: fitted.transform({"a": "x"})),
            ("not a set, whose elements", lambda: fitted.transform({"x", "y"})),
            ("target: texts must be one column", lambda: termsift.Keyness(pd.DataFrame({"text": TEXTS}), TEXTS)),
            ("texts must be one column", lambda: termsift.Statistics.of(pd.DataFrame({"text": TEXTS}), LABELS)),
            ("texts must be one column", lambda: termsift.Features.from_bytes(termsift.Statistics.of(TEXTS, LABELS).score().to_bytes()).transform(pd.DataFrame({"text": TEXTS}))),
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
            ("by must be the name of a measure, not 3", lambda: termsift.score(X, y, 3)),
            ("by must be the name of a measure, not 3", lambda: termsift.TermSelector(by=3).fit(X, y)),
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
            ("stop", 5, 'option "stop" must be'), ("stop", {1, 2}, 'option "stop" must be'), ("stem", "portr", 'unknown stemmer "portr"'),
            ("ngrams", "2-1", 'unknown n-grams "2-1"'), ("ngrams", (2, 1), 'unknown n-grams "2-1"'), ("ngrams", (1, 2, 3), 'the least and the largest number of words'),
            ("ngrams", (1.0, 2), "ngrams must be a text such as"), ("ngrams", 99, 'unknown n-grams "99"'), ("min_df", -1, 'option "min-df" must be 0 or more'),
            ("max_df", "50%", "a float from 0.0 to 1.0, a share of them, not '50%'"), ("min_df", "0.5", "a share of them, not '0.5'"), ("min_df", True, "not True"),
            ("max_df", 1.5, "max_df is the float 1.5, a share"), ("min_df", 2.0, "a number of documents is an int"), ("max_df", -0.5, "from 0.0 to 1.0"),
            ("max_df", np.nan, "from 0.0 to 1.0"), ("max_df", 0.0, "no term is left"), ("min_df", 1.0, "none of the 4 documents has a term"),
        ]:
            cases.append((text, lambda name=name, value=value: termsift.TermVectorizer(k=2, **{name: value}).fit(TEXTS, LABELS)))
        for many in [1025, 100_000, 2**62]:
            text = f"n_jobs must not be 0, and be at most 1024, not {many}"
            for call in [
                lambda n: termsift.score(X, y, n_jobs=n), lambda n: termsift.TermSelector(n_jobs=n).fit(X, y), lambda n: termsift.Keyness(TEXTS, TEXTS, n_jobs=n),
                lambda n: termsift.TermVectorizer(k=2, n_jobs=n).fit(TEXTS, LABELS), lambda n: termsift.Statistics.of(TEXTS, LABELS, n_jobs=n),
            ]:
                cases.append((text, lambda call=call, many=many: call(many)))
        for function, name in [(f_classif, "anova"), (chi2, "sklearn-chi2"), (mutual_info_classif, "ig")]:
            for by in [function, function.__name__]:
                text = f"by={function.__name__} is a function of scikit-learn, and measures have other names here: "
                cases.append((text, lambda by=by: termsift.score(X, y, by)))
                cases.append((f'"{name}"', lambda by=by: termsift.TermSelector(by=by).fit(X, y)))
                cases.append((text, lambda by=by: termsift.TermVectorizer(by=by).fit(TEXTS, LABELS)))
                cases.append((text, lambda by=by: termsift.Statistics.of(TEXTS, LABELS).select(by)))
        counted = termsift.Statistics.of(TEXTS, LABELS)
        self.refused(cases + [
            ("embedded null byte", lambda: termsift.Corpus.open("x.idx\0.txt")), ("embedded null byte", lambda: termsift.Keyness(Path("x.idx\0"), TEXTS)),
            ("did you mean per-class", lambda: counted.select("chi", 3, perclass=True)),
            ("mrmr reads documents, which a corpus has", lambda: counted.select("mrmr", 3)),
            ('did you mean stem', lambda: termsift.Statistics.of(TEXTS, LABELS, stm="porter")),
            ("not a features file", lambda: termsift.Features.from_bytes(b"xx")),
            ("TERMSSTA", lambda: termsift.Statistics.from_bytes(b"xx")),
        ])
