"""Many processes with scikit-learn: JSON lines to the best terms and the reduced data.

Each process counts a range of the lines by CountVectorizer; the matrices are joined over one vocabulary, and
SelectKBest(chi2) and dump_svmlight_file finish. The processes are forked, so that no text is copied.

It selects as many terms as a features file has. Its chi2 is another statistic by the same name, so the terms
may differ; it fails unless as many documents have the terms of the file as stand there.

Arguments: the number of processes, the documents, the features file, the file of rows to write.
"""

import json
import multiprocessing
import os
import sys

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2

processes, documents, features, rows = sys.argv[1:]
processes = int(processes)
size = os.path.getsize(documents)


def count(part):
    """The lines that begin in a part of the file: their counts, terms and labels."""
    first, end = size * part // processes, size * (part + 1) // processes
    texts, labels = [], []
    with open(documents, "rb") as f:
        if first > 0:
            f.seek(first - 1)
            f.readline()  # it belongs to the part before
        while f.tell() < end:
            document = json.loads(f.readline())
            texts.append(document["text"])
            labels.append(document["labels"][0])
    vectorizer = CountVectorizer()
    x = vectorizer.fit_transform(texts)
    return x, vectorizer.get_feature_names_out(), labels


with multiprocessing.get_context("fork").Pool(processes) as pool:
    parts = pool.map(count, range(processes), chunksize=1)
names = np.unique(np.concatenate([part[1] for part in parts]))
y = np.unique(np.concatenate([part[2] for part in parts]), return_inverse=True)[1]
columns = []
for x, own, _ in parts:
    place = np.searchsorted(names, own)
    columns.append(sp.csr_matrix((x.data, place[x.indices], x.indptr), shape=(x.shape[0], len(names))))
x = sp.vstack(columns, format="csr")
with open(features, encoding="utf-8") as f:
    table = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
term, df = table[0].index("term"), table[0].index("df")
places = np.searchsorted(names, [row[term] for row in table[1:]])
if (x.getnnz(axis=0)[places] != [int(row[df]) for row in table[1:]]).any():
    sys.exit("the documents of a term are counted differently")
reduced = SelectKBest(chi2, k=len(places)).fit_transform(x, y)
dump_svmlight_file(reduced, y, rows, zero_based=False)
