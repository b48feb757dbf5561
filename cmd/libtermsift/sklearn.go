package main

import (
	"github.com/termsift/termsift/engine/table"
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
func chiOfSums(s *table.Table, place []uint32, row []float64) {
	labelled := 0.0
	for _, n := range s.Cells.ClassDocs {
		labelled += n
	}
	var tile table.Tile
	s.Cells.Tiles(&tile, 0, s.Cells.Terms(), true, func(t *table.Tile) {
		for i, cf := range t.CF[:len(t.DF)] {
			mean, sum, absent := cf/s.Cells.Documents, 0.0, labelled
			from, to := t.Range(i)
			for j, c := range t.Class[from:to] {
				documents := s.Cells.ClassDocs[c]
				expected := float64(mean * documents)
				d := t.S[from+j] - expected
				sum += float64(d*d) / expected
				absent -= documents
			}
			row[place[t.First+i]] = sum + float64(mean*absent)
		}
	})
}
