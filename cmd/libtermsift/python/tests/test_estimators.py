"""scikit-learn's own checks of estimators, and the tags of versions of it on both sides of 1.6."""

import unittest
import warnings

import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks

import termsift
from termsift import _selector

VERSION = tuple(map(int, sklearn.__version__.split(".")[:2]))

# The checks that a version has for a selector; one of them is of dtypes, which texts have not. Other versions have at
# least as many as 1.2.
CHECKS = {(1, 2): 36, (1, 9): 49}

# What a version skips by its own design: the check has nothing to do unless SCIPY_ARRAY_API=1 is set before scipy is
# imported.
SKIPS = {(1, 9): ["check_array_api_input"]}


class VectorizerOfMatrices(termsift.TermVectorizer):
    """A TermVectorizer for the checks, which have no texts: it reads each row as a text of its columns' names."""

    def _texts(self, X, reset):
        X = _selector.validate_data(self, X, reset=reset)
        if (X < 0).any():
            raise ValueError(f"Negative values in data passed to {type(self).__name__}")
        return [" ".join(f"column{j} " * (1 + int(v) % 3) for j, v in enumerate(row) if v > 0) for row in X]

    def _fit(self, X, y, with_rows):
        return super()._fit(self._texts(X, True), y, with_rows)

    def transform(self, X):
        if not hasattr(self, "_model"):
            raise NotFittedError("not fitted")
        return super().transform(self._texts(X, False))

    @property
    def partial_fit(self):
        raise AttributeError("the checks give it numbers for texts: test_explain.py has its tests")

    def _more_tags(self):
        return {"requires_y": True, "requires_positive_X": True, "X_types": ["2darray"], "preserves_dtype": []}  # texts have no dtype

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array, tags.input_tags.positive_only = False, True, True
        tags.transformer_tags.preserves_dtype = []
        return tags


class WeightsOfCounts(termsift.ClassTfidf):
    """A ClassTfidf for the checks, which give y where BERTopic gives a multiplier."""

    def fit(self, X, y=None):
        return super().fit(X)

    def fit_transform(self, X, y=None):
        return self.fit(X).transform(X)


def checks_of(estimator):
    """Yield each check of an estimator, with the copy of it that it takes."""
    if hasattr(estimator_checks, "estimator_checks_generator"):  # scikit-learn 1.6 and later
        return estimator_checks.estimator_checks_generator(estimator)
    return estimator_checks.check_estimator(estimator, generate_only=True)


class Checks(unittest.TestCase):
    def check(self, estimator, want):
        """Run all checks; none but SKIPS is skipped, and there are as many as wanted."""
        done, skips = 0, []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for each, check in checks_of(estimator):
                done += 1
                try:
                    check(each)
                except unittest.SkipTest:
                    skips.append(check.func.__name__)
        self.assertEqual(skips, SKIPS.get(VERSION, []))
        if VERSION in CHECKS:
            self.assertEqual(done, want)
        self.assertGreaterEqual(done, want)

    def test_selector(self):
        for options in [{}, {"k": "all"}, {"by": "ig", "k": 2}, {"by": "ttest", "k": 3, "combine": "avg", "n_jobs": 2}]:
            with self.subTest(options=options):
                self.check(termsift.TermSelector(**options), CHECKS.get(VERSION, CHECKS[1, 2]))

    def test_vectorizer(self):
        for options in [
            {"k": "all"}, {"by": "ig", "k": "all", "weight": "binary"}, {"k": "all", "weight": "ltc", "n_jobs": 2},
            {"by": "ttest", "k": "all", "combine": "avg", "weight": "tfidf"},
        ]:
            with self.subTest(options=options):
                self.check(VectorizerOfMatrices(**options), CHECKS.get(VERSION, CHECKS[1, 2]) - 1)

    def test_weights(self):
        for options in [{}, {"bm25_weighting": True}, {"reduce_frequent_words": True}, {"bm25_weighting": True, "n_jobs": 2}]:
            with self.subTest(options=options):
                self.check(WeightsOfCounts(**options), CHECKS.get(VERSION, CHECKS[1, 2]) - 2)


class Tags(unittest.TestCase):
    @unittest.skipUnless(VERSION < (1, 6), "needs scikit-learn before 1.6")
    def test_before_1_6(self):
        tags = termsift.TermSelector()._more_tags()
        self.assertTrue(tags["requires_y"] and tags["requires_positive_X"] and tags["multilabel"] and "sparse" in tags["X_types"])
        tags = termsift.TermVectorizer()._more_tags()
        self.assertTrue(tags["requires_y"] and tags["X_types"] == ["string"])

    @unittest.skipUnless(VERSION >= (1, 6), "needs scikit-learn from 1.6")
    def test_from_1_6(self):
        tags = termsift.TermSelector().__sklearn_tags__()
        self.assertTrue(tags.target_tags.required and tags.target_tags.multi_output and tags.input_tags.positive_only)
        self.assertTrue(tags.input_tags.sparse and tags.input_tags.two_d_array)
        tags = termsift.TermVectorizer().__sklearn_tags__()
        self.assertTrue(tags.target_tags.required and tags.input_tags.string and not tags.input_tags.two_d_array)
