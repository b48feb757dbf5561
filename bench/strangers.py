"""Runs the test suites of other projects without and with termsift's patch of scikit-learn, and compares each test.

    strangers.py [--work FOLDER] [--sources FOLDER] [--only REGEX] > bench/results/strangers.txt

The projects and their tests are of the versions below, the packages that they need of those in strangers.txt; nothing of
them is changed. An environment and the sources are made in --work. Sources come from PyPI or by git, but for those that lie
unpacked in --sources, as NAME-VERSION. A project that cannot be reached is named and left out. termsift is found by
PYTHONPATH and TERMSIFT_LIBRARY. TERMSIFT_DATA names the folder of 20news-bydate.tar.gz, which four suites want.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import types
import zlib
from pathlib import Path

HERE = Path(__file__).resolve()
ONNX = "count_vectorizer_converter count_vectorizer_converter_bug text tfidf_transformer_converter tfidf_transformer_converter_sparse " \
    "tfidf_vectorizer_converter tfidf_vectorizer_converter_char tfidf_vectorizer_converter_dataset tfidf_vectorizer_converter_pipeline " \
    "tfidf_vectorizer_converter_regex pipeline_concat_tfidf"
SKRUB = "string_encoder gap_encoder minhash_encoder similarity_encoder deduplicate fuzzy_join joiner table_vectorizer tabular_pipeline sklearn"
ELI5 = "formatters lime sklearn_explain_prediction sklearn_explain_weights sklearn_text sklearn_unhashing sklearn_utils sklearn_vectorizers"

# The name of a project, its version, where its tests come from ("wheel", "sdist", or "URL TAG" of git), and what pytest runs: of a
# suite that takes more than five minutes the tests that meet a vectorizer of texts, and none that a model or a download decides.
# KeyBERT and polyfuzz are in place of yellowbrick and scattertext, some of whose tests fail with these versions anyway.
PROJECTS = (
    ("skrub", "0.11.0", "wheel", [f"skrub.tests.test_{name}" for name in SKRUB.split()] + ["-k", "not test_transform_deterministic"]),
    ("BERTopic", "0.17.4", "https://github.com/MaartenGr/BERTopic v0.17.4", [
        *(f"tests/{name}" for name in ("test_vectorizers", "test_representation", "test_reduction", "test_variations")), "-k", "not test_delete"]),
    ("skl2onnx", "1.20.0", "sdist", [f"tests/test_sklearn_{name}.py" for name in ONNX.split()]),
    ("eli5", "0.16.0", "https://github.com/eli5-org/eli5 0.16.0", [f"tests/test_{name}.py" for name in ELI5.split()]),
    ("dask-ml", "2025.1.0", "https://github.com/dask/dask-ml v2025.1.0", ["tests/feature_extraction/test_text.py"]),
    ("string_grouper", "0.8.0", "wheel", ["string_grouper.test", "string_grouper_utils.test"]),
    ("KeyBERT", "0.9.0", "https://github.com/MaartenGr/KeyBERT v0.9.0", ["tests/test_model.py"]),
    ("polyfuzz", "0.4.3", "sdist", ["tests"]),
)

# ---- in the process of a suite: a plugin of pytest ----


class Sentences:
    """Stands in for a model of sentence_transformers, which would be downloaded: texts of one longest word modulo 20 are near each other."""

    def __init__(self, *arguments, **more):
        pass

    def encode(self, texts, **more):
        import numpy as np

        def vector(seed):
            return np.random.default_rng(seed).normal(size=64)

        rows = [vector(zlib.crc32(max(["", *text.split()], key=len).encode()) % 20) + 0.2 * vector(zlib.crc32(text.encode()))
                for text in ([texts] if isinstance(texts, str) else texts)]
        rows = np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)
        return rows[0] if isinstance(texts, str) else rows


def pytest_load_initial_conftests():
    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = module.StaticEmbedding = module.util = Sentences
    sys.modules["sentence_transformers"] = sys.modules["sentence_transformers.models"] = module
    Sentences.__module__ = "sentence_transformers"
    if os.environ["STRANGERS_PATCH"]:
        import termsift
        from termsift import _counting

        termsift.patch_sklearn()
        took = _counting.took

        def note(vectorizer, way):
            ways[way] += 1
            took(vectorizer, way)

        _counting.took = note


ways, outcomes = collections.Counter(), {}


def pytest_runtest_setup():
    import numpy as np

    random.seed(1)
    np.random.seed(1)


def pytest_runtest_logreport(report):
    if report.outcome != "passed" or report.when == "call":
        outcomes[report.nodeid] = "error" if report.failed and report.when != "call" else report.outcome


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = "error"


def pytest_sessionfinish():
    Path(os.environ["STRANGERS_RESULT"]).write_text(json.dumps({"outcomes": outcomes, "ways": ways}))


# ---- the program ----

NEWSGROUPS = """
import codecs, pickle, sys, tarfile
from sklearn.datasets import load_files
tarfile.open(sys.argv[1]).extractall("20news")
parts = {part: load_files(f"20news/20news-bydate-{part}", encoding="latin1") for part in ("train", "test")}
open("20news-bydate_py3.pkz", "wb").write(codecs.encode(pickle.dumps(parts), "zlib_codec"))
"""


def call(*command, **more):
    subprocess.run([str(part) for part in command], check=True, **more)


def prepared(work):
    """Return the Python of the environment, which is made where it is not there, with the texts and the locale that suites want."""
    pins, python, data = HERE.with_name("strangers.txt"), work / "env/bin/python", os.environ.get("TERMSIFT_DATA")
    if not (work / pins.name).exists() or (work / pins.name).read_text() != pins.read_text():
        call(sys.executable, "-m", "venv", "--clear", work / "env")
        call(python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", pins)
        shutil.copy(pins, work)
    if data and not (work / "20news-bydate_py3.pkz").exists():  # else scikit-learn downloads it
        call(python, "-c", NEWSGROUPS, Path(data, "20news-bydate.tar.gz").resolve(), cwd=work)
    if shutil.which("localedef"):  # for onnxruntime
        subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", str(work / "en_US.UTF-8")], capture_output=True)
    shutil.copy(HERE, work / "strangers.py")
    return python


def folder_of(project, sources, work):
    """Return a folder that holds the tests of a project, and nothing else of it."""
    name, version, origin, _ = project
    folder, there = work / "tests" / name, sources / f"{name}-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if origin == "wheel":  # pytest finds them
        return folder
    if not there.exists() and origin == "sdist":
        call(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, f"{name}=={version}", "-d", sources)
        with tarfile.open(sources / f"{name}-{version}.tar.gz") as archive:
            archive.extractall(sources)
    elif not there.exists():
        call("git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--depth", 1, "--branch", origin.split()[1], origin.split()[0], there)
    shutil.copytree(there / "tests", folder / "tests")
    return folder


def suite(python, project, folder, work, patch):
    """Run a suite, and return the outcomes of its tests, the ways that vectorizers took, and its CPU time in seconds."""
    name, version, origin, tests = project
    result = work / f"{name}-{'patched' if patch else 'plain'}.json"
    result.unlink(missing_ok=True)
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    env = {
        **os.environ, **threads, "PYTHONPATH": os.pathsep.join(filter(None, (str(work), os.environ.get("PYTHONPATH")))), "PYTHONHASHSEED": "1",
        "SCIKIT_LEARN_DATA": str(work), "LOCPATH": str(work), "STRANGERS_PATCH": "1" if patch else "", "STRANGERS_RESULT": str(result),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with result.with_suffix(".log").open("w") as log:
        command = [python, "-m", "pytest", "-q", "-p", "strangers", "-p", "no:cacheprovider", *(["--pyargs"] if origin == "wheel" else []), *tests]
        subprocess.run(command, cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(result.read_text())
    if "passed" not in found["outcomes"].values():
        raise SystemExit(f"{name}: no test passed, see {result.with_suffix('.log')}")
    return found["outcomes"], found["ways"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "termsift/strangers"))
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    work = options.work.expanduser().resolve()
    sources = options.sources.resolve() if options.sources else work / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    python = prepared(work)
    row = "{:<15}{:<10}{:>6}  {:<36}{:<36}{:>6}{:>7}{:>6}{:>11}{:>6}".format
    pins = re.findall(r"^(?:numpy|pandas|scikit-learn|scipy)==.*", HERE.with_name("strangers.txt").read_text(), re.M)
    lines = [f"{', '.join(pins)}; calls that count words, ours those that termsift did; CPU time", "",
             row("project", "version", "tests", "without", "with", "differ", "calls", "ours", "s without", "with")]
    notes = []
    for project in PROJECTS:
        if not re.search(options.only, project[0]):
            continue
        try:
            folder = folder_of(project, sources, work)
        except subprocess.CalledProcessError as e:
            notes.append(f"not tried: {project[0]} {project[1]}: {' '.join(e.cmd)} failed; or unpack it as {project[0]}-{project[1]} in --sources")
            continue
        differing, repeated = ["all"], []
        while differing and len(repeated) < 2:  # what a busy machine made fail, as dask's limits of seconds do, passes when repeated
            (plain, _, first), (patched, ways, second) = (suite(python, project, folder, work, patch) for patch in (False, True))
            differing = [test for test in sorted({*plain, *patched}) if plain.get(test) != patched.get(test)]
            repeated.append(differing)
        notes += [f"{project[0]}: {test}: differed at first, but not when the suites were repeated" for test in repeated[0] if test not in differing]
        told = [", ".join(f"{n} {outcome}" for outcome, n in collections.Counter(side.values()).most_common()) for side in (plain, patched)]
        calls, ours = sum(ways.values()), ways.get("termsift", 0)
        share = f"{ours / max(calls, 1):.0%}"
        lines.append(row(*project[:2], len(plain), *told, len(differing), calls, share, round(first), round(second)))
        print(lines[-1], file=sys.stderr, flush=True)
        notes += [f"{project[0]}: {test}: {plain.get(test)} without, {patched.get(test)} with the patch" for test in differing]
        notes += [f"{project[0]}: {n} {way}" for way, n in sorted(ways.items(), key=lambda one: -one[1])]
    print("\n".join([*lines, "", *notes]))


if __name__ == "__main__":
    main()
