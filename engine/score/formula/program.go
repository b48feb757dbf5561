// Package formula compiles a formula over the counts of a term and a class, such as A*D/(B*C), and computes it for
// many terms and classes at a time.
//
// # Language
//
// Numbers are written 3, 0.5, .5 or 1e-3. The variables are those of the measures:
//
//	A B C D       documents: of the class with the term, outside with it, of the class without it, outside without it
//	N df n_c      documents: all, with the term, of the class
//	S cf T_c T    tokens: the occurrences of the term in the class, in all documents, all tokens of the class, of all
//	Q             the sum of the squares of the occurrences of the term in each document of the class
//
// Operators bind as in R, the tightest first: ^ from the right, then the signs - and +, * and /, + and -, and the
// comparisons < <= > >= == != which give 1 or 0. So -2^2 is -4, and 2^3^2 is 512. Functions are ln (natural), log2,
// exp, sqrt, abs, floor, min and max of one number or more, erf, Phi, the distribution function of the standard normal
// distribution, and probit, its inverse. The others keep the digits of small differences:
//
//	log1p(x)           ln(1+x)
//	excess(x)          (1+x)·ln(1+x) - x; O·ln(O/E) - (O-E) is E·excess((O-E)/E)
//	lnratio(x, y, d)   ln(x/y), where d is x-y
//	det(a, b, c, d)    a·b - c·d, so that det(A,D,B,C) is exact where AD and BC are nearly the same
//
// The registered measures are declared in this language, with one function more: sum(x) is the sum of x over all
// classes of the term, [ParseOverClasses]. [Program.JavaScript] writes a formula for pages.
//
// # Zero and infinity
//
// Values follow the rules of the registered measures. 0/0 is 0, and x/0 is infinite with the sign of x; the sign of a
// zero counts for nothing. ln 0 is -inf, and 0 times infinity is 0, so that 0*ln(0) is 0. What has no value is
// undefined: inf - inf, inf/inf, the logarithm or the root of a negative number, and its power by a number that is not
// whole. All that is computed from an undefined value is undefined, comparisons as well.
//
// The same formula of the same numbers has the same bits on every CPU.
package formula

import "math"

// A Variable is the number of a variable.
type Variable int

// The variables, in the order of their names.
const (
	A Variable = iota
	B
	C
	D
	N
	DF
	NC
	S
	CF
	TC
	T
	Q
	Variables int = iota // how many there are
)

// names are those of the variables.
var names = [Variables]string{"A", "B", "C", "D", "N", "df", "n_c", "S", "cf", "T_c", "T", "Q"}

// A Program is a formula, compiled: instructions over columns, of which each has one element for each term and class.
// It is immutable.
type Program struct {
	code      []instruction
	result    place
	constants []float64
	registers int
	reads     [Variables]bool

	sums     []*Program // what is added up over the classes
	sumTexts []string   // as it is written

	compiled compiled // of a registered measure; else nil
}

// A compiled program sets the elements of dst, as [Machine.Run] does.
type compiled func(dst []float64, columns *[Variables][]float64)

// An instruction stores the result of an operation on some columns in a register.
type instruction struct {
	op       operation
	operands int
	of       [mostOperands]place
	to       int // register
}

// A place says where a column is.
type place struct {
	kind  kind
	index int
	value float64 // of a constant
}

type kind uint8

const (
	variable kind = iota
	constant
	register
	total // a sum over the classes
)

// Reads reports whether the value depends on a variable.
func (p *Program) Reads(v Variable) bool { return p.reads[v] }

// ReadsTokens reports whether the value depends on more than numbers of documents.
func (p *Program) ReadsTokens() bool {
	return p.reads[S] || p.reads[CF] || p.reads[TC] || p.reads[T] || p.reads[Q]
}

// chunk is the number of elements that an instruction computes before the next one does: their columns stay in the
// first cache.
const chunk = 256

// A Machine runs a program. It has the memory that the program needs: use one in each goroutine.
type Machine struct {
	program   *Program
	constants []float64 // a chunk for each
	registers []float64 // likewise
	sums      []*Machine
	totals    []float64 // a chunk for each
	added     []float64 // what a sum adds up
}

// NewMachine returns a machine for the program.
func (p *Program) NewMachine() *Machine {
	if p.compiled != nil {
		return &Machine{program: p}
	}
	return p.interpreter()
}

// interpreter returns a machine that has what [Machine.interpret] needs.
func (p *Program) interpreter() *Machine {
	m := &Machine{program: p, constants: make([]float64, chunk*len(p.constants)), registers: make([]float64, chunk*p.registers)}
	for i := range m.constants {
		m.constants[i] = p.constants[i/chunk]
	}
	for _, s := range p.sums {
		m.sums = append(m.sums, s.NewMachine())
	}
	m.totals = make([]float64, chunk*len(p.sums))
	return m
}

// Run sets each element of dst to the value of the formula. columns has those of the variables that the program reads,
// each as long as dst at least. If it has sums over the classes, the elements are all classes of one term. A value is
// never -0, and NaN if it is undefined.
func (m *Machine) Run(dst []float64, columns *[Variables][]float64) {
	if f := m.program.compiled; f != nil {
		f(dst, columns)
		return
	}
	m.interpret(dst, columns)
}

// interpret is Run of a program that is not compiled.
func (m *Machine) interpret(dst []float64, columns *[Variables][]float64) {
	m.addUp(len(dst), columns)
	for from := 0; from < len(dst); from += chunk {
		part := dst[from:min(from+chunk, len(dst))]
		for n := range m.program.code {
			var of operands
			i := &m.program.code[n]
			for k := range i.operands {
				of[k] = m.column(i.of[k], columns, from)[:len(part)]
			}
			apply(i.op, m.registers[i.to*chunk:][:len(part)], of)
		}
		for i, v := range m.column(m.program.result, columns, from)[:len(part)] {
			part[i] = result(v)
		}
	}
}

// result returns a value that is never -0, and NaN of one sign everywhere.
func result(v float64) float64 {
	if v != v {
		return math.NaN()
	}
	return v + 0
}

// addUp computes the sums over so many classes.
func (m *Machine) addUp(classes int, columns *[Variables][]float64) {
	for i, s := range m.sums {
		if len(m.added) < classes {
			m.added = make([]float64, classes)
		}
		sum, added := 0.0, m.added[:classes]
		s.Run(added, columns)
		for _, v := range added {
			sum += v
		}
		for k := range chunk {
			m.totals[i*chunk+k] = sum
		}
	}
}

// column returns a column from the element on that is given.
func (m *Machine) column(p place, columns *[Variables][]float64, from int) []float64 {
	switch p.kind {
	case variable:
		return columns[p.index][from:]
	case constant:
		return m.constants[p.index*chunk:]
	case total:
		return m.totals[p.index*chunk:]
	}
	return m.registers[p.index*chunk:]
}

// ReadsOtherClasses reports whether the value of a class depends on the others: whether there is a sum over the
// classes.
func (p *Program) ReadsOtherClasses() bool { return len(p.sums) > 0 }
