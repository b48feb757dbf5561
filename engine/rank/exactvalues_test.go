package rank_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
)

// A valueMatrix has values by document and term, 0 where a document lacks the term.
type valueMatrix struct {
	classes [][]int // by document
	values  [][]float64
}

// newMatrix returns a sparse matrix of values below 1, one of which is v.
func newMatrix(r *rand.Rand, v float64) *valueMatrix {
	m, several := &valueMatrix{}, r.IntN(2) == 0
	for d := range 24 {
		own := []int{d % 3}
		switch {
		case several && r.IntN(5) == 0:
			own = []int{d % 3, 3}
		case several && r.IntN(9) == 0:
			own = nil
		}
		m.classes = append(m.classes, own)
		values := make([]float64, 4)
		for t := range values {
			if r.IntN(3) > 0 {
				values[t] = r.Float64()
			}
		}
		m.values = append(m.values, values)
	}
	m.classes[5], m.classes[7] = []int{2, 3}, []int{1, 3}
	m.values[r.IntN(len(m.values))][r.IntN(2)] = v
	return m
}

func (m *valueMatrix) numClasses() int { return slices.Max(slices.Concat(m.classes...)) + 1 }

func termOf(t int) string { return string(rune('p' + t)) }

func classOf(c int) string { return string(rune('a' + c)) }

func (m *valueMatrix) documents() (docs []document.Document) {
	for d, values := range m.values {
		doc := document.Document{ID: fmt.Sprint(d)}
		for _, c := range m.classes[d] {
			doc.Labels = append(doc.Labels, classOf(c))
		}
		for t, v := range values {
			if v != 0 {
				doc.Features = append(doc.Features, document.Feature{Term: termOf(t), Value: v})
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// others has other documents of the same classes, which are taken away again.
func (m *valueMatrix) others() *valueMatrix {
	more := &valueMatrix{classes: m.classes}
	for d, values := range m.values {
		more.values = append(more.values, slices.Clone(values))
		for t := range values {
			more.values[d][t] *= 1 + float64(d%3)/64
		}
	}
	return more
}

// exactTerm has the sums of a term as exact rationals; those of classes by class.
type exactTerm struct {
	documents, cf, total    *big.Rat
	n, s, q, tokens, within []*big.Rat
	most                    float64 // documents of a class with the term
}

func (m *valueMatrix) exact(term int) *exactTerm {
	x := &exactTerm{documents: new(big.Rat), cf: new(big.Rat), total: new(big.Rat)}
	for range m.numClasses() {
		for _, of := range []*[]*big.Rat{&x.n, &x.s, &x.q, &x.tokens} {
			*of = append(*of, new(big.Rat))
		}
	}
	one, met := big.NewRat(1, 1), make([]float64, len(x.n))
	for d, values := range m.values {
		x.documents.Add(x.documents, one)
		for t, value := range values {
			v := new(big.Rat).SetFloat64(value)
			x.total.Add(x.total, v)
			if t == term {
				x.cf.Add(x.cf, v)
			}
			for _, c := range m.classes[d] {
				x.tokens[c].Add(x.tokens[c], v)
				if t == term {
					x.n[c].Add(x.n[c], one)
					x.s[c].Add(x.s[c], v)
					x.q[c].Add(x.q[c], mul(v, v))
					if value > 0 {
						met[c]++
						x.most = max(x.most, met[c])
					}
				}
			}
		}
	}
	for c := range x.n {
		x.within = append(x.within, sub(x.q[c], quo(mul(x.s[c], x.s[c]), x.n[c])))
	}
	return x
}

func sum(of []*big.Rat) *big.Rat {
	all := new(big.Rat)
	for _, x := range of {
		all.Add(all, x)
	}
	return all
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func number(x *big.Rat) float64  { f, _ := x.Float64(); return f }

func float(x *big.Rat) *big.Float { return new(big.Float).SetPrec(300).SetRat(x) }

// pooled is s².
func (x *exactTerm) pooled() *big.Rat {
	return quo(sum(x.within), sub(sum(x.n), big.NewRat(int64(len(x.n)), 1)))
}

// table are the tokens of the term in the class and outside, of other terms in it and outside.
func (x *exactTerm) table(c int) (t [4]*big.Rat) {
	t[0], t[1], t[2] = x.s[c], sub(x.cf, x.s[c]), sub(x.tokens[c], x.s[c])
	t[3] = sub(sub(x.total, x.cf), t[2])
	return t
}

// student is t².
func (x *exactTerm) student(c int) *big.Rat {
	gap := sub(mul(x.documents, x.s[c]), mul(x.n[c], x.cf))
	return quo(mul(gap, gap), mul(mul(mul(x.n[c], x.documents), sub(x.documents, x.n[c])), x.pooled()))
}

// spread is Σ n_k(m_k - m)² over the pairs of a document and a label.
func (x *exactTerm) spread() *big.Rat {
	all := new(big.Rat)
	mean := quo(sum(x.s), sum(x.n))
	for c := range x.n {
		d := sub(quo(x.s[c], x.n[c]), mean)
		all.Add(all, mul(x.n[c], mul(d, d)))
	}
	return all
}

// ofClass is the value of a measure for a class.
func (x *exactTerm) ofClass(measure string, c int) *big.Float {
	t := x.table(c)
	gap := sub(mul(t[0], t[3]), mul(t[1], t[2]))
	in, out, rest := x.tokens[c], sub(x.total, x.tokens[c]), sub(x.total, x.cf)
	degenerate := in.Sign() == 0 || out.Sign() == 0 || x.cf.Sign() == 0 || rest.Sign() == 0
	switch {
	case measure == "cf":
		return float(x.s[c])
	case measure == "ttest":
		return new(big.Float).Sqrt(float(x.student(c)))
	case degenerate:
		return new(big.Float)
	case measure == "chitf":
		return float(quo(mul(x.total, mul(gap, gap)), mul(mul(x.cf, rest), mul(in, out))))
	case measure == "g2tf":
		return x.g2(t, [4]*big.Rat{mul(x.cf, in), mul(x.cf, out), mul(rest, in), mul(rest, out)})
	}
	prior, all := quo(mul(big.NewRat(10, 1), x.cf), x.total), big.NewRat(10, 1)
	add := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	odds := func(y, n *big.Rat) *big.Rat { return quo(add(y, prior), sub(add(n, all), add(y, prior))) }
	delta := naive.Ln(quo(odds(t[0], in), odds(t[1], out)))
	if measure == "logodds" {
		return delta
	}
	variance := add(new(big.Rat).Inv(add(t[0], prior)), new(big.Rat).Inv(add(t[1], prior)))
	return delta.Quo(delta, new(big.Float).Sqrt(float(variance)))
}

// g2 is 2·Σ O·ln(O·T/products) over the four cells.
func (x *exactTerm) g2(observed, products [4]*big.Rat) *big.Float {
	all := new(big.Float).SetPrec(300)
	for i, o := range observed {
		if o.Sign() > 0 {
			l := naive.Ln(quo(mul(o, x.total), products[i]))
			all.Add(all, new(big.Float).SetPrec(300).Mul(float(o), l))
		}
	}
	return all.Mul(all, big.NewFloat(2))
}

// whole is the value of a measure for all classes.
func (x *exactTerm) whole(measure string) *big.Float {
	switch measure {
	case "cf":
		return float(x.cf)
	case "ocfs":
		return float(quo(x.spread(), sum(x.n)))
	default: // anova
		return float(quo(quo(x.spread(), big.NewRat(int64(len(x.n)-1), 1)), x.pooled()))
	}
}

// The measures that read sums of values, of a class and of all.
var (
	measuresOfClasses = []string{"cf", "ttest", "chitf", "g2tf", "logodds", "logoddsz"}
	measuresOfAll     = []string{"cf", "ocfs", "anova"}
)

// exactValues returns the values of the terms by measure and class.
func (m *valueMatrix) exactValues() map[string]map[string]*big.Float {
	values := map[string]map[string]*big.Float{}
	set := func(what string, term int, v *big.Float) {
		if values[what] == nil {
			values[what] = map[string]*big.Float{}
		}
		values[what][termOf(term)] = v
	}
	for term := range m.values[0] {
		x := m.exact(term)
		for _, measure := range measuresOfAll {
			set(measure, term, x.whole(measure))
		}
		for _, measure := range measuresOfClasses {
			largest := x.ofClass(measure, 0)
			for class := range 4 {
				v := x.ofClass(measure, class)
				set(measure+" in "+classOf(class), term, v)
				if v.Cmp(largest) > 0 {
					largest = v
				}
			}
			set(measure+" at most", term, largest)
		}
	}
	return values
}

// Of real values one of which is many orders of magnitude larger, every measure that reads means and variances of
// them has twelve digits of exact rational arithmetic, in which way ever they were counted; measures of tokens have
// those that sums in float64 leave to the small values. After a subtraction the variance within classes has the error
// of what was subtracted, which is of the size of what is left.
func TestRealValuesAreExact(t *testing.T) {
	checked := 0
	for round := range 3 {
		for _, v := range []float64{.5, 1e6, 1e9, 1e12, 1e15} {
			m := newMatrix(rand.New(rand.NewPCG(36, uint64(round))), v)
			want := m.exactValues()
			for _, route := range routes() {
				c := route.counts(t, m)
				check := func(measure, of string, r *rank.Ranking) {
					bound := 1e-12
					if route.whole && (measure == "ttest" || measure == "anova") {
						bound = 1e-10
					}
					if slices.Contains([]string{"chitf", "g2tf", "logodds", "logoddsz"}, measure) {
						bound += v * 0x1p-53
					}
					for e := range r.All() {
						checked++
						exact := want[measure+of][e.Term]
						if exact.Sign() == 0 && e.Value == 0 {
							continue
						}
						if err := relative(e.Value, exact); !(err <= bound) {
							t.Errorf("%s, %s of %s%s, V = %g, round %d: %v, want %s, off by %g", route.name, measure, e.Term, of, v, round, e.Value, exact.Text('g', 20), err)
						}
					}
				}
				for _, measure := range measuresOfClasses {
					for class := range 4 {
						check(measure, " in "+classOf(class), testkit.Must(rank.Class(t.Context(), c, classOf(class), rank.Options{Measure: rank.Measure(measure)})))
					}
					check(measure, " at most", testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: rank.Measure(measure), Combine: rank.Max})))
				}
				for _, measure := range measuresOfAll {
					check(measure, "", testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: rank.Measure(measure)})))
				}
			}
		}
	}
	testkit.TriedCases(t, checked)
	if checked < 10_000 {
		t.Errorf("%d values", checked)
	}
}
