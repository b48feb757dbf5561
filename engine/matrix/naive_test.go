package matrix

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A naiveCell has the counts of a term in a class.
type naiveCell struct{ a, s, q float64 }

// naiveCounts counts a sample of whole values in maps: the cells by "term class", the
// document frequencies and occurrences by term, and the sizes of the classes.
func naiveCounts(s *sample) (table map[string]naiveCell, df, cf map[string]float64, docs map[string]float64) {
	table, df, cf, docs = map[string]naiveCell{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	labels := make([]map[string]bool, s.documents)
	for d := range labels {
		labels[d] = map[string]bool{}
		for _, class := range s.labels[d] {
			if class >= 0 {
				labels[d][strconv.Itoa(int(class))] = true
			}
		}
		for class := range labels[d] {
			docs[class]++
		}
	}
	for _, e := range s.elements {
		if e.value == 0 {
			continue
		}
		term := strconv.Itoa(e.term)
		df[term]++
		cf[term] += e.value
		for class := range labels[e.document] {
			c := table[term+" "+class]
			table[term+" "+class] = naiveCell{c.a + 1, c.s + e.value, c.q + e.value*e.value}
		}
	}
	return table, df, cf, docs
}

// differsFromNaive says in what statistics differ from counts in maps, "" if in nothing.
func differsFromNaive(got *table.Table, s *sample) string {
	table, df, cf, docs := naiveCounts(s)
	counts := got
	if counts.Names.Len() != len(df) || len(counts.ClassNames) != len(docs) || counts.Cells.Len() != len(table) || got.Documents() != s.documents {
		return fmt.Sprintf("%d terms, %d classes, %d cells; want %d, %d, %d", counts.Names.Len(), len(counts.ClassNames), counts.Cells.Len(), len(df), len(docs), len(table))
	}
	tokens := 0.0
	for class, name := range counts.ClassNames {
		if counts.Cells.ClassDocs[class] != docs[name] {
			return fmt.Sprintf("class %s has %v documents, want %v", name, counts.Cells.ClassDocs[class], docs[name])
		}
	}
	for i := range counts.Cells.DF {
		term := counts.Names.Term(i)
		tokens += cf[term]
		if float64(counts.Cells.DF[i]) != df[term] || counts.Cells.CF.At(i, df[term]) != cf[term] {
			return fmt.Sprintf("term %s: df %d, want %v; cf want %v", term, counts.Cells.DF[i], df[term], cf[term])
		}
		for j := counts.Cells.Start[i]; j < counts.Cells.Start[i+1]; j++ {
			want := table[term+" "+counts.ClassNames[counts.Cells.Class.At(j)]]
			if counts.Cells.A.At(j, 0) != want.a || counts.Cells.S.At(j, want.a) != want.s || counts.Cells.Q.At(j, want.s) != want.q {
				return fmt.Sprintf("term %s class %s: %v %v %v, want %+v", term, counts.ClassNames[counts.Cells.Class.At(j)], counts.Cells.A.At(j, 0), counts.Cells.S.At(j, want.a), counts.Cells.Q.At(j, want.s), want)
			}
		}
	}
	if counts.Cells.Tokens != tokens {
		return fmt.Sprintf("%v tokens, want %v", counts.Cells.Tokens, tokens)
	}
	return ""
}

// Counts are those that maps give, which share no code with the engine.
func TestCountsAgainstNaive(t *testing.T) {
	for name, shape := range shapes {
		for _, r := range testkit.Cases(t, 40) {
			s := shape.sample(r)
			most, whole := s.most()
			if !whole || most*most*float64(len(s.elements)) >= 1<<53 {
				continue // maps would round
			}
			for _, byColumn := range []bool{false, true} {
				for types, m := range everyType(s, byColumn, r) {
					got, err := m.count(t, labelsOf(s), Options{Threads: 1 + r.IntN(3)})
					testkit.Is(testkit.Stop(t), err, nil, name, types)
					testkit.Equal(testkit.Stop(t), differsFromNaive(got, s), "", name, types, "by column", byColumn)
				}
			}
		}
	}
}

// naiveCorpus returns the sample as the reference wants it.
func naiveCorpus(s *sample) naive.Corpus {
	c, column := naive.Corpus{}, map[int]int{}
	for class := range s.classes {
		c.Classes = append(c.Classes, strconv.Itoa(class))
	}
	for d := range s.documents {
		doc := naive.Doc{Counts: map[int]float64{}}
		for _, class := range s.labels[d] {
			if !slices.Contains(doc.Labels, int(class)) {
				doc.Labels = append(doc.Labels, int(class))
			}
		}
		c.Docs = append(c.Docs, doc)
	}
	for _, e := range s.elements {
		if e.value == 0 {
			continue
		}
		if _, known := column[e.term]; !known {
			column[e.term] = len(c.Terms)
			c.Terms = append(c.Terms, strconv.Itoa(e.term))
		}
		c.Docs[e.document].Counts[column[e.term]] = e.value
	}
	return c
}

// Values of the measures are those of the reference.
func TestMeasuresAgainstNaive(t *testing.T) {
	s := shapes["several labels"].sample(rand.New(rand.NewPCG(10, 11)))
	c := naiveCorpus(s)
	stats := testkit.Must(matrixOf[int64, int32](s, false, nil).Statistics(t.Context(), labelsOf(s), Options{}))
	table := naive.Tabulate(c)
	for _, measure := range []string{"chi", "ig", "ttest", "df", "cf", "gini", "anova"} {
		want, got := table.Global(measure, "", naive.Options{}), enginetest.Values(t, stats, rank.Options{Measure: rank.Measure(measure)})
		for i, term := range c.Terms {
			enginetest.CompareValue(t, got[term], want[i], 0, measure, term)
		}
	}
}

// FuzzStatistics makes a matrix of bytes, spoils it perhaps, and holds what comes against
// maps. What is not well formed is an error, never a panic.
func FuzzStatistics(f *testing.F) {
	f.Add(uint64(1), uint8(9), uint8(9), uint8(3), uint8(0), int64(0), []byte("a few elements of a matrix"))
	f.Add(uint64(2), uint8(40), uint8(200), uint8(1), uint8(7), int64(3), []byte{0, 1, 255, 3, 3, 3, 3, 9, 8, 0, 0, 77, 5, 4, 3, 2, 1, 0, 46, 45})
	f.Add(uint64(3), uint8(1), uint8(1), uint8(200), uint8(9), int64(-1), []byte{0, 0, 1})
	f.Fuzz(func(t *testing.T, seed uint64, documents, terms, classes, spoil uint8, by int64, data []byte) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := &sample{documents: 1 + int(documents), terms: 1 + int(terms), classes: 1 + int(classes)}
		for range s.documents {
			var labels []int32
			for range r.IntN(3) {
				labels = append(labels, int32(r.IntN(s.classes)))
			}
			s.labels = append(s.labels, labels)
		}
		s.labels[0] = []int32{0}
		seen := map[[2]int]bool{}
		for ; len(data) >= 3; data = data[3:] {
			at := [2]int{int(data[0]) % s.documents, int(data[1]) % s.terms}
			if !seen[at] {
				seen[at] = true
				s.elements = append(s.elements, element{at[0], at[1], float64(data[2])})
			}
		}
		for _, byColumn := range []bool{false, true} {
			m, y := matrixOf[int64, int64](s, byColumn, r), labelsOf(s)
			spoiled := spoilMatrix(m, y, spoil, by)
			got, err := m.Statistics(t.Context(), y, Options{Threads: 1 + int(seed%3)})
			if spoiled { // the number may still fit
				if err != nil && !errors.Is(err, usage.ErrUsage) && !errors.Is(err, usage.ErrData) {
					t.Fatalf("by column %t: %v", byColumn, err)
				}
				continue
			}
			testkit.OK(err)
			testkit.Equal(testkit.Stop(t), differsFromNaive(got, s), "", "by column", byColumn)
		}
	})
}

// spoilMatrix changes one number of a matrix, or none. It reports whether it did.
func spoilMatrix(m *Matrix[int64, int64], y *Labels, how uint8, by int64) bool {
	set := func(numbers []int64) bool {
		if len(numbers) == 0 || by == 0 {
			return false
		}
		numbers[int(how)%len(numbers)] += by
		return true
	}
	switch how % 8 {
	case 1:
		return set(m.Start)
	case 2:
		return set(m.Index)
	case 3:
		return set(m.Values)
	case 4:
		return set(y.Start)
	case 5:
		y.Of[int(how)%len(y.Of)] += int32(by)
		return true
	case 6:
		m.Terms += int(by)
		return true
	case 7:
		m.Documents += int(by)
		return true
	}
	return false
}
