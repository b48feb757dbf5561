package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file evaluates the expressions of rules and tables:
//
//	expression  term {("+" | "-") term}
//	term        factor {("*" | "/") factor}
//	factor      number | "-" factor | "[" pattern "]" | function "(" expression {"," expression} ")" | "(" expression ")"
//
// A pattern of [Figures] may stand for several figures within a function: max, min,
// mean, sum, count, apart (the largest less the smallest), or trend, which is Spearman's
// correlation of the figures with their order (1: they rise; 0 where they are all equal).
// Operators take several figures on both sides one by one.
//
// Every value carries the [Basis] of its figures. All arguments of a function, and both
// sides of "-" and "/", must be of the same; sums may be of several, as that of times of
// several steps.

// functions take the values of all their arguments together.
var functions = map[string]func(x []float64) float64{
	"max":   func(x []float64) float64 { return slices.Max(x) },
	"min":   func(x []float64) float64 { return slices.Min(x) },
	"mean":  func(x []float64) float64 { return sum(x) / float64(len(x)) },
	"sum":   sum,
	"count": func(x []float64) float64 { return float64(len(x)) },
	"apart": func(x []float64) float64 { return slices.Max(x) - slices.Min(x) },
	"trend": trend,
}

// A quantity is the value of an expression, or several, with the bases of its figures.
type quantity struct {
	values []float64
	bases  bases
}

// evaluate computes an expression, whose value is a single one.
func (f Figures) evaluate(text string) (float64, bases, error) {
	p := &expression{text: text, rest: text, figures: f}
	x, err := p.sum()
	switch {
	case err == nil && p.rest != "":
		err = fmt.Errorf("unexpected %q", p.rest)
	case err == nil && len(x.values) != 1:
		err = fmt.Errorf("%d figures where there should be one", len(x.values))
	}
	if err != nil {
		return 0, nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return x.values[0], x.bases, nil
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

var errOperand = errors.New("an operator needs single values, or as many on both sides")

// chain evaluates operands with operators between them, from left to right.
func (p *expression) chain(of string, operand func() (quantity, error), apply func(op byte, x, y float64) float64) (quantity, error) {
	x, err := operand()
	for err == nil {
		op := p.next(of)
		if op == 0 {
			break
		}
		var y quantity
		if y, err = operand(); err == nil {
			x, err = x.with(op, y, apply)
		}
	}
	return x, err
}

// with applies an operator.
func (x quantity) with(op byte, y quantity, apply func(op byte, x, y float64) float64) (quantity, error) {
	all := x.bases.and(y.bases)
	if op == '-' || op == '/' {
		if err := sides(x.bases, y.bases); err != nil {
			return quantity{}, err
		}
	}
	values, err := pairwise(x.values, y.values, func(x, y float64) float64 { return apply(op, x, y) })
	return quantity{values, all}, err
}

// pairwise applies an operator to each two values. A single one goes with all of the
// other side.
func pairwise(x, y []float64, apply func(x, y float64) float64) ([]float64, error) {
	if len(x) != len(y) && len(x) != 1 && len(y) != 1 {
		return nil, errOperand
	}
	out := make([]float64, max(len(x), len(y)))
	for i := range out {
		out[i] = apply(x[min(i, len(x)-1)], y[min(i, len(y)-1)])
	}
	return out, nil
}

func (p *expression) sum() (quantity, error) {
	return p.chain("+-", p.product, func(op byte, x, y float64) float64 {
		if op == '+' {
			return x + y
		}
		return x - y
	})
}

func (p *expression) product() (quantity, error) {
	return p.chain("*/", p.factor, func(op byte, x, y float64) float64 {
		if op == '*' {
			return x * y
		}
		return x / y
	})
}

func (p *expression) factor() (quantity, error) {
	switch p.next("[(-") {
	case '-':
		x, err := p.factor()
		for i := range x.values {
			x.values[i] = 0 - x.values[i]
		}
		return x, err
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
		return quantity{}, fmt.Errorf("%q is neither a number nor a function", word)
	}
	return quantity{values: []float64{v}}, nil
}

// matched takes the figures of a pattern.
func (p *expression) matched() (quantity, error) {
	pattern, rest, closed := strings.Cut(p.rest, "]")
	if !closed {
		return quantity{}, errors.New("a [ has no ]")
	}
	p.rest = rest
	found, err := p.figures.match(pattern)
	x := quantity{bases: basesOf(found)}
	for _, f := range found {
		x.values = append(x.values, f.Value)
	}
	return x, err
}

// closed takes the parenthesis behind a value.
func (p *expression) closed(x quantity, err error) (quantity, error) {
	if err == nil && p.next(")") == 0 {
		err = errors.New("a ( has no )")
	}
	return x, err
}

// call evaluates the arguments of a function.
func (p *expression) call(f func([]float64) float64) (quantity, error) {
	if p.next("(") == 0 {
		return quantity{}, errors.New("a function has no arguments")
	}
	var all quantity
	for {
		x, err := p.sum()
		if err != nil {
			return quantity{}, err
		}
		all.values, all.bases = append(all.values, x.values...), all.bases.and(x.bases)
		if p.next(",") == 0 {
			return p.closed(quantity{[]float64{f(all.values)}, all.bases}, all.bases.one())
		}
	}
}
