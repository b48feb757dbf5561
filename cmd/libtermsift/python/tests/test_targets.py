"""Targets: numbers of documents in place of classes."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from common import needs

import termsift
from termsift import Statistics

TEXTS = ["good product", "a product", "bad bad product", "good and bad"]


def counts(y: Any) -> dict[str, int]:
    """Return the documents of each number."""
    statistics = Statistics.of(TEXTS, y, target="stars")
    return dict(zip(statistics.classes.tolist(), statistics.class_documents.tolist()))


class Targets(unittest.TestCase):
    def test_numbers_have_one_form(self) -> None:
        for y in (
            [5, 3, 1, 3],
            [5.0, 3.0, 1.0, 3.0],
            np.array([5, 3, 1, 3], dtype=np.float32),
            np.array([[5], [3], [1], [3]]),
            ["5", "+3", " 1.0", "3e0"],
            [Decimal("5.0"), 3, 1.0, "3.00"],
        ):
            with self.subTest(y=y):
                self.assertEqual(counts(y), {"1": 1, "3": 2, "5": 1})
        self.assertEqual(counts(np.array([4.1, -0.0, 0, 1e21], dtype=np.float32)), {"4.1": 1, "0": 2, "1e+21": 1})

    @needs("pyarrow")
    def test_columns(self) -> None:
        import pandas as pd
        import pyarrow as pa

        for y in (pd.Series([5, 3, 1, 3]), pd.Series([5, 3, 1, 3], dtype="Int64"), pa.array([5, 3, 1, 3]), pa.chunked_array([[5.0, 3.0], [1.0, 3.0]])):
            self.assertEqual(counts(y), {"1": 1, "3": 2, "5": 1})
        for y in (pd.Series([5, None, 1, 3]), pd.Series([5, None, 1, 3], dtype="Int64"), pa.array([5, None, 1, 3])):
            with self.assertWarnsRegex(UserWarning, '1 documents without a number for the target "stars" were left out'):
                self.assertEqual(counts(y), {"1": 1, "3": 1, "5": 1})

    def test_texts_without_a_number_are_left_out(self) -> None:
        for y in ([5, None, 1, 3], [5, np.nan, 1, 3], ["5", "", "1", "3"], [5, float("nan"), "1", "3"], np.ma.masked_array([5, 3, 1, 3], [0, 1, 0, 0])):
            with self.subTest(y=y), self.assertWarnsRegex(UserWarning, "1 documents without a number"):
                statistics = Statistics.of(TEXTS, y, target="stars")
            self.assertEqual(statistics.documents, 3)
            self.assertNotIn("a", statistics.terms)

    def test_what_is_no_number(self) -> None:
        for y, error in (
            ([5, 3, 1, "five"], 'the target of document 3 is "five": not a decimal number'),
            ([5, 3, 1, "1,234"], 'document 3 is "1,234"'),
            ([5, 3, 1, float("inf")], 'document 3 is "inf": beyond the range of a float64'),
            (np.array([5, 3, 1, -np.inf]), r"y\[3\] is -inf: a target is a finite number"),
            ([5, 3, 1, "1e999"], "beyond the range of a float64"),
            ([5, 3, 1, True], r"y\[3\] is True: a target is one number"),
            ([5, 3, 1, [3]], r"y\[3\] is \[3\]: a target is one number"),
            ([5, 3, 1, object()], "which is no number"),
            ([[1, 2], [3, 4], [5, 6], [7, 8]], r"y\[0\] is \[1, 2\]: a target is one number"),
            (np.ones((4, 2)), "one dimension"),
            (None, "a number of each document"),
            ("5313", "a number of each document"),
            ([None] * 4, 'none of the 4 documents has a number in y'),
            ([5, 3, 1], "there are 4 texts, and y has 3"),
        ):
            with self.subTest(y=y), self.assertRaisesRegex(ValueError, error):
                counts(y)

    def test_statistics_of_targets_add_up(self) -> None:
        a = Statistics.of(TEXTS[:2], [5, 3], target="stars", tokens="words")
        b = Statistics.of(TEXTS[2:], [1.0, "3"], target="stars", tokens="words")
        self.assertEqual((a + b).terms.tolist(), Statistics.of(TEXTS, [5, 3, 1, 3], target="stars", tokens="words").terms.tolist())
        self.assertEqual((a + b).classes.tolist(), ["1", "3", "5"])
        for other in (Statistics.of(TEXTS[2:], ["1", "3"], tokens="words"), Statistics.of(TEXTS[2:], [1, 3], target="votes", tokens="words")):
            with self.assertRaisesRegex(ValueError, 'the target of the first is "stars"') as raised:
                a + other
            self.assertNotIn("like=", str(raised.exception))

    def test_files_of_the_command_add_up_with_these(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            raw, file = Path(folder, "r.jsonl"), Path(folder, "r.stats")
            raw.write_text("".join(f'{{"text": "{text}", "stars": "{stars}"}}\n' for text, stars in zip(TEXTS, ["5.0", "3", "+1", "3"])))
            command = [os.environ["TERMSIFT_COMMAND"], "index", str(raw), "--target", "stars", "--stats-only", "--quiet", "-o", str(file)]
            subprocess.run(command, check=True)
            both = Statistics.load(file) + Statistics.of(TEXTS, [5, 3, 1, 3], target="stars")
            self.assertEqual(both.class_documents.tolist(), [2, 4, 2])

    def test_rank(self) -> None:
        X = np.array([[1, 0, 1], [0, 1, 1], [0, 2, 0], [1, 1, 0]])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            texts = termsift.rank(TEXTS, [5, 3, 1, 3], "df", combine=None, target="stars")
            matrix = termsift.rank(X, [5, 3, 1, 3], "df", combine=None, target="stars")
        self.assertEqual(texts["term"][0], "product")
        self.assertEqual(len(matrix), 3)
        with self.assertRaisesRegex(ValueError, r"y\[1\] is no number, and X is a matrix: leave the row out"):
            termsift.rank(X, [5, None, 1, 3], "df", target="stars")
