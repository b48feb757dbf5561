"""What can be used where scikit-learn is not installed, and what is said where something lacks."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

WITHOUT = """
import sys
sys.modules["sklearn"] = None  # as if it were not installed
import termsift
texts, labels = ["to orbit", "to the orbit", "to bake bread", "bread"], ["space", "space", "food", "food"]
print(termsift.score([[1, 0], [0, 1]], [0, 1]).tolist())
features = termsift.Statistics.of(texts, labels).select("chi", 2)
print(features.terms.tolist(), features.transform(["orbit"]).toarray().tolist())
print(termsift.Keyness(texts[:2], texts[2:], top=1, max_p=1, min_freq=1).terms_.tolist())
"""

MISSING = """
for name in ["TermSelector", "TermVectorizer"]:
    try:
        getattr(termsift, name)
    except ImportError as e:
        print(e)
"""

OUTPUT = """[2.0, 2.0]
['bread', 'orbit'] [[0.0, 1.0]]
['orbit', 'bread']
"""


def run(program):
    return subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60)


class Imports(unittest.TestCase):
    def test_without_scikit_learn(self):
        out = run(WITHOUT + MISSING)
        said = [f"{name} needs scikit-learn, which is not installed: pip install 'termsift[sklearn]'\n" for name in ["TermSelector", "TermVectorizer"]]
        self.assertEqual((out.stdout, out.stderr), (OUTPUT + "".join(said), ""))
        for line, what in [("import termsift.sklearn", "termsift.sklearn"), ("import termsift; termsift.patch_sklearn()", "the patch")]:
            out = run(f"import sys; sys.modules['sklearn'] = None\n{line}")
            self.assertTrue(out.stderr.endswith(f"\nImportError: {what} needs scikit-learn, which is not installed: pip install 'termsift[sklearn]'\n"), out.stderr)

    def test_library_of_another_system(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "libtermsift.so.1")
            for data in [None, b"", b"MZ" + bytes(4096)]:
                if data is not None:
                    path.write_bytes(data)
                with self.subTest(data=data and data[:2]), mock.patch.dict(os.environ, TERMSIFT_LIBRARY=str(path)):
                    out = run("import termsift; termsift.measures()")
                    self.assertRegex(out.stderr, r"\nImportError: the library of termsift cannot be loaded: .*libtermsift.*; install the wheel for this system, or set .*\n$")

    def test_scikit_learn_is_imported_with_the_first_estimator(self):
        out = run("import sys, termsift; print('sklearn' in sys.modules); termsift.TermSelector; print('sklearn' in sys.modules)")
        self.assertEqual((out.stdout, out.stderr), ("False\nTrue\n", ""))

    def test_without_pyspark(self):
        out = run("import sys; sys.modules['pyspark'] = None; import termsift.spark")
        self.assertRegex(out.stderr, r"ImportError: termsift\.spark needs PySpark 4\.1 or later \(.*\): pip install 'termsift\[spark\]'\n$")

    def test_names(self):
        import termsift

        self.assertLessEqual(set(termsift.__all__), set(dir(termsift)))
        for name in termsift.__all__:
            self.assertIsNotNone(getattr(termsift, name))
        with self.assertRaisesRegex(AttributeError, "has no attribute 'TermSelektor'"):
            termsift.TermSelektor
        with self.assertRaisesRegex(AttributeError, "keyness_page went in 0.2.0: Keyness"):
            termsift.keyness_page
