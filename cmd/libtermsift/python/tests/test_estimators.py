"""scikit-learn's own checks of estimators, and what versions of it that cannot be installed here ask for."""

import subprocess
import sys
import unittest
import warnings

from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

import termsift
from termsift import _selector

# scikit-learn 1.2 has so many checks for a selector, one of them of dtypes, which texts have not.
# Later versions have more.
CHECKS_OF_SELECTOR, CHECKS_OF_VECTORIZER = 36, 35


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

    def _more_tags(self):
        return {"requires_y": True, "requires_positive_X": True, "X_types": ["2darray"], "preserves_dtype": []}  # texts have no dtype


def checks_of(estimator):
    """Run all checks of an estimator; return their number. A skip fails."""
    done = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each, check in check_estimator(estimator, generate_only=True):
            try:
                check(each)
            except unittest.SkipTest as e:
                raise AssertionError(f"{check} was skipped: {e}") from e
            done += 1
    return done


class Checks(unittest.TestCase):
    def test_selector(self):
        for options in [{}, {"k": "all"}, {"by": "ig", "k": 2}, {"by": "ttest", "k": 3, "combine": "avg", "n_jobs": 2}]:
            with self.subTest(options=options):
                self.assertGreaterEqual(checks_of(termsift.TermSelector(**options)), CHECKS_OF_SELECTOR)

    def test_vectorizer(self):
        for options in [
            {"k": "all"}, {"by": "ig", "k": "all", "weight": "binary"}, {"k": "all", "weight": "ltc", "n_jobs": 2},
            {"by": "ttest", "k": "all", "combine": "avg", "weight": "tfidf"},
        ]:
            with self.subTest(options=options):
                self.assertGreaterEqual(checks_of(VectorizerOfMatrices(**options)), CHECKS_OF_VECTORIZER)


# Tags as scikit-learn 1.6 has them: classes with these fields alone, so that another name fails.
# validate_data is a function there, and estimators have no method of that kind.
OF_1_6 = """
import numpy as np
import sklearn.base, sklearn.utils.validation

def slotted(name, fields):
    def init(self):
        for f, v in fields.items():
            setattr(self, f, v)
    return type(name, (), {"__slots__": tuple(fields), "__init__": init})

Input = slotted("InputTags", dict(one_d_array=False, two_d_array=True, three_d_array=False, sparse=False, categorical=False, string=False,
                                  dict=False, positive_only=False, allow_nan=False, pairwise=False))
Target = slotted("TargetTags", dict(required=False, one_d_labels=False, two_d_labels=False, positive_only=False, multi_output=False, single_output=True))
Tags = slotted("Tags", dict(estimator_type=None, target_tags=None, transformer_tags=None, classifier_tags=None, regressor_tags=None,
                            array_api_support=False, no_validation=False, non_deterministic=False, requires_fit=True, _skip_test=False, input_tags=None))

def of_base(self):
    t = Tags()
    t.input_tags, t.target_tags = Input(), Target()
    return t

validated = []

def validate_data(estimator, X="no_validation", y="no_validation", reset=True, **options):
    validated.append(type(estimator).__name__)
    return sklearn.utils.validation.check_array(X, **options)

sklearn.base.BaseEstimator.__sklearn_tags__ = of_base
sklearn.utils.validation.validate_data = validate_data
import termsift

s = termsift.TermSelector(k=1).fit(np.array([[1, 0, 1], [0, 1, 1]]), [0, 1])
assert validated == ["TermSelector"], validated
t = s.__sklearn_tags__()
assert t.target_tags.required and t.target_tags.multi_output and t.input_tags.positive_only and t.input_tags.sparse and t.input_tags.two_d_array
t = termsift.TermVectorizer().__sklearn_tags__()
assert t.target_tags.required and t.input_tags.string and not t.input_tags.two_d_array
print("right")
"""


class Tags(unittest.TestCase):
    def test_before_1_6(self):
        tags = termsift.TermSelector()._more_tags()
        self.assertTrue(tags["requires_y"] and tags["requires_positive_X"] and tags["multilabel"] and "sparse" in tags["X_types"])
        tags = termsift.TermVectorizer()._more_tags()
        self.assertTrue(tags["requires_y"] and tags["X_types"] == ["string"])

    def test_from_1_6(self):
        out = subprocess.run([sys.executable, "-c", OF_1_6], check=False, capture_output=True, text=True, timeout=60)
        self.assertEqual((out.stdout, out.returncode), ("right\n", 0), out.stderr)


if __name__ == "__main__":
    unittest.main()
