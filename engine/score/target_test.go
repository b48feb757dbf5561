package score

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// randomScale gives the classes of margins numbers of a kind.
func randomScale(r *rand.Rand, classes int) *Scale {
	kind, names := r.IntN(4), make([]string, classes)
	for c := range names {
		switch kind {
		case 0:
			names[c] = strconv.Itoa(r.IntN(9))
		case 1:
			names[c] = strconv.FormatFloat(float64(r.IntN(1000))/4, 'f', -1, 64)
		case 2:
			names[c] = strconv.FormatFloat(r.NormFloat64(), 'g', -1, 64)
		default:
			names[c] = strconv.FormatInt(r.Int64N(1<<53)*int64(1-2*r.IntN(2)), 10)
		}
	}
	return NewScale(names)
}

// The bits of the measures of a target are the same for every CPU and build, as in TestBitsOfAllMeasures.
func TestBitsOfTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var digest uint64
	for range 500 {
		margins, row := randomRow(r)
		if row.DF[0] == 0 || float64(row.DF[0]) == margins.N {
			continue
		}
		margins.WithScale(randomScale(r, margins.Classes()))
		for _, o := range []Options{{}, {Signed: true, Presence: true}} {
			for _, d := range ofTargets(o) {
				v := one(d, d.Info, "", margins, row)
				testkit.Equal(testkit.Stop(t), math.IsNaN(v), false, d.Info.Name, "is not a number for", row)
				digest = digest*31 + math.Float64bits(v)
			}
		}
	}
	testkit.Equal(testkit.Stop(t), digest, uint64(0xf2067061e7347c63), "digest")
}

// Names that are decimal numbers make a scale, and no others.
func TestScale(t *testing.T) {
	for _, names := range [][]string{{"1", "x"}, {"Inf"}, {"NaN"}, {"0x1p4"}, {"1_000"}, {""}, {"1e999"}, {"1.2.3"}, {}} {
		if NewScale(names) != nil {
			t.Errorf("%q are numbers", names)
		}
	}
	for _, try := range []struct {
		names []string
		units []float64 // nil if they are not whole
	}{
		{[]string{"5", "-1", "+2", "2.0"}, []float64{2, 0, 1, 1}},
		{[]string{"0.25", "1", "-.5"}, []float64{1, 2, 0}},
		{[]string{"7", "7.0"}, []float64{0, 0}},
		{[]string{"0.000001", "1"}, []float64{0, 1}},
		{[]string{"0.0000001", "1"}, nil},
		{[]string{"1e300", "1"}, nil},
		{[]string{"1000000000000004", "1000000000000001"}, []float64{1, 0}},
		{[]string{"-9007199254740988", "-9007199254740990", "-9007199254740991"}, []float64{3, 1, 0}},
		{[]string{"20000000000.25", "20000000001"}, []float64{0, 1}},
	} {
		s := NewScale(try.names)
		if s == nil || s.whole != (try.units != nil) {
			t.Fatalf("%q: %+v", try.names, s)
		}
		for c, unit := range try.units {
			testkit.Equal(t, s.units[c], unit, try.names, "are", s.units, "want", try.units)
		}
	}
}

// Sums beyond 2^53 are as exact as those below.
func TestSumsAlongAnAxis(t *testing.T) {
	x := axis{of: []float64{1<<53 - 1, 3, 0}, whole: true, most: 1<<53 - 1}
	got := x.along([]uint32{0, 1}, []float64{5, 7}, 12)
	testkit.Equal(t, got, table.Product(5, 1<<53-1).Plus(table.Pair{High: 21}))
}

// Means are those of the documents with a term and without it.
func TestMeans(t *testing.T) {
	m := NewMargins(6, 0, []float64{3, 2, 1}, make([]float64, 3)).WithScale(NewScale([]string{"1", "2.5", "-4"}))
	with, without := m.Means([]uint32{0, 2}, []float64{1, 1})
	testkit.Equal(t, with, -1.5, "means")
	testkit.Equal(t, without, 1.75, "means")
	if with, without = m.Means(nil, nil); !math.IsNaN(with) || without != 4./6 {
		t.Errorf("without documents, means %v and %v", with, without)
	}
	if with, without = m.Means([]uint32{0, 1, 2}, []float64{3, 2, 1}); with != 4./6 || !math.IsNaN(without) {
		t.Errorf("with all documents, means %v and %v", with, without)
	}
}
