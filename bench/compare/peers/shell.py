"""The job Shell with scikit-learn: a whole process, from JSON lines to the best
terms and the reduced data.

Arguments: the documents, the number of terms, the two files to write, and the most words of a term.
"""

import json
import sys

from sklearn.datasets import dump_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2

documents, top, features, rows, words = sys.argv[1:]
texts, labels = [], []
with open(documents, encoding="utf-8") as f:
    for line in f:
        document = json.loads(line)
        texts.append(document["text"])
        labels.append(document["labels"][0])
classes = {name: number for number, name in enumerate(sorted(set(labels)))}
y = [classes[label] for label in labels]
vectorizer = CountVectorizer(ngram_range=(1, int(words)))
x = vectorizer.fit_transform(texts)
selector = SelectKBest(chi2, k=min(int(top), x.shape[1]))
reduced = selector.fit_transform(x, y)
names, kept = vectorizer.get_feature_names_out(), selector.get_support(indices=True)
with open(features, "w", encoding="utf-8") as f:
    for rank, term in enumerate(kept[(-selector.scores_[kept]).argsort(kind="stable")], 1):
        f.write(f"{rank}\t{names[term]}\t{selector.scores_[term]}\n")
dump_svmlight_file(reduced, y, rows, zero_based=False)
