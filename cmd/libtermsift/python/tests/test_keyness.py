"""Tests of Keyness: its numbers are those that the command prints, by bits."""

import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import termsift

SPACE = ["the orbit of the moon", "an orbit and a launch", "café moon ☾", "", "the launch of the probe, the launch"] * 4
SPORT = ["a goal in the match", "the match and its goal", "moon over the match", "the café"] * 6
BY = ["ll", "g2", "chi", "z", "logratio", "diff", "ell", "or", "bic", "pmi"]


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


def write_lines(path, texts):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(text + "\n" for text in texts)


class OfCommand(unittest.TestCase):
    @unittest.skipUnless("TERMSIFT_COMMAND" in os.environ, "TERMSIFT_COMMAND is not set")
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
            check_files(f"{folder}/a.stats", f"{folder}/b.stats", BY)
            parts = [termsift.Statistics.load(f"{folder}/{name}.stats") for name in "ab"]
            check_printed(termsift.Keyness(*parts, drift=True), f"{folder}/a.stats", f"{folder}/b.stats", "--drift")

    @unittest.skipUnless("TERMSIFT_COMMAND" in os.environ, "TERMSIFT_COMMAND is not set")
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


class Keys(unittest.TestCase):
    def test_attributes(self):
        k = termsift.Keyness(SPACE, SPORT, "chi", top=3)
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
        everything = termsift.Keyness(SPACE, SPORT, "chi", top="all")
        self.assertEqual(repr(k), f"<termsift.Keyness by chi: {k.passed_['positive']} positive, {k.passed_['negative']} negative of {k.tested_} terms, 6 here>")
        self.assertEqual(len(everything), sum(k.passed_.values()))

    def test_swapped_sides_change_signs(self):
        a, b = (termsift.Keyness(*sides, "z", top="all") for sides in [(SPACE, SPORT), (SPORT, SPACE)])
        self.assertEqual(list(a.terms_[a.keys_ == "positive"]), list(b.terms_[b.keys_ == "negative"]))
        np.testing.assert_allclose(np.sort(a.values_), np.sort(-b.values_), rtol=1e-14)
        drift = termsift.Keyness(SPACE, SPORT, "z", top="all", drift=True)
        self.assertEqual(list(drift.passed_), ["new", "gone", "rising", "falling"])
        self.assertEqual(set(drift.terms_[drift.keys_ == "new"]), {"goal", "match", "in", "its", "over"})
        self.assertTrue((drift.tf_[drift.keys_ == "gone"] == 0).all())

    def test_bad_input(self):
        counted = termsift.Statistics.of(SPORT, ["x"] * len(SPORT))
        for text, call in [
            ("target: text 1 is not a str but int", lambda: termsift.Keyness(["x", 1], SPORT)),
            ("reference: text 0 is no Unicode text", lambda: termsift.Keyness(SPACE, ["\ud800"])),
            ("reference: texts must be a sequence", lambda: termsift.Keyness(SPACE, None)),
            ("target: there are 0 texts", lambda: termsift.Keyness([], SPORT)),
            ("reference: nothing to count", lambda: termsift.Keyness(SPACE, ["", ""])),
            ('unknown measure of keyness "lll"; did you mean ll', lambda: termsift.Keyness(SPACE, SPORT, "lll")),
            ('option "by" must be a text', lambda: termsift.Keyness(SPACE, SPORT, 3)),
            ('unknown option "min-freqs"; did you mean min-freq', lambda: termsift.Keyness(SPACE, SPORT, min_freqs=2)),
            ('option "top" must be a whole number above 0, or "all", not 0', lambda: termsift.Keyness(SPACE, SPORT, top=0)),
            ('option "max-p" must be above 0 and at most 1, not 2', lambda: termsift.Keyness(SPACE, SPORT, max_p=2)),
            ('unknown correction "bonferroni"', lambda: termsift.Keyness(SPACE, SPORT, correct="bonferroni")),
            ('target: unknown stemmer "portr"', lambda: termsift.Keyness(SPACE, SPORT, stem="portr")),
            ("stem says how texts are analysed, and target and reference are counted already", lambda: termsift.Keyness(counted, counted, stem="porter")),
            ("n_jobs must not be 0", lambda: termsift.Keyness(SPACE, SPORT, n_jobs=0)),
            ("stem", lambda: termsift.Keyness(SPACE, counted, stem="porter")),
            ("is neither an index nor statistics", lambda: termsift.Keyness(__file__, SPORT)),
        ]:
            with self.subTest(text=text), self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        with self.assertRaisesRegex(OSError, "no such file"):
            termsift.Keyness(SPACE, "no such file.idx")
        with self.assertRaisesRegex(termsift.NothingFoundError, "both corpora use each"):
            termsift.Keyness(counted, counted)
        with self.assertRaisesRegex(termsift.NothingFoundError, 'unknown term "matc"; did you mean match'):
            termsift.Keyness(SPACE, SPORT, terms="matc")


if __name__ == "__main__":
    unittest.main()
