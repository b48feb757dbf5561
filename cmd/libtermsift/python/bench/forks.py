"""Measures termsift in a process that was forked, where a helper process makes its calls, beside the process that it was forked from.

    TERMSIFT_DATA=... TERMSIFT_LIBRARY=... python3 forks.py [-count 8] [-o FILE]

Both do the same on 20 Newsgroups, in turn, and the answers are compared. The start of the helper is told apart: PyFork/what=start,
from the fork to the first answer. PyFork/what=keep is what the first fork takes to save the objects of before. CPU times have
those of the helper. The output is that of bench.py.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time

import numpy as np

import bench
import termsift
from termsift import _library as lib


def forked(work):
    """Return a function that has work(argument) done in a process that is forked now, and returns its result."""
    asked, answered = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.close(asked[1])
        with open(asked[0], "rb") as questions, open(answered[1], "wb") as answers:
            while question := questions.readline():
                pickle.dump(work(question.decode().strip()), answers)
                answers.flush()
        os._exit(0)
    os.close(asked[0])
    os.close(answered[1])
    questions, answers = open(asked[1], "wb"), open(answered[0], "rb")

    def ask(argument):
        questions.write(argument.encode() + b"\n")
        questions.flush()
        return pickle.load(answers)

    return ask


def cpu_time():
    """Return the CPU time of this process and of its helper."""
    helper = lib._last
    return time.process_time() + (time.clock_gettime(~helper._process.pid << 3 | 2) if helper is not None and not helper.ended else 0)


def jobs_of(texts, y):
    """Return the functions to measure, by name."""
    vectorizer = termsift.TermVectorizer(k=bench.K).fit(texts, y)
    jobs = {
        "text": lambda: termsift.TermVectorizer(k=bench.K).fit_transform(texts, y),
        "transform": lambda: vectorizer.transform(texts),
    }
    try:
        from termsift.sklearn import CountVectorizer
    except ImportError:
        return jobs
    return {**jobs, "count": lambda: CountVectorizer().fit_transform(texts)}


def digest(m):
    return hash((m.shape, m.indptr.tobytes(), m.indices.tobytes(), m.data.tobytes()))


def timed(job):
    cpu, elapsed = cpu_time(), time.perf_counter()
    result = job()
    return time.perf_counter() - elapsed, cpu_time() - cpu, digest(result)


def measure_jobs(jobs, count, out):
    sides = {"here": lambda name: timed(jobs[name]), "forked": forked(lambda name: timed(jobs[name]))}
    for name in jobs:
        digests = {sides[side](name)[2] for side in sides}
        assert len(digests) == 1, f"the rows of {name} are not the same"
    for turn in range(count):
        for name in jobs:
            for side in sorted(sides, reverse=turn % 2 == 1):
                elapsed, cpu, _ = sides[side](name)
                bench.report(out, f"PyFork/job={name}/impl={side}/threads=1/set=20ng", elapsed * 1e9, {"cpu-ns/op": cpu * 1e9})


def measure_starts(count, out):
    """Measure from the fork to the first answer, and calls that do nothing."""
    values, best = np.ones(1), np.empty(1, dtype=np.int64)

    def first(started):
        lib.call("ts_best", values, None, 1, 0, best)
        return time.monotonic() - float(started)

    def calls(_):
        started = time.perf_counter()
        for _ in range(2000):
            lib.call("ts_best", values, None, 1, 0, best)
        return (time.perf_counter() - started) / 2000

    for _ in range(count):
        started = str(time.monotonic())
        bench.report(out, "PyFork/what=start", forked(first)(started) * 1e9)
        bench.report(out, "PyFork/what=call/impl=forked", forked(calls)("") * 1e9)
        bench.report(out, "PyFork/what=call/impl=here", calls("") * 1e9)


def measure_keeping(texts, y, count, out):
    """Measure what the first fork saves, of features and of statistics."""
    statistics = termsift.Statistics.of(texts, y)
    data = statistics.to_bytes()
    features = statistics.select("chi", bench.K)
    for _ in range(count):
        for name in ("features", "statistics"):
            kept = termsift.Features.from_bytes(features.to_bytes()) if name == "features" else termsift.Statistics.from_bytes(data)
            handle = kept._model._handle if name == "features" else kept._handle
            started = time.perf_counter()
            handle.keep()
            bench.report(out, f"PyFork/what=keep/object={name}/set=20ng", (time.perf_counter() - started) * 1e9, {"bytes": len(kept.to_bytes())})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-count", type=int, default=8, help="runs of each job")
    parser.add_argument("-o", help="the file for the results, else they are printed")
    options = parser.parse_args()
    out = open(options.o, "w") if options.o else sys.stdout
    bench.header(out, [f"-count {options.count}"], "forks.py")
    texts, y = bench.newsgroups()
    measure_keeping(texts, y, options.count, out)
    measure_jobs(jobs_of(texts, y), options.count, out)
    measure_starts(options.count, out)


if __name__ == "__main__":
    main()
