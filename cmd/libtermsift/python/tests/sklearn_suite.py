"""Runs scikit-learn's own tests of vectorizers and scores under the patch: python3 sklearn_suite.py

It prints what passed and failed, and which share of the fits and transforms termsift did. A failure that is not
among the known ones is an error, and so is a known one that passes.
"""

import collections
import sys

import pytest
import sklearn

import termsift
from termsift import _counting

MODULES = (
    "sklearn.feature_extraction.tests.test_text",
    "sklearn.feature_selection.tests.test_chi2",
    "sklearn.feature_selection.tests.test_feature_select",
    "sklearn.feature_selection.tests.test_mutual_info",
)

# The tests that fail, by name, with their reasons.
KNOWN = {}


class Watch:
    """A plugin of pytest that counts."""

    def __init__(self):
        self.passed, self.failed, self.ways = 0, {}, collections.Counter()
        self.took = _counting.took

    def pytest_configure(self):
        _counting.took = self.note

    def note(self, vectorizer, way):
        self.ways[way] += 1
        self.took(vectorizer, way)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed[report.nodeid.partition("::")[2]] = report.longreprtext.splitlines()[-1:]
        elif report.when == "call" and report.passed:
            self.passed += 1


def main():
    watch = Watch()
    with termsift.patched():
        pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestConfigWarning", "--pyargs", *MODULES], plugins=[watch])
    names = {name.partition("[")[0] for name in watch.failed}
    calls, ours = sum(watch.ways.values()), watch.ways["termsift"]
    print(f"scikit-learn {sklearn.__version__} under the patch: {watch.passed} passed, {len(watch.failed)} failed")
    assert len(KNOWN) <= 5
    for name, why in watch.failed.items():
        print(f"  {name}: {KNOWN.get(name.partition('[')[0], why)}")
    print(f"fits and transforms: {calls}, of which termsift did {ours}, {ours / max(calls, 1):.0%}")
    for way, count in watch.ways.most_common():
        print(f"  {count:6d} {way}")
    return int(names != set(KNOWN) or watch.passed < 150 or not ours)


if __name__ == "__main__":
    sys.exit(main())
