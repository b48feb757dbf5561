package pvalue

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"
)

// reference.txt is made by testdata/reference.py.
//
//go:embed testdata/reference.txt
var reference string

// A known is a line of it: the p-values of some arguments, and ours.
type known struct {
	line      string
	want, got []float64
}

// of3 are the p-values of a table in the order of the file.
func of3(t Table) []float64 { return []float64{t.Greater(), t.Less(), t.TwoSided()} }

func knownValues(t testing.TB) (all []known) {
	t.Helper()
	for line := range strings.Lines(reference) {
		f := strings.Fields(line)
		v := make([]float64, len(f)-1)
		for i := range v {
			var err error
			if v[i], err = strconv.ParseFloat(f[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		k := known{line: line}
		switch f[0] {
		case "normal":
			k.want, k.got = v[1:], []float64{Normal(v[0])}
		case "chi":
			k.want, k.got = v[2:], []float64{ChiSquare(v[0], v[1])}
		case "f":
			k.want, k.got = v[3:], []float64{F(v[0], v[1], v[2])}
		case "student":
			k.want, k.got = v[2:], []float64{Student(v[0], v[1])}
		case "fisher":
			k.want, k.got = v[4:], of3(Table{int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3])})
		}
		if len(k.got) == 0 || len(k.got) != len(k.want) {
			t.Fatalf("line %q", line)
		}
		all = append(all, k)
	}
	return all
}

// errors gives how far ln p is off: of itself, and of p where that is a number.
func errors(got, want float64) (ofLog, ofP float64) {
	if got == want {
		return 0, 0
	}
	ofLog = math.Abs(got-want) / math.Abs(want)
	if want > -708 {
		ofP = math.Abs(got - want)
	}
	return ofLog, ofP
}

func TestTwelveDigits(t *testing.T) {
	type worst struct{ ofLog, ofP float64 }
	all := map[string]*worst{}
	for _, k := range knownValues(t) {
		kind, _, _ := strings.Cut(k.line, " ")
		if all[kind] == nil {
			all[kind] = &worst{}
		}
		for i, want := range k.want {
			ofLog, ofP := errors(k.got[i], want)
			if !(ofLog <= 1e-12 && ofP <= 1e-12) {
				t.Errorf("%s: value %d is %.17g, off by %.1e of ln p, %.1e of p", strings.TrimSpace(k.line), i, k.got[i], ofLog, ofP)
			}
			all[kind].ofLog, all[kind].ofP = max(all[kind].ofLog, ofLog), max(all[kind].ofP, ofP)
		}
	}
	for kind, w := range all {
		t.Logf("%-8s errors of at most %.1e of ln p, %.1e of p", kind, w.ofLog, w.ofP)
	}
}
