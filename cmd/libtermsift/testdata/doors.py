"""Ten calls without an option: each prints its name, the names of its columns, and rows. Arguments: texts as JSON lines."""

import json
import sys
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

import termsift

warnings.simplefilter("ignore")
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
texts, labels = [line["text"] for line in lines], [line["label"] for line in lines]
a, b = ([text for text, label in zip(texts, labels) if (label == "cooking") is is_a] for is_a in (True, False))


def show(call, table, **names):
    """Print columns, some of them under the names that the command has."""
    columns = {names.get(name, name): table[name].tolist() for name in table.columns}
    print(f"== {call}", "\t".join(columns), *("\t".join(map(str, row)) for row in zip(*columns.values())), sep="\n")


statistics = termsift.Statistics.of(texts, labels)
features = statistics.select(k=20)
show("rank", termsift.rank(texts, labels))
show("score", statistics.score().to_table())
show("keyness", termsift.Keyness(a, b).to_table())
show("collocations", termsift.collocations(texts))
show("words", termsift.words(texts))
show("kwic", termsift.kwic(texts, "moon"))
show("stability", termsift.stability(texts, labels, 20))
show("selection", features.to_table(), value="score")
rows = features.transform(texts).tocoo()
print("== transform", "row\tcolumn\tvalue", *(f"{i}\t{j}\t{v}" for i, j, v in zip(rows.row, rows.col, rows.data)), sep="\n")
counter = CountVectorizer()
names = sorted(set(labels))
X = sp.csr_matrix(np.array([np.asarray(counter.fit(texts).transform([t for t, l in zip(texts, labels) if l == name]).sum(axis=0))[0] for name in names]))
weights, terms = termsift.ClassTfidf().fit_transform(X).toarray(), counter.get_feature_names_out()
print("== ctfidf", "class\tterm\tvalue", sep="\n")
for name, row in zip(names, weights):
    for j in np.argsort(-row, kind="stable")[:20]:
        print(name, terms[j], row[j], sep="\t")
