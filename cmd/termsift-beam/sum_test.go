package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

// statisticsOf returns the file of the statistics of documents of some words each.
func statisticsOf(t *testing.T, docs []document.Document) []byte {
	t.Helper()
	c, err := corpus.Build(t.Context(), document.Of(docs...), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Statistics(t.Context(), corpus.CountOptions{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := encodeStatistics(s)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Sums in any order and grouping, that travel between workers, are those of all documents.
func TestSumsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var docs []document.Document
	var files [][]byte
	for i := range 3 * mostFiles {
		d := document.Document{ID: fmt.Sprint(i), Labels: []string{fmt.Sprint("class ", r.IntN(9))}}
		for range 1 + r.IntN(20) {
			d.Text = fmt.Appendf(d.Text, "word%d ", r.IntN(200))
		}
		docs = append(docs, d)
		files = append(files, statisticsOf(t, docs[i:]))
	}
	want := statisticsOf(t, docs)
	var f sumFn
	for range 5 {
		sums := make([]sum, 1+r.IntN(8))
		for _, i := range r.Perm(len(files)) {
			to := &sums[r.IntN(len(sums))]
			added, err := f.AddInput(*to, files[i])
			if err != nil {
				t.Fatal(err)
			}
			if *to, err = decodeSum(encodeSum(added)); err != nil {
				t.Fatal(err)
			}
			if n := len(to.Files); n >= mostFiles {
				t.Fatalf("%d files wait", n)
			}
		}
		all := f.CreateAccumulator()
		for _, s := range sums {
			var err error
			if all, err = f.MergeAccumulators(all, s); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := f.ExtractOutput(all); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d sums: other bytes, %v", len(sums), err)
		}
	}
}

// What is cut or no statistics is an error.
func TestBrokenSums(t *testing.T) {
	file := statisticsOf(t, []document.Document{{Labels: []string{"a"}, Text: []byte("one two")}})
	whole := encodeSum(sum{[][]byte{file, file}})
	for n := 1; n < len(whole); n++ {
		if s, err := decodeSum(whole[:n]); err == nil && len(s.Files) != 1 {
			t.Fatalf("%d of %d bytes are read", n, len(whole))
		}
	}
	if _, err := new(sumFn).ExtractOutput(sum{[][]byte{file, file[:len(file)-1]}}); err == nil {
		t.Error("a file that was cut is added")
	}
}
