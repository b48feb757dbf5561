package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Bounds are what the margins of a corpus say of the cells of a term. A term and a class have a
// table of four counts, of documents and of tokens, whether the class has a cell of the term or
// not: cells are possible if no count of a table is negative, and if they can add up to what the
// term has in all documents.
type Bounds struct {
	classes   []classBounds
	documents int64
	tokens    int64 // unbounded if the margins do not tell
	// whole reports whether the values are counts, and counts whether the sums of all are exact,
	// too: those of real values are rounded, and differences of them may be anything.
	whole, counts bool
	single        bool  // no document has two labels
	unlabelled    int64 // documents without a label
	rest          int64 // their tokens; unbounded if the margins do not tell

	byDocuments, byTokens []int64 // those of all classes, ascending
}

// classBounds are the documents and tokens of a class, and of all documents that are not in it.
type classBounds struct{ docs, otherDocs, tokens, otherTokens int64 }

// unbounded is more than any number of documents or tokens.
const unbounded = math.MaxInt64 / 4

// NewBounds returns the bounds that margins give, or an error if no corpus has such margins. Where
// ClassTokens is nil, the tokens are not known.
func NewBounds(m *Margins, form Form) (*Bounds, error) {
	b := &Bounds{documents: int64(m.Documents), unlabelled: int64(m.Documents - m.Labelled), tokens: unbounded, rest: unbounded}
	known := m.ClassTokens != nil
	b.whole = form == Counts
	b.counts = b.whole && m.Tokens <= mostExact
	if b.whole && (!isWhole(m.Tokens) || slices.ContainsFunc(m.ClassTokens, func(n float64) bool { return !isWhole(n) })) {
		return nil, fmt.Errorf("counts add up to %v, and in the classes to %v", m.Tokens, m.ClassTokens[:min(len(m.ClassTokens), 9)])
	}
	if known && b.counts {
		b.tokens = int64(m.Tokens)
	}
	pairs, tokens := int64(0), int64(0)
	for c, n := range m.ClassDocs {
		of := classBounds{docs: int64(n), otherDocs: int64(m.Documents - n), tokens: unbounded, otherTokens: unbounded}
		if known && b.counts {
			of.tokens, of.otherTokens = int64(m.ClassTokens[c]), b.tokens-int64(m.ClassTokens[c])
			tokens += of.tokens
		}
		if !(n >= 0 && n <= m.Labelled) || of.otherTokens < 0 || known && b.counts && of.tokens > 0 && n == 0 {
			return nil, fmt.Errorf("a class of %v of %v documents has %v of %v values", n, m.Labelled, of.tokens, b.tokens)
		}
		pairs += of.docs
		b.classes = append(b.classes, of)
		b.byDocuments, b.byTokens = append(b.byDocuments, of.docs), append(b.byTokens, of.tokens)
	}
	slices.Sort(b.byDocuments)
	slices.Sort(b.byTokens)
	b.single = pairs == int64(m.Labelled)
	if b.single && known && b.counts {
		b.rest = b.tokens - tokens
	}
	if b.unlabelled == 0 {
		b.rest = min(b.rest, 0)
	}
	switch {
	case b.unlabelled < 0 || float64(pairs) < m.Labelled:
		return nil, fmt.Errorf("%v of %v documents have a label, and all classes %d together", m.Labelled, m.Documents, pairs)
	case b.rest < 0 || b.single && b.unlabelled == 0 && known && b.counts && tokens != b.tokens:
		return nil, fmt.Errorf("all classes have %d of %d values together", tokens, b.tokens)
	}
	return b, nil
}

// IsSum reports whether v can be a sum of values.
func IsSum(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }

// IsFraction reports whether v is no whole number.
func IsFraction(v float64) bool { return v != math.Trunc(v) }

func isWhole(v float64) bool { return IsSum(v) && !IsFraction(v) }

// isCount reports whether v can be an exact sum of counts, or of their squares.
func isCount(v float64) bool { return isWhole(v) && v <= mostExact }

// check returns an error for cells of a term that no corpus with these margins has. The slices have
// an element for each cell: its class, documents, sum, and what [Cells] have in Q; nil squares are not
// looked at.
func (b *Bounds) check(df, cf float64, class []uint32, docs, sums, squares []float64) error {
	if !(df >= 1 && df <= float64(b.documents)) {
		return fmt.Errorf("it is in %v of %d documents", df, b.documents)
	}
	if !IsSum(cf) || b.whole && !isWhole(cf) || b.counts && (cf < df || cf > float64(b.tokens)) {
		return fmt.Errorf("it occurs %v times in %v documents, of %d values in all", cf, df, b.tokens)
	}
	met, tokens, next := 0.0, 0.0, uint32(0)
	for i, c := range class {
		if c < next || int(c) >= len(b.classes) {
			return fmt.Errorf("class %d of %d is out of order", c, len(b.classes))
		}
		of, a, s := &b.classes[c], docs[i], sums[i]
		if !(a >= 1 && a <= df) || a > float64(of.docs) || df-a > float64(of.otherDocs) {
			return fmt.Errorf("%v of %d documents of a class have it, and %v of %d others", a, of.docs, df-a, of.otherDocs)
		}
		if b.counts && (s < a || s > float64(of.tokens) || cf-s < df-a || cf-s > float64(of.otherTokens)) {
			return fmt.Errorf("it occurs %v times in %v documents of a class, and %v times in %v others", s, a, cf-s, df-a)
		}
		if squares != nil && !b.possibleSums(a, s, squares[i]) {
			return fmt.Errorf("%v values add up to %v, and their squares to %v", a, s, squares[i])
		}
		met, tokens, next = met+a, tokens+s, c+1
	}
	switch {
	case b.single && met > df || df-met > float64(b.unlabelled):
		return fmt.Errorf("%v documents of all classes have it, and %v in all", met, df)
	case b.counts && (b.single && (tokens > cf || cf-tokens < df-met || cf-tokens > float64(b.rest)) || b.unlabelled == 0 && tokens < cf):
		return fmt.Errorf("it occurs %v times in %v documents of all classes, and %v times in %v in all", tokens, met, cf, df)
	case !absent(b, int64(df), int64(cf), class):
		return errors.New("a class without it has more other documents, or values, than there are")
	}
	return nil
}

// possibleSums reports whether so many values, which are counts if there are only these, can add up to
// sum, and their squares to squares: these are fewest where all counts are equal, most where all but one
// are 1, and exceed the sum by an even number, as n(n-1) is even. Squared distances of one value are 0.
func (b *Bounds) possibleSums(values, sum, squares float64) bool {
	if !b.whole {
		return IsSum(sum) && IsSum(squares) && (values > 1 || squares == 0)
	}
	over, beyond := sum-values, squares-sum
	return isCount(sum) && isCount(squares) && float64(values*squares) >= float64(sum*sum) &&
		beyond <= float64(over*(over+1)) && math.Mod(beyond, 2) == 0
}

// absent reports whether the classes without a cell can lack a term. None of these may have more
// documents, or tokens, than there are without the term.
func absent[T uint8 | uint32](b *Bounds, df, cf int64, class []T) bool {
	if n := countAbove(b.byDocuments, b.documents-df); n > 0 {
		for _, c := range class {
			if b.classes[c].docs > b.documents-df {
				n--
			}
		}
		if n > 0 {
			return false
		}
	}
	if b.tokens == unbounded {
		return true
	}
	n := countAbove(b.byTokens, b.tokens-cf)
	for i := 0; n > 0 && i < len(class); i++ {
		if b.classes[class[i]].tokens > b.tokens-cf {
			n--
		}
	}
	return n == 0
}

// countAbove returns how many of ascending numbers are above most.
func countAbove(numbers []int64, most int64) int {
	if len(numbers) == 0 || numbers[len(numbers)-1] <= most {
		return 0
	}
	n, found := slices.BinarySearch(numbers, most)
	for ; found && n < len(numbers) && numbers[n] == most; n++ {
	}
	return len(numbers) - n
}

// byteCells are the cells of terms in columns of bytes, as [Cells] and files have them: by term its
// documents, by how much its occurrences exceed these, and where its cells begin, with the end of
// the last; by cell its class, its documents, by how much the sum exceeds them, and by how much the
// sum of squares exceeds the sum; nil squares are not looked at.
type byteCells[T uint8 | uint32] struct {
	DF      []uint32
	CF      []uint8
	Start   []int
	Class   []T
	A, S, Q []uint8
}

// firstDoubtful returns the first term from t on whose cells may not be possible, or may not be counts
// that are all bytes below Escape. [Bounds.check] tells. If the bounds are not those of counts, it returns t.
func (c *byteCells[T]) firstDoubtful(b *Bounds, t int) int {
	if !b.counts || t == len(c.DF) {
		return t
	}
	df, cf, start := c.DF, c.CF[:len(c.DF)], c.Start[:len(c.DF)+1]
	for ; t < len(df); t++ {
		if cf[t] == Escape || df[t] == 0 || !c.possible(b, start[t], start[t+1], int64(df[t]), int64(cf[t])) {
			return t
		}
	}
	return t
}

// possible reports whether the cells [from, to) of a term in d documents, with low more occurrences,
// are possible. What is wrong leaves a sign bit in a mask. A loop for each few columns takes less
// time than one loop for all.
func (c *byteCells[T]) possible(b *Bounds, from, to int, d, low int64) bool {
	const most = Escape - 1
	class, n := c.Class[from:to], to-from
	docs, over := c.A[from:to][:n], c.S[from:to][:n]
	wrong, next, met, tokens := (b.documents-d)|(b.tokens-d-low), int64(0), int64(0), int64(0)
	for i, of := range class {
		if int(of) >= len(b.classes) {
			return false
		}
		k, in, a := int64(of), &b.classes[of], int64(docs[i])
		wrong |= (k - next) | (a - 1) | (d - a) | (most - a) | (in.docs - a) | (in.otherDocs - d + a)
		next, met = k+1, met+a
	}
	for _, y := range over {
		wrong |= (low - int64(y)) | (most - int64(y))
		tokens += int64(y)
	}
	if b.tokens != unbounded {
		for i, of := range class {
			in, s := &b.classes[of], int64(docs[i])+int64(over[i])
			wrong |= (in.tokens - s) | (in.otherTokens - d - low + s)
		}
	}
	if c.Q != nil {
		for i, z := range c.Q[from:to] {
			a, y, z := int64(docs[i]), int64(over[i]), int64(z)
			s := a + y
			wrong |= (most - z) | (a*(s+z) - s*s) | (y*(y+1) - z) | -(z & 1)
		}
	}
	return wrong >= 0 && b.adds(d, low, met, tokens) && absent(b, d, d+low, class)
}

// adds reports whether a term of d documents and low more occurrences can have met documents and
// over more occurrences in all classes together.
func (b *Bounds) adds(d, low, met, over int64) bool {
	wrong := b.unlabelled - d + met
	if b.single {
		wrong |= (d - met) | (low - over) | (b.rest - d - low + met + over)
	}
	if b.unlabelled == 0 {
		wrong |= met + over - d - low
	}
	return wrong >= 0
}

// CheckTerms returns an error for the first of the terms [from, to) whose cells are not possible, with
// its number. It looks at their squares only if these are asked for.
func (b *Bounds) CheckTerms(c *Cells, from, to int, squares bool) (term int, err error) {
	if bytes, ok := c.Class.Bytes(); ok {
		return checkTerms(b, c, bytes, from, to, squares)
	}
	return checkTerms(b, c, c.Class.wide, from, to, squares)
}

func checkTerms[T uint8 | uint32](b *Bounds, c *Cells, class []T, from, to int, squares bool) (term int, err error) {
	bytes := byteCells[T]{c.DF[:to], c.CF.low, c.Start, class, c.A.low, c.S.low, nil}
	if squares {
		bytes.Q = c.Q.low
	}
	tile := Tile{NoSquares: !squares}
	for t := from; t < to; t++ {
		if t = bytes.firstDoubtful(b, t); t == to {
			break
		}
		c.Read(&tile, t, t+1, true)
		of := tile.Q
		if tile.M2 != nil {
			of = tile.M2
		}
		if err := b.check(float64(tile.DF[0]), tile.CF[0], tile.Class, tile.A, tile.S, of); err != nil {
			return t, err
		}
	}
	return 0, nil
}
