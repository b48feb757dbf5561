"""A job of the package for Python: jobs.py count|tfidf|score ... prints the CPU time of a run.

The data are loaded first, and a run before the others is not counted. It fails if the answer is wrong.
"""

import json
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "peers"))
import peers  # noqa: E402 (before numpy, which it gives one thread)

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


def reference(by, X, y):
    """Return the values of all columns, by numpy."""
    d = peers.Tables(X, np.unique(y, return_inverse=True)[1])
    with np.errstate(all="ignore"):
        if by != "chi":
            return {"anova": peers.f_of_numpy, "ig": peers.gain_of_numpy}[by](d)
        a = (d.member @ d.present).toarray()
        df = a.sum(0)
        return (d.n * (d.n * a - df * d.sizes) ** 2 / (d.sizes * (d.n - d.sizes) * df * (d.n - df))).max(0)


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
