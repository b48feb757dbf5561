"""Measures termsift.sklearn's vectorizers beside scikit-learn's in one process, in turn, and compares the matrices.

    TERMSIFT_DATA=... TERMSIFT_LIBRARY=... python3 vectorizers.py [-count 8] [-only REGEX] [-o FILE]

The output is that of bench.py. PyCount, PyTfidf and PyPairs fit the training part of 20 Newsgroups, a list of str; PyCount
has the dict vocabulary_ at the end, which the others of ours make when it is looked at. PyTransform is TfidfVectorizer's
transform of the test part; PyChar takes char_wb of (3, 5) on a quarter; PyOne transforms one text of 2 kB over 10,000
terms, many times a run.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tarfile
from pathlib import Path

from bench import header, measure, newsgroups  # sets threads and paths, too

import numpy as np  # isort: skip
from sklearn.feature_extraction import text as theirs  # isort: skip

import termsift.sklearn as ours  # isort: skip

ROWS = ("PyCount", "PyTfidf", "PyTransform", "PyPairs", "PyChar", "PyOne")
ONES = 200  # transforms of one text in a run


def test_part():
    """Return the texts of the test part of 20 Newsgroups."""
    with tarfile.open(Path(os.environ["TERMSIFT_DATA"], "20news-bydate.tar.gz")) as archive:
        return [archive.extractfile(m).read().decode("latin-1") for m in archive if m.isfile() and "test" in m.name.split("/")[-3]]


def check(make, run):
    """Fail unless both matrices, and what was learned, are the same to the order of the elements."""
    vectorizers = make(theirs), make(ours)
    a, b = (run(v) for v in vectorizers)
    assert a.shape == b.shape and a.dtype == b.dtype
    assert all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("indptr", "indices", "data")), "matrices"
    names = [list(v.vocabulary_.items()) for v in vectorizers]
    assert names[0] == names[1], "vocabularies"
    assert vectorizers[1].path_ == "termsift", vectorizers[1].path_


def jobs_of_fits(row, texts, kind, parameters, threads):
    """Yield (name, function) of fit_transform, after a comparison."""
    check(lambda module: getattr(module, kind)(**parameters), lambda v: v.fit_transform(texts))
    def fit(vectorizer):
        X = vectorizer.fit_transform(texts)
        return X, vectorizer.vocabulary_ if row == "PyCount" else vectorizer

    yield f"{row}/impl=sklearn/threads=1", lambda: fit(getattr(theirs, kind)(**parameters))
    for n in threads:
        yield f"{row}/impl=termsift/threads={n}", lambda n=n: fit(getattr(ours, kind)(n_jobs=n, **parameters))


def jobs_of_transforms(row, texts, others, kind, parameters, times):
    """Yield (name, function) of transform, by vectorizers that are fitted before."""
    check(lambda module: getattr(module, kind)(**parameters), lambda v: v.fit(texts).transform(others))
    for name, module in (("sklearn", theirs), ("termsift", ours)):
        fitted = getattr(module, kind)(**parameters).fit(texts)
        yield f"{row}/impl={name}/threads=1", lambda v=fitted: [v.transform(others) for _ in range(times)]


def jobs(row, texts):
    if row == "PyTransform":
        return jobs_of_transforms(row, texts, test_part(), "TfidfVectorizer", {}, 1)
    if row == "PyOne":
        one = next(t for t in texts if 1950 < len(t) < 2050)
        return jobs_of_transforms(row, texts, [one], "CountVectorizer", {"max_features": 10_000}, ONES)
    if row == "PyChar":
        return jobs_of_fits(row, texts[: len(texts) // 4], "CountVectorizer", {"analyzer": "char_wb", "ngram_range": (3, 5)}, (1, 2))
    kind = "TfidfVectorizer" if row == "PyTfidf" else "CountVectorizer"
    parameters = {"ngram_range": (1, 2)} if row == "PyPairs" else {}
    return jobs_of_fits(row, texts, kind, parameters, (1, 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-count", type=int, default=8, help="runs of each job")
    parser.add_argument("-only", default="", help=f"the rows whose names match: {' '.join(ROWS)}")
    parser.add_argument("-o", help="the file for the results, else they are printed")
    options = parser.parse_args()
    out = open(options.o, "w") if options.o else sys.stdout
    header(out, [f"-count {options.count}", *([f"-only '{options.only}'"] if options.only else [])], "vectorizers.py")
    texts, _ = newsgroups()
    for row in ROWS:
        if re.search(options.only, row):
            measure(jobs(row, texts), "20ng", options.count, out)


if __name__ == "__main__":
    main()
