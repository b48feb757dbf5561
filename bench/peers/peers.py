"""Times termsift beside scikit-learn, the best that somebody could write in numpy, and C; in turn, on one thread.

    peers.py [-count 6] [-only REGEX] [-o FILE]     run the jobs in this Python, and write lines of benchmarks
    peers.py -table FILE...                         medians as a table; scikit-learn is the fastest of all files

TERMSIFT_DATA names the folder of 20news-bydate.tar.gz. termsift is the installed package (or PYTHONPATH and
TERMSIFT_LIBRARY); the rows "process" and "rows" take the command as well, from TERMSIFT_COMMAND or the path. Run it in each
version of scikit-learn that is supported: the page divides by the fastest. The figures are CPU time, of children too,
and elapsed time in the rows of classifiers; a job runs once before it is measured, and the answers are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402
import scipy  # noqa: E402
import scipy.sparse as sp  # noqa: E402

K = 10_000
HERE = Path(__file__).resolve().parent


def posts(part):
    """Return the texts of a part of 20 Newsgroups in random order, and their labels as numbers."""
    texts, labels = [], []
    with tarfile.open(Path(os.environ["TERMSIFT_DATA"], "20news-bydate.tar.gz")) as archive:
        for member in archive:
            folders = member.name.split("/")
            if member.isfile() and part in folders[-3]:
                texts.append(archive.extractfile(member).read().decode("latin-1"))
                labels.append(folders[-2])
    order = np.random.default_rng(1).permutation(len(texts))
    return [texts[i] for i in order], np.unique(labels, return_inverse=True)[1][order]


# What somebody could write in numpy: all terms at once, from the sparse product of classes and terms.


class Tables:
    """What the functions below begin with, in the precision that is fastest."""

    def __init__(self, X, y):
        n = len(y)
        self.n, self.X = float(n), X.astype(np.float64)
        self.present32, self.present = X.astype(np.float32), X.astype(np.float64)
        self.present32.data[:] = 1
        self.present.data[:] = 1
        self.member = sp.csr_matrix((np.ones(n), (y, np.arange(n))))
        self.member32 = self.member.astype(np.float32)
        self.sizes = np.bincount(y).astype(np.float64)[:, None]


def best(values):
    return np.sort(values[np.argpartition(values, len(values) - K)[-K:]])


def chi_of_numpy(d):
    table = (d.member32 @ d.present32).toarray()
    df, n, sizes = table.sum(0), np.float32(d.n), d.sizes.astype(np.float32)
    table -= df * (sizes / n)
    table *= table
    table *= n * n / (sizes * (n - sizes))
    return best(table.max(0) * n / np.maximum(df * (n - df), 1))


def gain_of_numpy(d):
    present = (d.member @ d.present).toarray()
    df = present.sum(0)
    gain = np.zeros(len(df))
    for cells, total in ((present, df), (d.sizes - present, d.n - df)):
        ratio = cells * (d.n / d.sizes)
        ratio /= np.maximum(total, 1)
        np.log(np.maximum(ratio, 1e-300, out=ratio), out=ratio)
        ratio *= cells
        gain += ratio.sum(0)
    return gain / d.n


def f_of_numpy(d):
    sums = (d.member @ d.X).toarray()
    total = sums.sum(0)
    squares = np.bincount(d.X.indices, d.X.data**2, d.X.shape[1])
    sums *= sums
    between = (sums / d.sizes).sum(0)
    return (between - total * total / d.n) / (len(d.sizes) - 1) / ((squares - between) / (d.n - len(d.sizes)))


# The rows of the table: (name, {who: function}, check of two answers). Functions return what is compared.


def same(a, b):
    assert a.shape == b.shape and (abs(a - b) > 1e-12).nnz == 0, "matrices"


def near(tolerance):
    def check(a, b):
        fine = np.isfinite(a) & np.isfinite(b)
        np.testing.assert_allclose(np.asarray(a)[fine], np.asarray(b)[fine], rtol=tolerance, atol=tolerance)

    return check


def any_answer(a, b):
    """chi2 is another statistic by the same name: the terms differ, their number does not."""
    assert a.shape == b.shape, "sizes"


def rows_of_text(texts, y):
    import sklearn.feature_extraction.text as theirs
    import termsift
    import termsift.sklearn as ours
    from sklearn.feature_selection import SelectKBest, chi2

    def fits(name, kind, sample=texts, **parameters):
        def fit(module):
            return getattr(module, kind)(**parameters).fit_transform(sample)

        return name, {"sklearn": lambda: fit(theirs), "termsift": lambda: fit(ours)}, same

    def best():
        X = theirs.CountVectorizer().fit_transform(texts)
        return SelectKBest(chi2, k=K).fit(X, y).transform(X)

    hashed = {"n_features": 2**20, "alternate_sign": False, "norm": None}
    yield fits("texts to counts of words", "CountVectorizer")
    yield fits("texts to tf-idf", "TfidfVectorizer")
    yield fits("texts to words and pairs", "CountVectorizer", ngram_range=(1, 2))
    yield fits("texts to char_wb 3-5, a quarter", "CountVectorizer", texts[::4], analyzer="char_wb", ngram_range=(3, 5))
    yield fits("texts to 2^20 hashed words", "HashingVectorizer", **hashed)
    yield fits("texts to 2^20 hashed words and pairs", "HashingVectorizer", ngram_range=(1, 2), **hashed)
    yield "texts to the 10,000 best terms and their rows", {
        "sklearn": best, "termsift": lambda: termsift.TermVectorizer(k=K).fit_transform(texts, y),
    }, any_answer


def rows_of_matrix(texts, y):
    import termsift
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.feature_selection import SelectKBest, chi2, f_classif

    X = CountVectorizer().fit_transform(texts)
    d = Tables(X, y)
    yield "matrix to the 10,000 best terms by chi-square", {
        "sklearn": lambda: SelectKBest(chi2, k=K).fit(d.X, y).get_support(indices=True),
        "numpy": lambda: chi_of_numpy(d), "termsift": lambda: best(termsift.score(X, y)),
    }, lambda a, b: any_answer(a, b) if b.dtype.kind == "i" else near(1e-3)(a, b)
    yield "matrix to information gain of all terms", {
        "numpy": lambda: gain_of_numpy(d), "termsift": lambda: termsift.score(X, y, by="ig"),
    }, near(1e-9)
    yield "matrix to F of all terms", {
        "sklearn": lambda: f_classif(d.X, y)[0], "numpy": lambda: f_of_numpy(d), "termsift": lambda: termsift.score(X, y, by="anova"),
    }, near(1e-6)


PROCESS = """
import json, sys
from sklearn.datasets import dump_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2
documents = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
y = [int(d["labels"][0]) for d in documents]
X = CountVectorizer().fit_transform([d["text"] for d in documents])
dump_svmlight_file(SelectKBest(chi2, k=int(sys.argv[2])).fit_transform(X, y), y, sys.argv[3], zero_based=False)
"""


def rows_of_process(texts, y, folder):
    command, lines, rows = os.environ.get("TERMSIFT_COMMAND", "termsift"), Path(folder, "20ng.jsonl"), Path(folder, "rows.svm")
    write_lines(lines, texts, y)

    def written(words):
        subprocess.run([str(word) for word in words], check=True, stderr=subprocess.DEVNULL)
        return np.array([rows.read_bytes().count(b"\n")])

    select = [command, "select", lines, "--by", "chi", "-k", K, "--threads", 1, "-o", Path(folder, "f.tsv"), "--svmlight", rows]
    yield "process: JSON lines to the 10,000 best terms and svmlight", {
        "sklearn": lambda: written([sys.executable, "-c", PROCESS, lines, K, rows]), "termsift": lambda: written(select),
    }, near(0)


def write_lines(path, texts, y):
    with open(path, "w", encoding="utf-8") as out:
        for text, label in zip(texts, y):
            out.write(json.dumps({"text": text, "labels": [str(label)]}) + "\n")


def rows_of_classifiers(texts, y, folder):
    """Training and predicting: elapsed time, which evaluate tells of ours."""
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import LinearSVC

    command, paths = os.environ.get("TERMSIFT_COMMAND", "termsift"), {}
    for part, (t, labels) in {"train": (texts, y), "test": posts("test")}.items():
        paths[part] = Path(folder, part + ".jsonl")
        write_lines(paths[part], t, labels)

    def run(*words):
        return subprocess.run([command, *(str(word) for word in words)], check=True, capture_output=True, text=True).stdout

    run("select", paths["train"], "--by", "chi", "-k", K, "-o", Path(folder, "c.tsv"))
    for name, weight, make in (
        ("svm", "ltc", lambda: LinearSVC(dual=True, tol=1e-3, fit_intercept=False, max_iter=100_000)), ("nb", "tf", MultinomialNB),
        ("knn", "ltc", lambda: KNeighborsClassifier(10, metric="cosine", algorithm="brute", weights=lambda d: 1 - d)),
    ):
        data = {}
        for part, path in paths.items():
            rows = Path(folder, f"{part}-{weight}.npz")
            run("transform", "--features", Path(folder, "c.tsv"), "--weight", weight, "--to", "npz", path, "-o", rows, "--force")
            data[part] = sp.load_npz(rows), (y if part == "train" else posts("test")[1])
        if name == "knn":  # which is faster in single precision
            data = {part: (rows.astype(np.float32), labels) for part, (rows, labels) in data.items()}

        def theirs(make=make, data=data):
            begun = time.perf_counter_ns()
            predicted = make().fit(*data["train"]).predict(data["test"][0])
            took = time.perf_counter_ns() - begun
            return np.array([np.mean(predicted == data["test"][1])]), took

        def ours(name=name):
            how = ["--by", "chi", "-k", K, "--classifier", name, "--threads", 1, "--format", "tsv"]
            row = run("evaluate", "--train", paths["train"], "--test", paths["test"], *how)
            head, values = (line.split("\t") for line in row.splitlines()[:2])
            told = dict(zip(head, values))
            return np.array([float(told["micro_f1"])]), 1e9 * (float(told["train_s"]) + float(told["predict_s"]))

        yield f"rows to {name} and its classes of the test part", {"sklearn": theirs, "termsift": ours}, near(.01)


def words_in_c(texts, folder):
    """Return a function that gives the time of words.c, or None without a compiler."""
    program, text = Path(folder, "words"), Path(folder, "text")
    if not shutil.which("gcc"):
        return None
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, HERE / "words.c"], check=True)
    text.write_bytes(b"".join(t.encode() + b"\0" for t in texts))

    def run():
        told = subprocess.run([program, text], check=True, capture_output=True, text=True).stdout.split()
        return np.array([float(told[0])]), float(told[-1])

    return run


def spent():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time_ns() + 1e9 * (children.ru_utime + children.ru_stime)


def measure(name, sides, check, count, out):
    """Run the sides in turn, compare their answers, and write a line a run. A side may tell its time itself."""
    answers = {who: run() for who, run in sides.items()}
    plain = {who: a[0] if isinstance(a, tuple) else a for who, a in answers.items()}
    if check:
        for who in plain:
            if who != "c":
                check(plain["termsift"], plain[who])
    order = list(sides)
    for turn in range(count):
        for who in order[turn % len(order):] + order[: turn % len(order)]:
            before = spent()
            answer = sides[who]()
            took = answer[1] if isinstance(answer, tuple) else spent() - before
            print(f"BenchmarkPeers/job={name.replace(' ', '_')}/impl={who} 1 {took:.0f} cpu-ns/op", file=out, flush=True)


def header(out):
    import sklearn
    import termsift

    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE).stdout.strip()
    for key, value in {
        "cpu": model.group(1) if model else platform.machine(), "processors": os.cpu_count(), "load": os.getloadavg()[0], "commit": commit,
        "date": time.strftime("%Y-%m-%d"), "termsift": termsift.library_version(), "python": platform.python_version(),
        "sklearn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__,
    }.items():
        print(f"{key}: {value}", file=out)


def table(paths):
    """Print the medians in milliseconds. scikit-learn and numpy are the fastest of the files, which have versions of them."""
    rows = {}
    for path in paths:
        runs = {}
        for line in Path(path).read_text().splitlines():
            if m := re.match(r"BenchmarkPeers/job=(\S+)/impl=(\S+) 1 (\d+) ", line):
                runs.setdefault(m.group(1, 2), []).append(int(m.group(3)) / 1e6)
        for (job, who), values in runs.items():
            assert len(values) >= 6, f"{job}: {len(values)} runs"
            old = rows.setdefault(job, {}).get(who)
            new = statistics.median(values)
            rows[job][who] = new if old is None else min(old, new)
    print("| job | scikit-learn | numpy | C | termsift | times |\n|---|--:|--:|--:|--:|--:|")
    for job, of in rows.items():
        cells = [f"{of[who]:,.3g}" if who in of else "–" for who in ("sklearn", "numpy", "c", "termsift")]
        peers = [of[who] for who in ("sklearn", "numpy") if who in of]
        print(f"| {job.replace('_', ' ')} | {' | '.join(cells)} | {min(peers) / of['termsift']:.3g} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-count", type=int, default=6, help="runs of each job, 6 or more")
    parser.add_argument("-only", default="", help="the rows whose names match")
    parser.add_argument("-o", help="the file of the lines, else they are printed")
    parser.add_argument("-table", nargs="+", help="files to make a table of")
    options = parser.parse_args()
    if options.table:
        table(options.table)
        return
    out = open(options.o, "w") if options.o else sys.stdout
    header(out)
    texts, y = posts("train")
    with tempfile.TemporaryDirectory() as folder:
        for rows in (rows_of_text(texts, y), rows_of_matrix(texts, y), rows_of_process(texts, y, folder), rows_of_classifiers(texts, y, folder)):
            for name, sides, check in rows:
                if not re.search(options.only, name):
                    continue
                if name == "texts to counts of words" and (c := words_in_c(texts, folder)):
                    sides["c"] = c
                measure(name, sides, check, options.count, out)


if __name__ == "__main__":
    main()
