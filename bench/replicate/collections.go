package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/termsift/termsift/bench/lab"
)

// A collection is a file that experiments read.
type collection struct {
	origin string // what it is, and where it is to be had
	bytes  int64
	sha256 string
}

// collections are those of the protocols by the names of their files. The sizes and sums are
// those of the files that the figures were measured on.
var collections = map[string]collection{
	"20news-bydate.tar.gz": {
		"20 Newsgroups, the version bydate, from qwone.com/~jason/20Newsgroups",
		14387131, "07a476fecb57f04e42a7098068ab82d0b5ee38c5519ec382d885c19df37142fb",
	},
	"fudan-corpus.tar.zst": {
		"the Fudan corpus, the folder Corpus_Fudan of github.com/smoothnlp/DomainWords",
		54090187, "be7b5417abf250f413da817e3dd86c412f6e68a28a7ffce18f34b3ee2e56487d",
	},
	"iris.data": {
		"Iris, from the UCI Machine Learning Repository, archive.ics.uci.edu",
		4551, "6f608b71a7317216319b4d27b4d9bc84e6abd734eda7872b71a458569e2656c0",
	},
	"rcv1-v2-subsets.tar.gz": {
		"the five topic subsets of RCV1-v2 as svmlight, made from additional-data/rcv1sub1.rda to rcv1sub5.rda of github.com/fcharte/mldr.datasets, tag 0.3.15, with the labels that stand in shifted columns there put back",
		13410484, "ab794b8ebb152124e2301e361b2e0a620dc4e096e1c378f0c15cbde21b31e0ed",
	},
	"reuters21578.tar.gz": {
		"Reuters-21578, Distribution 1.0, from daviddlewis.com/resources/testcollections/reuters21578",
		8092929, "61be3432dbef9214236a74360f45503a67d5670981dfd0e44d5f611d9a67299a",
	},
}

// file returns the path of a collection. If it is not there, the error says where it is to be had.
func (r *runner) file(name string) string {
	path := filepath.Join(r.data, name)
	_, err := os.Stat(path)
	if c, known := collections[name]; known && errors.Is(err, fs.ErrNotExist) {
		panic(lab.Errorf("%w; it is %s; the figures were measured on a file of %s bytes with SHA-256 %s",
			err, c.origin, lab.Thousands(strconv.FormatInt(c.bytes, 10)), c.sha256))
	}
	lab.Check(err)
	return path
}
