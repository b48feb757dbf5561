package main

import (
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/score"
)

// sklearnChi2 is the name of chi-square as scikit-learn's function chi2 computes it.
const sklearnChi2 = "sklearn-chi2"

// chiOfSums stores the chi-square statistic of scikit-learn for each term: it compares the
// sums of the term's values in the classes with those that the shares of the classes among
// the documents let expect,
//
//	Σ_c (S_c - E_c)² / E_c,  E_c = S·n_c/N,
//
// where the statistic of a contingency table of documents, the measure chi, counts documents
// with and without the term. Classes without the term add E_c, so it costs a term its cells.
func chiOfSums(s *corpus.Statistics, place []uint32, row []float64) {
	counts := s.Counts()
	labelled := 0.0
	for _, n := range counts.ClassDocs {
		labelled += n
	}
	var cells score.Row
	for t, column := range place {
		cells.Read(&counts.Cells, t, true)
		mean, sum, absent := cells.CF/counts.Documents, 0.0, labelled
		for i, c := range cells.Class {
			expected := float64(mean * counts.ClassDocs[c])
			d := cells.S[i] - expected
			sum += float64(d*d) / expected
			absent -= counts.ClassDocs[c]
		}
		row[column] = sum + float64(mean*absent)
	}
}
