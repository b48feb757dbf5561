"""Tests of the patch of scikit-learn."""

import subprocess
import sys
import threading

import pytest
import sklearn.feature_selection as selection
from sklearn.base import clone
from sklearn.feature_extraction import text
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from test_dropin import DOCUMENTS, same

import termsift
import termsift.sklearn as ours

CLASSES = [CountVectorizer, TfidfVectorizer, HashingVectorizer]


def state():
    """Return what the patch may change."""
    return [(name, value) for owner in (text.CountVectorizer, text.TfidfVectorizer, text.HashingVectorizer) for name, value in vars(owner).items()
            if not name.startswith("__")] + [(name, getattr(selection, name)) for name in ("chi2", "f_classif", "mutual_info_classif")]


@pytest.fixture(autouse=True)
def restored():
    before = state()
    yield
    termsift.unpatch_sklearn()
    assert sorted(map(repr, state())) == sorted(map(repr, before))


@pytest.mark.parametrize("kind", CLASSES)
def test_names_that_were_imported_before(kind):
    vectorizer = kind()
    want = vectorizer.fit_transform(DOCUMENTS)
    assert not hasattr(vectorizer, "path_")
    with termsift.patched():
        assert vectorizer.path_ is None
        same(vectorizer.transform(DOCUMENTS), kind().fit(DOCUMENTS).transform(DOCUMENTS))
        assert vectorizer.path_ == "termsift"
        fresh = kind()
        same(fresh.fit_transform(DOCUMENTS), want)
        assert fresh.path_ == "termsift" and type(clone(fresh)) is kind
    assert not hasattr(fresh, "path_")
    same(fresh.fit_transform(DOCUMENTS), want)


@pytest.mark.parametrize("kind", CLASSES)
def test_names_of_attributes(kind):
    """dask-ml compares all attributes whose names end in _, and copies them."""
    def names():
        return [name for name in dir(kind().fit(DOCUMENTS)) if not name.startswith("_")]

    before = names()
    with termsift.patched():
        assert names() == before
    assert names() == before


def test_functions():
    their = selection.chi2
    with termsift.patched():
        assert selection.chi2 is ours.chi2 is not their and selection.f_classif is ours.f_classif
        assert selection.mutual_info_classif is ours.mutual_info_classif
    assert selection.chi2 is their


def test_patches_do_not_add_up():
    termsift.patch_sklearn()
    termsift.patch_sklearn()
    with termsift.patched():
        termsift.unpatch_sklearn()
        assert hasattr(CountVectorizer, "path_")  # until the block ends
    assert not hasattr(CountVectorizer, "path_")
    with termsift.patched():
        termsift.patch_sklearn()
    assert hasattr(CountVectorizer, "path_")
    termsift.unpatch_sklearn()
    termsift.unpatch_sklearn()
    assert not hasattr(CountVectorizer, "path_")
    with pytest.raises(KeyError), termsift.patched():
        raise KeyError
    assert not hasattr(CountVectorizer, "path_")


def test_threads_of_the_patch():
    from termsift import _counting

    termsift.patch_sklearn(n_jobs=2)
    with termsift.patched(n_jobs=3):
        assert _counting._threads(CountVectorizer()) == 3
        assert _counting._threads(ours.CountVectorizer(n_jobs=4)) == 4
    assert _counting._threads(CountVectorizer()) == 2
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        termsift.patch_sklearn(n_jobs=0)
    assert _counting._threads(CountVectorizer()) == 2
    termsift.patch_sklearn()
    assert _counting._threads(CountVectorizer()) == 1


def test_threads_that_patch_and_count():
    """What is counted while other threads patch is the same, and the last one out restores."""
    documents = [f"{DOCUMENTS[i % 4]} w{i % 91}" for i in range(300)]
    want = {limit: CountVectorizer(max_features=limit, min_df=2).fit_transform(documents) for limit in (None, 7)}
    faults = []

    def work(number):
        try:
            for i in range(40):
                limit = (None, 7)[i % 2]
                if number % 2:
                    with termsift.patched():
                        same(CountVectorizer(max_features=limit, min_df=2).fit_transform(documents), want[limit])
                else:
                    same(CountVectorizer(max_features=limit, min_df=2).fit_transform(documents), want[limit])
        except BaseException as e:
            faults.append(e)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


# ---- the command ----

SCRIPT = """
import sys
from pathlib import Path
import beside
from sklearn.feature_extraction.text import CountVectorizer
v = CountVectorizer().fit(["orbit"])
print(__name__, Path(sys.argv[0]).name, sys.argv[1:], v.path_, beside.X)
if len(sys.argv) > 3:
    sys.exit(7)
"""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(SCRIPT)
    (tmp_path / "beside.py").write_text("X = 5")
    return tmp_path


def run(*arguments, cwd=None):
    return subprocess.run([sys.executable, "-W", "error", "-m", "termsift.patch", *arguments], capture_output=True, text=True, cwd=cwd)


def test_a_script(program):
    done = run(str(program / "program.py"), "-m", "--n-jobs")
    assert (done.stdout, done.stderr, done.returncode) == ("__main__ program.py ['-m', '--n-jobs'] termsift 5\n", "", 0)
    assert run("--n-jobs", "2", str(program / "program.py"), "a", "b", "c").returncode == 7


def test_a_module(program):
    done = run("-m", "program", "x", cwd=program)
    assert (done.stdout, done.stderr, done.returncode) == ("__main__ program.py ['x'] termsift 5\n", "", 0)


def test_the_command_refuses(program):
    assert "the following arguments are required: program" in run().stderr
    assert "n_jobs must not be 0" in run("--n-jobs", "0", str(program / "program.py")).stderr
    done = run("none.py")
    assert "none.py" in done.stderr and done.returncode


WITHOUT = """
import sys
sys.modules["sklearn"] = None
import termsift
try:
    termsift.patch_sklearn()
except ImportError as e:
    print(e)
"""


def test_without_scikit_learn():
    out = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True).stdout
    assert out == "the patch needs scikit-learn, which is not installed: pip install 'termsift[sklearn]'\n"
