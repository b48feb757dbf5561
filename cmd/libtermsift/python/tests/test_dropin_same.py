"""termsift.sklearn against scikit-learn in another process, on six corpora by forty settings."""

import json
import os
import subprocess
import sys
from pathlib import Path

import dropin_cases as cases
import pytest

import termsift.sklearn

HEAVY = os.environ.get("TERMSIFT_HEAVY") == "1"
SIZE = 4_000_000 if HEAVY else 60_000  # characters of a corpus


@pytest.fixture(scope="module")
def theirs():
    """The digests by scikit-learn, of a process that has not loaded termsift."""
    program = Path(__file__).with_name("dropin_cases.py")
    out = subprocess.run([sys.executable, str(program), str(SIZE)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {(name, number): found for name, number, found in map(json.loads, out.splitlines())}


@pytest.mark.filterwarnings("ignore")
def test_all_is_as_in_scikit_learn(theirs):
    different, elsewhere = [], {}
    for name in cases.CORPORA:
        texts = cases.corpus(name, SIZE)
        for number in range(len(cases.SETTINGS)):
            vectorizer = cases.made(termsift.sklearn, number, texts, n_jobs=1 + number % 2)
            if cases.digest(vectorizer, texts) != theirs[name, number]:
                different.append((name, cases.SETTINGS[number], vectorizer.path_))
            if vectorizer.path_ != "termsift":
                elsewhere[name, number] = vectorizer.path_
    assert not different
    done = len(theirs) - len(elsewhere)
    print(f"{done} of {len(theirs)} cases by termsift")
    assert len(theirs) == 40 * len(cases.CORPORA) and done >= len(theirs) * 5 // 6
    assert not [number for _, number in elsewhere if not cases.SETTINGS[number][1]], "defaults"
    assert {reason.partition(":")[0] for reason in elsewhere.values()} <= {"scikit-learn"}
