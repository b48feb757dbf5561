"""The notebooks run, show what they say, and are as they are stored. Those of a wheel's tests are not there."""

import json
import unittest
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def run(path):
    """Run a notebook, and return it."""
    for name in ("nbclient", "ipykernel", "matplotlib", "polars", "datasets"):
        pytest.importorskip(name)
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}).execute()
    return notebook


def texts_of(cell):
    """Return what a cell shows as text, without that of tables and pictures."""
    shown = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if output.get("name") != "stderr" and "image/png" not in data and "text/html" not in data:
            text = output.get("text") or data.get("text/plain")
            shown.append("".join(text))
    return shown


class Notebooks(unittest.TestCase):
    def check(self, path):
        self.assertLess(path.stat().st_size, 60_000)
        stored = json.loads(path.read_text(encoding="utf-8"))
        self.assertIn('"image/png"', path.read_text(encoding="utf-8"))
        for was, now in zip(stored["cells"], run(path)["cells"]):
            self.assertEqual(was.get("execution_count"), None)
            self.assertEqual(texts_of(was), texts_of(now), was["source"])
            self.assertEqual(len([o for o in now.get("outputs", []) if o["output_type"] == "display_data"]), len([o for o in was.get("outputs", []) if o["output_type"] == "display_data"]))


for _path in sorted(NOTEBOOKS.glob("*.ipynb")):
    setattr(Notebooks, f"test_{_path.stem}", lambda self, path=_path: self.check(path))
