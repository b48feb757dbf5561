package formula

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Runtime is JavaScript: the functions that [Program.JavaScript] calls. They compute what the operations of the package
// do, so that a browser has the values of the engine.
//
//go:embed runtime.js
var Runtime string

// JavaScript returns the program as an expression in JavaScript. It is a function of the tables of all classes of a term,
// and returns a function of one of them. A table is an object that has the variables by name. Only sums over the classes
// read the tables of all.
func (p *Program) JavaScript() string {
	w := &scriptWriter{names: map[string]string{}, registers: make([]string, p.registers)}
	for i := range p.code {
		w.step(&p.code[i])
	}
	fmt.Fprintf(&w.body, "return %s + 0;", w.operand(p.result)) // never -0
	if len(p.sums) == 0 {
		return "() => t => { " + w.body.String() + " }"
	}
	var sums strings.Builder
	for i, s := range p.sums {
		fmt.Fprintf(&sums, "const s%d = sum(all, %s); ", i, s.JavaScript())
	}
	return "all => { " + sums.String() + "return t => { " + w.body.String() + " }; }"
}

// A scriptWriter writes the body of a function, with a constant for each value.
type scriptWriter struct {
	body      strings.Builder
	names     map[string]string // of constants, by their values
	registers []string          // the constants that they have
}

// step writes an instruction, unless there is a constant of the same value.
func (w *scriptWriter) step(i *instruction) {
	var operands []string
	for _, p := range i.of[:i.operands] {
		operands = append(operands, w.operand(p))
	}
	value := ""
	switch i.op {
	case add:
		value = strings.Join(operands, " + ")
	case subtract:
		value = strings.Join(operands, " - ")
	default:
		value = inScript[i.op] + "(" + strings.Join(operands, ", ") + ")"
	}
	name, known := w.names[value]
	if !known {
		name = "v" + strconv.Itoa(len(w.names))
		w.names[value] = name
		fmt.Fprintf(&w.body, "const %s = %s; ", name, value)
	}
	w.registers[i.to] = name
}

// inScript are the functions of the operations.
var inScript = map[operation]string{
	multiply: "times", divide: "over", power: "power", negate: "negate", less: "less", lessOrEqual: "lessOrEqual", equal: "equal",
	unequal: "unequal", smaller: "Math.min", larger: "Math.max", logarithm: "ln", logarithm2: "log2", exponential: "Math.exp",
	root: "Math.sqrt", absolute: "Math.abs", errorFunction: "erf", normal: "Phi", quantile: "probit", logarithm1p: "log1p",
	excess: "excess", logRatio: "lnratio", determinant: "det", floor: "Math.floor",
}

func (w *scriptWriter) operand(p place) string {
	switch p.kind {
	case variable:
		return "t." + names[p.index]
	case constant:
		return numberInScript(p.value)
	case total:
		return "s" + strconv.Itoa(p.index)
	}
	return w.registers[p.index]
}

func numberInScript(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "(-Infinity)"
	case v < 0 || math.Signbit(v):
		return "(" + strconv.FormatFloat(v, 'g', -1, 64) + ")"
	}
	return strconv.FormatFloat(v, 'g', -1, 64) // and NaN
}
