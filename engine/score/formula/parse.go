package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

const (
	// MostBytes is the length of the longest formula.
	MostBytes = 10_000
	// MostDepth is how deep parentheses, functions, powers and signs may be nested.
	MostDepth = 100
)

// Parse compiles a formula of one class. Errors are an [Error].
func Parse(text string) (*Program, error) {
	p, err := (&compiler{scanner: scanner{text: text}, program: &Program{}}).formula()
	if err == nil {
		p.compiled = compiledOf(text)
	}
	return p, err
}

// ParseOverClasses compiles a formula that may read all classes of a term: sum(x) is the sum of x over them. The
// registered measures are declared in it.
func ParseOverClasses(text string) (*Program, error) {
	return (&compiler{scanner: scanner{text: text}, program: &Program{}, overClasses: true}).formula()
}

// formula compiles the whole text.
func (c *compiler) formula() (*Program, error) {
	text := c.text
	if len(text) > MostBytes {
		c.at = MostBytes
		return nil, c.wrong("a formula has %d bytes at most, and this one %d", MostBytes, len(text))
	}
	if err := c.next(); err != nil {
		return nil, err
	}
	result, err := c.comparison()
	if err == nil && c.token.kind != end {
		err = c.surplus()
	}
	if err != nil {
		return nil, err
	}
	c.finish(result)
	return c.program, nil
}

// finish makes a place that of the result of the program.
func (c *compiler) finish(result place) {
	if result.kind == constant {
		c.keep(&result)
	}
	c.program.result = result
}

// A compiler reads a formula by recursive descent, and writes instructions as it goes.
type compiler struct {
	scanner
	program *Program
	depth   int
	free    int // the first register that has no value

	overClasses bool // it may have sums over the classes
}

// nested calls parse one level deeper.
func (c *compiler) nested(parse func() (place, error)) (place, error) {
	if c.depth++; c.depth > MostDepth {
		return place{}, c.wrong("a formula is nested %d levels deep at most", MostDepth)
	}
	p, err := parse()
	c.depth--
	return p, err
}

// comparison reads a whole formula, or what is in parentheses.
func (c *compiler) comparison() (place, error) {
	x, err := c.sum()
	op, ok := comparisons[c.token.text]
	if err != nil || !ok {
		return x, err
	}
	y, err := c.after(c.sum)
	if err != nil {
		return x, err
	}
	if _, again := comparisons[c.token.text]; again {
		return x, c.wrong("comparisons have no order: use parentheses")
	}
	if op.swapped {
		x, y = y, x
	}
	return c.emit(op.operation, x, y), nil
}

// after reads the operand behind an operator.
func (c *compiler) after(operand func() (place, error)) (place, error) {
	if err := c.next(); err != nil {
		return place{}, err
	}
	return operand()
}

var comparisons = map[string]struct {
	operation
	swapped bool
}{
	"<": {less, false}, "<=": {lessOrEqual, false}, ">": {less, true}, ">=": {lessOrEqual, true}, "==": {equal, false}, "!=": {unequal, false},
}

var (
	sums     = map[string]operation{"+": add, "-": subtract}
	products = map[string]operation{"*": multiply, "/": divide}
)

func (c *compiler) sum() (place, error) { return c.chain(c.product, sums) }

func (c *compiler) product() (place, error) { return c.chain(c.signed, products) }

// chain reads operands with operators between them that bind from the left.
func (c *compiler) chain(operand func() (place, error), operators map[string]operation) (place, error) {
	x, err := operand()
	for err == nil {
		op, ok := operators[c.token.text]
		if !ok {
			return x, nil
		}
		var y place
		if y, err = c.after(operand); err == nil {
			x = c.emit(op, x, y)
		}
	}
	return x, err
}

// signed reads signs and a power.
func (c *compiler) signed() (place, error) {
	minus := c.is("-")
	if !minus && !c.is("+") {
		return c.power()
	}
	x, err := c.nested(func() (place, error) { return c.after(c.signed) })
	if err == nil && minus {
		x = c.emit(negate, x)
	}
	return x, err
}

func (c *compiler) power() (place, error) {
	x, err := c.operand()
	if err != nil || !c.is("^") {
		return x, err
	}
	y, err := c.nested(func() (place, error) { return c.after(c.signed) })
	if err != nil {
		return x, err
	}
	if y.kind == constant && y.value == 2 {
		return c.emit(multiply, x, x), nil // the same, and faster
	}
	return c.emit(power, x, y), nil
}

// operand reads a number, a variable, a function with its arguments, or what is in parentheses.
func (c *compiler) operand() (place, error) {
	t := c.token
	switch {
	case t.kind == number:
		v, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return place{}, c.wrong("%s is no number that a float64 holds", usage.Cut(t.text))
		}
		return place{kind: constant, value: v}, c.next()
	case t.kind == name:
		return c.named()
	case c.is("("):
		return c.nested(c.inParentheses)
	}
	return place{}, c.missing()
}

// inParentheses reads what stands between parentheses, and the last of them.
func (c *compiler) inParentheses() (place, error) {
	opened := c.at
	x, err := c.after(c.comparison)
	if err != nil {
		return x, err
	}
	return x, c.close(opened)
}

// close reads the parenthesis that ends what another one at some place has begun.
func (c *compiler) close(opened int) error {
	switch {
	case c.is(")"):
		return c.next()
	case c.token.kind == end:
		c.at = opened
		return c.wrong("this parenthesis has no end")
	}
	return c.surplus()
}

// named reads a variable, or a function with its arguments.
func (c *compiler) named() (place, error) {
	t := c.token
	if f := slices.IndexFunc(functions, func(f function) bool { return f.name == t.text && (c.overClasses || f.numbers != ofClasses) }); f >= 0 {
		if err := c.next(); err != nil {
			return place{}, err
		}
		if !c.is("(") {
			return place{}, c.wrong("%s is a function: write %s(...)", t.text, t.text)
		}
		return c.nested(func() (place, error) { return c.call(functions[f]) })
	}
	v := slices.Index(names[:], t.text)
	switch {
	case v < 0 && t.text == "sum":
		return place{}, c.wrong("a formula has the numbers of one class: its combination sum adds up its values, as in mine=A/df:sum")
	case v < 0:
		return place{}, c.unknown(t.text)
	}
	if err := c.next(); err != nil {
		return place{}, err
	}
	if c.is("(") {
		return place{}, c.wrong("%s is a number, and no function: write %s*(...) to multiply", t.text, t.text)
	}
	c.program.reads[v] = true
	return place{kind: variable, index: v}, nil
}

// A function has a name and takes so many numbers.
type function struct {
	name    string
	op      operation
	numbers int
}

// Functions of any number of numbers are associative. One of the classes takes one number of each.
const (
	several   = 0
	ofClasses = -1
)

var functions = []function{
	{"ln", logarithm, 1},
	{"log2", logarithm2, 1},
	{"exp", exponential, 1},
	{"sqrt", root, 1},
	{"abs", absolute, 1},
	{"min", smaller, several},
	{"max", larger, several},
	{"erf", errorFunction, 1},
	{"Phi", normal, 1},
	{"probit", quantile, 1},
	{"floor", floor, 1},
	{"log1p", logarithm1p, 1},
	{"excess", excess, 1},
	{"lnratio", logRatio, 3},
	{"det", determinant, 4},
	{"sum", add, ofClasses},
}

// call reads the arguments of a function.
func (c *compiler) call(f function) (place, error) {
	if f.numbers == ofClasses {
		return c.sumOverClasses(f)
	}
	opened := c.at
	x, err := c.after(c.argument(f))
	numbers := []place{x}
	for err == nil && c.is(",") {
		if len(numbers) == f.numbers {
			return x, c.wrong("%s takes %s", f.name, inWords(f.numbers))
		}
		var y place
		y, err = c.after(c.argument(f))
		if f.numbers == several && err == nil {
			numbers[0] = c.emit(f.op, numbers[0], y)
			continue
		}
		numbers = append(numbers, y)
	}
	switch {
	case err != nil:
		return x, err
	case f.numbers == several:
		return numbers[0], c.close(opened)
	case len(numbers) < f.numbers && c.is(")"):
		return x, c.wrong("%s takes %s", f.name, inWords(f.numbers))
	}
	if err := c.close(opened); err != nil {
		return x, err
	}
	return c.emit(f.op, numbers...), nil
}

func inWords(numbers int) string {
	return [...]string{1: "one number", 3: "three numbers", 4: "four numbers"}[numbers]
}

// sumOverClasses reads what a sum adds up, as a program of its own.
func (c *compiler) sumOverClasses(f function) (place, error) {
	outer, free, opened := c.program, c.free, c.at
	c.program, c.free = &Program{}, 0
	from := c.to
	x, err := c.after(c.argument(f))
	if err != nil {
		return x, err
	}
	if c.is(",") {
		return x, c.wrong("%s takes one number", f.name)
	}
	c.finish(x)
	inner, text := c.program, c.text[from:c.at]
	c.program, c.free = outer, free
	return outer.sum(text, inner), c.close(opened)
}

// sum returns the place of a sum over the classes that is written so.
func (p *Program) sum(text string, of *Program) place {
	for v, reads := range of.reads {
		p.reads[v] = p.reads[v] || reads
	}
	i := slices.Index(p.sumTexts, text)
	if i < 0 {
		i = len(p.sums)
		p.sums, p.sumTexts = append(p.sums, of), append(p.sumTexts, text)
	}
	return place{kind: total, index: i}
}

// argument returns a reader of an argument.
func (c *compiler) argument(f function) func() (place, error) {
	return func() (place, error) {
		if c.is(")") || c.is(",") {
			return place{}, c.wrong("%s lacks an argument here", f.name)
		}
		return c.comparison()
	}
}

// emit writes an instruction, and returns the place of its result. The result of constants is a constant. Registers are
// a stack: the result takes the first register of the operands.
func (c *compiler) emit(op operation, of ...place) place {
	if !slices.ContainsFunc(of, func(p place) bool { return p.kind != constant }) {
		numbers := make([]float64, len(of))
		for i, p := range of {
			numbers[i] = p.value
		}
		return place{kind: constant, value: value(op, numbers...)}
	}
	i := instruction{op: op, operands: len(of), to: c.free}
	for k, operand := range of {
		switch operand.kind {
		case register:
			i.to = min(i.to, operand.index)
		case constant:
			c.keep(&operand)
		}
		i.of[k] = operand
	}
	c.free = i.to + 1
	p := c.program
	p.registers = max(p.registers, c.free)
	p.code = append(p.code, i)
	return place{kind: register, index: i.to}
}

// keep gives a constant a column.
func (c *compiler) keep(p *place) {
	of := c.program
	if p.index = slices.Index(of.constants, p.value); p.index < 0 {
		p.index = len(of.constants)
		of.constants = append(of.constants, p.value)
	}
}

// unknown returns the error for a name that is none, with those that are near.
func (c *compiler) unknown(text string) error {
	known := names[:]
	for _, f := range functions {
		if c.overClasses || f.numbers != ofClasses {
			known = append(known, f.name)
		}
	}
	e := usage.Unknown("name", text, known)
	if len(text) == 1 {
		e.Near = nil // a letter is as far from any other
	}
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	if same := slices.DeleteFunc(slices.Clone(known), func(s string) bool { return plain(s) != plain(text) }); len(same) > 0 {
		e.Near = same
	}
	if text == "log" || text == "log10" {
		e.Near = []string{"ln", "log2"} // for the base is not said
	}
	return &Error{Text: c.text, At: c.at, Problem: e}
}

// missing returns the error for a token where a value is expected.
func (c *compiler) missing() error {
	switch {
	case strings.TrimSpace(c.text) == "":
		return c.wrong("the formula is empty")
	case c.token.kind == end:
		return c.wrong("a value is missing at the end")
	}
	return c.wrong("a value is missing before %s", c.token.text)
}

// surplus returns the error for a token where a formula, or what is in parentheses, could end.
func (c *compiler) surplus() error {
	switch t := c.token; {
	case t.kind == number || t.kind == name || t.text == "(":
		return c.wrong("an operator is missing before %s", usage.Cut(t.text))
	case t.text == ")":
		return c.wrong("this parenthesis has no beginning")
	case t.text == ",":
		return c.wrong("a comma stands between the arguments of a function alone")
	default:
		return c.wrong("%s is not expected here", t.text)
	}
}

// An Error is what is wrong with a formula. It wraps [usage.ErrUsage].
type Error struct {
	Text    string
	At      int // the place in the text, in bytes
	Problem error
}

// Error returns the problem, with the text and a caret below the place on lines of their own.
func (e *Error) Error() string {
	const before, after = 50, 25
	runes, at := []rune(e.Text[:min(e.At, len(e.Text))]), ""
	from := max(0, len(runes)-before)
	if from > 0 {
		at = "..."
	}
	line := at + string(runes[from:])
	caret := strings.Repeat(" ", len([]rune(line)))
	rest := []rune(e.Text[min(e.At, len(e.Text)):])
	line += string(rest[:min(after, len(rest))])
	if len(rest) > after {
		line += "..."
	}
	return fmt.Sprintf("%v\n  %s\n  %s^", e.Problem, strings.Map(printable, line), caret)
}

func (e *Error) Unwrap() error { return e.Problem }

// printable returns a space for a character that is not visible, so that the caret stays below its place.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f || !strconv.IsPrint(r) && r > math.MaxInt8 {
		return ' '
	}
	return r
}
