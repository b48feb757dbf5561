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
// both sides: each value is computed from text. The text must be a formula. noise is the relative error of functions and
// powers: a value that changes much with it hangs on how numbers are rounded.
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
	if at := firstOutside(text, '^'); at > 0 {
		return (1 + noise) * raise(Formula(text[:at], variables, noise), Formula(text[at+1:], variables, noise))
	}
	if name, arguments, call := strings.Cut(text, "("); call {
		var xs []float64
		for _, argument := range splitOutside(arguments[:len(arguments)-1]) {
			xs = append(xs, Formula(argument, variables, noise))
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

// lastOutside finds the last operator among some that is outside parentheses and has a value before it.
func lastOutside(text, operators string) (at int, op string) {
	depth := 0
	for i := len(text) - 1; i > 0; i-- {
		switch {
		case text[i] == ')':
			depth++
		case text[i] == '(':
			depth--
		case depth == 0 && strings.IndexByte(operators, text[i]) >= 0:
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
	}
	return 0, ""
}

func firstOutside(text string, operator byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case operator:
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// operate is x op y. What is computed from NaN is NaN.
func operate(op string, x, y float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	is := map[string]bool{"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}
	if answer, ok := is[op]; ok {
		if answer {
			return 1
		}
		return 0
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

func callFunction(name string, xs []float64) float64 {
	for _, x := range xs {
		if math.IsNaN(x) {
			return x
		}
	}
	x := xs[0]
	switch name {
	case "":
		return x
	case "ln":
		return math.Log(x)
	case "log2":
		return math.Log2(x)
	case "exp":
		return math.Exp(x)
	case "sqrt":
		return math.Sqrt(x)
	case "abs":
		return math.Abs(x)
	case "erf":
		return math.Erf(x)
	case "Phi":
		return math.Erfc(-x/math.Sqrt2) / 2
	case "probit":
		return -math.Sqrt2 * math.Erfcinv(2*x)
	case "floor":
		return math.Floor(x)
	case "log1p":
		return math.Log1p(x)
	case "excess":
		switch {
		case x < -1:
			return math.NaN()
		case math.IsInf(x, 1):
			return x
		}
		return excess(x)
	case "lnratio":
		return logOfRatio(xs[0], xs[1], xs[2])
	case "det":
		return determinant(xs[0], xs[1], xs[2], xs[3])
	}
	for _, y := range xs {
		if name == "min" && y < x || name == "max" && y > x {
			x = y
		}
	}
	return x
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

// splitOutside splits at the commas outside parentheses.
func splitOutside(text string) (parts []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		case text[i] == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
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

// Combined combines the values of each term's classes: the largest that is defined; or a sum, in which a weight of 0
// leaves a class out, and of which NaN makes NaN.
func (tb *Tables) Combined(values [][]float64, how string) []float64 {
	all := make([]float64, len(values))
	for t, row := range values {
		most, sum := math.NaN(), 0.
		for c, v := range row {
			if !math.IsNaN(v) && !(most >= v) {
				most = v
			}
			weight := 1.
			if how == "avg" {
				weight = tb.NC[c] / tb.N
			}
			if weight > 0 {
				sum += weight * v
			}
		}
		switch how {
		case "max":
			all[t] = most
		case "mean":
			all[t] = sum / float64(len(row))
		default:
			all[t] = sum
		}
	}
	return all
}
