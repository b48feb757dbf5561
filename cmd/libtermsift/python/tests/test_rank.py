"""Tests of rank, of values by class, of best terms and of Features: the numbers are those that the command prints, by bits."""

import json
import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
import pandas as pd
import scipy.sparse as sp
from common import Refusing, needs
from sklearn.feature_extraction.text import CountVectorizer

import termsift

TEXTS = [
    "the orbit of the moon", "a goal in the match", "an orbit and a launch", "the match and its goal", "café moon ☾", "bake the bread",
    "bread and a little salt", "the launch of the probe", "salt in the bread", "a match", "the moon, the moon", "a goal, a goal",
] * 3
LABELS = ["space", "sport", "space", "sport", "space", "food", "food", "space", "food", "sport", "space", "sport"] * 3
COUNTS = ["df", "a", "b", "c", "d", "sign"]


def counts():
    vectorizer = CountVectorizer().fit(TEXTS)
    return vectorizer, vectorizer.transform(TEXTS)


def printed(path, *arguments):
    """Return the rows that the command prints for texts, as dicts."""
    run = subprocess.run(
        [os.environ["TERMSIFT_COMMAND"], "score", "--format", "tsv", "--tokens", "words", *arguments, path], check=True, capture_output=True,
        encoding="utf-8",
    )
    head, *lines = (line.split("\t") for line in run.stdout.splitlines())
    return [dict(zip(head, line)) for line in lines]


def same_bits(a, b):
    return np.array_equal(np.asarray(a, dtype=np.float64).view(np.int64), np.asarray(b, dtype=np.float64).view(np.int64))


class OfTheCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "texts.jsonl")
        with open(cls.path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"text": text, "labels": [label]}) + "\n" for text, label in zip(TEXTS, LABELS))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, table, rows):
        self.assertEqual(len(table), len(rows))
        self.assertGreater(len(rows), 0)
        self.assertEqual(list(table["class"]), [row["class"] for row in rows])
        self.assertEqual(list(table["term"]), [row["term"] for row in rows])
        self.assertTrue(same_bits(table["value"], [float(row["value"]) for row in rows]))
        for name in COUNTS:
            self.assertEqual(list(table[name]), [int(row[name]) for row in rows], name)
            self.assertEqual(table[name].dtype, np.int64)

    def test_every_measure_by_class(self):
        vectorizer, X = counts()
        for measure in termsift.measures():
            if not measure.classes:
                continue
            want = printed(self.path, "--by", measure.name, "--combine", "class", "--top", "100")
            table = termsift.rank(TEXTS, LABELS, measure.name, tokens="words")
            self.check(table, want)
            self.check(termsift.rank(X, LABELS, measure.name, feature_names=vectorizer), want)
            self.check(termsift.Statistics.of(TEXTS, LABELS, tokens="words").rank(measure.name, n_jobs=2), want)
            by_class = termsift.score(X, LABELS, measure.name, combine="class")
            self.assertEqual(by_class.shape, (3, X.shape[1]))
            place = {(c, t): (i, j) for i, c in enumerate(sorted(set(LABELS))) for j, t in enumerate(vectorizer.get_feature_names_out())}
            self.assertTrue(same_bits([by_class[place[row["class"], row["term"]]] for row in want], [float(row["value"]) for row in want]))

    def test_pvalues(self):
        for measure in termsift.measures():
            if not measure.pvalues or measure.needs == "number":
                continue
            combine = "class" if measure.combine == "max" else None
            arguments = ["--by", measure.name, "--p-values", "--top", "100", *(["--combine", "class"] if combine else [])]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                table = termsift.rank(TEXTS, LABELS, measure.name, pvalues=True, combine=combine, tokens="words")
            want = printed(self.path, *arguments)
            self.assertEqual(list(table["term"]), [row["term"] for row in want])
            self.assertTrue(same_bits(table["log10p"], [float(row["log10p"]) for row in want]), measure.name)
            np.testing.assert_array_equal(table["p"], 10 ** table["log10p"])

    def test_overall(self):
        for by in ["chi", "ig", "anova", "ttest"]:
            table = termsift.rank(TEXTS, LABELS, by, combine=None, tokens="words")
            want = printed(self.path, "--by", by, "--top", "100")
            self.assertEqual(list(table["term"]), [row["term"] for row in want])
            self.assertTrue(same_bits(table["value"], [float(row["value"]) for row in want]))
            self.assertEqual("class" in table, by in ("chi", "ttest"))
            if "class" in table:
                self.check(table, want)
        self.check(termsift.rank(TEXTS, LABELS, top=2, positive=True, tokens="words"), printed(self.path, "--combine", "class", "--top", "2", "--positive"))

    def test_corpus(self):
        index = os.path.join(self.folder.name, "texts.idx")
        subprocess.run([os.environ["TERMSIFT_COMMAND"], "index", "--tokens", "words", self.path, "-o", index], check=True, capture_output=True)
        corpus, statistics = pickle.loads(pickle.dumps(termsift.Corpus.open(index))), termsift.Statistics.of(TEXTS, LABELS, tokens="words")
        self.assertEqual((corpus.documents, list(corpus.classes)), (len(TEXTS), list(statistics.classes)))
        self.assertEqual(corpus.rows(statistics.select("chi", 6), weight="ltc").shape, (len(TEXTS), 6))
        for call in [
            lambda c: c.rank(["chi", "g2"], 3), lambda c: c.best_terms(2, "lor"), lambda c: c.select(k=2, per_class=True).to_table(),
            lambda c: c.select("chi", None, fdr=0.5, per_class=True).to_table(), lambda c: c.score("ttest").to_table(),
            lambda c: c.select(k=4, round_robin=True, drop=["moon"]).to_table(), lambda c: c.select("ig", None, percentile=20).to_table(),
        ]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(list(call(corpus)), list(call(statistics)))
        self.assertEqual(list(corpus.score(["chi", "ig"])), ["chi", "ig"])


class Ranks(Refusing):
    def test_tables_are_those_of_documents(self):
        _, X = counts()
        table = termsift.rank(X, LABELS)
        self.assertEqual(table.columns, ("class", "term", "value", *COUNTS))
        self.assertEqual(len(table), min(20, X.shape[1]) * 3)
        table = termsift.rank(X, LABELS, top=None)
        self.assertEqual(len(table), 3 * X.shape[1])
        y, has = np.array(LABELS), X.toarray() > 0
        for row in table:
            inside, with_term = y == row.class_, has[:, row.term]
            self.assertEqual(
                (row.a, row.b, row.c, row.d),
                tuple(int(n.sum()) for n in (inside & with_term, ~inside & with_term, inside & ~with_term, ~inside & ~with_term)),
            )
            self.assertEqual(row.df, row.a + row.b)
            self.assertEqual(row.sign, np.sign(row.a * row.d - row.b * row.c))
        np.testing.assert_array_equal(table["value"], termsift.score(X, LABELS, combine="class")[np.repeat([0, 1, 2], X.shape[1]), table["term"]])

    def test_kinds_of_matrices(self):
        vectorizer, X = counts()
        names = vectorizer.get_feature_names_out()
        want = list(termsift.rank(X, LABELS, feature_names=names))
        frame = pd.DataFrame(X.toarray(), columns=names)
        for Z, options in [
            (X.tocsc(), {"feature_names": vectorizer}), (X.toarray(), {"feature_names": list(names)}), (frame, {}), (X.tocoo(), {"feature_names": names}),
            (X.toarray().tolist(), {"feature_names": names}), (X, {"feature_names": vectorizer.vocabulary_}), (X.astype(np.float32), {"feature_names": names, "n_jobs": 2}), (frame, {"feature_names": names}),
        ]:
            self.assertEqual(list(termsift.rank(Z, LABELS, **options)), want)
        parts = sp.csr_matrix((np.ones(4), [0, 0, 1, 1], [0, 2, 3, 4]), shape=(3, 2))  # an element that is there twice
        self.assertEqual([(row.class_, row.term, row.a, row.b) for row in termsift.rank(parts, [0, 1, 1], positive=True)], [(0, 0, 1, 0), (1, 1, 2, 0)])

    @needs("polars", "pyarrow")
    def test_columns_of_other_libraries(self):
        import polars
        import pyarrow

        vectorizer, X = counts()
        names = vectorizer.get_feature_names_out().tolist()
        want = list(termsift.rank(X, LABELS, feature_names=names))
        self.assertEqual(list(termsift.rank(polars.DataFrame(X.toarray(), schema=names), polars.Series(LABELS))), want)
        self.assertEqual(list(termsift.rank(pyarrow.table(dict(zip(names, X.toarray().T))), pyarrow.array(LABELS))), want)
        for frame in [polars.DataFrame({"text": TEXTS}), pyarrow.table({"text": TEXTS})]:
            with self.assertRaisesRegex(ValueError, "one column"):
                termsift.rank(frame, LABELS)

    def test_columns_without_names_rank_by_number(self):
        X = np.zeros((4, 120))
        X[0, ::3] = X[2, 1] = 1
        table = termsift.rank(X, [1, 1, 2, 2], class_=1, top=None)
        self.assertEqual(table["term"].dtype, np.int64)
        self.assertEqual(table["term"].tolist(), sorted([*range(0, 120, 3), 1]))  # all are equal, and the empty ones are left out
        self.assertEqual(list(table["class"][:2]), [1, 1])
        np.testing.assert_array_equal(table["term"], termsift.TermSelector(k=41).fit(X, [1, 1, 2, 2]).ranking_[:41])

    def test_classes(self):
        y = np.array([3, 1, 3, 1, 3, 2, 2, 3, 2, 1, 3, 1] * 3)
        table = termsift.rank(TEXTS, y, top=1, positive=True)
        self.assertEqual(list(zip(table["class"].tolist(), table["term"])), [(1, "goal"), (2, "bread"), (3, "moon")])
        self.assertEqual(list(termsift.rank(TEXTS, y, top=1, class_=[3, 1])["class"]), [3, 1])
        self.assertEqual(list(termsift.rank(TEXTS, y, top=1, class_=2)["class"]), [2])
        several = [[label, "even"] if i % 2 else [label] for i, label in enumerate(LABELS)]
        self.assertEqual(list(dict.fromkeys(termsift.rank(TEXTS, several)["class"])), ["even", "food", "space", "sport"])
        indicator = np.zeros((len(TEXTS), 5), dtype=int)
        indicator[np.arange(len(TEXTS)), y] = 1
        self.assertEqual(list(dict.fromkeys(termsift.rank(TEXTS, indicator)["class"])), [1, 2, 3])

    def test_lists_of_measures(self):
        table = termsift.rank(TEXTS, LABELS, ["lor", "chi"], top=2)
        self.assertEqual(list(table["measure"]), ["lor"] * 6 + ["chi"] * 6)
        one = termsift.rank(TEXTS, LABELS, "chi", top=2)
        self.assertNotIn("measure", one)
        self.assertEqual([tuple(row)[1:] for row in table[6:]], [tuple(row) for row in one])
        mixed = termsift.rank(TEXTS, LABELS, ["chi", "ig"], 2, combine=None)
        self.assertEqual(list(mixed["class"])[2:], [None, None])
        self.assertTrue(np.isnan(mixed["a"][2:]).all() and (mixed["a"][:2] > 0).all())
        self.assertNotIn("class", termsift.rank(TEXTS, LABELS, ["ig", "anova"], combine=None))
        scores = termsift.Statistics.of(TEXTS, LABELS).score(["chi", "ig"], combine=None)
        self.assertEqual([len(scores[name]) for name in ("chi", "ig")], [len(termsift.Statistics.of(TEXTS, LABELS).terms)] * 2)

    def test_corrected_pvalues_are_the_levels_at_which_terms_are_selected(self):
        statistics = termsift.Statistics.of(TEXTS, LABELS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for correct, criterion in [("bh", "fdr"), ("holm", "fwe")]:
                table = statistics.rank(top=None, pvalues=True, correct=correct)
                self.assertTrue((table["p_corrected"] >= table["p"]).all())
                for level in (0.001, 0.05, 0.3):
                    passed = table["p_corrected"] <= level if correct == "bh" else table["p_corrected"] < level
                    try:
                        chosen = set(statistics.select("chi", None, per_class=True, **{criterion: level}))
                    except termsift.NothingFoundError:
                        chosen = set()
                    self.assertEqual(set(table[passed]["term"]), chosen, (correct, level))
            none = statistics.rank(pvalues=True, correct="none")
            np.testing.assert_array_equal(none["p"], none["p_corrected"])
            exact = statistics.rank(pvalues=True, exact=True)
            self.assertFalse(np.array_equal(exact["p"], none["p"]))

    def test_ngrams_and_analysis(self):
        table = termsift.rank(TEXTS, LABELS, ngrams=(1, 2), stop="glasgow", top=100)
        self.assertTrue({"moon", "goal match"} <= set(table["term"]) and "the" not in set(table["term"]))

    def test_mistakes(self):
        vectorizer, X = counts()
        frame = pd.DataFrame({"text": TEXTS, "label": LABELS})
        statistics = termsift.Statistics.of(TEXTS, LABELS)
        self.refused([
            ("did you mean ig (information gain)?", lambda: termsift.rank(TEXTS, LABELS, "information_gain")),
            ("or mi (pointwise mutual information)", lambda: termsift.rank(TEXTS, LABELS, ["chi", "mutual information"])),
            ("did you mean or (odds ratio)?", lambda: termsift.score(X, LABELS, "odds ratio")),
            ("did you mean gini (Gini index)?", lambda: termsift.TermVectorizer(by="gini_index").fit(TEXTS, LABELS)),
            ("tfidf is a weighting of rows", lambda: termsift.rank(TEXTS, LABELS, "tf-idf")),
            ("anova has one value for a term, none for each class: combine=None ranks by it", lambda: termsift.rank(TEXTS, LABELS, "anova")),
            ("sklearn-chi2 has one value for a term", lambda: termsift.score(X, LABELS, "sklearn-chi2", combine="class")),
            ("the combination class gives a value for each class", lambda: termsift.TermSelector(combine="class").fit(X, LABELS)),
            ("the combination class gives a value for each class", lambda: termsift.TermSelector(by="chi:class").fit(X, LABELS)),
            ('unknown class "spaec"; did you mean space?', lambda: termsift.rank(TEXTS, LABELS, class_="spaec")),
            ('option "class" is for values of classes', lambda: termsift.rank(TEXTS, LABELS, class_="space", combine="max")),
            ("top must be a number of terms above 0, or None for all, not 0", lambda: termsift.rank(TEXTS, LABELS, top=0)),
            ("not True", lambda: termsift.rank(TEXTS, LABELS, top=True)),
            ("there are no p-values of lor", lambda: termsift.rank(TEXTS, LABELS, "lor", pvalues=True)),
            ("p-values are two-sided", lambda: termsift.rank(TEXTS, LABELS, pvalues=True, positive=True)),
            ('unknown correction "bonferroni". Known: holm bh none', lambda: termsift.rank(TEXTS, LABELS, correct="bonferroni")),
            ('option "by" has no measure', lambda: termsift.rank(TEXTS, LABELS, [])),
            ("feature_names are the names of the columns of a matrix", lambda: termsift.rank(TEXTS, LABELS, feature_names=["a"])),
            ("stop says how texts are analysed, and X is a matrix", lambda: termsift.rank(X, LABELS, stop="glasgow")),
            (f"there are 1 feature_names, and X has {X.shape[1]} columns", lambda: termsift.rank(X, LABELS, feature_names=["a"])),
            ('"a" twice', lambda: termsift.rank(X, LABELS, feature_names=["a"] * X.shape[1])),
            ("feature_names is a set, which has no order", lambda: termsift.rank(X, LABELS, feature_names=set(vectorizer.vocabulary_))),
            (f"its values are not the numbers of the {X.shape[1]} columns", lambda: termsift.rank(X, LABELS, feature_names={"a": 1})),
            ("rank has the values of each class", lambda: statistics.score("chi", combine="class")),
            (f"X has {len(TEXTS)} documents, and y has {len(TEXTS) - 1}", lambda: termsift.rank(X, LABELS[:-1])),
            ("the value -", lambda: termsift.rank(-X, LABELS)),
            ('give df["text"]', lambda: termsift.rank(frame, LABELS)),
            ("this is a single one", lambda: termsift.rank("a text", LABELS)),
            ('unknown option "stop"', lambda: statistics.rank(stop="glasgow")),
            ("anova has one value for a term", lambda: statistics.best_terms(3, "anova")),
            ("top must be a number of terms above 0", lambda: statistics.best_terms(0)),
            ("per-class and round-robin exclude each other", lambda: statistics.select("chi", 3, per_class=True, round_robin=True)),
            ("per-document", lambda: statistics.select("chi", None, per_document=1)),
        ])



class ByClass(unittest.TestCase):
    def test_rows_are_classes_and_empty_ones_are_nan(self):
        _, X = counts()
        indicator = np.zeros((len(TEXTS), 60), dtype=int)  # more classes than ten, and than the documents have
        indicator[np.arange(len(TEXTS)), [{"food": 50, "space": 3, "sport": 20}[label] for label in LABELS]] = 1
        values = termsift.score(X, indicator, ["chi", "ttest"], combine="class", signed=True)
        want = termsift.score(X, LABELS, ["chi", "ttest"], combine="class", signed=True)
        for name in want:
            self.assertEqual(values[name].shape, (60, X.shape[1]))
            np.testing.assert_array_equal(values[name][[50, 3, 20]], want[name])
            self.assertTrue(np.isnan(np.delete(values[name], [50, 3, 20], axis=0)).all())

    def test_largest_is_the_value_of_a_term(self):
        _, X = counts()
        empty = sp.hstack([X, sp.csr_matrix((X.shape[0], 2))]).tocsr()
        for Z in (empty, empty.tocsc()):
            values, df = termsift.score(Z, LABELS, combine="class", return_df=True, n_jobs=2)
            np.testing.assert_array_equal(values.max(axis=0), termsift.score(Z, LABELS))
            self.assertTrue(np.isnan(values[:, -2:]).all() and (df[-2:] == 0).all())


class BestTerms(unittest.TestCase):
    def test_of_statistics(self):
        statistics = termsift.Statistics.of(TEXTS, LABELS)
        self.assertEqual(list(statistics.best_terms(2)), list(termsift.rank(TEXTS, LABELS, top=2, positive=True)))
        self.assertEqual(set(statistics.best_terms(2, class_="food")["class"]), {"food"})
        self.assertTrue((statistics.best_terms(5, "ttest")["sign"] == 1).all())
        self.assertEqual(statistics.class_documents.tolist(), [LABELS.count(name) for name in statistics.classes])

    def test_of_a_vectorizer(self):
        columns = ["class", "term", "value", "df", "a", "b", "c", "d"]
        two = ["food" if label == "food" else "other" for label in LABELS]
        for by in ["chi", "g2", "emi", "ttest", "bns", "acc2", "ndm", "chitf", "g2tf", "ngl", "lor"]:  # of two classes both have the value
            best = termsift.TermVectorizer(by, "all").fit(TEXTS, two).best_terms(3).to_pandas()
            want = termsift.rank(TEXTS, two, by, top=3, positive=True).to_pandas()[columns]
            pd.testing.assert_frame_equal(best.drop(columns="value"), want.drop(columns="value"))
            np.testing.assert_allclose(best["value"], want["value"], rtol=1e-12)
        table = termsift.TermVectorizer("chi", "all").fit(TEXTS, LABELS).best_terms(2)
        self.assertEqual(list(table["class"]), ["food"] * 2 + ["space"] * 2 + ["sport"] * 2)
        ranked = {tuple(row[name] for name in columns) for row in termsift.rank(TEXTS, LABELS, positive=True).to_pandas().to_dict("records")}
        self.assertTrue({tuple(row[name] for name in columns) for row in table.to_pandas().to_dict("records")} <= ranked)
        again = pickle.loads(pickle.dumps(termsift.TermVectorizer(k="all").fit(TEXTS, LABELS)))
        self.assertEqual(list(again.best_terms(2)), list(table))
        parts = termsift.TermVectorizer(k="all").partial_fit(TEXTS[:20], LABELS[:20]).partial_fit(TEXTS[20:], LABELS[20:])
        self.assertEqual(list(parts.best_terms(2)), list(table))
        self.assertEqual(termsift.TermVectorizer("ig", 5).fit(TEXTS, LABELS).best_terms(3).columns, ("term", "value", "df"))
        for call in [lambda: again.best_terms(0), lambda: termsift.TermVectorizer().best_terms()]:
            with self.assertRaises(ValueError):
                call()

    def test_of_a_selector(self):
        vectorizer, X = counts()
        names = vectorizer.get_feature_names_out()
        selector = termsift.TermSelector(k=5).fit(X, LABELS)
        table = selector.best_terms(3, vectorizer)
        self.assertEqual(table.columns, ("term", "value", "df", "p"))
        self.assertEqual(list(table["term"]), list(names[selector.ranking_[:3]]))
        self.assertEqual(selector.best_terms()["term"].tolist(), selector.ranking_[:5].tolist())
        frame = pd.DataFrame(X.toarray(), columns=names)
        self.assertEqual(list(termsift.TermSelector(k=3).fit(frame, LABELS).best_terms()["term"]), list(table["term"]))
        self.assertEqual(termsift.TermSelector("lor", 3).fit(X, LABELS).best_terms().columns, ("term", "value", "df"))
        empty = sp.hstack([X, sp.csr_matrix((X.shape[0], 2))]).tocsr()
        self.assertEqual(len(termsift.TermSelector(k="all").fit(empty, LABELS).best_terms(1000)), X.shape[1])
        with self.assertRaisesRegex(ValueError, "there are 1 feature_names, and X has"):
            selector.best_terms(3, ["a"])


class FeatureSequence(unittest.TestCase):
    def test_sequence(self):
        features = termsift.Statistics.of(TEXTS, LABELS).select("chi", 4)
        self.assertEqual(len(features), 4)
        self.assertEqual(list(features), list(features.terms))
        self.assertEqual(features[0], features.terms[0])
        self.assertEqual(features[-1], features.terms[3])
        self.assertEqual(list(features[1:3]), list(features.terms[1:3]))
        self.assertIn(features[0], features)
        self.assertNotIn("nonsense", features)
        self.assertNotIn(3, features)
        with self.assertRaises(IndexError):
            features[4]
        with self.assertRaisesRegex(TypeError, "features have terms by place"):
            features["moon"]

    def test_table(self):
        statistics = termsift.Statistics.of(TEXTS, LABELS)
        per_class = statistics.select("chi", 1, per_class=True)
        table = per_class.to_table()
        self.assertEqual(table.columns, ("class", "term", "value", "df", "a", "b"))
        self.assertEqual(list(table["class"]), ["food", "space", "sport"])
        self.assertEqual((table["a"] + table["b"]).tolist(), table["df"].tolist())
        again = pickle.loads(pickle.dumps(per_class))
        self.assertEqual(list(again.to_table()), list(table))
        self.assertEqual(list(per_class.to_pandas()["term"]), list(per_class))
        self.assertIn("<table", per_class._repr_html_())
        self.assertEqual(statistics.select("ig", 3).to_table().columns, ("term", "value", "df"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tested = statistics.select("chi", None, fdr=0.1).to_table()
        self.assertEqual(tested.columns[-2:], ("p", "log10p"))
        self.assertTrue((tested["p"] < 0.1).all())

    def test_weights_that_classes_decide(self):
        features = termsift.Statistics.of(TEXTS, LABELS).select("chi", 3, weight="tf-rf")
        rows = termsift.TermVectorizer(k=3, weight="tf-rf").fit(TEXTS, LABELS).transform(TEXTS)
        np.testing.assert_array_equal(features.transform(TEXTS, weight="tf-rf").toarray(), rows.toarray())


class KeynessTables(unittest.TestCase):
    def test_table(self):
        for drift in (False, True):
            k = termsift.Keyness(TEXTS[:3], TEXTS[3:6], drift=drift, top=2, max_p=1, min_freq=1)
            table = k.to_table()
            self.assertEqual((list(table["key"]), list(table["term"])), (list(k.keys_), list(k.terms_)))
            np.testing.assert_array_equal(table["ll"], k.values_)
            np.testing.assert_array_equal(table["p_corrected"], k.pvalues_)
            self.assertEqual(table["tf"].dtype, np.int64)
            self.assertEqual(len(k.to_pandas()), len(k))
            self.assertIn("<table", k._repr_html_())
        asked = termsift.Keyness(TEXTS[:3], TEXTS[3:6], terms=["moon"]).to_table()
        self.assertTrue(np.isnan(asked["rank"][0]))

    @needs("matplotlib")
    def test_plots(self):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        ax = termsift.Keyness(TEXTS[:3], TEXTS[3:6], max_p=1, min_freq=1).plot(2)
        widths = [bar.get_width() for bar in ax.patches]
        self.assertEqual(len(widths), 4)
        self.assertTrue(widths[0] > 0 and widths[-1] < 0)
        self.assertGreater(len(termsift.Keyness(TEXTS[:3], TEXTS[2:5], drift=True, max_p=1, min_freq=1).plot()), 1)
        axes = termsift.rank(TEXTS, LABELS, top=3, positive=True).plot()
        self.assertEqual([a.get_title() for a in axes], ["food", "space", "sport"])
        self.assertEqual([len(a.patches) for a in termsift.Statistics.of(TEXTS, LABELS).select(k=2, per_class=True).plot()], [2, 2, 2])
        pyplot.close("all")


class Measures(unittest.TestCase):
    def test_list(self):
        table = termsift.measures()
        self.assertEqual(table.columns, ("name", "title", "needs", "combine", "classes", "pvalues", "formula", "source"))
        self.assertGreater(len(table), 25)
        _, X = counts()
        of_classes = list(table["name"][table["needs"] != "number"])
        scores = termsift.score(X, LABELS, of_classes)
        self.assertEqual(len(scores), len(of_classes))
        of_numbers = list(table["name"][table["needs"] == "number"])
        y = [float(len(label)) for label in LABELS]
        self.assertEqual(list(termsift.score(X, y, of_numbers, target="number", weight="binary")), of_numbers)
        self.assertEqual(list(termsift.score(X, LABELS, list(table["name"][table["classes"]]), combine="class")), list(table["name"][table["classes"]]))


    def test_control_went(self):
        _, X = counts()
        went = '"control" went in 0.2.0: rank the documents of each value alone'
        for call in (termsift.rank, termsift.score, lambda X, y, **options: termsift.Statistics.of(TEXTS, y, **options)):
            with self.assertRaisesRegex(ValueError, went):
                call(X, LABELS, control=LABELS)
        with self.assertRaisesRegex(ValueError, went):
            termsift.rank(TEXTS, LABELS, control=LABELS)
        with self.assertRaisesRegex(ValueError, "mh went in 0.2.0: rank the documents of each part alone"):
            termsift.score(X, LABELS, "mh")
        with self.assertRaisesRegex(ValueError, '"continuity" went in 0.2.0: it was of mh'):
            termsift.rank(X, LABELS, continuity=True)
