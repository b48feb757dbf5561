"""Tests of Keyness: its numbers are those that the command prints, by bits."""

import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
from common import Refusing

import termsift

SPACE = ["the orbit of the moon", "an orbit and a launch", "café moon ☾", "", "the launch of the probe, the launch"] * 4
SPORT = ["a goal in the match", "the match and its goal", "moon over the match", "the café"] * 6
BY = ["ll", "g2", "chi", "z", "logratio", "diff", "ell", "or", "bic", "pmi"]


# Measures whose columns are there if they are asked for.
MORE = ["tdk", "lrc", "lrcpos", "simplemaths", "zeta", "zetacraig", "zetaeder", "zetalog", "jlh", "gnd"]


def printed(*arguments):
    """Return what the command prints: lists, terms, and columns of numbers, NaN where a field is empty."""
    run = subprocess.run([os.environ["TERMSIFT_COMMAND"], "keyness", "--format", "tsv", *arguments], check=True, capture_output=True, encoding="utf-8")
    head, *lines = (line.split("\t") for line in run.stdout.splitlines())
    columns = dict(zip(head, zip(*lines)))
    keys, terms = columns.pop("key"), columns.pop("term")
    return keys, terms, {name: np.array([float(field or "nan") for field in column]) for name, column in columns.items()}


def check_printed(k, *arguments):
    """Raise AssertionError unless k has what the command prints, number for number and bit for bit."""
    keys, terms, columns = printed(*arguments)
    assert len(terms) > 0
    assert (list(k.keys_), list(k.terms_), list(k.columns_)) == (list(keys), list(terms), list(columns)), arguments
    for name, want in columns.items():
        got = k.columns_[name]
        defined = ~np.isnan(want)
        np.testing.assert_array_equal(np.isnan(got), ~defined, err_msg=f"{name}, {arguments}")
        np.testing.assert_array_equal(got[defined].view(np.int64), want[defined].view(np.int64), err_msg=f"{name}, {arguments}")


def check_files(a, b, measures):
    """Check Keyness of two files, indexes or statistics, with measures and all options."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that statistics have no dispersion
        for by in measures:
            check_printed(termsift.Keyness(a, b, by, n_jobs=2), a, b, "--by", by)
            check_printed(termsift.Keyness(a, b, by, drift=True, top=7), a, b, "--by", by, "--drift", "--top", "7")
        check_printed(termsift.Keyness(a, b, "chi", top="all", yates=False, max_p=0.99, correct="bh"), a, b, "--by", "chi", "--all", "--yates=false", "--max-p", ".99", "--correct", "bh")
        check_printed(termsift.Keyness(a, b, exact=True, min_freq=3, min_range=2, correct="none"), a, b, "--exact", "--min-freq", "3", "--min-range", "2", "--correct", "none")
        check_printed(termsift.Keyness(a, b, terms=["moon", "the", "orbit"]), a, b, "--terms", "moon,the,orbit")
        check_printed(termsift.Keyness(a, b, "lrc", also=MORE), a, b, "--by", "lrc", "--also", ",".join(MORE))
        check_printed(termsift.Keyness(a, b, "zetalog", zeta_c=0.5, also=["lrcpos", "simplemaths"], conf=0.5, smooth=3, correct="none"), a, b,
                      "--by", "zetalog", "--zeta-c", "0.5", "--also", "lrcpos,simplemaths", "--conf", ".5", "--smooth", "3", "--correct", "none")
        check_printed(termsift.Keyness(a, b, "logratio", count_by="documents"), a, b, "--by", "logratio", "--count-by", "documents")


def write_lines(path, texts):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(text + "\n" for text in texts)


class OfCommand(unittest.TestCase):
    def test_same_as_the_command(self):
        space, sport = [text for text in SPACE if text], SPORT  # the command reads no empty lines
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, b = f"{folder}/space.txt", f"{folder}/sport.txt"
            write_lines(a, space), write_lines(b, sport)
            check_printed(termsift.Keyness(space, sport, "g2"), a, b, "--tokens", "words", "--by", "g2")
            check_printed(termsift.Keyness(iter(space), sport, stop="smart", stem="porter", top="all"), a, b, "--tokens", "words", "--stop", "smart", "--stem", "porter", "--all")
            for name, texts in [("a", space), ("b", sport)]:
                termsift.Statistics.of(texts, ["x"] * len(texts)).save(f"{folder}/{name}.stats")
            check_files(f"{folder}/a.stats", f"{folder}/b.stats", BY + MORE)
            parts = [termsift.Statistics.load(f"{folder}/{name}.stats") for name in "ab"]
            check_printed(termsift.Keyness(*parts, drift=True), f"{folder}/a.stats", f"{folder}/b.stats", "--drift")

    def test_corpora(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, texts in [("a", SPACE), ("b", SPORT)]:
                os.makedirs(f"{folder}/{name}/x")
                for i, text in enumerate(texts):
                    with open(f"{folder}/{name}/x/{i:03}", "w", encoding="utf-8") as f:
                        f.write(text)
                index = [os.environ["TERMSIFT_COMMAND"], "index", f"{folder}/{name}", "--tokens", "words", "-o", f"{folder}/{name}.idx"]
                subprocess.run(index, check=True, stderr=subprocess.DEVNULL)
            a, b = f"{folder}/a.idx", f"{folder}/b.idx"
            check_files(a, b, BY)
            corpus = termsift.Corpus.open(a)
            for k in [termsift.Keyness(corpus, SPORT), termsift.Keyness(SPACE, termsift.Corpus.open(b)), termsift.Keyness(SPACE, SPORT)]:
                check_printed(k, a, b)
                self.assertTrue(np.isfinite(k.columns_["dp"]).any())
            with self.assertWarnsRegex(UserWarning, "the reference is statistics, which know no documents"):
                k = termsift.Keyness(corpus, termsift.Statistics.of(SPORT, ["x"] * len(SPORT)))
            self.assertTrue(np.isnan(k.columns_["dp_reference"]).all())
            self.assertEqual(corpus.documents, len(SPACE))  # it stays open


class Keys(Refusing):
    def test_attributes(self):
        k = termsift.Keyness(SPACE, SPORT, "chi", top=3, max_p=1, min_freq=1)
        self.assertEqual((len(k), k.by, k.passed_.keys()), (6, "chi", {"positive", "negative"}))
        self.assertEqual([k.tf_.dtype, k.df_.dtype, k.tf_reference_.dtype, k.df_reference_.dtype], [np.int64] * 4)
        of = {term: i for i, term in enumerate(k.terms_)}
        words = " ".join(SPACE).replace(",", "").split()
        self.assertEqual(k.tf_[of["launch"]], words.count("launch"))
        self.assertEqual(k.df_[of["launch"]], sum("launch" in text for text in SPACE))
        self.assertEqual((k.tf_reference_[of["match"]], k.tf_[of["match"]]), (18, 0))
        np.testing.assert_array_equal(k.values_, k.columns_["chi"])
        self.assertTrue(((k.values_ > 0) == (k.keys_ == "positive")).all())
        self.assertTrue(((k.pvalues_ > 0) & (k.pvalues_ <= 1)).all())
        again = pickle.loads(pickle.dumps(k))
        self.assertEqual(repr(again), repr(k))
        self.assertEqual(list(again.terms_), list(k.terms_))
        everything = termsift.Keyness(SPACE, SPORT, "chi", top="all", max_p=1, min_freq=1)
        self.assertEqual(repr(k), f"<termsift.Keyness by chi: {k.passed_['positive']} positive, {k.passed_['negative']} negative of {k.tested_} terms, 6 here>")
        self.assertEqual(len(everything), sum(k.passed_.values()))

    def test_frequency_list_as_the_command_has_it(self):
        counts = {"the": 30, "match": 18, "moon": 6, "over": 6}
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, path = f"{folder}/space.txt", f"{folder}/list.tsv"
            space = [text for text in SPACE if text]
            write_lines(a, space)
            write_lines(path, [f"{term}\t{n}" for term, n in counts.items()])
            given = [termsift.FrequencyList(counts, 500), termsift.FrequencyList(path, 500.0), termsift.FrequencyList(os.path.realpath(path), np.int64(500))]
            for reference in given:
                check_printed(termsift.Keyness(space, reference, "simplemaths", also="lrc"), a, "--tokens", "words", "--reference-list", path, "--reference-total", "500", "--by", "simplemaths", "--also", "lrc")
                check_printed(termsift.Keyness(space, reference, drift=True), a, "--tokens", "words", "--reference-list", path, "--reference-total", "500", "--drift")

    def test_list_of_words_is_the_corpus(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            texts, path = f"{folder}/sport.txt", f"{folder}/sport.tsv"
            sport = [text for text in SPORT if text]
            write_lines(texts, sport)
            subprocess.run([os.environ["TERMSIFT_COMMAND"], "words", "--list", texts, "--tokens", "words", "-o", path], check=True, capture_output=True)
            for by in ["ll", "logratio", "zeta", "tdk"]:
                with self.subTest(by):
                    want = termsift.Keyness(SPACE, sport, by, top="all")
                    got = termsift.Keyness(SPACE, termsift.FrequencyList(path), by, top="all")
                    self.assertEqual(list(got.terms_), list(want.terms_))
                    for column in ["log10p_corrected", "tf_reference", "df_reference", "per_million_reference", by]:
                        np.testing.assert_array_equal(got.columns_[column], want.columns_[column])

    def test_frequency_list(self):
        documents = {"the": (30, 20), "match": (18, 18), "moon": (6, 6), "over": [6, 6]}
        with self.assertWarnsRegex(UserWarning, "the reference is a frequency list, which has no documents to look at"):
            k = termsift.Keyness(SPACE, termsift.FrequencyList(documents, 500, documents=24), "zeta", top="all", max_p=1, min_freq=1)
        of = {term: i for i, term in enumerate(k.terms_)}
        self.assertAlmostEqual(k.values_[of["match"]], -18 / 24)
        self.assertEqual((k.tf_reference_[of["moon"]], k.df_reference_[of["moon"]]), (6, 6))
        self.assertTrue(np.isnan(k.columns_["dp_reference"]).all())
        with self.assertWarnsRegex(UserWarning, "frequency list has the terms of . % of the target's tokens"):
            k = termsift.Keyness(SPACE, termsift.FrequencyList({"match": 18}, 500), "lrc")
        self.assertEqual(set(k.df_reference_), {-1})
        self.assertEqual(list(k.to_table()["tf_reference"])[-1], 18)
        self.assertEqual(repr(termsift.FrequencyList({"a": 1}, 5)), "<termsift.FrequencyList of 1 terms>")

    def test_optional_measures(self):
        k = termsift.Keyness(SPACE, SPORT, "zeta", also=["simplemaths"])
        self.assertEqual([name for name in MORE if name in k.columns_], ["simplemaths", "zeta"])
        self.assertEqual([name for name in MORE if name in termsift.Keyness(SPACE, SPORT).columns_], [])
        np.testing.assert_allclose(k.values_, k.df_ / 20 - k.df_reference_ / 24, rtol=1e-12, atol=1e-15)
        a, b = k.columns_["per_million"], k.columns_["per_million_reference"]
        np.testing.assert_allclose(k.columns_["simplemaths"], (a + 1) / (b + 1), rtol=1e-12)
        self.assertEqual(k.to_table()["zeta"][0], k.values_[0])

    def test_swapped_sides_change_signs(self):
        a, b = (termsift.Keyness(*sides, "z", top="all", max_p=1) for sides in [(SPACE, SPORT), (SPORT, SPACE)])
        self.assertEqual(list(a.terms_[a.keys_ == "positive"]), list(b.terms_[b.keys_ == "negative"]))
        np.testing.assert_allclose(np.sort(a.values_), np.sort(-b.values_), rtol=1e-14)
        drift = termsift.Keyness(SPACE, SPORT, "z", top="all", drift=True, max_p=1)
        self.assertEqual(list(drift.passed_), ["new", "gone", "rising", "falling"])
        self.assertEqual(set(drift.terms_[drift.keys_ == "new"]), {"goal", "match", "in", "its", "over"})
        self.assertTrue((drift.tf_[drift.keys_ == "gone"] == 0).all())

    def test_bad_input(self):
        counted = termsift.Statistics.of(SPORT, ["x"] * len(SPORT))
        self.refused([
            ("target: text 1 is not a str but int", lambda: termsift.Keyness(["x", 1], SPORT)),
            ("reference: text 0 is no Unicode text", lambda: termsift.Keyness(SPACE, ["\ud800"])),
            ("reference: texts must be a sequence", lambda: termsift.Keyness(SPACE, None)),
            ("target: there are 0 texts", lambda: termsift.Keyness([], SPORT)),
            ("target: nothing to count: none of the 5 documents has a term within the bounds: words have two letters or digits or more", lambda: termsift.Keyness(["a b c"] * 5, SPORT)),
            ("reference: nothing to count", lambda: termsift.Keyness(SPACE, ["", ""])),
            ('unknown measure of keyness "lll"; did you mean ll', lambda: termsift.Keyness(SPACE, SPORT, "lll")),
            ('option "by" must be a text', lambda: termsift.Keyness(SPACE, SPORT, 3)),
            ('unknown option "min-freqs"; did you mean min-freq', lambda: termsift.Keyness(SPACE, SPORT, min_freqs=2)),
            ('option "top" must be a whole number above 0, or "all", not 0', lambda: termsift.Keyness(SPACE, SPORT, top=0)),
            ('option "max-p" must be above 0 and at most 1, not 2', lambda: termsift.Keyness(SPACE, SPORT, max_p=2)),
            ('unknown correction "bonferroni"', lambda: termsift.Keyness(SPACE, SPORT, correct="bonferroni")),
            ('target: unknown stemmer "portr"', lambda: termsift.Keyness(SPACE, SPORT, stem="portr")),
            ("stem says how texts are analysed, and target and reference are counted already", lambda: termsift.Keyness(counted, counted, stem="porter")),
            ('unknown measure of keyness "log_ratio"; did you mean logratio', lambda: termsift.Keyness(SPACE, SPORT, "log_ratio")),
            ('unknown measure of keyness "simple maths"; did you mean simplemaths', lambda: termsift.Keyness(SPACE, SPORT, "simple maths")),
            ('unknown measure of keyness "zetta"; did you mean zeta', lambda: termsift.Keyness(SPACE, SPORT, also=["zetta"])),
            ('option "conf" must be above 0 and below 1, not 1', lambda: termsift.Keyness(SPACE, SPORT, "lrc", conf=1)),
            ('option "smooth" must be a number above 0, not 0', lambda: termsift.Keyness(SPACE, SPORT, "simplemaths", smooth=0)),
            ('unknown unit that measures count "words"', lambda: termsift.Keyness(SPACE, SPORT, count_by="words")),
            ("does not tell how many tokens its corpus has", lambda: termsift.Keyness(SPACE, termsift.FrequencyList({"a": 1}))),
            ("more than the total of 3 tokens", lambda: termsift.Keyness(SPACE, termsift.FrequencyList({"a": 4}, 3))),
            ("'a': a whole number is needed, not 1.5", lambda: termsift.FrequencyList({"a": 1.5}, 3)),
            ("'a': a number cannot be negative: -1", lambda: termsift.FrequencyList({"a": -1}, 3)),
            ("'a': a pair of occurrences and documents", lambda: termsift.FrequencyList({"a": (1, 1, 1)}, 3)),
            ("a term of a frequency list must be a str, not 1", lambda: termsift.FrequencyList({1: 1}, 3)),
            ("total: a whole number is needed, not nan", lambda: termsift.FrequencyList({"a": 1}, float("nan"))),
            ("total: a whole number is needed, not inf", lambda: termsift.FrequencyList({"a": 1}, float("inf"))),
            ("counts must be the path of a frequency list or a mapping", lambda: termsift.FrequencyList([("a", 1)], 3)),
            ("zeta counts the documents with each term", lambda: termsift.Keyness(SPACE, termsift.FrequencyList({"a": 1}, 3), "zeta")),
            ("wilcoxon looks at every document", lambda: termsift.Keyness(SPACE, termsift.FrequencyList({"a": 1}, 3), "wilcoxon")),
            ("target: a FrequencyList is a reference", lambda: termsift.Keyness(termsift.FrequencyList({"a": 1}, 3), SPACE)),
            ("are those of a frequency list", lambda: termsift.Keyness(SPACE, SPORT, reference_total=3)),
            ("n_jobs must not be 0", lambda: termsift.Keyness(SPACE, SPORT, n_jobs=0)),
            ("stem", lambda: termsift.Keyness(SPACE, counted, stem="porter")),
            ("is neither an index nor statistics", lambda: termsift.Keyness(__file__, SPORT)),
        ])
        with self.assertRaisesRegex(OSError, "no such file"):
            termsift.Keyness(SPACE, "no such file.idx")
        with self.assertRaisesRegex(termsift.NothingFoundError, "both corpora use each"):
            termsift.Keyness(counted, counted, max_p=1)
        with self.assertRaisesRegex(termsift.NothingFoundError, "none of the 9 terms tested has a p-value of 0.05 or less.*; max-p 1 and min-freq 1 leave no term out"):
            termsift.Keyness(counted, counted)
        with self.assertRaisesRegex(termsift.NothingFoundError, 'unknown term "matc"; did you mean match'):
            termsift.Keyness(SPACE, SPORT, terms="matc")


class TestDocuments(unittest.TestCase):
    """Measures of the share that a term has of each document, and draws of documents."""

    A, B = ["x x y", "x z"], ["y z", "y y z"]

    def test_scipy(self):
        """The rank sum of shares and Welch's t are scipy's; statistics have no documents."""
        stats = __import__("scipy.stats").stats
        space = ["the probe left orbit orbit", "an orbit of the moon", "the moon and its orbit", "a probe"]
        food = ["bake the bread", "bread and a little salt", "the salt of the moon"]
        shares = [[text.split().count("orbit") / len(text.split()) for text in side] for side in (space, food)]
        k = termsift.Keyness(space, food, by="wilcoxon", also=["welch"], terms=["orbit"], correct="none", tokens="letters")
        test = stats.mannwhitneyu(*shares, method="asymptotic")
        np.testing.assert_allclose(10 ** k.columns_["log10p"], [test.pvalue], rtol=1e-10)
        np.testing.assert_allclose(k.columns_["psup"], [test.statistic / 12], rtol=1e-12)
        np.testing.assert_allclose(k.columns_["welch"], [stats.ttest_ind(*shares, equal_var=False).statistic], rtol=1e-12)
        with self.assertRaisesRegex(ValueError, "wilcoxon looks at every document, and the target is counts without documents"):
            termsift.Keyness(termsift.Statistics.of(space, ["x"] * len(space)), food, by="wilcoxon")

    def test_permutations(self):
        """All divisions of few documents are taken once, and the seed chooses those of many."""
        with self.assertWarnsRegex(UserWarning, "only 6 divisions into 2 and 2"):
            k = termsift.Keyness(self.A, self.B, permutations=100, min_freq=1, terms=["x"], correct="none", tokens="letters")
        np.testing.assert_allclose(k.pvalues_, [2 / 6], rtol=1e-12)
        one, same = (termsift.Keyness(self.A * 5, self.B * 5, permutations=50, maxt=True, seed=1, tokens="letters").pvalues_ for _ in range(2))
        np.testing.assert_array_equal(one, same)
        with self.assertRaisesRegex(ValueError, "largest value of each permutation"):
            termsift.Keyness(self.A, self.B, maxt=True, tokens="letters")

    def test_segments(self):
        """Segments are documents, and texts that are shorter have none."""
        with self.assertWarnsRegex(UserWarning, "1 texts have less than 3 tokens"):
            k = termsift.Keyness(self.A, self.B, by="zeta", segments=3, terms=["x"], tokens="letters")
        np.testing.assert_allclose(k.values_, [1.0])
        with self.assertRaisesRegex(ValueError, "none of the 2 documents has 9 tokens"):
            termsift.Keyness(self.A, self.B, by="zeta", segments=9, tokens="letters")
