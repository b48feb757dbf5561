package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/termsift/termsift/bench/lab"
)

// This file evaluates the expressions of rules and tables:
//
//	expression  term {("+" | "-") term}
//	term        factor {("*" | "/") factor}
//	factor      number | "-" factor | "[" pattern "]" | function "(" expression {"," expression} ")" | "(" expression ")"
//
// A pattern of [Figures] may stand for several figures within a function: max, min,
// apart (the largest less the smallest), or trend, which is Spearman's correlation of the
// figures with their order (1: they rise; 0 where they are all equal).
// Operators take several figures on both sides one by one.
//
// Every value carries the [Basis] of its figures. All arguments of a function, and both
// sides of "-" and "/", must be of the same; sums may be of several, as that of times of
// several steps.

// functions take the values of all their arguments together.
var functions = map[string]func(x []float64) float64{
	"max":   func(x []float64) float64 { return slices.Max(x) },
	"min":   func(x []float64) float64 { return slices.Min(x) },
	"apart": func(x []float64) float64 { return slices.Max(x) - slices.Min(x) },
	"trend": trend,
}

// A quantity is the value of an expression, or several, with the bases of its figures.
type quantity struct {
	values []float64
	bases  bases
}

// evaluate computes an expression, whose value is a single one.
func (f Figures) evaluate(text string) (float64, bases) {
	p := &expression{text: text, rest: text, figures: f}
	var x quantity
	lab.In(fmt.Sprintf("expression %q", text), func() {
		x = p.sum()
		switch {
		case p.rest != "":
			panic(lab.Errorf("unexpected %q", p.rest))
		case len(x.values) != 1:
			panic(lab.Errorf("%d figures where there should be one", len(x.values)))
		}
	})
	return x.values[0], x.bases
}

// An expression is text that is being evaluated.
type expression struct {
	text, rest string
	figures    Figures
}

// next takes a character if it is one of these.
func (p *expression) next(of string) byte {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" || !strings.Contains(of, p.rest[:1]) {
		return 0
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c
}

// chain evaluates operands with operators between them, from left to right.
func (p *expression) chain(of string, operand func() quantity, apply func(op byte, x, y float64) float64) quantity {
	x := operand()
	for op := p.next(of); op != 0; op = p.next(of) {
		x = x.with(op, operand(), apply)
	}
	return x
}

// with applies an operator to each two values. A single one goes with all of the other side.
func (x quantity) with(op byte, y quantity, apply func(op byte, x, y float64) float64) quantity {
	all := x.bases.and(y.bases)
	if op == '-' || op == '/' {
		sides(x.bases, y.bases)
	}
	n, m := len(x.values), len(y.values)
	if n != m && n != 1 && m != 1 {
		panic(lab.Errorf("an operator needs single values, or as many on both sides"))
	}
	values := make([]float64, max(n, m))
	for i := range values {
		values[i] = apply(op, x.values[min(i, n-1)], y.values[min(i, m-1)])
	}
	return quantity{values, all}
}

func (p *expression) sum() quantity {
	return p.chain("+-", p.product, func(op byte, x, y float64) float64 {
		if op == '+' {
			return x + y
		}
		return x - y
	})
}

func (p *expression) product() quantity {
	return p.chain("*/", p.factor, func(op byte, x, y float64) float64 {
		if op == '*' {
			return x * y
		}
		return x / y
	})
}

func (p *expression) factor() quantity {
	switch p.next("[(-") {
	case '-':
		x := p.factor()
		for i := range x.values {
			x.values[i] = 0 - x.values[i]
		}
		return x
	case '[':
		return p.matched()
	case '(':
		return p.closed(p.sum())
	}
	word := p.rest
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' }); end >= 0 {
		word = word[:end]
	}
	p.rest = p.rest[len(word):]
	if f, ok := functions[word]; ok {
		return p.call(f)
	}
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		panic(lab.Errorf("%q is neither a number nor a function", word))
	}
	return quantity{values: []float64{v}}
}

// matched takes the figures of a pattern.
func (p *expression) matched() quantity {
	pattern, rest, closed := strings.Cut(p.rest, "]")
	if !closed {
		panic(lab.Errorf("a [ has no ]"))
	}
	p.rest = rest
	found := p.figures.match(pattern)
	x := quantity{bases: basesOf(found)}
	for _, f := range found {
		x.values = append(x.values, f.Value)
	}
	return x
}

// closed takes the parenthesis behind a value.
func (p *expression) closed(x quantity) quantity {
	if p.next(")") == 0 {
		panic(lab.Errorf("a ( has no )"))
	}
	return x
}

// call evaluates the arguments of a function.
func (p *expression) call(f func([]float64) float64) quantity {
	if p.next("(") == 0 {
		panic(lab.Errorf("a function has no arguments"))
	}
	var all quantity
	for {
		x := p.sum()
		all.values, all.bases = append(all.values, x.values...), all.bases.and(x.bases)
		if p.next(",") == 0 {
			all.bases.one()
			return p.closed(quantity{[]float64{f(all.values)}, all.bases})
		}
	}
}
