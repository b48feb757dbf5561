package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
)

// hostileNames are terms that a page must neither run nor lose.
func hostileNames() []string {
	return []string{
		"</script><script>window.ran=1</script>", "<img src=x onerror=window.ran=2>", "<!--", "]]>", "\u2028", "\u2029", "'\"`${window.ran=3}", "\\u003c",
		"__proto__", "constructor", "\x00\x1b[31m", "\xff\xfe", "caf\xe9", "\u202eabc", "a\tb\nc", "{{.}}", "&amp;", "", "𝔘nicode", "🙂", "é", strings.Repeat("long", 99),
	}
}

// randomExplore returns a page of random counts, and some that are large.
func randomExplore(seed uint64, terms, classes int) *Explore {
	r := rand.New(rand.NewPCG(seed, 1))
	e := &Explore{Title: "random", Documents: 1000, Tokens: 1 << 40, Of: terms, Rank: "chi", By: "chi", Test: "none", Formulas: testFormulas}
	for c := range classes {
		e.Classes = append(e.Classes, ExploreClass{fmt.Sprint("class ", c), uint64(c), uint64(c) * 7})
	}
	names := hostileNames()
	for i := range terms {
		names = append(names, fmt.Sprint("term", r.IntN(1<<20), " ", i))
	}
	slices.Sort(names)
	t := &e.Terms
	t.Names, t.Start = names, []int{0}
	number := func() uint64 { return uint64(1) << r.IntN(1+r.IntN(25)) }
	for range names {
		df, cf := uint64(0), uint64(0)
		for c := range classes {
			if r.IntN(3) > 0 {
				continue
			}
			a := number()
			s := a + number() - 1
			q := leastSquares(a, s)
			if a > 1 && s > a {
				q += 2 * (number() - 1)
			}
			t.Class, t.A, t.S, t.Q = append(t.Class, uint32(c)), append(t.A, a), append(t.S, s), append(t.Q, q)
			df, cf = df+a, cf+s
		}
		if r.IntN(4) == 0 { // documents with several classes, or none
			df = max(1, df/2)
			cf = max(df, cf/2) + number()
		}
		t.DF, t.CF, t.Start = append(t.DF, df), append(t.CF, cf), append(t.Start, len(t.Class))
		t.Log10P = append(t.Log10P, -math.Floor(1e5*r.Float64())/perDecade)
	}
	seen := map[string]float64{}
	for i := range names {
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			key := fmt.Sprint(t.Class[j], t.A[j], t.S[j], t.Q[j], t.DF[i], t.CF[i])
			if _, ok := seen[key]; !ok {
				seen[key] = -math.Floor(1e5*r.Float64()) / perDecade
			}
			t.CellLog10P = append(t.CellLog10P, seen[key])
		}
	}
	return e
}

// pageOf writes the page of a corpus.
func pageOf(t *testing.T, e *Explore) string {
	path := filepath.Join(t.TempDir(), "explore.html")
	file := testkit.Must(os.Create(path))
	testkit.OK(e.WriteHTML(file))
	testkit.OK(file.Close())
	return path
}

// unpacked are columns as the page has them.
type unpacked struct {
	Names              [][]int
	Shown              []string
	DF, CF             []float64
	Start, Class       []int
	A, S, Q            []float64
	Log10P, CellLog10P []float64
}

// unpackedBy returns what a browser unpacks.
func unpackedBy(t *testing.T, b *browsertest.Browser) (u unpacked) {
	t.Helper()
	text, _ := b.Eval(`openData().then((d) => {
		const all = Array.from({ length: d.terms }, (_, i) => i), cells = all.flatMap((i) => [...d.cells(i).classes].map((c) => [i, c]));
		for (const i of all) if (d.find(d.term(i)) !== i && !d.term(i).includes("\ufffd")) throw new Error("lost " + d.term(i));
		const sums = new Map();
		for (const [i, c] of cells) {
			const at = d.cells(i).classes.indexOf(c), column = d.column(c);
			for (const of of ["A", "S", "Q"]) if (column[of][i] !== d.cells(i)[of][at]) throw new Error("column " + of);
		}
		return JSON.stringify({
			Names: all.map((i) => [...(d.name(i).buffer ? d.name(i) : utf8.encode(d.name(i)))]), Shown: all.map((i) => d.shown(i)), DF: [...d.df], CF: [...d.cf], Start: [...d.start], Class: [...d.cellClass],
			A: [...d.cellA], S: [...d.cellS], Q: [...d.cellQ], Log10P: all.map((i) => d.log10p(i)), CellLog10P: cells.map(([i, c]) => d.log10p(i, c)),
		});
	})`).(string)
	testkit.Is(testkit.Stop(t), json.Unmarshal([]byte(text), &u), nil, text)
	return u
}

// What the browser unpacks is what was packed.
func TestBrowserUnpacksTerms(t *testing.T) {
	b := browsertest.New(t)
	for i, shape := range [][2]int{{0, 0}, {1, 1}, {300, 2}, {500, 300}} {
		e := randomExplore(uint64(i), shape[0], shape[1])
		b.Show(pageOf(t, e), 1280, 900, "light")
		got := unpackedBy(t, b)
		x := &e.Terms
		want := unpacked{Start: x.Start, Log10P: x.Log10P, CellLog10P: x.CellLog10P}
		for i, name := range x.Names {
			bytes := []int{}
			for _, c := range []byte(name) {
				bytes = append(bytes, int(c))
			}
			want.Names, want.Shown = append(want.Names, bytes), append(want.Shown, visible(name))
			want.DF, want.CF = append(want.DF, float64(x.DF[i])), append(want.CF, float64(x.CF[i]))
		}
		for j := range x.Class {
			want.Class = append(want.Class, int(x.Class[j]))
			want.A, want.S, want.Q = append(want.A, float64(x.A[j])), append(want.S, float64(x.S[j])), append(want.Q, float64(x.Q[j]))
		}
		for _, column := range []struct {
			name      string
			got, want any
		}{
			{"names", got.Names, want.Names},
			{"names as shown", got.Shown, want.Shown},
			{"df", got.DF, want.DF},
			{"cf", got.CF, want.CF},
			{"start", got.Start, want.Start},
			{"class", got.Class, want.Class},
			{"A", got.A, want.A},
			{"S", got.S, want.S},
			{"Q", got.Q, want.Q},
			{"p", got.Log10P, want.Log10P},
			{"p of cells", got.CellLog10P, want.CellLog10P},
		} {
			if !reflect.DeepEqual(column.got, column.want) && reflect.ValueOf(column.want).Len() > 0 {
				t.Errorf("%v: %s: %.300v, want %.300v", shape, column.name, column.got, column.want)
			}
		}
		b.Expect(`window.ran === undefined`, true)
	}
	b.NoComplaints()
}

// Columns that no documents have are refused.
func TestExploreRefusesImpossibleColumns(t *testing.T) {
	for name, spoil := range map[string]func(e *Explore){
		"short df":          func(e *Explore) { e.Terms.DF = e.Terms.DF[1:] },
		"short A":           func(e *Explore) { e.Terms.A = e.Terms.A[1:] },
		"p of other terms":  func(e *Explore) { e.Terms.Log10P = e.Terms.Log10P[1:] },
		"terms not sorted":  func(e *Explore) { e.Terms.Names[0], e.Terms.Names[1] = e.Terms.Names[1], e.Terms.Names[0] },
		"a term twice":      func(e *Explore) { e.Terms.Names[1] = e.Terms.Names[0] },
		"a class too large": func(e *Explore) { e.Terms.Class[0] = 9 },
		"no documents":      func(e *Explore) { e.Terms.A[0] = 0 },
		"few occurrences":   func(e *Explore) { e.Terms.S[0] = e.Terms.A[0] - 1 },
		"few squares":       func(e *Explore) { e.Terms.Q[0] = e.Terms.A[0] - 1 },
		"odd squares":       func(e *Explore) { e.Terms.Q[0]++ },
		"large df":          func(e *Explore) { e.Terms.DF[0] = 1<<53 + 1 },
		"large S":           func(e *Explore) { e.Terms.S[0] = 1<<53 + 1 },
	} {
		e := randomExplore(1, 20, 3)
		testkit.OK(e.check())
		spoil(e)
		testkit.Fails(t, e.WriteHTML(io.Discard), name, "no error")
	}
}
