package tablefile_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/tablefile"
)

// partOf returns the terms whose numbers modulo n are i, with the totals of all.
func partOf(s *table.Table, i, n int, centred bool) *table.Table {
	p := &table.Table{ClassNames: s.ClassNames, Pruned: s.Pruned}
	p.Cells.Margins = s.Cells.Margins
	if centred {
		p.Cells.Centred = &table.Centred{}
	}
	var names []string
	for t := i; t < s.Names.Len(); t += n {
		p.Cells.AppendTerms(&s.Cells, t, t+1)
		names = append(names, s.Names.Term(t))
	}
	p.Names = table.NamedBy(len(names), func(t int) string { return names[t] })
	return p
}

// joined returns the file that parts in memory are joined to.
func joined(t *testing.T, files [][]byte, o tablefile.MergeOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	testkit.OK(tablefile.Join(t.Context(), &b, len(files), opener(files), o))
	return b.Bytes()
}

// Joining the files of parts gives the file of the whole, of counts and of real values, of parts
// without terms and of those of which one alone is centred, at once and in passes.
func TestJoinedStatisticsFiles(t *testing.T) {
	for name, c := range map[string]struct {
		terms, parts int
		real, pruned bool
		centred      int // the part that is, beside real values
	}{
		"one":         {terms: 300, parts: 1, centred: -1},
		"counts":      {terms: 5000, parts: 7, centred: -1},
		"pruned":      {terms: 500, parts: 3, pruned: true, centred: -1},
		"no terms":    {terms: 2, parts: 9, centred: -1},
		"real":        {terms: 3000, parts: 5, real: true, centred: -1},
		"one centred": {terms: 3000, parts: 4, centred: 2},
	} {
		s := randomStatistics(7, c.terms, 30, c.real)
		s.Pruned = c.pruned
		whole := s
		if c.centred >= 0 {
			whole = partOf(s, 0, 1, true)
		}
		want := statisticsFile(t, whole)
		var files [][]byte
		for i := range c.parts {
			files = append(files, statisticsFile(t, partOf(s, i, c.parts, i == c.centred)))
		}
		for _, most := range []int{0, 2, 3} {
			o := tablefile.MergeOptions{Meta: []byte(`{"a":1}`)}
			o.SetMost(most)
			if got := joined(t, files, o); !bytes.Equal(got, want) {
				t.Errorf("%s, %d at once: another file, of %d bytes, not %d", name, most, len(got), len(want))
			}
		}
	}
}

// Files of other totals, and of the same term, are no parts.
func TestStatisticsThatDoNotJoin(t *testing.T) {
	s := randomStatistics(7, 100, 3, false)
	part := func(i int) []byte { return statisticsFile(t, partOf(s, i, 3, false)) }
	for _, c := range []struct {
		want  string
		files [][]byte
	}{
		{"file 1 and file 3 have other totals", [][]byte{part(0), part(1), statisticsFile(t, randomStatistics(8, 10, 3, false))}},
		{"another has the term", [][]byte{part(0), part(1), part(0)}},
	} {
		err := tablefile.Join(t.Context(), io.Discard, len(c.files), opener(c.files), tablefile.MergeOptions{})
		if !errors.Is(err, tablefile.ErrNotParts) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := [][]byte{part(0), part(1)}
	if err := tablefile.Join(ctx, io.Discard, 2, opener(files), tablefile.MergeOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Faults of the temporary files end the joining with the error.
func TestFaultsOfJoinedStatistics(t *testing.T) {
	s := randomStatistics(7, 2000, 3, false)
	var files [][]byte
	for i := range 5 {
		files = append(files, statisticsFile(t, partOf(s, i, 5, false)))
	}
	want := joined(t, files, tablefile.MergeOptions{})
	enginetest.EachTemporaryFault(t, 1, want, func(sys *faults.Temporary, dir string, w io.Writer) error {
		o := tablefile.MergeOptions{Temporary: sys, Dir: dir}
		o.SetMost(3)
		return tablefile.Join(t.Context(), w, len(files), opener(files), o)
	})
}
