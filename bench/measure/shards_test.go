package main

import (
	"bytes"
	"math"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// A shard is a sound file of about as many terms as were asked for, the same each time, and two
// have together the terms that Heaps' law says.
func TestShards(t *testing.T) {
	p := shape{terms: 20_000, classes: 5, docs: 10_000, heaps: .6}
	var both *table.Table
	for number := range 2 {
		var files [2]bytes.Buffer
		for i := range files {
			s, err := p.statistics(t.Context(), number)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := corpus.WriteStatistics(&files[i], s); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Fatal("not the same each time")
		}
		s, err := corpus.DecodeStatistics(files[0].Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(s.Cells.Terms())/p.terms-1) > .03 {
			t.Errorf("%d terms, not %v", s.Cells.Terms(), p.terms)
		}
		if both == nil {
			both = s
		} else if both, err = both.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if want := p.terms * math.Pow(2, p.heaps); math.Abs(float64(both.Cells.Terms())/want-1) > .03 {
		t.Errorf("two have %d terms, not %v", both.Cells.Terms(), want)
	}
}
