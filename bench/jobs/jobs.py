"""A job of the package for Python: jobs.py count|tfidf|score ... prints the CPU time of a run.

The data are loaded first, and a run before the others is not counted. It fails if the answer is wrong.
"""

import json
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402
import termsift  # noqa: E402

RUNS = 3


def texts_of(path):
    with open(path, encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    return [d["text"] for d in documents], [d["labels"][0] for d in documents]


def generated(path, documents=300_000, terms=300_000, drawn=124):
    """Return a matrix of about 36 million counts, terms by Zipf's law, and labels. The file keeps it."""
    if os.path.exists(path + ".npz"):
        X = sp.load_npz(path + ".npz")
    else:
        random = np.random.default_rng(2)
        edge = np.cumsum(1 / (np.arange(terms) + 20.0))
        names = random.permutation(terms).astype(np.int32)
        parts = []
        for _ in range(0, documents, 10_000):
            rank = np.searchsorted(edge, random.random(10_000 * drawn) * edge[-1])
            row = np.repeat(np.arange(10_000), drawn)
            parts.append(sp.coo_matrix((np.ones(len(rank), np.int64), (row, names[rank])), (10_000, terms)).tocsr())
        X = sp.vstack(parts, format="csr")
        X.sort_indices()
        sp.save_npz(path + ".npz", X, compressed=False)
    return X, np.random.default_rng(3).integers(0, 50, X.shape[0])


def counts(X, y, weights):
    """Return the documents of the classes, and per class and term the sums of what each element weighs."""
    classes, y = np.unique(y, return_inverse=True)
    member = sp.csr_matrix((np.ones(len(y)), (y, np.arange(len(y)))), (len(classes), len(y)))
    W = sp.csr_matrix((weights, X.indices, X.indptr), X.shape)
    return np.bincount(y).astype(float)[:, None], (member @ W).toarray()


def reference(by, X, y):
    """Return the values of all columns, by numpy."""
    n = float(X.shape[0])
    with np.errstate(all="ignore"):
        if by == "anova":
            sizes, sums = counts(X, y, X.data.astype(float))
            squares = np.bincount(X.indices, X.data.astype(float) ** 2, X.shape[1])
            between, all_ = (sums**2 / sizes).sum(0), sums.sum(0)
            return (between - all_**2 / n) / (len(sizes) - 1) / ((squares - between) / (n - len(sizes)))
        sizes, a = counts(X, y, np.ones(X.nnz))
        df = a.sum(0)
        if by == "chi":
            return (n * (n * a - df * sizes) ** 2 / (sizes * (n - sizes) * df * (n - df))).max(0)
        gain = np.zeros(X.shape[1])
        for cell, of in ((a, df), (sizes - a, n - df)):
            gain += np.nan_to_num(cell * np.log(cell * n / (sizes * of))).sum(0)
        return gain / n


def job(kind, *words):
    """Return a function to run, and one that fails if its result is wrong."""
    if kind in ("count", "tfidf"):
        from termsift.sklearn import CountVectorizer, TfidfVectorizer

        texts, _ = texts_of(words[0])
        make = CountVectorizer if kind == "count" else TfidfVectorizer

        def check(X):
            assert X.shape == (11_314, 130_107) and X.nnz == 1_787_565, (X.shape, X.nnz)
            if kind == "tfidf":
                np.testing.assert_allclose(X.multiply(X).sum(1), 1, rtol=1e-9)

        return lambda: make().fit_transform(texts), check
    by, path = words
    if path.endswith(".jsonl"):
        from termsift.sklearn import CountVectorizer

        texts, y = texts_of(path)
        X = CountVectorizer().fit_transform(texts)
    else:
        X, y = generated(path)

    def check(values):
        want = reference(by, X[:, :1000], y) if X.nnz > 10_000_000 else reference(by, X, y)
        fine = np.isfinite(want)
        np.testing.assert_allclose(values[: len(want)][fine], want[fine], rtol=1e-6, atol=1e-9)

    return lambda: termsift.score(X, y, by=by), check


run, check = job(*sys.argv[1:])
check(run())
took = []
for _ in range(RUNS):
    before = time.process_time_ns()
    run()
    took.append(time.process_time_ns() - before)
print("cpu-ns", sorted(took)[RUNS // 2])
