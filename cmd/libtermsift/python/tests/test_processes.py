"""Threads, wrong pointers, cut files and Ctrl-C; test_forks.py has processes. With TERMSIFT_HEAVY there are more of them."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import termsift

HEAVY = bool(os.environ.get("TERMSIFT_HEAVY"))

# The seconds after which a process is held to hang, however busy the machine is.
LIMIT = 600


def user_time():
    """The seconds of processor time of this process, without the system's."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def counts(seed=0):
    r = np.random.RandomState(seed)
    X = sp.random(300, 80, 0.15, format="csr", random_state=r)
    X.data = np.ceil(X.data * 5)
    return X, r.randint(0, 4, 300)


def score_in_child(seed):
    return termsift.score(*counts(seed))


class Processes(unittest.TestCase):
    def test_threads(self):
        want, calls, done = [score_in_child(seed) for seed in range(16)], 1000 if HEAVY else 100, []

        def work(seed):
            X, y = counts(seed)
            done.append(sum(np.array_equal(termsift.score(X, y), want[seed]) for _ in range(calls)))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(LIMIT)
        self.assertEqual(done, [calls] * 16)

    def test_wrong_pointers(self):
        """They are errors, unless faulthandler is enabled after loading: the README says so."""
        program = """import ctypes, faulthandler, sys, numpy, termsift._library as lib
if sys.argv[1] == "before": faulthandler.enable()
lib.library()
if sys.argv[1] == "after": faulthandler.enable()
matrix = lib.Matrix(ctypes.sizeof(lib.Matrix), lib.ROWS, 1, 1, 1, lib.INT32, lib.NONE, 0xdeadbeef000, 0xdeadbeef000, None)
try: lib.call("matrix_sums", matrix, out=[numpy.zeros(1)])
except lib.InternalError: pass
"""
        for enabled, status in {"never": 0, "before": 0, "after": -signal.SIGSEGV}.items():
            child = subprocess.run([sys.executable, "-c", program, enabled], capture_output=True, timeout=LIMIT)
            self.assertEqual(child.returncode, status, child.stderr)


    def test_a_cut_file(self):
        """A mapped index that is cut is an error. If faulthandler is enabled after loading, it can end the process, as the README says."""
        program = """import faulthandler, os, sys, termsift
if sys.argv[1] == "before": faulthandler.enable()
corpus = termsift.Corpus.open(sys.argv[2])
if sys.argv[1] == "after": faulthandler.enable()
os.truncate(sys.argv[2], 8192)
try: corpus.select("chi", 3, per_class=True)
except termsift.CorruptFileError: print("refused")
"""
        with tempfile.TemporaryDirectory() as folder:
            texts = [" ".join(f"w{(i * 7 + j) % 9000}" for j in range(300)) for i in range(200)]
            lines = "".join(json.dumps({"label": i % 2, "text": text}) + "\n" for i, text in enumerate(texts))
            for enabled, refused in {"never": True, "before": True, "after": False}.items():
                index = f"{folder}/{enabled}.idx"
                subprocess.run([os.environ["TERMSIFT_COMMAND"], "index", "-", "-o", index], input=lines, text=True, check=True, stderr=subprocess.DEVNULL)
                child = subprocess.run([sys.executable, "-c", program, enabled, index], capture_output=True, text=True, timeout=LIMIT)
                if refused or child.returncode == 0:
                    self.assertEqual((child.returncode, child.stdout), (0, "refused\n"), child.stderr)
                else:
                    self.assertIn("Fatal Python error: Bus error", child.stderr)

    def test_what_is_no_library(self):
        """TERMSIFT_LIBRARY may name no file, a text, another library, and one of another version."""
        with tempfile.TemporaryDirectory() as folder:
            text, other = f"{folder}/text.so", f"{folder}/other.so"
            Path(text).write_text("no library", encoding="utf-8")
            program = "int ts_abi_version(void) { return 9; } const char *ts_version(void) { return 0; } int ts_call, ts_free;"
            subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", other], input=program, text=True, check=True)
            for path in [f"{folder}/none.so", text, "libc.so.6", other]:
                child = subprocess.run([sys.executable, "-c", "import termsift; termsift.library_version()"], capture_output=True, text=True, timeout=LIMIT, env={**os.environ, "TERMSIFT_LIBRARY": path})
                self.assertRegex(child.stderr, "ImportError: .*set TERMSIFT_LIBRARY to the path of its library", path)
            self.assertIn("has version 9 of the interface, and 1 is needed", child.stderr)


class Interrupts(unittest.TestCase):
    """Ctrl-C at random moments of score, fit and transform."""

    @classmethod
    def setUpClass(cls):
        r = np.random.RandomState(1)
        cls.texts = [" ".join(f"w{(i * 31 + j * 1009) % 200000}" for j in range(12)) for i in range(40_000)]
        cls.labels = [i % 7 for i in range(len(cls.texts))]
        documents, terms, row = 40_000, 50_000, 80
        start = np.arange(documents + 1, dtype=np.int64) * row
        indices = np.sort(r.randint(0, terms - row, (documents, row)), axis=1) + np.arange(row)  # no two the same
        cls.X = sp.csr_matrix((np.ones(documents * row), indices.ravel(), start), shape=(documents, terms))
        cls.y = r.randint(0, 40, documents)
        cls.vectorizer = termsift.TermVectorizer(k=10).fit(cls.texts, cls.labels)

    def interrupted(self, call, moments):
        """Interrupt the call; return the user time from the signal to the exception, as a share of that of the whole
        call, for the calls that it ended. The timer counts user time, too: other programs do not move it."""
        shares, before = [], threading.active_count()
        started = user_time()
        want = call()
        whole = user_time() - started
        for _ in range(moments):
            signalled = []

            def interrupt(*_):
                signalled.append(user_time())
                raise KeyboardInterrupt

            signal.signal(signal.SIGVTALRM, interrupt)
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, max(whole * random.random(), 1e-4))
                call()
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            except KeyboardInterrupt:
                shares.append((user_time() - signalled[0]) / whole)
            self.assertEqual(threading.active_count(), before)
        again = call()
        np.testing.assert_array_equal(again, want)
        return shares

    def test_interrupts(self):
        self.addCleanup(signal.signal, signal.SIGVTALRM, signal.SIG_DFL)
        random.seed(7)
        moments, shares = 34 if HEAVY else 4, {}
        shares["score"] = self.interrupted(lambda: termsift.score(self.X, self.y, ["chi", "ig", "ttest"])["ttest"], moments)
        shares["fit"] = self.interrupted(lambda: termsift.TermVectorizer(k=10).fit(self.texts, self.labels).scores_, moments)
        shares["transform"] = self.interrupted(lambda: self.vectorizer.transform(self.texts).data, moments)
        for name, of in shares.items():
            self.assertGreater(len(of), moments // 4, name)
        every = np.concatenate(list(shares.values()))
        print({name: f"{len(s)} interrupted, went on for {np.mean(s):.2f} of the call, at most {max(s):.2f}" for name, s in shares.items()}, file=sys.stderr)
        self.assertLess(every.mean(), 0.25)
        self.assertLess(every.max(), 1)
