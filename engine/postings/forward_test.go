package postings

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/table"
)

func TestForward(t *testing.T) {
	for _, docs := range []int{4, 5, 64, 700, 5000} {
		for _, multi := range []bool{false, true} {
			t.Run(fmt.Sprintf("docs=%d/multi=%v", docs, multi), func(t *testing.T) {
				x := build(someSource(uint64(docs), docs, multi))
				want := make([][]uint32, docs)
				var p List
				for term := range x.Terms.Len() {
					x.ReadDocs(term, &p)
					for _, d := range p.Docs {
						want[d] = append(want[d], uint32(term))
					}
				}
				f := testkit.Must(x.Forward(t.Context()))
				testkit.Equal(testkit.Stop(t), f.Documents(), docs, "documents and")
				testkit.Equal(testkit.Stop(t), f.Len(), x.NumPostings(), "documents and")
				for d := range docs {
					testkit.Same(testkit.Stop(t), append([]uint32(nil), f.Terms(d)...), want[d], "document", d)
				}
			})
		}
	}
}

func TestForwardCancelled(t *testing.T) {
	testkit.Is(t, testkit.Err(build(someSource(1, 100, false)).Forward(faults.NewCountdown(t, 0))), faults.ErrStop)
}

func number(t *testing.T, src Source, opt BuildOptions) *Numbered {
	return testkit.Must(Number(t.Context(), src, opt))
}

// What rows give is what the lists give: statistics, documents without a term, the terms of each
// document. The lists that are made of them are those of [Build].
func TestRowsAreTheLists(t *testing.T) {
	for _, multi := range []bool{false, true} {
		for _, bounds := range []BuildOptions{{}, {MinDF: 40}, {MinDF: 3, MaxDF: 0.3}} {
			for _, threads := range []int{1, 2, 5} {
				name := fmt.Sprint("several labels: ", multi, ", bounds ", bounds.MinDF, bounds.MaxDF, ", threads ", threads)
				src := someSource(7, 700, multi)
				bounds.Threads = threads
				want := testkit.Must(Build(t.Context(), src, bounds))
				n := number(t, src, bounds)
				s := testkit.Must(n.Count(t.Context(), CountOptions{Threads: threads}))
				requireEqualStatistics(t, name, s, countOf(t, want, CountOptions{}))
				empty, err := n.EmptyDocuments(t.Context())
				if expected, wantErr := want.EmptyDocuments(t.Context()); err != nil || wantErr != nil || empty != expected {
					t.Errorf("%s: %d documents without a term, %v; want %d, %v", name, empty, err, expected, wantErr)
				}
				there, err := n.Rows(func(r *Rows) error { requireSameTerms(t, name, r, want); return nil })
				if !there || err != nil {
					t.Fatalf("%s: rows are there: %v, %v", name, there, err)
				}
				x := testkit.Must(n.Index(t.Context()))
				testkit.Equal(t, string(encoded(x)), string(encoded(want)), name, "the lists differ")
				if there, _ := n.Rows(func(*Rows) error { return nil }); there {
					t.Errorf("%s: the rows are there beside the lists", name)
				}
			}
		}
	}
}

func requireEqualStatistics(t *testing.T, name string, got, want *table.Table) {
	t.Helper()
	for i, s := range []*table.Table{got, want} {
		if s.Cells.Form != table.Counts || len(s.ClassNames) == 0 {
			t.Fatalf("%s: statistics %d: %+v", name, i, s.Cells.Margins)
		}
	}
	if !reflect.DeepEqual(got.Cells.Margins, want.Cells.Margins) || got.Pruned != want.Pruned || !reflect.DeepEqual(got.ClassNames, want.ClassNames) || got.Hash() != want.Hash() {
		t.Errorf("%s: statistics differ: %+v, want %+v", name, got.Cells.Margins, want.Cells.Margins)
	}
}

// requireSameTerms compares the terms of each document with the lists of an index.
func requireSameTerms(t *testing.T, name string, r *Rows, x *Index) {
	t.Helper()
	place := make([]int, r.Width())
	for i := range place {
		place[i] = -1
	}
	for term := range x.Terms.Len() {
		place[r.Number(term)] = term
	}
	type posting struct{ doc, term int }
	got, want := map[posting]float64{}, map[posting]float64{}
	for doc := range x.Documents() {
		terms, counts := r.Document(doc)
		for i, t := range terms {
			if place[t] >= 0 {
				got[posting{doc, place[t]}] = float64(counts[i])
			}
		}
	}
	var p List
	for term := range x.Terms.Len() {
		testkit.OK(x.Read(term, &p))
		for i, doc := range p.Docs {
			want[posting{int(doc), term}] = p.TF[i]
		}
	}
	testkit.Same(t, got, want, name, "the rows have other terms than the lists")
}

// Sums that rows do not have exactly come from the lists.
func TestInexactRows(t *testing.T) {
	src := someSource(2, 50, false)
	for i := range src.Counts[:9] {
		src.Counts[i] = 1<<32 - 1
	}
	got := testkit.Must(number(t, src, BuildOptions{}).Count(t.Context(), CountOptions{}))
	want := countOf(t, build(src), CountOptions{})
	testkit.Equal(t, got.Cells.Form, table.LargeCounts)
	testkit.Equal(t, got.Hash(), want.Hash())
}

// Closing gives back the memory of rows that are the builder's own, and no other: their pages are zeros then,
// where the system takes them.
func TestCloseDiscardsOwnRows(t *testing.T) {
	for _, own := range []bool{false, true} {
		src := someSource(4, 3000, false)
		terms, want := src.Terms, slices.Clone(src.Terms)
		n := number(t, src, BuildOptions{Threads: 2, Consume: own})
		testkit.Must(n.Rows(func(*Rows) error { return n.Close() }))
		testkit.EqualSlices(t, terms, want, "own", own, "rows that are read were discarded")
		n = number(t, src, BuildOptions{Threads: 2, Consume: own})
		testkit.OK(n.Close())
		testkit.Equal(t, !slices.Equal(terms, want), own && runtime.GOOS == "linux", "own", own, "discarded")
	}
}

// Lists that were interrupted are made by the next call; without them a list is an error, not a
// panic; a closed index makes none.
func TestListsOnDemand(t *testing.T) {
	src := someSource(3, 600, false)
	want := encoded(build(src))
	n := number(t, src, BuildOptions{Threads: 2, Consume: true})
	testkit.Is(t, n.Head().Read(0, &List{}), errNoLists, "a list of the head")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(n.Index(ctx)), context.Canceled, "interrupted")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if i%2 == 0 {
				testkit.Must(n.Count(t.Context(), CountOptions{Threads: 1}))
			}
			testkit.Equal(t, string(encoded(testkit.Must(n.Index(t.Context())))), string(want), "after an interruption")
		})
	}
	all.Wait()

	for _, made := range []bool{false, true} {
		n := number(t, src, BuildOptions{})
		if made {
			testkit.Must(n.Index(t.Context()))
		}
		testkit.OK(n.Close())
		_, err := n.Count(t.Context(), CountOptions{})
		if there, rowsErr := n.Rows(func(*Rows) error { return nil }); !errors.Is(err, ErrClosed) || there || rowsErr != nil {
			t.Errorf("closed, lists made %v: %v, rows %v, %v", made, err, there, rowsErr)
		}
	}
}
