"""vocabulary_ is made at the first look at it, whatever the look is."""

import copy
import json
import pickle

import numpy as np
import pytest
from sklearn.feature_extraction import text as theirs

from termsift import sklearn as ours

TEXTS = ["to orbit the moon", "bake the bread", "bread and salt in orbit"]
WANT = theirs.CountVectorizer().fit(TEXTS).vocabulary_


def held(v):
    return type(v.__dict__["vocabulary_"]).__name__


def unread():
    """Return a vectorizer whose vocabulary nobody has looked at."""
    v = ours.CountVectorizer().fit(TEXTS)
    assert held(v) == "Unread"
    return v


LOOKS = {
    "dict": dict,
    "copy": lambda v: v.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda v: pickle.loads(pickle.dumps(v)),
    "json": lambda v: json.loads(json.dumps(v)),
    "stars": lambda v: {**v},
    "update": lambda v: (lambda d: (d.update(v), d)[1])({}),
    "or": lambda v: v | {},
    "ror": lambda v: {} | v,
    "items": lambda v: dict(v.items()),
    "keys": lambda v: {key: v[key] for key in v.keys()},
    "values": lambda v: dict(zip(WANT, v.values())),
    "iter": lambda v: {key: v.get(key) for key in v},
    "reversed": lambda v: {key: v[key] for key in reversed(list(reversed(v)))},
}


@pytest.mark.parametrize("look", LOOKS)
def test_looks(look):
    if look in ("or", "ror") and not hasattr(dict, "__or__"):
        pytest.skip("needs a dict with |")
    got = LOOKS[look](unread().vocabulary_)
    assert list(got.items()) == list(WANT.items())
    assert type(got) is dict


@pytest.mark.parametrize(
    "look", [len, bool, repr, str, list, lambda v: v == WANT, lambda v: WANT == v, lambda v: v != WANT, lambda v: "orbit" in v, lambda v: v["bread"],
             lambda v: v.get("none", 3), lambda v: sorted(v), lambda v: max(v.values())],
)
def test_answers(look):
    assert look(unread().vocabulary_) == look(WANT)


def test_counting_needs_no_look():
    v = unread()
    before = v.transform(["bread in orbit"]).toarray()
    v.transform(TEXTS * 1000)
    assert held(v) == "Unread"
    assert len(v.vocabulary_) == len(WANT)
    assert v.vocabulary_ is v.vocabulary_ and held(v) == "Vocabulary"
    assert np.array_equal(v.transform(["bread in orbit"]).toarray(), before)
    assert v.path_ == "termsift"
    v.set_params(lowercase=False)  # another analysis: it is learned anew
    want = theirs.CountVectorizer(lowercase=False, vocabulary=WANT).transform(TEXTS * 1000)
    assert np.array_equal(v.transform(TEXTS * 1000).toarray(), want.toarray())


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_vectorizers_are_copied_unread(way):
    v = unread()
    other = way(v)
    assert list(other.vocabulary_.items()) == list(WANT.items())
    assert np.array_equal(other.transform(TEXTS).toarray(), v.transform(TEXTS).toarray())
    assert (other.vocabulary_ is v.vocabulary_) == (way is copy.copy)  # as of scikit-learn's class


def test_it_can_be_set_and_deleted():
    v = unread()
    del v.vocabulary_
    assert not hasattr(v, "vocabulary_")
    with pytest.raises(AttributeError):
        del v.vocabulary_
    v.vocabulary_ = {"bread": 0}
    assert v.transform(["bread bread"]).toarray().tolist() == [[2]]
