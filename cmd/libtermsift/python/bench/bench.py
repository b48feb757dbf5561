"""Measures termsift beside scikit-learn in one process, in turn, and checks the answers.

    TERMSIFT_DATA=... TERMSIFT_LIBRARY=... python3 bench.py [-count 8] [-only REGEX] [-documents N] [-o FILE]

The output is in the format of `go test -bench`, one line a run, with elapsed and CPU time;
bench/measure report makes tables of BENCHMARKS.md of it. The set 20ng is that of 20news-bydate.tar.gz,
the set large is generated.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is loaded

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import scipy  # noqa: E402
import scipy.sparse as sp  # noqa: E402
import sklearn  # noqa: E402
from sklearn.feature_extraction.text import CountVectorizer  # noqa: E402
from sklearn.feature_selection import SelectKBest, chi2, f_classif  # noqa: E402

import termsift  # noqa: E402

K = 10_000


def newsgroups():
    """Return the texts of the training part of 20 Newsgroups, in random order, and their labels as numbers."""
    texts, labels = [], []
    with tarfile.open(Path(os.environ["TERMSIFT_DATA"], "20news-bydate.tar.gz")) as archive:
        for member in archive:
            parts = member.name.split("/")
            if member.isfile() and "train" in parts[-3]:
                texts.append(archive.extractfile(member).read().decode("latin-1"))
                labels.append(parts[-2])
    order = np.random.default_rng(1).permutation(len(texts))
    return [texts[i] for i in order], np.unique(labels, return_inverse=True)[1][order]


def generated(documents=300_000, terms=300_000, classes=50, elements=62, seed=2):
    """Return a matrix of counts with Zipf's distribution of terms, about 36 million, and labels."""
    random = np.random.default_rng(seed)
    share = 1 / (np.arange(terms) + 20.0)
    edge = np.cumsum(share) / share.sum()
    name = random.permutation(terms).astype(np.int32)  # of a rank
    parts = []
    for first in range(0, documents, 10_000):
        n = min(10_000, documents - first)
        rank = np.searchsorted(edge, random.random(n * 2 * elements)).reshape(n, -1)
        row = np.repeat(np.arange(n, dtype=np.int64), rank.shape[1])
        part = sp.coo_matrix((np.ones(rank.size, dtype=np.int64), (row, name[rank.ravel()])), shape=(n, terms)).tocsr()
        parts.append(part)
    X = sp.vstack(parts, format="csr")
    X.sort_indices()
    return X, random.integers(0, classes, documents)


def contingency(X, y):
    """Return chi-square of the tables of documents, the largest of the classes, and df, by numpy."""
    n = X.shape[0]
    present = X.copy()
    present.data = np.ones_like(present.data)
    df = np.asarray(present.sum(axis=0), dtype=float).ravel()
    largest = np.zeros(X.shape[1])
    for c in np.unique(y):
        member = y == c
        a = np.asarray(present[member].sum(axis=0), dtype=float).ravel()
        size = float(member.sum())
        with np.errstate(all="ignore"):
            value = n * (n * a - df * size) ** 2 / (size * (n - size) * df * (n - df))
        largest = np.fmax(largest, np.nan_to_num(value))
    return largest, df


def check_scores(X, y):
    """Fail unless chi-square is that of numpy, and sklearn-chi2 that of scikit-learn."""
    want, df = contingency(X, y)
    got, counted = termsift.score(X, y, return_df=True)
    assert np.array_equal(df, counted), "document frequencies"
    np.testing.assert_allclose(np.nan_to_num(got), want, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.nan_to_num(termsift.score(X, y, by="sklearn-chi2")), np.nan_to_num(chi2(X, y)[0]), rtol=1e-9, atol=1e-12)


def check_statistics(X, y):
    """Fail unless F values and the sums of chi2 are those of scikit-learn and of scipy."""
    np.testing.assert_allclose(termsift.score(X, y, by="anova"), f_classif(X.astype(float), y)[0], rtol=1e-6)
    np.testing.assert_allclose(chi2_of_scipy(X, y), chi2(X, y)[0], rtol=1e-9)


def chi2_of_scipy(X, y):
    """Return the statistic of chi2, by the shortest way that scipy has."""
    observed = (sp.csr_matrix((np.ones(len(y)), y, np.arange(len(y) + 1))).T @ X).toarray()
    expected = np.outer(np.bincount(y) / len(y), observed.sum(axis=0))
    return ((observed - expected) ** 2 / expected).sum(axis=0)


def jobs_of_statistics(X, y):
    """Yield (name, function) of the jobs whose statistic is the same on all sides."""
    decimal = X.astype(float)  # the form that is fastest for scikit-learn and scipy
    yield "PyF/impl=sklearn/threads=1", lambda: f_classif(decimal, y)
    yield "PyF/impl=termsift/threads=1", lambda: termsift.score(X, y, by="anova", n_jobs=1)
    yield "PySums/impl=sklearn/threads=1", lambda: chi2(decimal, y)
    yield "PySums/impl=scipy/threads=1", lambda: chi2_of_scipy(decimal, y)
    yield "PySums/impl=termsift/threads=1", lambda: termsift.score(X, y, by="sklearn-chi2", n_jobs=1)


def jobs_of_matrix(row, X, y, threads):
    """Yield (name, function) of the jobs on a matrix."""
    decimal = X.astype(float)  # the form that is fastest for scikit-learn
    yield f"{row}/impl=sklearn/threads=1", lambda: SelectKBest(chi2, k=K).fit(decimal, y)
    for n in threads:
        if row == "PyFit":
            yield f"{row}/impl=termsift/threads={n}", lambda n=n: termsift.TermSelector(k=K, n_jobs=n).fit(X, y)
        else:
            yield f"{row}/impl=termsift/threads={n}", lambda n=n: termsift.score(X, y, n_jobs=n)


def select_from_texts(texts, y):
    X = CountVectorizer().fit_transform(texts)
    return SelectKBest(chi2, k=K).fit(X, y).transform(X)


def jobs_of_texts(texts, y):
    yield "PyText/impl=sklearn/threads=1", lambda: select_from_texts(texts, y)
    for n in (1, 2):
        yield f"PyText/impl=termsift/threads={n}", lambda n=n: termsift.TermVectorizer(k=K, n_jobs=n).fit_transform(texts, y)


def check_texts(texts, X, y):
    """Fail unless the vectorizer gives the columns of CountVectorizer for its terms."""
    vectorizer = CountVectorizer().fit(texts)
    v = termsift.TermVectorizer(k=K)
    rows = v.fit_transform(texts, y)
    columns = [vectorizer.vocabulary_[term] for term in v.terms_]
    assert abs(X[:, columns] - rows).max() == 0, "rows"


def measure(jobs, set_name, count, out):
    """Run the jobs in turn, and print a line for each run."""
    jobs = list(jobs)
    for _, job in jobs:
        job()
    for turn in range(count):
        for name, job in jobs[turn % len(jobs):] + jobs[: turn % len(jobs)]:
            cpu, elapsed = time.process_time(), time.perf_counter()
            job()
            cpu, elapsed = time.process_time() - cpu, time.perf_counter() - elapsed
            report(out, f"{name}/set={set_name}", elapsed * 1e9, {"cpu-ns/op": cpu * 1e9})


def report(out, name, ns, more=()):
    extra = "".join(f"\t{value:12.0f} {unit}" for unit, value in dict(more).items())
    print(f"Benchmark{name}\t       1\t{ns:12.0f} ns/op{extra}", file=out, flush=True)


CALLS = """
import ctypes, sys, time
sys.path.insert(0, sys.argv[1])
begin = time.perf_counter()
from termsift import _library as lib
loading = time.perf_counter()
lib.library()
import numpy as np
values, best = np.empty(1), np.empty(1, dtype=np.int64)
lib.call("ts_best", values, None, 1, 0, best)
print(f"load {(time.perf_counter() - loading) * 1e9:.0f}")
f, v, b = lib.library().ts_best, values.ctypes.data, best.ctypes.data
free, score = lib.library().ts_free, lib.library().ts_score
from termsift._arrays import matrix_of
from termsift._labels import classes_of
matrix, labels = matrix_of(np.ones((2, 1))), classes_of([0, 1]).struct()
m, l = ctypes.byref(matrix), ctypes.byref(labels)
calls = {
    "long": lambda: f(v, None, 1, 0, b, None),
    "one-thread": lambda: score(m, l, b'{"threads": 1}', 0, v, None, None),
    "two-threads": lambda: score(m, l, b'{"threads": 2}', 0, v, None, None),
    "short": lambda: free(0),
}
for name, call in calls.items():
    for _ in range(2000):
        call()
    begin = time.perf_counter()
    for _ in range(20000):
        call()
    print(f"{name} {(time.perf_counter() - begin) / 20000 * 1e9:.0f}")
"""


def measure_interface(count, out):
    """Measure loading and empty calls, each in a process of its own, and the size of the library."""
    package = str(Path(__file__).resolve().parents[1])
    library = os.environ.get("TERMSIFT_LIBRARY") or str(Path(package, "termsift", "libtermsift.so.1"))
    for _ in range(count):
        text = subprocess.run([sys.executable, "-c", CALLS, package], check=True, capture_output=True, text=True).stdout
        for name, ns in (line.split() for line in text.splitlines()):
            report(out, f"PyInterface/what={name}", float(ns))
        report(out, "PyInterface/what=library", 0, {"bytes": os.path.getsize(library)})


def header(out, arguments, script="bench.py"):
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent).stdout.strip()
    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    for key, value in {
        "machine": f"{os.cpu_count()} processors", "load": f"{os.getloadavg()[1]:.1f}", "cpu": model.group(1) if model else platform.machine(),
        "commit": revision,
        "date": time.strftime("%Y-%m-%d"), "goos": platform.system().lower(), "pkg": "cmd/libtermsift/python/bench",
        "termsift": termsift.library_version(), "python": platform.python_version(), "sklearn": sklearn.__version__,
        "numpy": np.__version__, "scipy": scipy.__version__,
        "command": " ".join([f"python3 cmd/libtermsift/python/bench/{script}", *arguments]),
    }.items():
        print(f"{key}: {value}", file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-count", type=int, default=8, help="runs of each job")
    parser.add_argument("-only", default="", help="the rows whose names match: PyChi PyFit PyStatistics (PyF, PySums) PyText PyLarge PyInterface")
    parser.add_argument("-documents", type=int, default=300_000, help="documents of the generated set")
    parser.add_argument("-o", help="the file for the results, else they are printed")
    options = parser.parse_args()
    wanted = [row for row in ("PyChi", "PyFit", "PyStatistics", "PyText", "PyLarge", "PyInterface") if re.search(options.only, row)]
    out = open(options.o, "w") if options.o else sys.stdout
    arguments = [f"-count {options.count}", *([f"-only '{options.only}'"] if options.only else [])]
    header(out, arguments)
    if {"PyChi", "PyFit", "PyStatistics", "PyText"} & set(wanted):
        texts, y = newsgroups()
        X = CountVectorizer().fit_transform(texts)
        check_scores(X, y)
        for row in ("PyChi", "PyFit"):
            if row in wanted:
                measure(jobs_of_matrix(row, X, y, (1,)), "20ng", options.count, out)
        if "PyStatistics" in wanted:
            check_statistics(X, y)
            measure(jobs_of_statistics(X, y), "20ng", options.count, out)
        if "PyText" in wanted:
            check_texts(texts, X, y)
            measure(jobs_of_texts(texts, y), "20ng", options.count, out)
    if "PyLarge" in wanted:
        X, y = generated(options.documents)
        check_scores(X, y)
        print(f"large: {X.shape[0]} documents, {X.shape[1]} terms, {X.nnz} elements", file=out)
        measure(jobs_of_matrix("PyLarge", X, y, (1, 2)), "large", options.count, out)
    if "PyInterface" in wanted:
        measure_interface(options.count, out)


if __name__ == "__main__":
    main()
