"""The classifiers of the command beside those of scikit-learn: the scores of documents that they were not trained on."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from termsift import _command

CLASSES = ["x", "y", "z"]
TERMS = [f"t{i:02d}" for i in range(40)]


def counts_of(rng, labels):
    """Return counts whose large ones hang on the label, so that no two cosines are equal."""
    rates = np.outer(np.ones(len(labels)), 1 + 3 * rng.random(len(TERMS)))
    for row, label in enumerate(labels):
        rates[row, label::3] *= 3
    return rng.poisson(rates) * (rng.random(rates.shape) < 0.4)


class Classifiers(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(7)
        self.labels, self.hidden = rng.integers(0, 3, 150), rng.integers(0, 3, 60)
        self.train, self.test = counts_of(rng, self.labels), counts_of(rng, self.hidden)

    def scores(self, classifier):
        """Return what the command says of the test documents, by class."""
        with tempfile.TemporaryDirectory() as folder:
            train, test, model = Path(folder, "train.jsonl"), Path(folder, "test.jsonl"), Path(folder, "model")
            for path, counts, labels in [(train, self.train, self.labels), (test, self.test, self.hidden)]:
                rows = [{t: int(n) for t, n in zip(TERMS, row) if n} for row in counts]
                path.write_text("".join(json.dumps({"labels": [CLASSES[c]], "counts": row}) + "\n" for row, c in zip(rows, labels)))
            command = _command.command()
            run = [command, "train", str(train), "-k", str(len(TERMS)), "--classifier", classifier, "-o", str(model)]
            subprocess.run(run, check=True, stderr=subprocess.DEVNULL)
            run = [command, "predict", "--model", str(model), str(test), "--format", "jsonl", "--scores"]
            said = subprocess.run(run, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return np.array([[json.loads(line)["scores"][c] for c in CLASSES] for line in said.splitlines()])

    def test_naive_bayes(self):
        for alpha in [1, 0.1]:
            with self.subTest(alpha=alpha):
                want = MultinomialNB(alpha=alpha).fit(self.train, self.labels)._joint_log_likelihood(self.test)
                np.testing.assert_allclose(self.scores(f"nb:alpha={alpha}"), want, rtol=1e-12)
                want = BernoulliNB(alpha=alpha).fit(self.train, self.labels)._joint_log_likelihood(self.test > 0)
                np.testing.assert_allclose(self.scores(f"bernoulli:alpha={alpha}"), want, rtol=1e-12)

    def test_neighbours(self):
        for k in [1, 7, 150]:
            with self.subTest(k=k):
                model = KNeighborsClassifier(k, metric="cosine", algorithm="brute", weights=lambda distances: 1 - distances)
                want = model.fit(self.train, self.labels).predict_proba(self.test)
                got = self.scores(f"knn:k={k},weight=tf")
                np.testing.assert_allclose(got / got.sum(axis=1, keepdims=True), want, rtol=1e-6, atol=1e-6)

    def test_svm(self):
        for loss, theirs in [("l1", "hinge"), ("l2", "squared_hinge")]:
            with self.subTest(loss):
                model = LinearSVC(loss=theirs, C=0.1, fit_intercept=False, dual=True, tol=1e-9, max_iter=1_000_000)
                want = model.fit(self.train, self.labels).decision_function(self.test)
                np.testing.assert_allclose(self.scores(f"svm:loss={loss},c=0.1,eps=1e-9,sweeps=1000000,weight=tf"), want, rtol=1e-4, atol=1e-4)
