"""Rules of all tests: which skips are right."""

import importlib.util
import re

import pytest

# The reason of a skip names the package that is missing: by pytest.importorskip, or as "needs polars". Tests of one
# side of scikit-learn 1.6 skip on the other.
MISSING = re.compile(r"(?:Skipped: )?(?:needs |could not import ')(\w+)'?")
RIGHT = re.compile(r"(?:Skipped: )?needs scikit-learn (?:before|from) ")


def is_right(reason):
    """Report whether a test may skip for a reason."""
    missing = MISSING.match(reason)
    return bool(RIGHT.match(reason)) or (missing is not None and importlib.util.find_spec(missing[1]) is None)


def judged(report):
    """Turn a report of a wrong skip into one of a failure."""
    if report.skipped and not hasattr(report, "wasxfail") and not is_right(report.longrepr[2]):
        report.outcome, report.longrepr = "failed", f"{report.nodeid} skips, and no package is missing: {report.longrepr[2]}"
    return report


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.force_result(judged(outcome.get_result()))


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    outcome = yield
    outcome.force_result(judged(outcome.get_result()))
