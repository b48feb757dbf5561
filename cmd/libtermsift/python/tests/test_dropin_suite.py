"""scikit-learn's own tests under the patch, in a process of their own."""

import subprocess
import sys
from pathlib import Path


def test_scikit_learns_own_tests():
    done = subprocess.run([sys.executable, str(Path(__file__).with_name("sklearn_suite.py"))], capture_output=True, text=True)
    print(done.stdout[done.stdout.rfind("scikit-learn "):])
    assert done.returncode == 0, done.stdout + done.stderr
