package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/table"
)

// This file counts documents in the strata of a control, which the option "strata" gives: a text for
// each document.

// defaultControl is the name of a control that has none.
const defaultControl = "control"

// checkStrata panics unless there is a stratum of each of so many documents. nil is no control.
func checkStrata(strata []string, documents int) {
	if strata == nil {
		return
	}
	if len(strata) != documents {
		panic(refused("option \"strata\" has %d texts for %d documents", len(strata), documents))
	}
	if i := slices.Index(strata, ""); i >= 0 {
		panic(refusal{dataError("document %d has no value of the control: leave it out", i)})
	}
}

// countInStrata counts a matrix whose rows have classes and strata. It returns the columns of the
// terms, too.
func countInStrata(ctx context.Context, x sparse, y *matrix.Labels, names, strata []string, control string, o matrix.Options) (s *table.Table, place []uint32) {
	pairs, place32 := &matrix.Labels{Start: []int64{0}}, map[string]int32{}
	var own []string
	for i, stratum := range strata {
		own = own[:0]
		for _, class := range classesOf(y, i) {
			if class >= 0 {
				own = append(own, nameOf(names, class))
			}
		}
		for class, stratum := range document.InStrata(own, stratum) {
			label := document.InStratum(class, stratum)
			number, known := place32[label]
			if !known {
				number = int32(len(o.Classes))
				place32[label], o.Classes = number, append(o.Classes, label)
			}
			pairs.Of = append(pairs.Of, number)
		}
		pairs.Start = append(pairs.Start, int64(len(pairs.Of)))
	}
	pairs.Classes = len(o.Classes)
	counts := need(x.Statistics(ctx, pairs, o))
	p := counts.Provenance()
	p.Control = control
	counts.SetProvenance(p)
	return need(counts.OfClasses()), matrix.Columns(counts)
}

// classesOf returns the classes of a row.
func classesOf(y *matrix.Labels, i int) []int32 {
	if y.Start == nil {
		return y.Of[i : i+1]
	}
	return y.Of[y.Start[i]:y.Start[i+1]]
}

// nameOf returns the name of a class: its number without names.
func nameOf(names []string, class int32) string {
	if names == nil {
		return strconv.Itoa(int(class))
	}
	return names[class]
}

// documentsOf returns the number of the rows that labels are of.
func documentsOf(y *matrix.Labels) int {
	if y.Start == nil {
		return len(y.Of)
	}
	return len(y.Start) - 1
}
