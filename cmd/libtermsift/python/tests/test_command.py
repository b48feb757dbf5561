"""Lines of context, lists and pages, for which the command is run."""

import json
import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from common import Refusing, needs

import termsift
from termsift import _command

TEXTS = ["The probe left its orbit.\nAn orbit of the moon", "bake the bread\u2028with salt", "", 'the "Orbit"\\ of ä€𝄞', "salt in bread"]
LABELS = ["space", "food", "food", "space", "food"]
FOOD = ["bake the bread", "bread with salt", "a little salt"]


class Kwic(Refusing):
    def test_lines(self):
        found = termsift.kwic(TEXTS, "orbit", sort="none")
        self.assertEqual(found.columns, ("text", "left", "match", "right"))
        self.assertEqual([(row.text, row.match) for row in found], [(0, "orbit"), (0, "orbit"), (3, "Orbit")])
        self.assertIn("The probe left its ", found[0].left)
        self.assertIn(" of ä€𝄞", found[2].right)
        self.assertEqual(found["text"].dtype, np.int64)
        self.assertEqual(len(termsift.kwic(TEXTS, "orbit", top=2)), 2)
        self.assertEqual(len(termsift.kwic(TEXTS, "zebra")), 0)
        self.assertEqual(termsift.kwic(TEXTS, "zebra").columns, found.columns)

    def test_patterns(self):
        self.assertEqual([row.match for row in termsift.kwic(TEXTS, ["ORB?T", "its *"], sort="document")], ["its orbit", "orbit", "orbit", "Orbit"])
        self.assertEqual([row.match for row in termsift.kwic(TEXTS, "b*e* the", sort="document")], ["bake the"])
        self.assertEqual(termsift.kwic(TEXTS, "salt bread").shape, (0, 4))

    def test_samples(self):
        texts = [f"orbit {n}" for n in range(100)]
        drawn = [termsift.kwic(texts, "orbit", sample=9, seed=seed)["text"].tolist() for seed in (1, 1, 2)]
        self.assertEqual(len(drawn[0]), 9)
        self.assertEqual(drawn[0], drawn[1])
        self.assertNotEqual(drawn[0], drawn[2])
        self.assertEqual(drawn[0], termsift.kwic(texts, "orbit", sample=9, n_jobs=3)["text"].tolist())
        self.assertEqual(len(termsift.kwic(texts, "orbit")), 50)
        self.assertEqual(termsift.kwic(texts, "orbit", all=True, sort="document")["text"].tolist(), list(range(100)))

    def test_labels_and_width(self):
        found = termsift.kwic(TEXTS, "bread", LABELS, width=3)
        self.assertEqual(sorted(zip(found["text"], found["class"])), [(1, "food"), (4, "food")])
        self.assertTrue(all(len(row.left) <= 3 and len(row.right) <= 3 for row in found))
        self.assertEqual({row.left + row.right for row in termsift.kwic(TEXTS, "bread", LABELS, width=0)}, {""})

    def test_all_columns_are_printed(self):
        texts = ["the first words of it and then " * 3 + "orbit" + " the last words behind it, and more" * 3]
        printed = repr(termsift.kwic(texts, "orbit", ["a class with a long name, longer than all"]))
        self.assertRegex(printed, r"it and then +orbit +the last words")
        self.assertTrue(all(len(line) <= 120 for line in printed.splitlines()), printed)
        self.assertNotIn("without", printed)

    def test_texts_are_columns_and_may_be_missing(self):
        for texts in [pd.Series(TEXTS), iter(TEXTS), [*TEXTS[:2], None, *TEXTS[3:]], np.array(TEXTS, dtype=object)]:
            self.assertEqual(list(termsift.kwic(texts, "bread", missing="empty")["text"]), list(termsift.kwic(TEXTS, "bread")["text"]))

    def test_evidence(self):
        texts = ["an orbit", "orbit to orbit", "bread", "the orbit of it"]
        found = termsift.evidence(texts, "orbit", ["a", "b", "b", "a"])
        self.assertEqual(found.columns, ("text", "class", "tf", "tokens"))
        self.assertEqual([tuple(row) for row in found], [(1, "b", 2, 3), (0, "a", 1, 2), (3, "a", 1, 4)])
        self.assertEqual(termsift.evidence(texts, "orbit", top=1)["text"].tolist(), [1])
        self.assertEqual(termsift.evidence(["orbits of an orbit"], "orbit", stem="porter")["tf"].tolist(), [2])
        self.assertEqual(termsift.evidence(texts, "zebra").columns, ("text", "tf", "tokens"))
        with self.assertRaisesRegex(ValueError, "top must be a number of texts above 0"):
            termsift.evidence(texts, "orbit", top=0)

    def test_analysis(self):
        self.assertEqual(list(termsift.kwic(["salted bread", "salting"], "salt", stem="porter2", sort="none")["match"]), ["salted", "salting"])
        self.assertEqual(termsift.kwic(["a salt mine", "salt"], "salt mine", ngrams=(1, 2))[0].match, "salt mine")
        self.assertEqual(len(termsift.kwic(["--help me"], "help")), 1)

    def test_refused(self):
        self.refused([
            ("width must be a number of characters", ValueError, lambda: termsift.kwic(TEXTS, "orbit", width=-1)),
            ("width must be a number of characters", ValueError, lambda: termsift.kwic(TEXTS, "orbit", width="40")),
            ('unknown order of lines "middle"', ValueError, lambda: termsift.kwic(TEXTS, "orbit", sort="middle")),
            ("top must be a number of lines above 0", ValueError, lambda: termsift.kwic(TEXTS, "orbit", top=0)),
            ("sample must be a number of lines above 0", ValueError, lambda: termsift.kwic(TEXTS, "orbit", sample="9")),
            ("--seed", ValueError, lambda: termsift.kwic(TEXTS, "orbit", seed=-1)),
            ("pattern must be a text, or a list of texts", ValueError, lambda: termsift.kwic(TEXTS, [])),
            ("pattern must be a text, or a list of texts", ValueError, lambda: termsift.kwic(TEXTS, ["orbit", 3])),
            ("matches every word", ValueError, lambda: termsift.kwic(TEXTS, ["orbit", "*"])),
            ("has no token as words are", ValueError, lambda: termsift.kwic(TEXTS, "")),
            ('"b" is no token as words are', ValueError, lambda: termsift.kwic(TEXTS, "hepatitis b")),
            ("unknown flag: --stm", ValueError, lambda: termsift.kwic(TEXTS, "orbit", stm="porter")),
            ("stop must be a text or a number here", ValueError, lambda: termsift.kwic(TEXTS, "orbit", stop=["a"])),
            ("there are 5 texts, and y has 4", ValueError, lambda: termsift.kwic(TEXTS, "orbit", LABELS[1:])),
            ("labels must be one for each text", ValueError, lambda: termsift.kwic(["a", "b"], "a", [["x"], []])),
            ("this is a single one", ValueError, lambda: termsift.kwic("orbit", "orbit")),
            ("text 1 is not a str", ValueError, lambda: termsift.kwic(["orbit", None], "orbit")),
            ("there are no texts", ValueError, lambda: termsift.kwic([], "orbit")),
            ("output is a flag of the command that has no use here", ValueError, lambda: termsift.kwic(TEXTS, "orbit", output="lines.json")),
        ])


class Explore(Refusing):
    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "terms.html")
            page = termsift.explore_page(TEXTS, labels=LABELS)
            self.assertIsNone(termsift.explore_page(TEXTS, path=path, labels=LABELS))
            self.assertTrue(path.read_text(encoding="utf-8").lower().startswith("<!doctype html>"))
            index = Path(folder, "food.stats")
            termsift.Statistics.of(FOOD, ["food"] * 3).save(index)
            for target, reference in [(FOOD, None), (FOOD, TEXTS), (index, None), (termsift.Statistics.of(TEXTS, LABELS), None)]:
                self.assertTrue(termsift.explore_page(target, reference).lower().startswith("<!doctype html>"))
        self.assertLess(len(termsift.explore_page(TEXTS, top=1)), len(page))

    def test_refused(self):
        self.refused([
            ("there are two: omit labels or reference", ValueError, lambda: termsift.explore_page(TEXTS, FOOD, labels=LABELS)),
            ("labels are the classes of texts, and the target is none", ValueError, lambda: termsift.explore_page("x.idx", labels=LABELS)),
            ("reference: text 0 is not a str", ValueError, lambda: termsift.explore_page(TEXTS, [1])),
            ("nowhere.idx", OSError, lambda: termsift.explore_page("nowhere.idx")),
            ("say path='terms.html' to write it", ValueError, lambda: termsift.explore_page(TEXTS, "terms.html", labels=LABELS)),
            ("say path='terms.HTM' to write it", ValueError, lambda: termsift.explore_page(TEXTS, Path("terms.HTM"))),
            ("output is a flag of the command", ValueError, lambda: termsift.explore_page(TEXTS, output="terms.html")),
            ("unknown flag: --tpo", ValueError, lambda: termsift.explore_page(TEXTS, tpo=3)),
        ])


class Lists(Refusing):
    def test_words(self):
        found = termsift.words(TEXTS, sort="term", min_freq=2)
        self.assertEqual(found.columns[:6], ("rank", "term", "tf", "per_million", "df", "share"))
        self.assertEqual([(row.term, row.tf, row.df) for row in found], [("bread", 2, 2), ("of", 2, 2), ("orbit", 3, 2), ("salt", 2, 2), ("the", 4, 3)])
        self.assertEqual(found["share"][0], 0.4)
        self.assertEqual((found["tf"].dtype, found["dp"].dtype), (np.int64, np.float64))
        self.assertEqual(len(termsift.words(TEXTS, top=3)), 3)
        with self.assertWarnsRegex(UserWarning, "terms are missing") as caught:
            self.assertEqual(termsift.words(["salt bread", "more bread"], min_df=1.0)["term"].tolist(), ["bread"])
        self.assertEqual(caught.filename, __file__)
        self.assertGreater(len(termsift.words(TEXTS, top=None)), 10)
        self.assertIn("tf:food", termsift.words(TEXTS, LABELS, by_class=True).columns)
        self.assertEqual(termsift.words(["inf"]).columns, found.columns)
        self.assertEqual(termsift.words(["inf"])["term"].tolist(), ["inf"])
        self.assertTrue(np.isnan(termsift.words(["one document"])["dp"]).all())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "food.stats")
            counted = termsift.Statistics.of(FOOD, ["food"] * 3)
            counted.save(path)
            self.assertEqual(termsift.words(path)["term"].tolist(), termsift.words(FOOD)["term"].tolist())
            self.assertEqual(termsift.words(counted)["term"].tolist(), termsift.words(FOOD)["term"].tolist())

    def test_collocations(self):
        texts = ["new york is new", "in new york", "york and new delhi", "a new moon", "new york"] * 2
        found = termsift.collocations(texts, min_freq=4, by="logdice")
        self.assertEqual([(row.term, row.tf, row.f1, row.f2) for row in found], [("new york", 6, 10, 6)])
        self.assertAlmostEqual(found["logdice"][0], 14 + np.log2(2 * 6 / (10 + 6)))
        lists = termsift.collocations(texts, ["a", "b"] * 5, min_freq=2, each_class=True, top=1)
        self.assertEqual(lists["class"].tolist(), ["a", "b"])
        self.assertEqual(len(termsift.collocations(texts, min_freq=1, ngrams="2-3", top=None)), len(termsift.collocations(texts, min_freq=1, ngrams=(2, 3), top=None)))

    def test_stability(self):
        found = termsift.stability(TEXTS * 4, LABELS * 4, 2, folds=4, top=3)
        self.assertEqual(found.columns, ("term", "selected", "share", "mean_rank", "rank", "df"))
        self.assertEqual((len(found), found["selected"][0], found["share"][0]), (2, 4, 1))
        with self.assertRaisesRegex(ValueError, "k must be a number of terms above 0"):
            termsift.stability(TEXTS, LABELS, 0)

    def test_refused(self):
        self.refused([
            ("top must be a number of rows above 0", ValueError, lambda: termsift.words(TEXTS, top=0)),
            ("labels are the classes of texts, and the target is none", ValueError, lambda: termsift.words("x.idx", LABELS)),
            ("there are 5 texts, and y has 4", ValueError, lambda: termsift.words(TEXTS, LABELS[1:])),
            ("none of the 13 terms has the least frequency, 9,", termsift.NothingFoundError, lambda: termsift.words(TEXTS, min_freq=9)),
            ("unknown flag: --min-frq", ValueError, lambda: termsift.words(TEXTS, min_frq=3)),
            ("nowhere.idx", OSError, lambda: termsift.words("nowhere.idx")),
            ("target: there are no texts", ValueError, lambda: termsift.words([])),
            ("format is a flag of the command", ValueError, lambda: termsift.words(TEXTS, format="tsv")),
            ("list is a flag of the command", ValueError, lambda: termsift.words(TEXTS, list=True)),
            ('unknown stop list "true"', ValueError, lambda: termsift.collocations(TEXTS, stop=True)),
            ('"lll"', ValueError, lambda: termsift.collocations(TEXTS, by="lll")),
            ("top must be a number of rows above 0", ValueError, lambda: termsift.collocations(TEXTS, top="all")),
        ])


class Command(unittest.TestCase):
    def test_where_it_is(self):
        self.assertEqual(_command.command(), os.environ.get("TERMSIFT_COMMAND", _command.command()))
        with mock.patch.dict(os.environ, {"PATH": ""}), mock.patch("sysconfig.get_path", return_value="/nowhere"), mock.patch("sys.executable", "/nowhere/python"):
            os.environ.pop("TERMSIFT_COMMAND", None)
            with self.assertRaisesRegex(FileNotFoundError, "set TERMSIFT_COMMAND to its path"):
                termsift.kwic(TEXTS, "orbit")

    @needs("openpyxl")
    def test_workbooks(self):
        import openpyxl

        counts = {"=1+2": 1, "plain": 2, "-x": 3, "_x0041_": 4}
        with tempfile.TemporaryDirectory() as folder:
            lines, book = Path(folder, "lines.jsonl"), Path(folder, "words.xlsx")
            lines.write_text("".join(json.dumps({"labels": [c], "counts": counts}) + "\n" for c in "ab"), encoding="utf-8")
            subprocess.run([_command.command(), "words", str(lines), "--all", "-o", str(book), "--quiet"], check=True)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                sheet = openpyxl.load_workbook(book).active
        head, *rows = sheet.iter_rows()
        names = [cell.value for cell in head]
        term, tf = names.index("term"), names.index("tf")
        self.assertTrue(all(cell.font.b for cell in head) and sheet.freeze_panes == "A2")
        self.assertEqual([(row[term].data_type, row[tf].data_type) for row in rows], [("s", "n")] * 4)
        self.assertEqual([row[tf].value for row in rows], [8, 6, 4, 2])
        self.assertEqual([row[term].value for row in rows], ["_x005F_x0041_", "-x", "plain", "=1+2"])  # Excel reads the first as _x0041_
