"""Measures columns of Arrow beside the command, and ClassTfidf beside BERTopic's transformer.

    TERMSIFT_DATA=... TERMSIFT_LIBRARY=... TERMSIFT_COMMAND=... python3 columns.py [-count 8] [-only REGEX] [-megabytes N] [-o FILE]

The output is that of bench.py. PyArrow takes 20 Newsgroups' texts over and over until they have 400 MB: a column of
large_utf8 in one process, and the same texts as JSON lines for the command; the best 10,000 terms must be the same, and
the time is that of the CPU. PyCtfidf takes counts of 1,000 topics from the texts of a generated collection. BERTopic's
transformer is loaded from its file, because the package imports far more; where it is not installed, its steps are those
below.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import K, header, measure, newsgroups, report  # sets threads and paths, too

import numpy as np  # isort: skip
import scipy.sparse as sp  # isort: skip
from sklearn.preprocessing import normalize  # isort: skip

import termsift  # isort: skip


def large_column(texts, labels, megabytes):
    """Return the texts over and over as a column of large_utf8, and their labels."""
    import pyarrow as pa

    size = sum(len(text.encode()) for text in texts)
    times = max(1, round(megabytes * 1e6 / size))
    one = pa.array(texts, pa.large_string())
    return pa.concat_arrays([one] * times), pa.array(np.tile(labels, times))


def write_lines(path, texts, labels):
    """Write texts as JSON lines, and return the bytes of the text."""
    with open(path, "w") as out:
        for text, label in zip(texts.to_pylist(), labels.to_pylist()):
            out.write(json.dumps({"text": text, "label": str(label)}, ensure_ascii=False) + "\n")
    return path


def measure_arrow(megabytes, count, out):
    texts, labels = large_column(*newsgroups(), megabytes)
    with tempfile.TemporaryDirectory() as folder:
        lines = write_lines(Path(folder, "texts.jsonl"), texts, labels)
        for turn in range(count + 1):
            cpu, elapsed = time.process_time(), time.perf_counter()
            ours = termsift.TermVectorizer(k=K, n_jobs=1).fit(texts, labels).terms_
            cpu, elapsed = time.process_time() - cpu, time.perf_counter() - elapsed
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            found = best_of_command(lines)
            after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            assert list(ours) == found, "terms"
            if turn:  # the first one warms up
                used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                report(out, f"PyArrow/impl=command/threads=1/set={megabytes}MB", (ended - began) * 1e9, {"cpu-ns/op": used * 1e9})
                report(out, f"PyArrow/impl=termsift/threads=1/set={megabytes}MB", elapsed * 1e9, {"cpu-ns/op": cpu * 1e9})


def best_of_command(lines):
    features = lines.with_suffix(".tsv")
    how = ["--by", "chi", "-k", str(K), "--tokens", "words", "--threads", "1"]
    command = [os.environ["TERMSIFT_COMMAND"], "select", *how, str(lines), "-o", str(features)]
    subprocess.run(command, check=True, capture_output=True)
    return list(termsift.Features.load(features).terms)


class Steps:
    """The steps of BERTopic's transformer."""

    def fit(self, X):
        df = np.squeeze(np.asarray(X.sum(axis=0)))
        with np.errstate(divide="ignore"):
            idf = np.log(int(X.sum(axis=1).mean()) / df + 1)
        self.diagonal = sp.diags(idf, offsets=0, shape=(X.shape[1], X.shape[1]), format="csr", dtype=np.float64)
        return self

    def transform(self, X):
        return normalize(X, axis=1, norm="l1", copy=False) * self.diagonal


def transformer_of_bertopic():
    """Return BERTopic's class, and its name."""
    package = importlib.util.find_spec("bertopic")
    if package is None:
        return Steps, "steps"
    spec = importlib.util.spec_from_file_location("_ctfidf", Path(package.origin).with_name("vectorizers") / "_ctfidf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ClassTfidfTransformer, "bertopic"


def counts_of_topics(documents, topics=1000, terms=300_000, words=15, seed=3):
    """Return the counts of topics whose texts have so many words each, by Zipf's distribution."""
    random = np.random.default_rng(seed)
    edge = np.cumsum(1 / (np.arange(terms) + 20.0))
    name = random.permutation(terms).astype(np.int32)
    rows = []
    for topic in range(topics):
        size = words * documents // topics
        rank = np.searchsorted(edge, random.random(size) * edge[-1])
        rank = np.where(random.random(size) < 0.3, (rank * 7919 + topic * 104729) % terms, rank)  # words of its own
        column, count = np.unique(name[rank], return_counts=True)
        rows.append(sp.csr_matrix((count, (np.zeros(len(column), dtype=np.int32), column)), shape=(1, terms)))
    return sp.vstack(rows, format="csr")


def measure_ctfidf(documents, count, out):
    X = counts_of_topics(documents)
    X = X[:, np.flatnonzero(np.asarray(X.sum(axis=0)).ravel())]  # a vectorizer has no terms that do not occur
    theirs, name = transformer_of_bertopic()
    print(f"topics: {X.shape[0]} topics, {X.shape[1]} terms, {X.nnz} elements", file=out)
    np.testing.assert_allclose(termsift.ClassTfidf().fit_transform(X).toarray()[:50], theirs().fit(X).transform(X).toarray()[:50], rtol=1e-12)
    jobs = [(f"PyCtfidf/impl={name}/threads=1", lambda: theirs().fit(X).transform(X))]
    for n in (1, 2):
        jobs.append((f"PyCtfidf/impl=termsift/threads={n}", lambda n=n: termsift.ClassTfidf(n_jobs=n).fit(X).transform(X)))
    measure(jobs, "topics", count, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-count", type=int, default=8, help="runs of each job")
    parser.add_argument("-only", default="", help="the rows whose names match: PyArrow PyCtfidf")
    parser.add_argument("-megabytes", type=int, default=400, help="the size of PyArrow's column")
    parser.add_argument("-documents", type=int, default=2_000_000, help="the texts of PyCtfidf's topics")
    parser.add_argument("-o", help="the file for the results, else they are printed")
    options = parser.parse_args()
    out = open(options.o, "w") if options.o else sys.stdout
    header(out, sys.argv[1:], "columns.py")
    if re.search(options.only, "PyArrow"):
        measure_arrow(options.megabytes, options.count, out)
    if re.search(options.only, "PyCtfidf"):
        measure_ctfidf(options.documents, options.count, out)


if __name__ == "__main__":
    main()
