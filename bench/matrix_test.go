package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
)

// A sparse is a set as scikit-learn has it: its columns are terms by their bytes, its rows
// documents in any order.
type sparse struct {
	rows, columns *matrix.Matrix[int32, int64]
	labels        *matrix.Labels
	several       bool
}

// sparseOf makes the matrices of a set.
func sparseOf(s *set) *sparse {
	x := s.index
	order := rand.New(rand.NewPCG(71, 72)).Perm(x.Documents())
	row := make([]int32, len(order)) // of each document
	labels := &matrix.Labels{Classes: len(x.Classes), Start: []int64{0}}
	for r, d := range order {
		row[d] = int32(r)
		for _, class := range x.Labels(d) {
			labels.Of = append(labels.Of, int32(class))
		}
		labels.Start = append(labels.Start, int64(len(labels.Of)))
	}
	out := &sparse{labels: labels, several: len(labels.Of) > x.Documents()}
	if !out.several {
		labels.Start = nil
	}
	n, terms := x.NumPostings(), x.Terms.Len()
	columns := &matrix.Matrix[int32, int64]{Documents: x.Documents(), Terms: terms, ByColumn: true, Start: []int32{0}, Index: make([]int32, 0, n), Values: make([]int64, 0, n)}
	rows := &matrix.Matrix[int32, int64]{Documents: x.Documents(), Terms: terms, Start: make([]int32, x.Documents()+2), Index: make([]int32, n), Values: make([]int64, n)}
	var p postings.List
	for _, t := range x.Terms.Sorted() {
		testkit.Must(0, x.Read(int(t), &p))
		for i, d := range p.Docs {
			columns.Index, columns.Values = append(columns.Index, row[d]), append(columns.Values, int64(p.TF[i]))
			rows.Start[row[d]+2]++
		}
		columns.Start = append(columns.Start, int32(len(columns.Index)))
	}
	for d := range x.Documents() {
		rows.Start[d+2] += rows.Start[d+1]
	}
	for t := range terms {
		for i := columns.Start[t]; i < columns.Start[t+1]; i++ {
			next := &rows.Start[columns.Index[i]+1]
			rows.Index[*next], rows.Values[*next] = int32(t), columns.Values[i]
			*next++
		}
	}
	rows.Start = rows.Start[:x.Documents()+1]
	out.rows, out.columns = rows, columns
	out.sortColumns()
	return out
}

// sortColumns puts the documents of the columns into their order.
func (m *sparse) sortColumns() {
	next := slices.Clone(m.columns.Start)
	for d := range m.rows.Documents {
		for i := m.rows.Start[d]; i < m.rows.Start[d+1]; i++ {
			at := &next[m.rows.Index[i]]
			m.columns.Index[*at], m.columns.Values[*at] = int32(d), m.rows.Values[i]
			*at++
		}
	}
}

// counted is what the ways to count must agree on: sums over cells, and over terms.
type counted struct{ cells, terms float64 }

// add adds a cell.
func (c *counted) add(class int, a, s, q float64) { c.cells += float64(class+1) * (a + 3*s + 5*q) }

// countedOf returns the sums of statistics.
func countedOf(s *table.Table) (sum counted) {
	s.Cells.Tiles(&table.Tile{}, 0, s.Names.Len(), true, func(t *table.Tile) {
		for i, class := range t.Class {
			sum.add(int(class), t.A[i], t.S[i], t.Q[i])
		}
		for i, df := range t.DF {
			sum.terms += float64(df) * (1 + t.CF[i])
		}
	})
	return sum
}

// planes counts a matrix by rows into one number for each class and column, as one would
// by hand.
func planes(m *matrix.Matrix[int32, int64], y *matrix.Labels) (sum counted) {
	type cell struct{ a, s, q int64 }
	table := make([]cell, y.Classes*m.Terms)
	df, cf := make([]int64, m.Terms), make([]int64, m.Terms)
	for d := range m.Documents {
		from, to := int64(d), int64(d+1)
		if y.Start != nil {
			from, to = y.Start[d], y.Start[d+1]
		}
		for i := m.Start[d]; i < m.Start[d+1]; i++ {
			at, v := m.Index[i], m.Values[i]
			df[at]++
			cf[at] += v
			for _, class := range y.Of[from:to] {
				c := &table[int(class)*m.Terms+int(at)]
				c.a++
				c.s += v
				c.q += v * v
			}
		}
	}
	for i, c := range table {
		sum.add(i/m.Terms, float64(c.a), float64(c.s), float64(c.q))
	}
	for t := range df {
		sum.terms += float64(df[t]) * float64(1+cf[t])
	}
	return sum
}

// BenchmarkMatrixStatistics counts a matrix in the caller's memory: by rows, by columns, and
// by hand into a table of classes and columns.
func BenchmarkMatrixStatistics(b *testing.B) {
	forSets(b, "20ng,S,M,X,Labels", func(b *testing.B, s *set) {
		m := sparseOf(s)
		want := countedOf(testkit.Must(s.index.Count(b.Context(), postings.CountOptions{})))
		count := func(x *matrix.Matrix[int32, int64], threads int) *table.Table {
			return testkit.Must(x.Statistics(b.Context(), m.labels, matrix.Options{Classes: s.index.Classes, Threads: threads}))
		}
		for _, threads := range []int{1, 2} {
			for _, x := range []*matrix.Matrix[int32, int64]{m.rows, m.columns} {
				b.Run(fmt.Sprintf("impl=engine/columns=%t/threads=%d/set=%s", x.ByColumn, threads, s.name), func(b *testing.B) {
					checkCounted(b, countedOf(count(x, threads)), want)
					eachPosting(b, s, func() { count(x, threads) })
				})
			}
		}
		b.Run("impl=naive/columns=false/threads=1/set="+s.name, func(b *testing.B) {
			checkCounted(b, planes(m.rows, m.labels), want)
			eachPosting(b, s, func() { planes(m.rows, m.labels) })
		})
	})
}

// checkCounted fails the benchmark unless the sums are right.
func checkCounted(b *testing.B, got, want counted) {
	b.Helper()
	if got != want {
		b.Fatalf("%+v, want %+v", got, want)
	}
}

// eachPosting runs f again and again and reports its time for each posting, and its CPU time.
func eachPosting(b *testing.B, s *set, f func()) {
	b.Helper()
	b.ReportAllocs()
	cpu := pool.CPU()
	for b.Loop() {
		f()
	}
	n := float64(b.N)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n/s.postings(), "ns/posting")
	b.ReportMetric(float64((pool.CPU()-cpu).Nanoseconds())/n, "cpu-ns/op")
}

// BenchmarkMatrixScore computes chi-square of all terms of a matrix by rows in the caller's
// memory: straight, and by way of statistics.
func BenchmarkMatrixScore(b *testing.B) {
	forSets(b, "20ng,S,M,X,Labels", func(b *testing.B, s *set) {
		m := sparseOf(s)
		plan := testkit.Must(rank.Options{Measure: rank.Chi}.Resolve())
		values, df := make([]float64, m.rows.Terms), make([]float64, m.rows.Terms)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("impl=engine/threads=%d/set=%s", threads, s.name), func(b *testing.B) {
				request := &matrix.Request{Choices: []score.Choice{plan.Choice()}, Values: [][]float64{values}, DF: df, Threads: threads}
				score := func() {
					if !testkit.Must(m.rows.Score(b.Context(), m.labels, request)) {
						b.Fatal("not scored")
					}
				}
				score()
				stats := testkit.Must(m.rows.Statistics(b.Context(), m.labels, matrix.Options{}))
				want := testkit.Must(rank.ByPlans(b.Context(), stats, plan))[0].Values()
				for t, column := range matrix.Columns(stats) {
					if values[column] != want[t] {
						b.Fatalf("column %d has %v, want %v", column, values[column], want[t])
					}
				}
				eachPosting(b, s, score)
			})
			b.Run(fmt.Sprintf("impl=statistics/threads=%d/set=%s", threads, s.name), func(b *testing.B) {
				eachPosting(b, s, func() {
					stats := testkit.Must(m.rows.Statistics(b.Context(), m.labels, matrix.Options{Threads: threads}))
					testkit.Must(rank.ByPlans(b.Context(), stats, plan))
				})
			})
		}
	})
}
