"""Processes that fork, in all the ways that people start them: each works as its parent does, and leaves nothing behind.

Each test runs a program in a session of its own. All its processes are killed after LIMIT, and that none goes on is checked.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

from common import needs

# The seconds after which a program is held to hang, however busy the machine is.
LIMIT = 120

# What the programs share: objects made before a fork, and work that shows all bits of the results.
COMMON = """
import hashlib, json, os, pickle, signal, sys, threading, time, warnings
import numpy as np, scipy.sparse as sp
import termsift
from termsift import _library as lib

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its jobs in the background ignore it

TEXTS = [" ".join(f"w{(i * 31 + j * j * (1 + i % 3)) % 211}" for j in range(30)) + " caf\\u00e9 \\u4e2d" * (i % 2) for i in range(200)] + ["", "one"]
LABELS = [i % 3 for i in range(len(TEXTS))]

def bits(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() if a.dtype != object else repr(a.tolist()).encode() for a in arrays)).hexdigest()

def of_rows(m):
    return bits(m.indptr, m.indices, m.data)

def scores(seed=1):
    r = np.random.RandomState(seed)
    X = sp.random(300, 80, 0.15, format="csr", random_state=r)
    X.data = np.ceil(X.data * 5)
    return bits(termsift.score(X, r.randint(0, 4, 300), by=["ig", "ttest"])["ttest"])

class Objects:
    def __init__(self, index=None):
        from termsift.sklearn import CountVectorizer, TfidfVectorizer
        self.vectorizer = termsift.TermVectorizer(by="ig", k=50, weight="tf-rf").fit(TEXTS, LABELS)
        self.statistics = termsift.Statistics.of(TEXTS, LABELS)
        self.features = self.statistics.select("chi", 20)
        self.ranked = self.statistics.select("chi", 20, per_class=True, p_values=True)
        self.corpus = termsift.Corpus.open(index) if index else None
        self.counter, self.pairs = CountVectorizer(min_df=2).fit(TEXTS), TfidfVectorizer(ngram_range=(1, 2)).fit(TEXTS)

    def work(self):
        found = [of_rows(self.vectorizer.transform(TEXTS)), of_rows(self.features.transform(TEXTS))]
        found += [hashlib.sha256(s.to_bytes()).hexdigest() for s in (self.statistics, self.statistics + self.statistics)]
        found += [bits(termsift.Keyness(self.statistics, TEXTS[:50], tokens="words", max_p=1).values_), scores()]
        found += [of_rows(termsift.TermVectorizer(k=30).fit_transform(TEXTS, LABELS))]
        found += [of_rows(m) for m in (self.counter.transform(TEXTS), self.pairs.transform(TEXTS[:9]), type(self.counter)(analyzer="char").fit_transform(TEXTS))]
        for table in (self.ranked.to_table(), self.statistics.best_terms(3)):
            found += [bits(*(table[name] for name in table.columns))]
        if self.corpus is not None:
            found += [of_rows(self.corpus.rows(self.features)), bits(self.corpus.select("chi", 9, per_class=True).terms)]
        return found

def forked(work):
    '''Return what work returns in a process that is forked now.'''
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            answer = work()
        except BaseException as e:
            answer = f"{type(e).__name__}: {e}"
        with open(write, "w") as out:
            json.dump(answer, out)
        os._exit(0)
    os.close(write)
    with open(read) as answer:
        result = json.load(answer)
    os.waitpid(child, 0)
    return result

def helper():
    '''The process id of the helper that calls go to.'''
    lib.library_version()
    return lib._last._process.pid

def check(got, want):
    assert got == want, (got, want)
"""


def in_session(session):
    """The processes of a session."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry))
    return found


def run(program, *arguments, limit=LIMIT, status=0, **environment):
    """Run a program; return what it prints. It must end with a status, and leave no process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.py")
        file.write_text(COMMON + textwrap.dedent(program), encoding="utf-8")
        with open(Path(folder, "out"), "w+b") as out:
            started = subprocess.Popen(
                [sys.executable, str(file), *map(str, arguments)], stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                start_new_session=True, env={**os.environ, "PYTHONWARNINGS": "ignore", **environment},
            )
            try:
                ended = started.wait(limit)
            except subprocess.TimeoutExpired:
                ended = "none, it hangs"
            left = until(lambda: not in_session(started.pid), 10) or in_session(started.pid)
            for process in in_session(started.pid):
                os.kill(process, signal.SIGKILL)
            started.wait()
            out.seek(0)
            text = out.read().decode(errors="replace")
    if ended != status:
        raise AssertionError(f"the program ended with {ended}:\n{text}")
    if left is not True:
        raise AssertionError(f"the program left processes:\n{text}")
    return text


def until(true, seconds):
    """Wait until a function returns true; report whether it does."""
    for _ in range(int(seconds * 50)):
        if true():
            return True
        time.sleep(0.02)
    return False


class Forks(unittest.TestCase):
    def test_before_use(self):
        run("""
            want = forked(scores)  # it loads the library itself
            check(forked(lambda: lib._last is None), True)
            check(scores(), want)
        """)

    def test_objects(self):
        """What was made before the fork works in the child, in its child, and in the parent, by the same bits."""
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder, "texts.idx")
            lines = "".join(json.dumps({"label": str(i % 3), "text": f"word{i % 7} other{i % 5} third{i % 11}"}) + "\n" for i in range(300))
            subprocess.run([os.environ["TERMSIFT_COMMAND"], "index", "-", "-o", index], input=lines, text=True, check=True, stderr=subprocess.DEVNULL)
            run("""
                os.chdir(os.path.dirname(sys.argv[1]))
                o = Objects(os.path.basename(sys.argv[1]))
                want = o.work()
                check(forked(o.work), want)

                def nested():
                    os.chdir("/")  # the corpus was opened by a relative path
                    check(o.work(), want)
                    mine = Objects(sys.argv[1])
                    check(forked(lambda: [o.work(), mine.work(), pickle.loads(pickle.dumps(mine.statistics)).to_bytes() == o.statistics.to_bytes()]), [want, want, True])
                    return mine.work()

                check(forked(nested), want)
                check(o.work(), want)

                # A relative path is one of the directory of the call.
                def opened():
                    termsift.score([[1, 0], [0, 1]], [0, 1])  # the helper starts here
                    os.chdir(sys.argv[2])
                    return termsift.Corpus.open("texts.idx").documents

                os.chdir("/")
                check(forked(opened), 300)

                os.utime(sys.argv[1], (1, 1))
                changed = forked(o.work)
                assert changed.startswith("CorruptFileError") and "has changed since it was opened" in changed, changed
            """, index, folder)

    def test_threads(self):
        """A fork in a thread, while others call; and threads in the child."""
        program = """
            o = Objects()
            want = o.work()
            stop = threading.Event()

            def busy():
                while not stop.is_set():
                    scores()

            def threads():
                found = []
                workers = [threading.Thread(target=lambda: found.append([o.work() for _ in range(3)])) for _ in range(8)]
                for w in workers: w.start()
                for w in workers: w.join()
                return found

            found = []
            others = [threading.Thread(target=busy) for _ in range(3)]
            forks = [threading.Thread(target=lambda: found.append(forked(threads))) for _ in range(2)]
            for t in others + forks: t.start()
            for t in forks: t.join()
            stop.set()
            for t in others: t.join()
            check(found, [[[want] * 3] * 8] * 2)
        """
        for apart in ("0", "1"):
            with self.subTest(TERMSIFT_PROCESS=apart):
                run(program, TERMSIFT_PROCESS=apart)

    def test_errors_and_warnings(self):
        """They are the parent's, by type and text."""
        run("""
            o = Objects()
            cases = [
                lambda: termsift.score([[1, -1]], [0]), lambda: termsift.score([[1, 1], [1, 0]], [0, 1], by="nothing"), lambda: o.statistics.select("chi", 2, min_scor=1),
                lambda: termsift.Corpus.open("/nowhere/at all"), lambda: termsift.Statistics.from_bytes(b"no statistics"), lambda: o.features.transform(["", 3]),
                lambda: o.statistics.select("chi", min_score=1e9), lambda: termsift.Keyness(TEXTS[:1], TEXTS[1:2], max_p=1, min_freq=1).values_.tolist(),
                lambda: termsift.Statistics.from_bytes(o.statistics.to_bytes()[:-9]), lambda: termsift.TermVectorizer(k=3).fit([""] * 4, [0, 1] * 2),
            ]

            def outcomes():
                found = []
                for case in cases:
                    with warnings.catch_warnings(record=True) as raised:
                        warnings.simplefilter("always")
                        try:
                            outcome = repr(case())
                        except Exception as e:
                            outcome = f"{type(e).__name__}: {e}"
                    found.append([outcome, [[w.category.__name__, str(w.message), os.path.basename(w.filename)] for w in raised]])
                return found

            want = outcomes()
            assert sum("Error" in outcome for outcome, _ in want) == len(cases) - 1 and want[7][1], want
            check(forked(outcomes), want)
        """)

    def test_helper_is_killed(self):
        """The call is an error; the next one starts another helper, in which objects of before the fork work, and no others."""
        run("""
            o = Objects()
            want = o.work()

            def child():
                check(o.work(), want)
                mine = termsift.Statistics.of(TEXTS, LABELS)
                loaded = termsift.Statistics.from_bytes(mine.to_bytes())
                number, first = o.statistics._handle.value, helper()
                os.kill(first, signal.SIGKILL)
                try:
                    o.work()
                except termsift.HelperError as e:
                    assert "was ended by signal 9" in str(e), e
                check(o.work(), want)
                assert helper() != first
                check(loaded.to_bytes(), o.statistics.to_bytes())
                try:
                    mine.to_bytes()
                except termsift.HelperError as e:
                    assert "make it again" in str(e), e
                try:
                    lib.call("save", lib.c_uint64(number), out=[None])  # of another object by now
                except termsift.HelperError as e:
                    assert "has ended: call again" in str(e), e
                # In the middle of calls.
                killed = helper()
                threading.Timer(0.3, os.kill, (killed, signal.SIGKILL)).start()
                try:
                    while True:
                        scores()
                except termsift.HelperError:
                    pass
                check(o.work(), want)

                def calls():  # some in each of the threads fail
                    for _ in range(2000):
                        try:
                            found.append(scores())
                        except termsift.HelperError as e:
                            errors.append(str(e))
                            return

                found, errors = [], []
                killed = helper()
                workers = [threading.Thread(target=calls) for _ in range(4)]
                for w in workers: w.start()
                time.sleep(0.2)
                os.kill(killed, signal.SIGKILL)
                for w in workers: w.join()
                check([set(found), 1 <= len(errors) <= 4], [{want[5]}, True])
                check(o.work(), want)
                return "done"

            check(forked(child), "done")
        """)

    def test_child_is_killed(self):
        """Its helper ends, even in the middle of a call: run checks that no process is left."""
        run("""
            big = [" ".join(f"w{(i * 31 + j) % 100000}" for j in range(60)) for i in range(40_000)]
            scores()
            child = os.fork()
            if child == 0:
                termsift.Statistics.of(big * 20, [0] * len(big) * 20, ngrams="1-3")
                os._exit(1)
            time.sleep(1)
            os.kill(child, signal.SIGKILL)
            check(os.waitpid(child, 0)[1], signal.SIGKILL)
        """)

    def test_parent_ends(self):
        """A helper notices the end of its parent, also while another process holds the socket, and where the system has no pidfd."""
        run("""
            import socket, termsift._helper as program
            for without in (False, True):
                if without:
                    del os.pidfd_open
                here, there = socket.socketpair()
                read, write = os.pipe()
                parent = os.fork()
                if parent == 0:
                    mine = os.getpid()
                    if os.fork() == 0:
                        here.close()
                        for ready in program._watch(there, mine):
                            assert not ready
                        os._exit(0)
                    time.sleep(600)
                os.close(write)
                time.sleep(0.5)
                os.kill(parent, signal.SIGKILL)
                started = time.monotonic()
                os.waitpid(parent, 0)
                check([os.read(read, 1), time.monotonic() - started < 30], [b"", True])
        """)

    def test_interrupts(self):
        """Ctrl-C goes to all processes of a terminal. The call ends soon, the helper does not; nor does it by SIGTERM."""
        run("""
            big = [" ".join(f"w{(i * 31 + j) % 100000}" for j in range(60)) for i in range(40_000)]
            scores()

            def child():
                os.setpgid(0, 0)
                signal.signal(signal.SIGTERM, lambda *_: None)
                first = helper()
                threading.Timer(0.4, os.killpg, (0, signal.SIGTERM)).start()
                threading.Timer(0.5, os.killpg, (0, signal.SIGINT)).start()
                started = time.monotonic()
                try:
                    termsift.Statistics.of(big * 20, [0] * len(big) * 20, ngrams="1-3")
                    return "not interrupted"
                except KeyboardInterrupt:
                    took = time.monotonic() - started
                check(helper(), first)
                return [took < 30, scores()]

            check(forked(child), [True, scores()])
        """)

    def test_interrupts_of_finalizers(self):
        """Python drops what is raised in a finalizer. It does not wait for the helper, so that Ctrl-C comes behind it."""
        run("""
            want = scores()

            def child():
                statistics, busy = termsift.Statistics.of(TEXTS, LABELS), helper()
                os.kill(busy, signal.SIGSTOP)
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                threading.Timer(1, os.kill, (busy, signal.SIGCONT)).start()
                try:
                    del statistics
                    time.sleep(5)
                    return "not interrupted"
                except KeyboardInterrupt:
                    kept = [termsift.Statistics.of(TEXTS, LABELS) for _ in range(300)]
                    kept.clear()
                    return scores()

            check(forked(child), want)
        """)

    def test_no_interrupt_is_lost(self):
        """Each ends its call, however small, in a process and in a child that was forked; none hangs."""
        run("""
            lib.LARGE = 0  # so that each call waits for a thread

            def interrupted(turns):
                scores()  # where a helper is needed, it has begun
                lost = 0
                for turn in range(turns):
                    handled = []

                    def handler(*_):
                        handled.append(True)
                        raise KeyboardInterrupt

                    signal.signal(signal.SIGALRM, handler)
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 1e-5 * (1 + 7 * turn % 400))
                        while not handled:
                            termsift.Statistics.of(TEXTS[:9], LABELS[:9])
                        lost += 1
                    except KeyboardInterrupt:
                        pass
                return lost, scores()

            want = [0, scores()]
            turns = int(sys.argv[1])
            check(list(interrupted(turns)), want)
            check(forked(lambda: interrupted(turns)), want)
        """, 10_000 if os.environ.get("TERMSIFT_HEAVY") == "1" else 500, limit=1200)

    def test_signals_during_short_calls(self):
        """A handler may raise at any moment; the answers of calls stay their own."""
        run("""
            scores()

            def child():
                want, raised = [scores(seed) for seed in range(5)], 0

                def handler(*_):
                    raise TimeoutError

                signal.signal(signal.SIGALRM, handler)
                for turn in range(300):
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 1e-4 * (1 + turn % 40))
                        check(scores(turn % 5), want[turn % 5])
                        signal.setitimer(signal.ITIMER_REAL, 0)
                    except TimeoutError:
                        raised += 1
                signal.setitimer(signal.ITIMER_REAL, 0)
                check([scores(seed) for seed in range(5)], want)
                return raised > 20 and lib._last.number == 1

            check(forked(child), True)
        """)

    def test_fork_of_c_code(self):
        """Python's hooks do not run. What was made before is an error that says so, unless it is a file."""
        program = """
            import ctypes
            o = Objects()
            kept = o.statistics.select("chi", 5)
            forked(lambda: None)  # its hooks have saved the objects of before
            late, want = termsift.Statistics.of(TEXTS, LABELS), [o.work(), scores()]
            child = ctypes.PyDLL(None).fork()
            if child == 0:
                signal.alarm(60)
                check([o.work(), scores()], want)
                try:
                    late.select("chi", 2)
                except termsift.ForkedError as e:
                    assert "C code" in str(e), e
                    os._exit(0)
                os._exit(1)
            check(os.waitpid(child, 0)[1], 0)
            check(late.to_bytes(), o.statistics.to_bytes())
        """
        for apart in ("0", "1"):
            with self.subTest(TERMSIFT_PROCESS=apart):
                run(program, TERMSIFT_PROCESS=apart)

    def test_many_forks(self):
        """Forks leave no descriptors in the parent, nor do objects that are gone stay."""
        run("""
            o = Objects()
            want = o.work()
            descriptors = len(os.listdir("/proc/self/fd"))
            for _ in range(4):
                check(forked(o.work), want)
            check(len(os.listdir("/proc/self/fd")), descriptors)

            def child():
                o.work()
                kept, before = len(lib._kept), len(os.listdir("/proc/self/fd"))
                for _ in range(5):
                    o.work()
                return [len(lib._kept) - kept, len(os.listdir("/proc/self/fd")) - before]

            check(forked(child), [0, 0])
        """)

    def test_no_python(self):
        """Where Python is not the program that sys.executable names, the error says so."""
        run("""
            scores()

            def child(program):
                sys.executable = program
                return scores()

            sys.frozen = True
            refused = forked(lambda: child("/bin/false"))
            assert refused.startswith("HelperError: ") and "is a program, and not Python" in refused, refused
            del sys.frozen
            for program, text in {"/bin/false": "has ended with status 1 and did not start: '/bin/false' must be Python", "/nowhere": "cannot be started"}.items():
                refused = forked(lambda: child(program))
                assert refused.startswith("HelperError: ") and text in refused, refused
        """)


    def test_systems_without_forks(self):
        """The package is imported, and works, where Python has nothing of all this, as on Windows."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "sitecustomize.py").write_text(textwrap.dedent("""
                import os, select, signal, socket
                for module, names in {os: "fork register_at_fork memfd_create pidfd_open", signal: "SIGHUP SIGQUIT pthread_sigmask",
                                      socket: "send_fds recv_fds", select: "poll"}.items():
                    for name in names.split():
                        delattr(module, name)
            """))
            path = os.pathsep.join([folder, *sys.path, os.environ.get("PYTHONPATH", "")])
            run("print(scores())", PYTHONPATH=path)
            self.assertRegex(run("scores()", status=1, PYTHONPATH=path, TERMSIFT_PROCESS="1"), "HelperError: .*this system")

class Apart(unittest.TestCase):
    """TERMSIFT_PROCESS=1 calls the library in a helper process from the start."""

    def test_results(self):
        program = """
            o = Objects()
            print(json.dumps([o.work(), forked(o.work)]))
            check(lib._loaded is None, "TERMSIFT_PROCESS" in os.environ)
            assert termsift.library_version()
        """
        self.assertEqual(run(program, TERMSIFT_PROCESS="1"), run(program))

    def test_kinds_of_texts(self):
        """Those of lists and of all columns of Arrow are the same texts."""
        program = """
            sys.path.append(sys.argv[1])
            from arrays_of_arrow import Given, array, schema, utf8, views
            from termsift._arrays import texts_of
            several = ["a moon", "", "caf\\u00e9 b", "long " * 14_000, ""] * 20
            cut = Given(schema("U"), array(3, [None, np.array([6, 7, 7, 9], dtype=np.int64), b"unusedabc"]))
            for given in (several, Given(*utf8(["unused", *several], offset=1)), Given(*utf8(several, large=True)), Given(*views(several[:9])), cut, several[:1]):
                t, _ = texts_of(given)
                vocabulary, rows = lib.c_uint64(), lib.c_uint64()
                lib.call("bag_fit", t, out=[vocabulary, rows], options=b'{"tokens": "char"}')
                print(bits(*lib.read("read", lib.Handle(vocabulary.value), columns=6)), bits(*lib.read("read", lib.Handle(rows.value), columns=3)))
        """
        folder = Path(__file__).parent
        self.assertEqual(run(program, folder, TERMSIFT_PROCESS="1"), run(program, folder))

    def test_value(self):
        self.assertIn("ValueError: TERMSIFT_PROCESS is 'yes'", run("scores()", status=1, TERMSIFT_PROCESS="yes"))

    def test_what_is_no_library(self):
        for path in ["/nowhere/none.so", "libc.so.6"]:
            text = run("termsift.library_version()", status=1, TERMSIFT_PROCESS="1", TERMSIFT_LIBRARY=path)
            self.assertRegex(text, "ImportError: .*set TERMSIFT_LIBRARY to the path of its library")

    @unittest.skipUnless(shutil.which("go"), "needs go")
    def test_beside_another_library_of_go(self):
        """Both work, in the process and in those that it forks after it."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "other.go").write_text(
                'package main\n\nimport "C"\n\n//export Sum\nfunc Sum(n C.int) C.int {\n\tc := make(chan C.int)\n\tgo func() {\n\t\tfor i := C.int(1); i <= n; i++ {\n\t\t\tc <- i\n'
                "\t\t}\n\t\tclose(c)\n\t}()\n\ts := C.int(0)\n\tfor i := range c {\n\t\ts += i\n\t}\n\treturn s\n}\n\nfunc main() {}\n"
            )
            environment = {**os.environ, "GOFLAGS": "", "GOWORK": "off", "CGO_ENABLED": "1", "GOTOOLCHAIN": "local"}
            subprocess.run(["go", "build", "-buildmode=c-shared", "-o", "other.so", "other.go"], cwd=folder, check=True, env=environment, timeout=LIMIT)
            run("""
                import ctypes
                other = ctypes.CDLL(sys.argv[1])
                o, want = Objects(), 5050
                check(other.Sum(100), want)
                found = o.work()
                for _ in range(20):
                    check([other.Sum(100), o.work()], [want, found])
                check(forked(o.work), found)
                assert not any("libtermsift" in line for line in open("/proc/self/maps"))
            """, Path(folder, "other.so"), TERMSIFT_PROCESS="1")


# A pool's work is a function of a module that its processes can import, or have.
POOLS = """
import multiprocessing

def work(i):
    return [OBJECTS.work() if OBJECTS else None, scores(i)]

OBJECTS = None

if __name__ == "__main__":
    scores()
    method, with_objects = sys.argv[1], sys.argv[2] == "objects"
    OBJECTS = Objects() if with_objects else None
    want = [work(i) for i in range(6)]
"""


class Pools(unittest.TestCase):
    """The ways in which Python's packages start processes. All work was done once in the parent before."""

    def pool(self, program, method="fork", objects=True):
        run(POOLS + textwrap.indent(textwrap.dedent(program), "    "), method, "objects" if objects else "")

    def test_multiprocessing(self):
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method):
                self.pool("""
                    with multiprocessing.get_context(method).Pool(2) as pool:
                        check(pool.map(work, range(6), chunksize=1), want)
                """, method, method == "fork")

    @needs("joblib")
    def test_joblib(self):
        """Work, and estimators, which go to the processes as pickles."""
        for backend in ("loky", "multiprocessing"):
            with self.subTest(backend):
                self.pool("""
                    from joblib import Parallel, delayed, parallel_config
                    def of(v): return of_rows(v.transform(TEXTS))
                    v = termsift.TermVectorizer(k=20).fit(TEXTS, LABELS)
                    with parallel_config(backend=method):
                        check(Parallel(2)(delayed(work)(i) for i in range(6)), want)
                        check(Parallel(2)(delayed(of)(v) for _ in range(4)), [of(v)] * 4)
                """, backend, backend == "multiprocessing")

    @needs("datasets")
    def test_datasets(self):
        with tempfile.TemporaryDirectory() as folder:
            program = """
                os.environ["HF_HOME"], os.environ["HF_DATASETS_OFFLINE"] = sys.argv[3], "1"
                import datasets
                datasets.disable_progress_bars()
                v = OBJECTS.vectorizer
                rows = datasets.Dataset.from_dict({"text": TEXTS}).map(lambda batch: {"row": v.transform(batch["text"]).toarray()}, batched=True, batch_size=20, num_proc=4)
                check(bits(np.array(rows["row"][:], dtype=np.float32)), bits(v.transform(TEXTS).toarray()))
            """
            run(POOLS + textwrap.indent(textwrap.dedent(program), "    "), "fork", "objects", folder)

    @needs("gunicorn")
    def test_gunicorn(self):
        """Workers that are forked from a process that has loaded the model; one is killed, and another takes its place."""
        service = """
            model = Objects()
            want = model.work()

            def app(environ, start_response):
                start_response("200 OK", [])
                if environ["PATH_INFO"] == "/end":
                    os.kill(os.getpid(), signal.SIGKILL)
                return [json.dumps([lib._apart, model.work() == want]).encode()]
        """
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "service.py").write_text(COMMON + textwrap.dedent(service), encoding="utf-8")
            self.serve(folder)

    def serve(self, folder):
        run("""
            import re, subprocess, urllib.request
            folder = sys.argv[1]
            service = subprocess.Popen([sys.executable, "-m", "gunicorn", "--preload", "--workers", "2", "--chdir", folder, "-b", "127.0.0.1:0", "--log-file", folder + "/log", "service:app"])

            def port():
                found = re.search(r"Listening at: http://127.0.0.1:(\\d+)", open(folder + "/log").read()) if os.path.exists(folder + "/log") else None
                return found and found[1]

            def ask(path="/"):
                with urllib.request.urlopen(f"http://127.0.0.1:{port()}{path}", timeout=30) as answer:
                    return json.loads(answer.read())

            for _ in range(500):
                if port(): break
                time.sleep(0.1)
            first = [ask() for _ in range(10)]
            try:
                ask("/end")
            except OSError:
                pass
            then = [ask() for _ in range(10)]
            check(first + then, [[True, True]] * 20)
            service.terminate()
            check(service.wait(60), 0)
        """, folder)
