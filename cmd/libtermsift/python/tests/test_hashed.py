"""Terms hashed into columns."""

import json
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import termsift

text = pytest.importorskip("sklearn.feature_extraction.text")

TEXTS = ["To orbit the moon", "an orbit, the Moon", "to bake bread", "naïve bread 日本語 antidisestablishmentarianism"]
CLASSES = ["space", "space", "food", "food"]


def columns_of(texts, classes, bits, **options):
    """Return the counts of texts by column, shape (texts, 2**bits), as termsift has them."""
    vectorizer = termsift.TermVectorizer(k="all", hash_bits=bits, **options)
    rows = vectorizer.fit_transform(texts, classes).tocoo()
    columns = vectorizer.terms_.astype(np.int64)
    assert [str(n) for n in columns] == vectorizer.terms_.tolist()
    again = vectorizer.transform(texts)
    assert (again != rows.tocsr()).nnz == 0
    return sp.csr_matrix((rows.data, (rows.row, columns[rows.col])), shape=(len(texts), 2**bits))


def same(ours, theirs):
    assert ours.shape == theirs.shape
    assert (ours != theirs.astype(np.float32)).nnz == 0
    assert ours.nnz == theirs.nnz


@pytest.mark.parametrize("bits", [1, 8, 20])
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (2, 3)])
def test_columns_are_those_of_scikit_learn(bits, ngrams):
    theirs = text.HashingVectorizer(n_features=2**bits, alternate_sign=False, norm=None, ngram_range=ngrams)
    same(columns_of(TEXTS, CLASSES, bits, ngrams=ngrams), theirs.transform(TEXTS))


def test_characters():
    theirs = text.HashingVectorizer(n_features=2**12, alternate_sign=False, norm=None, analyzer="char_wb", ngram_range=(3, 5))
    same(columns_of(TEXTS, CLASSES, 12, tokens="char_wb", ngrams=(3, 5)), theirs.transform(TEXTS))


@pytest.mark.parametrize("bits", [0, 40, -1, 2.5, "20", True])
def test_hash_bits_out_of_range(bits):
    with pytest.raises(ValueError, match="hash.bits.*from 1 to 30"):
        termsift.TermVectorizer(hash_bits=bits).fit(TEXTS, CLASSES)


def test_statistics_and_keyness():
    counted = termsift.Statistics.of(TEXTS, CLASSES, hash_bits=20)
    plain = termsift.Statistics.of(TEXTS, CLASSES)
    assert len(counted.select("chi", "all")) == len(plain.select("chi", "all"))
    with pytest.raises(ValueError, match="hash.bits"):
        counted + plain
    vectorizer = termsift.TermVectorizer(hash_bits=20, k=2).partial_fit(TEXTS[1:3], CLASSES[1:3]).partial_fit(TEXTS[::3], CLASSES[::3])
    whole = termsift.TermVectorizer(hash_bits=20, k=2).fit(TEXTS, CLASSES)
    assert vectorizer.terms_.tolist() == whole.terms_.tolist()
    keys = termsift.Keyness(TEXTS[:2], TEXTS[2:], hash_bits=20, max_p=1, min_freq=1)
    assert len(keys) > 0 and all(term.isdigit() for term in keys.terms_)


def test_names_of_a_features_file(tmp_path):
    features = termsift.Statistics.of(TEXTS, CLASSES, hash_bits=20).select("chi", 2)
    assert features.names is None
    features.save(tmp_path / "unnamed.tsv")
    kept = [line for line in (tmp_path / "unnamed.tsv").read_text().splitlines() if not line.startswith("#seal")]
    names = [["moon", 'a\tb"c'], []]
    start = next(i for i, line in enumerate(kept) if not line.startswith("#"))
    kept[start] += "\tnames"
    for i, own in enumerate(names):
        kept[start + 1 + i] += "\t" + json.dumps(own)
    (tmp_path / "named.tsv").write_text("\n".join(kept) + "\n")
    with pytest.warns(UserWarning, match="no seal"):
        named = termsift.Features.load(tmp_path / "named.tsv")
    assert named.names == names
    assert list(named.terms) == list(features.terms)
    assert pickle.loads(pickle.dumps(named)).names == names
