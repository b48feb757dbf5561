"""The jobs with scikit-learn, and with numpy and scipy by hand.

One process for all measurements: it loads the data, says "ready", and answers
the requests that child.go describes. Arguments: how the names of its
implementations end, the directory of the data and the number of terms to select.
"""

import io
import os
import platform
import resource
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy
import scipy.sparse as sp
import sklearn
from sklearn.datasets import dump_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.feature_selection import SelectKBest, chi2, f_classif, mutual_info_classif
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

warnings.filterwarnings("ignore")  # constant features, which every corpus has
np.seterr(all="ignore")

EVERY_CHARS = 4  # documents: characters of all of them take a minute
SOME_TERMS = 2000  # for mutual_info_classif: all of them take minutes


def load_matrix(path, values="<i4"):
    """The values by document in float64, and the labels; see countMatrix.write."""
    with open(path, "rb") as f:
        documents, terms, classes, postings = map(int, np.fromfile(f, "<i8", 4))
        start = np.fromfile(f, "<i8", documents + 1)
        term = np.fromfile(f, "<i4", postings)
        count = np.fromfile(f, values, postings).astype(np.float64)
        label = np.fromfile(f, "<i4", documents)
    # 32-bit row starts keep scipy from widening the column numbers.
    counts = sp.csr_matrix((count, term, start.astype(np.int32)), shape=(documents, terms))
    return counts, label, classes


def load_texts(path):
    with open(path, "rb") as f:
        return f.read().decode("utf-8").split("\0")[:-1]


class Data:
    """What is in memory before a job begins."""

    def __init__(self, directory, top):
        self.directory, self.top = directory, top
        self.counts, self.label, classes = load_matrix(os.path.join(directory, "matrix"))
        self.rows, self.row_label, _ = load_matrix(os.path.join(directory, "rows"), "<f4")
        self.rows32 = self.rows.astype(np.float32)
        self.texts = load_texts(os.path.join(directory, "text"))
        n = len(self.label)
        self.n = float(n)
        # Single precision: it holds these counts, and is faster everywhere.
        self.binary = self.counts.astype(np.float32)
        self.binary.data[:] = 1
        self.binary64 = self.binary.astype(np.float64)
        self.some = self.binary64[:, :SOME_TERMS]
        ones = np.ones(n, np.float32)
        indicator = sp.csr_matrix((ones, self.label, np.arange(n + 1, dtype=np.int32)), shape=(n, classes))
        self.by_class = indicator.T.tocsr()
        self.by_class64 = self.by_class.astype(np.float64)
        self.sizes = np.bincount(self.label, minlength=classes).astype(np.float64)[:, None]


# Each job gives a function that makes its answer (numbers, values), so that
# only the job is timed.


def chi_sklearn(d):
    fitted = SelectKBest(chi2, k=d.top).fit(d.binary, d.label)
    return lambda: chosen(fitted.get_support(indices=True), fitted.scores_)


def chi_numpy(d):
    table = (d.by_class @ d.binary).toarray()
    df = table.sum(0)
    n, sizes = np.float32(d.n), d.sizes.astype(np.float32)
    table -= df * (sizes / n)  # observed less expected, in place
    table *= table
    table *= n * n / (sizes * (n - sizes))
    best = table.max(0)
    best *= n / np.maximum(df * (n - df), 1)
    if d.top < len(best):
        top = np.argpartition(best, len(best) - d.top)[len(best) - d.top :]
    else:
        top = np.arange(len(best))
    return lambda: chosen(top, best)


def ig_sklearn(d):
    values = mutual_info_classif(d.some, d.label, discrete_features=True)
    return lambda: everything(values)


def ig_numpy(d):
    present = (d.by_class64 @ d.binary64).toarray()
    df = present.sum(0)
    values = cells(d, present, df)
    values += cells(d, np.subtract(d.sizes, present, out=present), d.n - df)
    values /= d.n
    return lambda: everything(values)


def cells(d, table, total):
    """The sum over the classes of O ln(O/E)."""
    ratio = table * (d.n / d.sizes)
    ratio /= np.maximum(total, 1)
    np.maximum(ratio, 1e-300, out=ratio)  # O = 0 adds nothing
    np.log(ratio, out=ratio)
    ratio *= table
    return ratio.sum(0)


def moments_sklearn(d):
    f, _ = f_classif(d.counts, d.label)
    return lambda: everything(f)


def moments_numpy(d):
    sums = (d.by_class64 @ d.counts).toarray()
    total = sums.sum(0)
    squares = np.bincount(d.counts.indices, weights=d.counts.data**2, minlength=d.counts.shape[1])
    sums *= sums
    explained = (sums / d.sizes).sum(0)
    classes = len(d.sizes)
    f = (explained - total * total / d.n) / (classes - 1)
    f /= (squares - explained) / (d.n - classes)
    return lambda: everything(f)


def count_sklearn(every=1, **options):
    """Texts, or every so many, to counts."""

    def job(d):
        x = CountVectorizer(**options).fit_transform(d.texts[::every])
        return lambda: counts_of(x, x.shape[1])

    return job


def hashed_sklearn(**options):
    """Texts to counts of the columns of hashes, of which those with a term are counted."""

    def job(d):
        x = HashingVectorizer(n_features=2**20, alternate_sign=False, norm=None, **options).fit_transform(d.texts)
        return lambda: counts_of(x, len(np.unique(x.indices)))

    return job


def counts_of(x, terms):
    return everything(np.array([x.shape[0], terms, x.nnz, x.sum()]))


def svm_sklearn(loss, bias):
    """LIBLINEAR's dual coordinate descent, with the same C, eps and bias as ours."""

    def job(d):
        m = LinearSVC(C=1, loss=loss, dual=True, tol=1e-3, fit_intercept=bias, max_iter=100_000, random_state=0)
        m.fit(d.rows, d.row_label)
        return lambda: everything(objectives(d, m, loss, bias))

    return job


def objectives(d, m, loss, bias):
    """What was minimised, by class; the intercept is the weight of a column of ones."""
    b = m.intercept_ if bias else np.zeros(len(m.classes_))
    values = []
    for c, w, b in zip(m.classes_, m.coef_, b):
        y = np.where(d.row_label == c, 1.0, -1.0)
        lost = np.maximum(0, 1 - y * (d.rows @ w + b))
        if loss == "squared_hinge":
            lost *= lost
        values.append((w @ w + b * b) / 2 + lost.sum())
    return np.array(values)


SCORED_ROWS = 1000
QUERY_STEP = 4


def naive_bayes_sklearn(d):
    m = MultinomialNB().fit(d.counts, d.label)
    return lambda: everything(m._joint_log_likelihood(d.counts[:SCORED_ROWS]).max(1))


def knn_sklearn(d):
    """Ten neighbours by cosine, which vote with it; in single precision, which is faster."""
    m = KNeighborsClassifier(10, metric="cosine", algorithm="brute", weights=lambda distance: 1 - distance)
    queries = d.rows32[::QUERY_STEP]
    predicted = m.fit(d.rows32, d.row_label).predict(queries)
    return lambda: (predicted, (1 - m.kneighbors(queries)[0]).sum(1))


def pipeline_sklearn(d):
    x = CountVectorizer().fit_transform(d.texts)
    reduced = SelectKBest(chi2, k=min(d.top, x.shape[1])).fit_transform(x, d.label)
    out = io.BytesIO()
    dump_svmlight_file(reduced, d.label, out, zero_based=False)
    return lambda: everything(np.array([out.getvalue().count(b"\n")]))


def shell_sklearn(words):
    """The process of shell.py, with terms of up to so many words."""

    def job(d):
        rows = os.path.join(d.directory, "sklearn.svm")
        files = os.path.join(d.directory, "shell.jsonl"), str(d.top), os.path.join(d.directory, "sklearn.tsv"), rows, str(words)
        subprocess.run([sys.executable, os.path.join(d.directory, "shell.py"), *files], check=True)

        def lines():
            with open(rows, "rb") as f:
                return everything(np.array([f.read().count(b"\n")]))

        return lines

    return job


def chosen(ids, values):
    return np.asarray(ids), np.asarray(values, np.float64)[ids]


def everything(values):
    return np.arange(len(values)), values


JOBS = {
    ("Chi", "sklearn"): chi_sklearn,
    ("Chi", "numpy"): chi_numpy,
    ("IG", "numpy"): ig_numpy,
    ("IGSome", "sklearn"): ig_sklearn,
    ("Moments", "sklearn"): moments_sklearn,
    ("Moments", "numpy"): moments_numpy,
    ("Count", "sklearn"): count_sklearn(),
    ("Pairs", "sklearn"): count_sklearn(ngram_range=(1, 2)),
    ("Chars", "sklearn"): count_sklearn(EVERY_CHARS, analyzer="char_wb", ngram_range=(3, 5)),
    ("HashedWords", "sklearn"): hashed_sklearn(),
    ("HashedPairs", "sklearn"): hashed_sklearn(ngram_range=(1, 2)),
    ("SVM", "sklearn"): svm_sklearn("squared_hinge", False),
    ("SVMBias", "sklearn"): svm_sklearn("squared_hinge", True),
    ("SVMHinge", "sklearn"): svm_sklearn("hinge", False),
    ("NaiveBayes", "sklearn"): naive_bayes_sklearn,
    ("KNN", "sklearn"): knn_sklearn,
    ("Pipeline", "sklearn"): pipeline_sklearn,
    ("Shell", "sklearn"): shell_sklearn(1),
    ("ShellPairs", "sklearn"): shell_sklearn(2),
    ("ShellWall", "sklearn"): shell_sklearn(1),
}


def save(path, ids, values):
    """Writes an answer as readAnswer takes it."""
    with open(path, "wb") as f:
        np.array([len(ids)], "<i8").tofile(f)
        np.asarray(ids).astype("<i4").tofile(f)
        np.asarray(values).astype("<f8").tofile(f)


def spent():
    """CPU time in nanoseconds of this process and those that it has waited for."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time_ns() + int(1e9 * (others.ru_utime + others.ru_stime))


def kernel():
    """The kernel that numpy's OpenBLAS runs, if threadpoolctl is there to tell."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return "unknown"
    return "+".join(sorted({str(x.get("architecture")) for x in threadpool_info() if x["user_api"] == "blas"})) or "unknown"


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent reports interrupts
    suffix = sys.argv[1]
    data = Data(sys.argv[2], int(sys.argv[3]))
    versions = {"python": platform.python_version(), "sklearn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__, "blas": kernel()}
    print("ready", *(f"{name}{suffix}={version}" for name, version in versions.items()), flush=True)
    answer = None
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "run":
                job = JOBS[words[1], words[2].removesuffix(suffix)]
                answer = None  # as in a first run, memory of the last is free
                clock = time.perf_counter_ns if words[1] == "ShellWall" else spent
                before = clock()
                answer = job(data)
                reply = str(clock() - before)
            else:
                save(words[1], *answer())
                reply = "ok"
        except Exception as problem:  # the parent reports it
            reply = "error: " + repr(problem).replace("\n", " ")
        print(reply, flush=True)


main()
