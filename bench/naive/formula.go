package naive

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Formula is the value of a formula over variables. It cuts the text at the operator that binds least, and computes
// both sides: each value is computed from text. The text must be a formula. noise is the relative error of functions
// and powers: a value that changes much with it hangs on how numbers are rounded.
func Formula(text string, variables map[string]float64, noise float64) float64 {
	text = strings.TrimSpace(text)
	for _, operators := range []string{"<>=!", "+-", "*/"} {
		if at, op := lastOutside(text, operators); at > 0 {
			return operate(op, Formula(text[:at], variables, noise), Formula(text[at+len(op):], variables, noise))
		}
	}
	if text[0] == '-' || text[0] == '+' {
		x := Formula(text[1:], variables, noise)
		if text[0] == '-' {
			return -x
		}
		return x
	}
	for _, at := range outside(text) {
		if text[at] == '^' {
			return (1 + noise) * raise(Formula(text[:at], variables, noise), Formula(text[at+1:], variables, noise))
		}
	}
	if name, arguments, call := strings.Cut(text, "("); call {
		var xs []float64
		arguments, from := arguments[:len(arguments)-1], 0
		for _, at := range append(outside(arguments), len(arguments)) {
			if at == len(arguments) || arguments[at] == ',' {
				xs, from = append(xs, Formula(arguments[from:at], variables, noise)), at+1
			}
		}
		if name = strings.TrimSpace(name); slices.Contains([]string{"", "abs", "sqrt", "min", "max", "floor", "det"}, name) {
			noise = 0
		}
		return (1 + noise) * callFunction(name, xs)
	}
	if v, ok := variables[text]; ok {
		return v
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

var exponentSign = regexp.MustCompile(`(^|[^A-Za-z0-9_.])[0-9.]+[eE]$`)

// outside lists the places of a text that are outside parentheses.
func outside(text string) (places []int) {
	depth := 0
	for i, c := range []byte(text) {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		default:
			if depth == 0 {
				places = append(places, i)
			}
		}
	}
	return places
}

// lastOutside finds the last operator among some that is outside parentheses and has a value before it.
func lastOutside(text, operators string) (at int, op string) {
	for _, i := range slices.Backward(outside(text)) {
		if i == 0 || strings.IndexByte(operators, text[i]) < 0 {
			continue
		}
		from := i
		if strings.IndexByte("<>=!", text[i-1]) >= 0 && text[i] == '=' {
			from--
		}
		before := strings.TrimRight(text[:from], " \t\r\n")
		if before == "" || strings.IndexByte("<>=!+-*/^", before[len(before)-1]) >= 0 || exponentSign.MatchString(before) {
			continue // it is a sign
		}
		return from, text[from : i+1]
	}
	return 0, ""
}

// operate is x op y. What is computed from NaN is NaN.
func operate(op string, x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	is := map[string]bool{"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}
	if answer, ok := is[op]; ok {
		return float64(bit(answer))
	}
	switch {
	case op == "+":
		return x + y
	case op == "-":
		return x - y
	case op == "*" && (x == 0 || y == 0), op == "/" && x == 0:
		return 0
	case op == "*":
		return x * y
	case y == 0:
		return math.Inf(int(math.Copysign(1, x)))
	}
	return x / y
}

func raise(x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) || x < 0 && y != math.Trunc(y) {
		return math.NaN() // math.Pow has +Inf for an infinite x
	}
	return math.Pow(x+0, y)
}

// functions of one number.
var functions = map[string]func(x float64) float64{
	"": func(x float64) float64 { return x }, "ln": math.Log, "log2": math.Log2, "exp": math.Exp, "sqrt": math.Sqrt, "abs": math.Abs,
	"erf": math.Erf, "floor": math.Floor, "log1p": math.Log1p,
	"Phi":    func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 },
	"probit": func(x float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*x) },
	"excess": func(x float64) float64 {
		switch {
		case x < -1:
			return math.NaN()
		case math.IsInf(x, 1):
			return x
		}
		return excess(x)
	},
}

func callFunction(name string, xs []float64) float64 {
	if i := slices.IndexFunc(xs, math.IsNaN); i >= 0 {
		return xs[i]
	}
	switch name {
	case "lnratio":
		return logOfRatio(xs[0], xs[1], xs[2])
	case "det":
		return determinant(xs[0], xs[1], xs[2], xs[3])
	case "min":
		return slices.Min(xs)
	case "max":
		return slices.Max(xs)
	}
	return functions[name](xs[0])
}

// logOfRatio is ln(x/y) from the difference of both.
func logOfRatio(x, y, difference float64) float64 {
	switch {
	case x < 0 || y < 0:
		return math.NaN()
	case difference == 0:
		return 0
	case y == 0:
		return math.Inf(1)
	}
	return lnRatio(x, y, difference)
}

// determinant is a·b - c·d, of exact products where they are finite.
func determinant(a, b, c, d float64) float64 {
	if v := a*b - c*d; math.IsNaN(v) || math.IsInf(v, 0) {
		return operate("*", a, b) - operate("*", c, d)
	}
	of := func(x float64) *big.Float { return new(big.Float).SetPrec(5000).SetFloat64(x) }
	v, _ := of(0).Sub(of(0).Mul(of(a), of(b)), of(0).Mul(of(c), of(d))).Float64()
	return v
}

// Formula returns the value of a formula for each term and class, as Class does for a measure.
func (tb *Tables) Formula(text string, noise float64) [][]float64 {
	values := matrix(len(tb.DF), len(tb.NC))
	for t := range values {
		for c := range values[t] {
			d := tb.documents(t, c)
			values[t][c] = Formula(text, map[string]float64{
				"A": d.a, "B": d.b, "C": d.c, "D": d.d, "N": tb.N, "df": tb.DF[t], "n_c": tb.NC[c],
				"S": tb.S[t][c], "cf": tb.CF[t], "T_c": tb.TC[c], "T": tb.T, "Q": tb.Q[t][c],
			}, noise)
		}
	}
	return values
}

// Combined combines the values of each term's classes.
func (tb *Tables) Combined(values [][]float64, how string) (all []float64) {
	for _, row := range values {
		all = append(all, tb.combine(how, row))
	}
	return all
}
