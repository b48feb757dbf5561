package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// A Basis says what a figure measures. Figures are compared only where it is the same:
// F1 by another way to decide, ranks by the values of other classes, and times of other
// work say nothing about each other.
type Basis struct {
	// Unit is what is counted: "micro-F1 in percent".
	Unit string `json:"unit"`
	// Decisions says how documents are given classes, mostLikely or eachClass; "" where
	// none are given.
	Decisions string `json:"decisions,omitempty"`
	// Scope says of what: the test documents and the classes, or the classes whose values
	// rank the terms; "" for what describes the documents themselves.
	Scope string `json:"scope,omitempty"`
	// Work is what a time is that of.
	Work string `json:"work,omitempty"`
}

// unitMicro is the unit of F1 over all decisions.
const unitMicro = "micro-F1 in percent"

// The ways to decide.
const (
	mostLikely = "every document is given its most likely class"
	eachClass  = "every class is decided about by itself"
)

// String names what there is.
func (b Basis) String() string {
	return strings.Join(slices.DeleteFunc([]string{b.Unit, b.Work, b.Decisions, b.Scope}, func(s string) bool { return s == "" }), "; ")
}

func compareBases(a, b Basis) int {
	return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Work, b.Work), cmp.Compare(a.Decisions, b.Decisions), cmp.Compare(a.Scope, b.Scope))
}

// bases are those of the figures of an expression, ascending, each once.
type bases []Basis

func basesOf(found []Figure) bases {
	var all bases
	for _, f := range found {
		if len(all) == 0 || all[len(all)-1] != f.Basis {
			all = append(all, f.Basis)
		}
	}
	return all.and(nil)
}

func (b bases) and(other bases) bases {
	all := append(slices.Clone(b), other...)
	slices.SortFunc(all, compareBases)
	return slices.Compact(all)
}

// errUnlike is what unlike figures in a comparison give.
var errUnlike = errors.New("unlike figures are compared")

// one reports bases that are not one: those of figures that are put into one order, or
// taken from each other.
func (b bases) one() {
	if len(b) > 1 {
		panic(lab.Errorf("%w: [%s] and [%s]", errUnlike, b[0], b[1]))
	}
}

// sides reports sides of a rule that are of other figures. A constant goes with all.
func sides(left, right bases) {
	if len(left) == 0 || len(right) == 0 || slices.Equal(left, right) {
		return
	}
	panic(lab.Errorf("%w: %s on the left, %s on the right", errUnlike, left, right))
}

// String lists the bases.
func (b bases) String() string {
	texts := make([]string, len(b))
	for i, basis := range b {
		texts[i] = "[" + basis.String() + "]"
	}
	return strings.Join(texts, ", ")
}

// alike reports bases of several ways to decide, or of several scopes: what stands in
// one claim or in one table has one of each. Units and work may be several.
func (b bases) alike() {
	for i, x := range b {
		for _, y := range b[:i] {
			if other(x.Decisions, y.Decisions) || other(x.Scope, y.Scope) {
				panic(lab.Errorf("%w: [%s] and [%s]", errUnlike, y, x))
			}
		}
	}
}

func other(a, b string) bool { return a != "" && b != "" && a != b }

// caption says in a sentence what the figures of a table have in common.
func (b bases) caption() string {
	var parts []string
	for _, field := range []func(Basis) string{
		func(b Basis) string { return b.Work },
		func(b Basis) string { return b.Decisions },
		func(b Basis) string { return b.Scope },
	} {
		var texts []string
		for _, basis := range b {
			if text := field(basis); text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			parts = append(parts, strings.Join(texts, " / "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
