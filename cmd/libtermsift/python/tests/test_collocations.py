"""Collocations by the command are those of NLTK, where both count the same."""

import collections
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from termsift import _command

try:
    from nltk.collocations import BigramCollocationFinder
    from nltk.metrics import BigramAssocMeasures, TrigramAssocMeasures
except ImportError:
    BigramCollocationFinder = None

README = pathlib.Path(__file__).parent.parent / "README.md"


def documents():
    """Return the paragraphs of README.md, a text in English, as lists of words."""
    text = README.read_text(encoding="utf-8").lower()
    found = (re.findall(r"(?u)\b\w\w+\b", paragraph) for paragraph in text.split("\n\n"))
    return [words for words in found if words]


def collocations(docs, *arguments):
    """Return what the command prints of documents, by the n-grams."""
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "lines.txt")
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines(" ".join(words) + "\n" for words in docs)
        command = [_command.command(), "collocations", lines, "--min-freq", "1", "--all", "--format", "json", *arguments]
        rows = json.loads(subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout)["rows"]
    return {tuple(row["term"].split(" ")): row for row in rows}


@unittest.skipIf(BigramCollocationFinder is None, "needs nltk")
class TestNLTK(unittest.TestCase):
    def near(self, got, want, *what):
        self.assertTrue(math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-7), (what, got, want))

    def test_pairs(self):
        """Pairs with the frequencies of words have NLTK's counts and values."""
        docs = documents()
        finder, measures = BigramCollocationFinder.from_documents(docs), BigramAssocMeasures()
        rows = collocations(docs, "--marginals", "words")
        self.assertGreater(len(rows), 1000)
        self.assertEqual({pair: row["tf"] for pair, row in rows.items()}, dict(finder.ngram_fd))
        for of, key, same in (
            (measures.pmi, "pmi", lambda row: row["pmi"]),
            (measures.student_t, "t", lambda row: row["t"]),
            (measures.chi_sq, "chi2", lambda row: row["chi2"]),
            (measures.likelihood_ratio, "ll", lambda row: abs(row["ll"])),  # theirs has no sign
            (measures.dice, "dice", lambda row: row["dice"]),
            (measures.poisson_stirling, "ps", lambda row: row["tf"] * ((row["ps"] / row["tf"] + 1) / math.log(2) - 1)),  # theirs has log2
        ):
            for pair, value in finder.score_ngrams(of):
                if key in rows[pair]:  # a pair "a a" can have more occurrences than the table holds
                    self.near(same(rows[pair]), value, key, pair)

    def test_triples(self):
        """Triples have the values of NLTK's formulas, of the frequencies at their positions."""
        docs = documents()
        grams = collections.Counter(gram for words in docs for gram in zip(words, words[1:], words[2:]))
        positions = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
        sums = {at: collections.Counter() for at in positions}
        for gram, n in grams.items():
            for at in positions:
                sums[at][tuple(gram[i] for i in at)] += n
        total, measures = sum(grams.values()), TrigramAssocMeasures()
        rows = collocations(docs, "--ngrams", "3")
        self.assertEqual({gram: row["tf"] for gram, row in rows.items()}, dict(grams))
        for gram, row in rows.items():
            one, two, three, first, ends, last = (sums[at][tuple(gram[i] for i in at)] for at in positions)
            counts = (grams[gram], (first, ends, last), (one, two, three), total)
            self.near(row["pmi"], measures.pmi(*counts), "pmi", gram)
            self.near(row["t"], measures.student_t(*counts), "t", gram)
            self.near(abs(row["ll"]), measures.likelihood_ratio(*counts), "ll", gram)
