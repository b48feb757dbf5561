"""The examples of the docstrings and of the pages give what they say, and README's types are right."""

import doctest
import importlib.util
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pytest

import termsift

README = Path(__file__).parent.parent / "README.md"
PAGES = {README: 20, README.parents[2] / "termsift" / "FAQ.md": 8}  # with the least number of examples
FENCE = re.compile("^```.*", flags=re.M)


def modules():
    names = [module.name for module in pkgutil.iter_modules(termsift.__path__)]
    if importlib.util.find_spec("pyspark") is None:
        names.remove("spark")
    return [importlib.import_module(f"termsift.{name}") for name in names]


class Examples(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for module in modules():
            with self.subTest(module=module.__name__):
                result = doctest.testmod(module)
                tried += result.attempted
                self.assertEqual(result.failed, 0)
        self.assertGreater(tried, 20)

    @unittest.skipUnless(README.exists(), "needs README")
    def test_pages(self):
        for path, least in PAGES.items():
            if path == README or path.exists():  # an sdist has no other page
                page = FENCE.sub("", path.read_text(encoding="utf-8"))  # a fence ends an example, as an empty line does
                result = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(page, {}, path.name, path.name, 0))
                self.assertEqual(result.failed, 0)
                self.assertGreater(result.attempted, least)


class Types(unittest.TestCase):
    """mypy --strict of the package, and of a program of README's examples."""

    def check(self, *arguments):
        pytest.importorskip("mypy")
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", cache, *arguments]
            out = subprocess.run(command, check=False, cwd=README.parent, capture_output=True, text=True)
        self.assertEqual(out.returncode, 0, out.stdout + out.stderr)

    def test_package(self):
        self.check("-p", "termsift")

    def test_readme(self):
        examples = doctest.DocTestParser().get_examples(FENCE.sub("", README.read_text(encoding="utf-8")))
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "readme.py")
            program.write_text("".join(e.source for e in examples), encoding="utf-8")
            self.check(str(program))


if __name__ == "__main__":
    unittest.main()
