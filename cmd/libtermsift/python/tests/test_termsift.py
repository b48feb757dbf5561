"""Tests of the package: python3 -m unittest, with TERMSIFT_LIBRARY the path of the library."""

import io
import json
import os
import pickle
import subprocess
import tempfile
import unittest

import joblib
import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.feature_selection import chi2 as sklearn_chi2
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import termsift

TEXTS = ["the orbit of the moon", "a goal in the match", "an orbit and a launch", "the match and its goal", "café moon ☾", ""] * 5
LABELS = ["space", "sport", "space", "sport", "space", "none"] * 5


def counts(documents=300, terms=80, classes=4, seed=0):
    r = np.random.RandomState(seed)
    X = sp.random(documents, terms, 0.15, format="csr", random_state=r)
    X.data = np.ceil(X.data * 5)
    return X, r.randint(0, classes, documents)


class Scores(unittest.TestCase):
    def test_every_type_and_layout(self):
        X, y = counts()
        want = termsift.score(X, y, ["chi", "ig", "ttest", "sklearn-chi2"])
        dtypes = [np.int32, np.int64, np.float32, np.float64, np.uint8, np.int16, np.uint32]
        for dtype in dtypes:
            for index in [np.int32, np.int64]:
                for layout in [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.csr_array]:
                    Z = layout(X.astype(dtype))
                    if Z.format != "coo":
                        Z.indices, Z.indptr = Z.indices.astype(index), Z.indptr.astype(index)
                    for n_jobs in [None, 1, 2, -1]:
                        got = termsift.score(Z, y, list(want), n_jobs=n_jobs)
                        for name in want:
                            np.testing.assert_array_equal(got[name], want[name])
        for dense in [X.toarray(), pd.DataFrame(X.toarray())]:
            np.testing.assert_array_equal(termsift.score(dense, y), want["chi"])
        binary = (X > 0).astype(bool)
        np.testing.assert_array_equal(termsift.score(binary, y, "ttest"), termsift.score(binary.astype(float), y, "ttest"))

    def test_chi2_selects(self):
        X, y = counts()
        values, p = termsift.chi2(X, y)
        mask = SelectKBest(termsift.chi2, k=7).fit(X, y).get_support()
        np.testing.assert_array_equal(mask, termsift.TermSelector(k=7).fit(X, y).get_support())
        np.testing.assert_array_equal(np.argsort(-values, kind="stable")[:20], np.argsort(p, kind="stable")[:20])

    def test_labels(self):
        X, y = counts(classes=3)
        want = termsift.score(X, y)
        for same in [list(y), y.astype(str), pd.Series(y), [[c] for c in y], np.eye(3)[y], sp.csr_matrix(np.eye(3)[y]), [{str(c)} for c in y]]:
            np.testing.assert_array_equal(termsift.score(X, same), want)
        several = np.eye(3)[y]
        several[::5, 1] = 1
        lists = [list(np.flatnonzero(row)) for row in several]
        np.testing.assert_array_equal(termsift.score(X, lists), termsift.score(X, several))
        _, df = termsift.score(X, y, return_df=True)
        np.testing.assert_array_equal(df, np.asarray((X > 0).sum(0)).ravel())

    def test_repeated_elements_are_added(self):
        X, y = counts()
        twice = sp.csr_matrix((np.repeat(X.data, 2) / 2, np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape)
        before = twice.nnz
        np.testing.assert_array_equal(termsift.score(twice, y, "sklearn-chi2"), termsift.score(X, y, "sklearn-chi2"))
        self.assertEqual(twice.nnz, before)

    def test_columns_without_documents(self):
        X, y = counts()
        X = X.tocsc()
        X[:, 5] = 0
        self.assertTrue(np.isnan(termsift.score(X.tocsr(), y)[5]))


def moved(array):
    """Return a copy of an array that begins at an odd address."""
    room = np.empty(array.nbytes + 1, dtype=np.uint8)
    start = 1 - room.ctypes.data % 2
    copy = room[start:start + array.nbytes].view(array.dtype)
    copy[:] = array
    return copy


class Selector(unittest.TestCase):
    def test_selects(self):
        X, y = counts()
        for k in [1, 7, "all", 1000]:
            s = termsift.TermSelector(k=k).fit(X, y)
            kept = min(80, 80 if k == "all" else k)
            self.assertEqual(s.get_support().sum(), kept)
            order = sorted(range(80), key=lambda t: (-s.scores_[t], -s.df_[t], t))
            np.testing.assert_array_equal(s.ranking_, order)
            self.assertEqual(s.transform(X).shape, (300, kept))
            self.assertEqual(s.inverse_transform(s.transform(X)).shape, X.shape)
            again = pickle.loads(pickle.dumps(s))
            np.testing.assert_array_equal(again.get_support(), s.get_support())
            self.assertEqual(clone(s).get_params(), s.get_params())

    def test_arrays_that_are_not_aligned(self):
        X, y = counts()
        want = termsift.TermSelector(k=7).fit(X, y)
        odd = X.copy()
        odd.data, odd.indices, odd.indptr = (moved(a) for a in (X.data, X.indices, X.indptr))
        got = termsift.TermSelector(k=7).fit(odd, moved(y))
        np.testing.assert_array_equal(got.scores_, want.scores_)
        got.scores_, got.df_ = moved(got.scores_), moved(got.df_)
        np.testing.assert_array_equal(got.ranking_, want.ranking_)

    def test_mapped_read_only(self):
        """No input is written to: joblib maps large arrays of what it hands to other processes read-only."""
        X, y = counts()
        with tempfile.TemporaryDirectory() as folder:
            joblib.dump((termsift.TermSelector(k=7).fit(X, y), X, y), f"{folder}/all")
            selector, X_mapped, y_mapped = joblib.load(f"{folder}/all", mmap_mode="r")
            self.assertFalse(selector.scores_.flags.writeable or selector.df_.flags.writeable or X_mapped.data.flags.writeable or y_mapped.flags.writeable)
            np.testing.assert_array_equal(selector.transform(X_mapped).toarray(), termsift.TermSelector(k=7).fit_transform(X, y).toarray())
            np.testing.assert_array_equal(selector.ranking_, termsift.TermSelector(k=7).fit(X_mapped, y_mapped).ranking_)
            np.testing.assert_array_equal(selector.pvalues_, termsift.chi2(X_mapped, y_mapped)[1])
            del selector, X_mapped, y_mapped

    def test_pvalues(self):
        X, y = counts()
        for by, of_sklearn in [("anova", f_classif), ("sklearn-chi2", sklearn_chi2)]:
            np.testing.assert_allclose(termsift.TermSelector(by=by).fit(X, y).pvalues_, of_sklearn(X, y)[1], rtol=1e-9)
        np.testing.assert_array_equal(termsift.TermSelector().fit(X, y).pvalues_, termsift.chi2(X, y)[1])
        for options in [{"by": "gini"}, {"combine": "avg"}, {"by": "chi:sum"}, {"by": "ig", "combine": "max"}]:
            self.assertIsNone(termsift.TermSelector(**options).fit(X, y).pvalues_)
        several = np.eye(4)[y]
        several[::5, 1] = 1
        self.assertIsNone(termsift.TermSelector("ig").fit(X, several).pvalues_)
        with self.assertRaises(NotFittedError):
            termsift.TermSelector().pvalues_

    def test_pvalues_are_those_of_the_command(self):
        X, y = counts(documents=60, terms=20)
        X[:, 3] = 0
        X.eliminate_zeros()
        lines = [json.dumps({"labels": [f"c{c}"], "counts": {str(t): int(v) for t, v in zip(row.indices, row.data)}}) for row, c in zip(X, y)]
        for by in ["chi", "g2", "chitf", "g2tf", "emi", "ngl", "logoddsz", "ttest", "anova", "ig"]:
            command = [os.environ["TERMSIFT_COMMAND"], "score", "--by", by, "--all", "--p-values", "--format", "tsv", "--input-format", "jsonl", "-"]
            out = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True).stdout
            table = pd.read_csv(io.StringIO(out), sep="\t")
            found = termsift.TermSelector(by=by).fit(X, y).pvalues_
            self.assertTrue(np.isnan(found[3]))
            np.testing.assert_allclose(np.log10(found[table["term"]]), table["log10p"], rtol=1e-9, atol=1e-12, err_msg=by)

    def test_in_pipelines(self):
        X, y = counts()
        search = GridSearchCV(make_pipeline(termsift.TermSelector(), MultinomialNB()), {"termselector__k": [5, 20], "termselector__by": ["chi", "ig"]}, cv=3)
        self.assertEqual(len(search.fit(X, y).cv_results_["params"]), 4)
        names = [f"t{i}" for i in range(80)]
        frame = pd.DataFrame(X.toarray(), columns=names)
        s = termsift.TermSelector(k=3).set_output(transform="pandas").fit(frame, y)
        self.assertEqual(list(s.transform(frame).columns), list(np.array(names)[s.get_support()]))


class Vectorizer(unittest.TestCase):
    def test_counts_are_those_of_sklearn(self):
        theirs = CountVectorizer()
        want = theirs.fit_transform(TEXTS).toarray()
        ours = termsift.TermVectorizer(k="all")
        got = ours.fit_transform(TEXTS, LABELS)
        self.assertEqual(got.dtype, np.float32)
        self.assertEqual(set(ours.get_feature_names_out()), set(theirs.get_feature_names_out()))
        order = [theirs.vocabulary_[term] for term in ours.terms_]
        np.testing.assert_array_equal(got.toarray(), want[:, order])
        np.testing.assert_array_equal(ours.df_, (want > 0).sum(0)[order])
        np.testing.assert_array_equal(ours.scores_, termsift.score(sp.csr_matrix(want[:, order]), LABELS))

    def test_transform_is_fit_transform(self):
        for weight in ["tf", "binary", "tfidf", "ltc", "tf-rf", "tfidf-unit"]:
            v = termsift.TermVectorizer(by="ig", k=8, weight=weight)
            rows = v.fit_transform(pd.Series(TEXTS), np.array(LABELS))
            for n_jobs in [None, 3]:
                again = pickle.loads(pickle.dumps(v)).set_params(n_jobs=n_jobs)
                got = again.transform(tuple(TEXTS))
                np.testing.assert_array_equal(got.toarray(), rows.toarray())
        self.assertEqual(clone(v).get_params(), v.get_params())
        self.assertEqual(v.transform([]).shape, (0, 8))
        self.assertEqual(make_pipeline(termsift.TermVectorizer(k=4), MultinomialNB()).fit(TEXTS, LABELS).predict(TEXTS[:1])[0], "space")

    def test_options(self):
        v = termsift.TermVectorizer(k="all", stop=["the", "of"], ngrams="1-2", min_df=6).fit(TEXTS, LABELS)
        self.assertEqual(set(v.terms_), {"and", "orbit", "match", "goal", "moon"})
        for stop in [{"the", "of"}, frozenset(["the", "of"]), ("the", "of"), np.array(["the", "of"]), np.array(["the", "of"], dtype=object), pd.Index(["the", "of"])]:
            same = termsift.TermVectorizer(k="all", stop=stop, ngrams=(1, 2), min_df=6)
            np.testing.assert_array_equal(clone(same).fit(TEXTS, LABELS).terms_, v.terms_)
            self.assertEqual(same.get_params()["ngrams"], (1, 2))
        np.testing.assert_array_equal(termsift.TermVectorizer(k="all", stop=np.array(["smart"])).fit(["smart moon"] * 2, [0, 1]).terms_, ["moon"])
        np.testing.assert_array_equal(termsift.TermVectorizer(k="all", ngrams=2).fit(TEXTS, LABELS).terms_, termsift.TermVectorizer(k="all", ngrams=(2, 2)).fit(TEXTS, LABELS).terms_)
        self.assertEqual(set(termsift.Statistics.of(TEXTS, LABELS, stop=ENGLISH_STOP_WORDS).terms), set(CountVectorizer(stop_words="english").fit(TEXTS).vocabulary_))
        forms = ["<b>cafe\u0301</b> \ufb01ne&nbsp;x1", "caf\u00e9 fine x1"]
        for options, want in [
            ({}, {"cafe", "caf\u00e9", "fine", "\ufb01ne", "nbsp", "x1"}), ({"normalize": "none", "markup": "keep"}, {"cafe", "caf\u00e9", "fine", "\ufb01ne", "nbsp", "x1"}),
            ({"normalize": "nfc"}, {"caf\u00e9", "fine", "\ufb01ne", "nbsp", "x1"}), ({"normalize": "nfkc", "markup": "strip"}, {"caf\u00e9", "fine", "x1"}),
        ]:
            v = termsift.TermVectorizer(k="all", **options).fit(forms, [0, 1])
            self.assertEqual(set(v.terms_), want)
            self.assertEqual(clone(v).get_params(), v.get_params())
            self.assertEqual(set(termsift.Statistics.of(forms, [0, 1], **options).terms), want)
            k = termsift.Keyness(forms[:1], ["caf\u00e9 tea"], terms=["caf\u00e9"], **options)
            self.assertEqual((k.tf_[0], k.tf_reference_[0]), (int("cafe" not in want), 1))
        for option in ["normalize", "markup"]:
            with self.assertRaisesRegex(ValueError, 'unknown (normal form|choice for markup) "x"'):
                termsift.TermVectorizer(**{option: "x"}).fit(TEXTS, LABELS)
        with self.assertWarnsRegex(UserWarning, "k = 10000 is more than"):
            termsift.TermVectorizer().fit(TEXTS, LABELS)


    def test_shares_of_documents_are_those_of_sklearn(self):
        for bounds in [{"max_df": 1.0}, {"min_df": 0.0}, {"min_df": 1}, {"max_df": 0.5}, {"min_df": 1 / 6}, {"min_df": 0.5, "max_df": 1.0}, {"max_df": 5},
                       {"min_df": np.int64(10)}, {"min_df": 1 / 3, "max_df": 0.7}, {"min_df": 0.17}]:
            want = CountVectorizer(**bounds).fit(TEXTS).vocabulary_
            self.assertEqual(set(termsift.TermVectorizer(k="all", **bounds).fit(TEXTS, LABELS).terms_), set(want), bounds)
            self.assertEqual(set(termsift.Statistics.of(TEXTS, LABELS, **bounds).terms), set(want), bounds)
        half = [termsift.TermVectorizer(k="all", max_df=value).fit(TEXTS, LABELS).terms_ for value in [0.5, np.float32(0.5), np.float64(0.5)]]
        np.testing.assert_array_equal(half[1:], half[:1] * 2)
        both = ["moon orbit", "orbit bread"]
        np.testing.assert_array_equal(termsift.TermVectorizer(k="all", min_df=1.0).fit(both, [0, 1]).terms_, ["orbit"])

    def test_is_an_inverse(self):
        """inverse_transform and vocabulary_ are as of CountVectorizer, but for the order of the columns."""
        theirs, ours = CountVectorizer().fit(TEXTS), termsift.TermVectorizer(k="all").fit(TEXTS, LABELS)
        self.assertEqual(ours.vocabulary_, {term: i for i, term in enumerate(ours.get_feature_names_out())})
        for texts in [TEXTS, ["nothing of it"], []]:
            rows = ours.transform(texts)
            want = [set(terms) for terms in theirs.inverse_transform(theirs.transform(texts))] if texts else []
            for X in [rows, rows.tocsc(), rows.toarray(), sp.csr_array(rows)]:
                got = ours.inverse_transform(X)
                self.assertEqual([set(terms) for terms in got], want)
                self.assertTrue(all(isinstance(terms, np.ndarray) for terms in got))
        self.assertEqual([len(terms) for terms in ours.inverse_transform(ours.transform(["moon"]) * 0)], [0])
        with self.assertRaisesRegex(ValueError, "X has 3 features, but TermVectorizer is expecting"):
            ours.inverse_transform(np.ones((2, 3)))
        for call in [lambda v: v.vocabulary_, lambda v: v.inverse_transform(rows), lambda v: v.transform(TEXTS)]:
            with self.assertRaises(NotFittedError):
                call(termsift.TermVectorizer())


class Counted(unittest.TestCase):
    def test_statistics_add(self):
        whole = termsift.Statistics.of(TEXTS, LABELS)
        part = termsift.Statistics.of(TEXTS[:11], LABELS[:11]) + termsift.Statistics.of(TEXTS[11:], LABELS[11:])
        self.assertEqual((part.documents, list(part.classes)), (30, ["none", "space", "sport"]))
        np.testing.assert_array_equal(part.terms, whole.terms)
        for by in ["chi", "ig", "g2tf"]:
            a, b = part.score(by), whole.score(by)
            np.testing.assert_array_equal(a.terms, b.terms)
            np.testing.assert_array_equal(a.scores, b.scores)
        self.assertEqual(pickle.loads(pickle.dumps(part)).to_bytes(), part.to_bytes())
        v = termsift.TermVectorizer(k=5).fit(TEXTS, LABELS)
        best = whole.select("chi", 5)
        self.assertEqual(repr(best), f"<termsift.Features: 5 terms: {', '.join(best.terms[:3])}, ...>")
        self.assertEqual(repr(whole), f"<termsift.Statistics: 30 documents, {len(whole.terms)} terms, 3 classes>")
        np.testing.assert_array_equal(best.terms, v.terms_)
        np.testing.assert_array_equal(best.transform(TEXTS).toarray(), v.transform(TEXTS).toarray())
        again = termsift.Features.from_bytes(best.to_bytes())
        np.testing.assert_array_equal(again.scores, best.scores)
        for changed in [part.to_bytes()[:-1], part.to_bytes()[:50] + b"x" + part.to_bytes()[51:]]:
            with self.assertRaises(termsift.CorruptFileError):
                termsift.Statistics.from_bytes(changed)
        with self.assertRaisesRegex(ValueError, "stemmer|stem"):
            part + termsift.Statistics.of(TEXTS, LABELS, stem="porter")
