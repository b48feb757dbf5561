"""chi2, f_classif and mutual_info_classif of termsift.sklearn against scikit-learn's."""


import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import feature_selection as theirs
from test_dropin import outcome

import termsift.sklearn as ours
from termsift import _univariate


def counts(seed, documents=400, columns=150, classes=3, largest=5):
    """Return counts of which some columns hardly depend on the class, none is empty, and labels."""
    source = np.random.default_rng(seed)
    X = source.poisson(source.gamma(0.3, 2, size=columns), size=(documents, columns)).clip(0, largest)
    X[np.arange(columns) % documents, np.arange(columns)] = 1
    X[:, 0] = 1 + (np.arange(documents) % 7 == 0)  # no zeros
    y = np.arange(documents) % classes
    X[:, 1] = (y == 0) * 2
    X[0, 1] = 3  # else no class has a variance, and scikit-learn divides by 0
    return sp.csr_matrix(X), y


def close(a, b, p):
    np.testing.assert_allclose(a, b, rtol=1e-10 if p else 1e-12, atol=0)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("classes", [2, 3, 20])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_numbers(seed, classes, form):
    X, y = counts(seed, classes=classes)
    X = X.asformat(form)
    for dtype in (np.int64, np.float64):
        for name in ("chi2", "f_classif"):
            (value, p), (want, their_p) = getattr(ours, name)(X.astype(dtype), y), getattr(theirs, name)(X.astype(dtype), y)
            assert (value.dtype, value.shape, p.dtype) == (want.dtype, want.shape, their_p.dtype)
            close(value, want, False)
            close(p, their_p, True)
    np.testing.assert_allclose(ours.mutual_info_classif(X, y, discrete_features=True), theirs.mutual_info_classif(X, y, discrete_features=True), rtol=1e-12, atol=1e-14)


def test_labels_of_all_kinds():
    X, y = counts(1)
    for labels in (y.tolist(), np.array(["a", "b", "c"])[y], np.array(["a", "b", "c"], dtype=object)[y], (y == 1), y.astype(np.uint8), -y):
        for name in ("chi2", "f_classif"):
            for got, want in zip(getattr(ours, name)(X, labels), getattr(theirs, name)(X, labels)):
                np.testing.assert_allclose(got, want, rtol=1e-10)
        np.testing.assert_allclose(ours.mutual_info_classif(X, labels), theirs.mutual_info_classif(X, labels), rtol=1e-12, atol=1e-14)


def cases():
    X, y = counts(2, columns=20)
    dense, negative, empty, constant = X.toarray(), X.copy().astype(float), X.copy(), X.copy()
    negative.data[0] = -1
    empty = sp.csr_matrix(np.hstack([dense, np.zeros((400, 1))]))
    constant = sp.csr_matrix(np.hstack([dense, np.ones((400, 1))]))
    twice = sp.csr_matrix((np.ones(4), [0, 0, 1, 1], [0, 2, 4]), shape=(2, 2))
    nan = X.astype(float)
    nan.data[0] = np.nan
    return {
        "dense": (dense, y), "negative": (negative, y), "an empty column": (empty, y), "a constant column": (constant, y), "twice": (twice, [0, 1]),
        "nan": (nan, y), "floats": (X * 0.37, y), "float32": (X.astype(np.float32), y), "int32": (X.astype(np.int32), y), "bool": (X.astype(bool), y),
        "one class": (X, y * 0), "short y": (X, y[1:]), "floats as labels": (X, y + 0.5), "indicators": (X, np.eye(3, dtype=int)[y]), "column": (X, y[:, None]),
        "no documents": (X[:0], y[:0]), "coo": (X.tocoo(), y), "list": (dense.tolist(), y.tolist()), "None": (X, None), "objects": (X, np.array(list(y), dtype=object)),
        "large": (X * 10**9, y), "explicit zeros": (sp.csr_matrix(((X.data - 1), X.indices, X.indptr), shape=X.shape), y), "each its own class": (X[:20], np.arange(20)),
    }


@pytest.mark.parametrize("name", ["chi2", "f_classif", "mutual_info_classif"])
@pytest.mark.parametrize("case", cases())
def test_what_is_no_counts_is_scikit_learns(name, case):
    X, y = cases()[case]
    options = {"random_state": 1} if name == "mutual_info_classif" else {}
    with np.errstate(all="ignore"):
        got, want = (outcome(lambda m=m: getattr(m, name)(X, y, **options)) for m in (ours, theirs))
    if isinstance(want[0], tuple) and isinstance(want[0][0], type):
        assert got == want
        return
    assert sorted(map(repr, got[1])) == sorted(map(repr, want[1]))
    for a, b in zip(np.atleast_2d(got[0]), np.atleast_2d(want[0])):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-14)


def test_options_of_mutual_information():
    X, y = counts(3, columns=8)
    dense = X.toarray().astype(float)
    got, want = (f.mutual_info_classif(dense, y, discrete_features=[0, 1], n_neighbors=4, random_state=1) for f in (ours, theirs))
    np.testing.assert_array_equal(got, want)
    with pytest.raises(ValueError, match="can't have continuous features"):
        ours.mutual_info_classif(X, y, discrete_features=False)


def test_counts_are_scored_here(monkeypatch):
    """Counts do not go to scikit-learn, but for columns whose rounding may be large."""
    X, y = counts(4)
    asked = []
    for name in ("_their_chi2", "_their_f_classif", "_their_mutual_info"):
        monkeypatch.setattr(_univariate, name, lambda X, y, **_: asked.append(X.shape[1]) or (np.zeros(X.shape[1]), None))
    ours.chi2(X, y)
    ours.f_classif(X, y)
    ours.mutual_info_classif(X, y)
    assert sum(asked) < 60  # of 450
