package matrix

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// valid returns a matrix of three documents and three terms, and its labels.
func valid(byColumn bool) (*Matrix[int64, float64], *Labels) {
	return &Matrix[int64, float64]{
		Documents: 3, Terms: 3, ByColumn: byColumn,
		Start: []int64{0, 2, 4, 6}, Index: []int64{0, 2, 1, 2, 0, 1}, Values: []float64{1, 2, 1, 3, 1, 50},
	}, &Labels{Classes: 2, Of: []int32{0, 1, -1}}
}

// Bad input is an error of its kind that names the argument and the place, by rows and by
// columns, whatever else the matrix has.
func TestBadInput(t *testing.T) {
	type input struct {
		m *Matrix[int64, float64]
		y *Labels
		o Options
	}
	for name, c := range map[string]struct {
		spoil func(in *input)
		kind  error
		names []string
	}{
		"nil labels":          {func(in *input) { in.y = nil }, usage.ErrUsage, []string{"labels"}},
		"no documents":        {func(in *input) { in.m.Documents = 0 }, usage.ErrUsage, []string{"Documents"}},
		"documents":           {func(in *input) { in.m.Documents = -4 }, usage.ErrUsage, []string{"Documents"}},
		"no terms":            {func(in *input) { in.m.Terms = 0 }, usage.ErrUsage, []string{"Terms"}},
		"more documents":      {func(in *input) { in.m.Documents = math.MaxInt32 }, usage.ErrUsage, nil},
		"nil Start":           {func(in *input) { in.m.Start = nil }, usage.ErrUsage, []string{"Start"}},
		"short Start":         {func(in *input) { in.m.Start = in.m.Start[:3] }, usage.ErrUsage, []string{"Start"}},
		"short Values":        {func(in *input) { in.m.Values = in.m.Values[:5] }, usage.ErrUsage, []string{"Values", "5", "6"}},
		"short Index":         {func(in *input) { in.m.Index, in.m.Values = in.m.Index[:5], nil }, usage.ErrData, []string{"Start[3]", "5"}},
		"falling Start":       {func(in *input) { in.m.Start[2] = 1 }, usage.ErrData, []string{"Start[2]"}},
		"negative Start":      {func(in *input) { in.m.Start[0] = -1 }, usage.ErrData, []string{"Start[0]"}},
		"huge Start":          {func(in *input) { in.m.Start[3] = math.MaxInt64 }, usage.ErrData, []string{"Start[3]"}},
		"negative index":      {func(in *input) { in.m.Index[3] = -1 }, usage.ErrData, []string{"element 3", "-1"}},
		"index out of range":  {func(in *input) { in.m.Index[3] = 3 }, usage.ErrData, []string{"element 3"}},
		"huge index":          {func(in *input) { in.m.Index[3] = 1 << 40 }, usage.ErrData, []string{"element 3"}},
		"repeated":            {func(in *input) { in.m.Index[3] = 1 }, usage.ErrData, []string{"element 3", "twice", "element 2"}},
		"NaN":                 {func(in *input) { in.m.Values[4] = math.NaN() }, usage.ErrData, []string{"element 4", "NaN"}},
		"infinite":            {func(in *input) { in.m.Values[4] = math.Inf(1) }, usage.ErrData, []string{"element 4", "Inf"}},
		"negative":            {func(in *input) { in.m.Values[4] = -3 }, usage.ErrData, []string{"element 4", "-3"}},
		"2^63":                {func(in *input) { in.m.Values[4] = 1 << 63 }, usage.ErrData, []string{"element 4"}},
		"too large a sum":     {func(in *input) { in.m.Values[4], in.m.Values[5] = 1<<62, 1<<62 }, usage.ErrData, []string{"Values", "2^63"}},
		"short labels":        {func(in *input) { in.y.Of = in.y.Of[:2] }, usage.ErrUsage, []string{"Labels.Of", "2", "3"}},
		"class out of range":  {func(in *input) { in.y.Of[1] = 2 }, usage.ErrData, []string{"Labels.Of[1]"}},
		"class below -1":      {func(in *input) { in.y.Of[2] = -2 }, usage.ErrData, []string{"Labels.Of[2]"}},
		"no label":            {func(in *input) { in.y.Of = []int32{-1, -1, -1} }, usage.ErrData, []string{"Labels.Of"}},
		"negative classes":    {func(in *input) { in.y.Classes = -1 }, usage.ErrUsage, []string{"Classes"}},
		"short label Start":   {func(in *input) { in.y.Start = []int64{0, 1, 3} }, usage.ErrUsage, []string{"Labels.Start"}},
		"falling label Start": {func(in *input) { in.y.Start = []int64{0, 2, 1, 3} }, usage.ErrData, []string{"Labels.Start[2]"}},
		"label Start beyond":  {func(in *input) { in.y.Start = []int64{0, 1, 2, 4} }, usage.ErrData, []string{"Labels.Start[3]"}},
		"term names":          {func(in *input) { in.o.Terms = []string{"a"} }, usage.ErrUsage, []string{"Options.Terms"}},
		"repeated term name":  {func(in *input) { in.o.Terms = []string{"a", "b", "a"} }, usage.ErrUsage, []string{"Options.Terms", `"a"`}},
		"class names":         {func(in *input) { in.o.Classes = []string{"a"} }, usage.ErrUsage, []string{"Options.Classes"}},
		"repeated class name": {func(in *input) { in.o.Classes = []string{"a", "a"} }, usage.ErrUsage, []string{"Options.Classes", `"a"`}},
		"class name":          {func(in *input) { in.o.Classes = []string{"a", "\xff"} }, usage.ErrUsage, []string{"Options.Classes[1]", "UTF-8"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, byColumn := range []bool{false, true} {
				m, y := valid(byColumn)
				in := &input{m: m, y: y}
				c.spoil(in)
				s, err := in.m.Statistics(t.Context(), in.y, in.o)
				if err == nil || s != nil || !errors.Is(err, c.kind) {
					t.Fatalf("by column %t: %v, %v, want an error that is %v", byColumn, s, err, c.kind)
				}
				for _, part := range c.names {
					testkit.Says(t, err, part, "by column", byColumn, "does not say")
				}
			}
		})
	}
	var m *Matrix[int32, uint8]
	testkit.Is(t, testkit.Err(m.Statistics(t.Context(), &Labels{}, Options{})), usage.ErrUsage, "a nil matrix")
	if Columns(nil) != nil {
		t.Error("columns of nil statistics")
	}
}

// A count of 2^53 and more in all is refused, as an index of it would be.
func TestTooManyTokens(t *testing.T) {
	m := &Matrix[int32, int64]{Documents: 1, Terms: 1, Start: []int32{0, 1}, Index: []int32{0}, Values: []int64{1<<53 + 2}}
	testkit.Is(t, testkit.Err(m.Statistics(t.Context(), &Labels{Classes: 1, Of: []int32{0}}, Options{})), nil,
		"a single value that no count holds is a real value")
	m = &Matrix[int32, int64]{Documents: 1, Terms: 1 << 22, Start: []int32{0, 1 << 22}}
	for i := range 1 << 22 {
		m.Index, m.Values = append(m.Index, int32(i)), append(m.Values, 1<<32-1)
	}
	testkit.Is(t, testkit.Err(m.Statistics(t.Context(), &Labels{Classes: 1, Of: []int32{0}}, Options{})), usage.ErrData,
		"counts that add up to 2^54")
}

// Memory is bounded by the lengths of slices, not by the numbers in them.
func TestMemoryIsBounded(t *testing.T) {
	m := &Matrix[int64, uint8]{Documents: 3, Terms: math.MaxInt32, Start: []int64{0, 1, 2, 3}, Index: []int64{7, math.MaxInt32 - 1, 7}}
	y := &Labels{Classes: 1 << 30, Of: []int32{1<<30 - 1, 5, 1<<30 - 1}}
	var s *table.Table
	got := enginetest.Allocated(func() { s = testkit.Must(m.Statistics(t.Context(), y, Options{Threads: 1})) })
	if got > 1<<20 {
		t.Errorf("%d bytes were allocated for three elements", got)
	}
	if s.Cells.Terms() != 2 || s.Names.Term(0) != "7" || Columns(s)[1] != math.MaxInt32-1 || s.Classes()[0] != "1073741823" {
		t.Errorf("terms %v, classes %q", Columns(s), s.Classes())
	}
	m.Index[1] = math.MaxInt32
	testkit.Is(t, testkit.Err(m.Statistics(t.Context(), y, Options{})), usage.ErrData, "an index out of range")
}

// A context that is done ends the call with its cause.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	for _, byColumn := range []bool{false, true} {
		m, y := valid(byColumn)
		testkit.Is(t, testkit.Err(m.Statistics(ctx, y, Options{})), cause, "by column", byColumn)
	}
}

// The matrix and the labels are not written, and are not needed afterwards.
func TestInputIsLeftAlone(t *testing.T) {
	for _, byColumn := range []bool{false, true} {
		m, y := valid(byColumn)
		s := testkit.Must(m.Statistics(t.Context(), y, Options{}))
		same, labels := valid(byColumn)
		other := testkit.Must(same.Statistics(t.Context(), labels, Options{}))
		for i := range m.Index {
			testkit.Equal(testkit.Stop(t), m.Index[i], same.Index[i], "element", i, "was changed")
			testkit.Equal(testkit.Stop(t), m.Values[i], same.Values[i], "element", i, "was changed")
		}
		clear(m.Index)
		clear(m.Values)
		clear(y.Of)
		sameStatistics(t, "after the matrix was cleared", s, other)
	}
}

// Statistics of matrices go into files and add up, as those of indexes do.
func TestStatisticsAddUpAndGoIntoFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	var stats, want [2]*table.Table
	for i := range stats {
		s := shapes["bytes"].sample(r)
		stats[i] = testkit.Must(matrixOf[int32, int64](s, i == 1, nil).Statistics(t.Context(), labelsOf(s), Options{}))
		want[i] = testkit.Must(corpusOf(t, s).Statistics(t.Context(), corpus.CountOptions{}))
		var file bytes.Buffer
		testkit.Must(corpus.WriteStatistics(&file, stats[i]))
		stats[i] = testkit.Must(corpus.DecodeStatistics(file.Bytes()))
		sameStatistics(t, "from a file", stats[i], want[i])
	}
	sameStatistics(t, "the sum", testkit.Must(stats[0].Add(stats[1])), testkit.Must(want[0].Add(want[1])))
}

// Classes are numbered in the order of their names, the same by a table and by a search.
func TestNumber(t *testing.T) {
	names := make([]string, 12)
	for i := range names {
		names[i] = string(rune('z' - i))
	}
	for _, classes := range []int{12, 1 << 30} {
		y := &Labels{Classes: classes, Of: []int32{11, 2, -1, 10, 2}}
		given := names
		want := []string{"10", "11", "2"}
		of := []uint32{1, 2, 0, 2}
		if classes > 12 {
			given = nil
		} else {
			want, of = []string{"o", "p", "x"}, []uint32{0, 2, 1, 2}
		}
		d := testkit.Must(y.number(5, given))
		if !slices.Equal(d.Classes, want) || !slices.Equal(d.Of, of) || !slices.Equal(d.Start, []uint32{0, 1, 2, 2, 3, 4}) || d.Several {
			t.Errorf("%d classes: %+v", classes, d)
		}
	}
	ordered := testkit.Must((&Labels{Classes: 1 << 30, Of: []int32{11, 2, -1, 10, 2}, ByNumber: true}).number(5, nil))
	testkit.EqualSlices(t, ordered.Classes, []string{"0000000002", "0000000010", "0000000011"}, "by number")
	testkit.EqualSlices(t, ordered.Of, []uint32{2, 0, 1, 0}, "by number")
	d, err := (&Labels{Classes: 3, Of: []int32{2, 0, 2, -1}, Start: []int64{0, 3, 4}}).number(2, nil)
	if err != nil || !slices.Equal(d.Of, []uint32{0, 1}) || !slices.Equal(d.Start, []uint32{0, 2, 2}) || !d.Several {
		t.Errorf("several labels: %+v, %v", d, err)
	}
	docs := d.byClass()
	order, ends := docs.ByClass(nil)
	testkit.EqualSlices(t, order, []uint32{0, 0, 0, 1}, "by class", ends)
	testkit.EqualSlices(t, ends, []int{1, 2, 4}, "by class", order)
	testkit.Refused(t, testkit.Err((&Labels{Classes: 3, Of: []int32{0, 3}}).number(2, nil)), usage.ErrData,
		"Labels.Of[1]")
}

// decimal gives all numbers in the order of their decimals.
func TestDecimal(t *testing.T) {
	for _, n := range []uint64{1, 2, 9, 10, 11, 19, 20, 21, 99, 100, 101, 109, 110, 111, 190, 1000, 1001, 12_345, 130_107} {
		want := make([]string, n)
		for i := range want {
			want[i] = strconv.Itoa(i)
		}
		slices.Sort(want)
		d := decimal{n: n}
		for i := range want {
			testkit.Equal(testkit.Stop(t), strconv.FormatUint(d.at, 10), want[i], "number", i, "below", n)
			d.next()
		}
	}
}
