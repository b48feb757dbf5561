"""Measures selection and a linear SVM on the five collections of the papers on text graphs; bench/PUBLISHED.md has the table.

    published.py CLONE [-only mr.clean,mr]     CLONE is a clone of github.com/yao8839836/text_gcn

The command is TERMSIFT_COMMAND or termsift on the path. Each collection is measured as those papers cleaned it, NAME.clean, and as
it was before, NAME. Measure, words or words and pairs, and the number of terms are chosen by five folds of the training part alone; only then
the test part is read, once. CPU time and the largest process are those of the whole search, on all threads.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import subprocess
import tempfile
from pathlib import Path

COMMAND = os.environ.get("TERMSIFT_COMMAND", "termsift")
NAMES = [name + ending for name in ("20ng", "R8", "R52", "ohsumed", "mr") for ending in (".clean", "")]


class Running:
    """Runs commands in a folder and counts what they take."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.seconds, self.megabytes = folder, 0.0, 0.0

    def __call__(self, *arguments: str) -> str:
        out, errors = self.folder / "out", self.folder / "errors"
        with open(out, "w") as o, open(errors, "w") as e:
            process = subprocess.Popen([COMMAND, *arguments], cwd=self.folder, stdout=o, stderr=e)
            _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"termsift {' '.join(arguments)}: {errors.read_text()}")
        self.seconds += used.ru_utime + used.ru_stime
        self.megabytes = max(self.megabytes, used.ru_maxrss / 1024)
        return out.read_text()


def write_parts(clone: Path, name: str, folder: Path) -> str:
    """Write train.jsonl and test.jsonl of a collection, and return the name that git has for its text."""
    text = (clone / f"data/corpus/{name}.txt").read_bytes()
    places = [line.split("\t") for line in (clone / f"data/{name.removesuffix('.clean')}.txt").read_text().splitlines()]
    for part in ("train", "test"):
        with open(folder / f"{part}.jsonl", "w") as file:
            for (document, of, label), line in zip(places, text.decode("latin-1").split("\n")):
                if part in of:
                    file.write(json.dumps({"id": document, "label": label, "text": line}) + "\n")
    return hashlib.sha1(b"blob %d\0%s" % (len(text), text)).hexdigest()[:7]


def choose(run: Running) -> tuple[float, str, str, int]:
    """Return the mean over the folds, measure, n-grams and number of terms that the training part chooses."""
    tried = []
    for ngrams in ("1", "1-2"):
        run("index", "train.jsonl", "--ngrams", ngrams, "-o", f"{ngrams}.idx")
        for by in ("chi", "ig"):
            chosen = run("select", "--by", by, "-k", "auto", "--classifier", "svm", f"{ngrams}.idx")
            stages = next(line for line in chosen.splitlines() if line.startswith("#stages "))
            stage = json.loads(stages.removeprefix("#stages "))[-1]
            mean = {point["k"]: point["mean"] for point in stage["trial"]["points"]}
            tried.append((mean.get(stage["terms"], mean[0]), by, ngrams, stage["terms"]))
    return max(tried, key=lambda t: t[0])


def measure(clone: Path, name: str) -> None:
    """Print a line with what a collection has and what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        run = Running(Path(folder))
        blob = write_parts(clone, name, run.folder)
        mean, by, ngrams, terms = choose(run)
        found = run("evaluate", "--train", f"{ngrams}.idx", "--test", "test.jsonl", "--by", by, "-k", f"{terms},all", "--format", "json")
        rows = json.loads(found)["rows"]
        print(name, blob, rows[0]["documents"], by, ngrams, terms,
              *(f"{100 * share:.2f}" for share in (mean, rows[0]["micro_f1"], rows[1]["micro_f1"])),
              f"{run.seconds:.0f}", f"{run.megabytes:.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("-only", default=",".join(NAMES), help="collections, separated by commas")
    flags = parser.parse_args()
    print(f"machine: {os.cpu_count()} processors, {platform.machine()}")
    print(f"version: {subprocess.run([COMMAND, '--version'], capture_output=True, text=True).stdout.strip()}")
    print("collection blob tested measure ngrams terms folds test all_terms cpu_seconds largest_MB")
    for name in flags.only.split(","):
        measure(flags.clone, name)


if __name__ == "__main__":
    main()
