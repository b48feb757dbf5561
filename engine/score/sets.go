package score

import (
	"bytes"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file computes deviations, information gain and moments over tiles of bytes, whose classes
// are the bits of a word.

// TakesBytes reports whether [Panel.Tile] takes tiles of bytes, see [table.Tile], for all of the
// choices, where weights are the occurrences.
func (p *Panel) TakesBytes() bool {
	return kernels.HasSets() && len(p.whole) == len(p.choices) && p.margins.Classes() <= kernels.SetClasses && !p.numbers
}

// ofSets is tile for a tile of bytes.
func (d *deviations) ofSets(t *table.Tile, dst []float64) {
	kernels.SetMaxima(dst, t.Sets, t.ByteA, t.DF, d.sizes, d.weights, len(d.classes), d.margins.N, d.form)
	for e := range t.EscapedDocuments() {
		d.df = float64(t.DF[e.Term]) // all that weighted needs
		if v := d.weighted(e.Class, e.Number) + 0; v > dst[e.Term] {
			dst[e.Term] = v
		}
	}
	d.df = -1
	for from := 0; from < len(dst); {
		to := from + alike(t.DF[from:])
		d.finishRun(float64(t.DF[from]), dst[from:to])
		from = to
	}
}

// finishRun completes the values of terms that are in df documents each, from their largest
// deviations.
func (d *deviations) finishRun(df float64, dst []float64) {
	if df == 0 || df == d.margins.N {
		clear(dst)
		return
	}
	d.begin(df)
	for i, v := range dst {
		dst[i] = d.finished(v)
	}
}

// gainOfSets computes the information gain of the terms of a tile of bytes.
func (p *Panel) gainOfSets(t *table.Tile, perLog float64, dst []float64) {
	m := p.margins
	p.gained = slices.Grow(p.gained[:0], len(dst))[:len(dst)]
	p.metDocs = slices.Grow(p.metDocs[:0], len(dst))[:len(dst)]
	kernels.SetSums(p.gained, p.metDocs, t.Sets, t.ByteA, m.gainRows(), len(m.NC))
	for e := range t.EscapedDocuments() {
		part := partOf(m.entropies, int(m.NC[e.Class]), int(e.Number))
		sum := &p.gained[e.Term]
		sum[0], sum[1] = sum[0]+part.hi, sum[1]+part.lo
		p.metDocs[e.Term] += uint64(e.Number) - table.Escape
	}
	for from := 0; from < len(dst); {
		to := from + alike(t.DF[from:])
		p.documentsOf(float64(t.DF[from]))
		p.finishGains(t, from, to, perLog, dst)
		from = to
	}
}

// finishGains completes the information gain of the terms [from, to) of a tile of bytes, which are
// in as many documents, from the sums of their cells' parts.
func (p *Panel) finishGains(t *table.Tile, from, to int, perLog float64, dst []float64) {
	m, of := p.margins, p.docs.term.entropy
	known := m.pairs == m.N && p.docs.term.df != m.N && p.docs.term.df != 0
	sums, met, dst := p.gained[from:to], p.metDocs[from:to], dst[from:to]
	for i := range dst {
		if v := (sums[i][0] + of.hi) + (sums[i][1] + of.lo); known && v >= leastTabled && met[i] == uint64(t.DF[from]) {
			dst[i] = float64(v/m.N) * perLog
			continue
		}
		dst[i] = p.gainOf(t, from+i, twoPart{sums[i][0] + of.hi, sums[i][1] + of.lo}, float64(met[i])) * perLog
	}
}

// gainRows returns what each class adds to N·IG with 0, 1, ... 254 documents, as far as it has
// so many: a row for each number of documents, and one of zeros for bytes that do not say it. All
// panels share it.
func (m *Margins) gainRows() [][2]float64 {
	m.onceGains.Do(func() {
		m.gains = make([][2]float64, (table.Escape+1)*kernels.SetClasses)
		for c, n := range m.NC {
			for a := range min(int(n)+1, table.Escape) {
				part := partOf(m.entropies, int(n), a)
				m.gains[a*kernels.SetClasses+c] = [2]float64{part.hi, part.lo}
			}
		}
	})
	return m.gains
}

// tileOfNumbers is tile for a tile of bytes, by its numbers.
func (p *Panel) tileOfNumbers(t *table.Tile, columns [][]float64) {
	p.parts = slices.Grow(p.parts[:0], len(columns))[:len(columns)]
	t.Parts(0, len(t.DF), func(from, to int, numbers *table.Tile) {
		for j, column := range columns {
			p.parts[j] = column[from:to]
		}
		p.tile(numbers, p.parts)
	})
}

// needsNumbers reports whether a tile of bytes must be computed by its numbers, for products are
// not exact or documents have several labels.
func (p *Panel) needsNumbers(t *table.Tile) bool {
	m := p.margins
	return p.spread && (!t.Exact || m.free() <= 0) || p.between && (!t.Exact || m.pairs != m.N || m.pairs == 0)
}

// momentsOfSets sets p.variance to the variances within classes of the terms of a tile of bytes,
// and p.largest to the largest deviations of their occurrences, over all classes.
func (p *Panel) momentsOfSets(t *table.Tile) {
	m, of, free := p.margins, p.columnsOfClasses(), p.margins.free()
	largest, squares, variance := grown(&p.largest, len(t.DF)), grown(&p.squares, len(t.DF)), grown(&p.variance, len(t.DF))
	kernels.SetMoments(largest, squares, variance, t.Sets, t.ByteA, t.ByteS, t.ByteQ, t.Occurrences(), of.sizes[:], of.inverses[:], of.roots[:], m.Classes(), m.N)
	for e := range t.EscapedSquares() {
		floor := float64(t.ByteA[e.Cell]) + float64(t.ByteS[e.Cell])
		variance[e.Term] += e.Number - (floor + table.Escape)
	}
	for i, total := range variance {
		within := total - squares[i]
		if within < total*leastKept {
			n := t.Numbers(i, i+1)
			within = m.withinClasses(n.Class, n.S, n.Q)
		}
		variance[i] = within / free
	}
}

// classColumns are the numbers of documents of the classes, their inverses and the roots of
// [classFactors], with zeros behind them.
type classColumns struct{ sizes, inverses, roots [kernels.SetClasses]float64 }

func (p *Panel) columnsOfClasses() *classColumns {
	if p.columns == nil {
		p.columns = new(classColumns)
		for c, n := range p.margins.NC {
			p.columns.sizes[c], p.columns.inverses[c], p.columns.roots[c] = n, p.margins.perN[c], p.margins.roots[c][1]
		}
	}
	return p.columns
}

// replaceEscaped computes the values of the terms of a tile of bytes that have a number which its
// byte does not give.
func (p *Panel) replaceEscaped(t *table.Tile, columns [][]float64) {
	p.parts = slices.Grow(p.parts[:0], len(columns))[:len(columns)]
	t.Escaped(func(from, to int, numbers *table.Tile) {
		for j, column := range columns {
			p.parts[j] = column[from:to]
		}
		p.tile(numbers, p.parts)
	})
}

// ofSingleSets is ofSingles for a tile of bytes.
func (p *Panel) ofSingleSets(t *table.Tile, columns [][]float64) bool {
	of, ok := t.Singles()
	if !ok {
		return false
	}
	s := p.singles
	if p.NeedsTokens() {
		return p.ofCountedSingles(t, of, columns)
	}
	if s.squares[0] == unkept {
		p.learnSingles(1, t)
	}
	for j, values := range s.values {
		values, dst := (*[mostSingleClasses]float64)(values), columns[j][:len(of)]
		for i, class := range of {
			dst[i] = values[class]
		}
	}
	return true
}

// ofCountedSingles computes the values of a tile of bytes, the terms of which are in one document of
// a class each, for measures that count tokens. It returns false if a term occurs elsewhere.
func (p *Panel) ofCountedSingles(t *table.Tile, of []uint8, columns [][]float64) bool {
	if !bytes.Equal(t.ByteCF, t.ByteS) {
		return false
	}
	p.learnCounted(t)
	classes := p.margins.Classes()
	for j, values := range p.singles.values {
		dst, more := columns[j][:len(of)], t.ByteS[:len(of)]
		for i, class := range of {
			dst[i] = values[int(more[i]%mostSingle)*classes+int(class)]
		}
	}
	for _, i := range p.singles.others {
		for j, column := range columns {
			p.singles.dst[j] = column[i : i+1]
		}
		p.tile(t.Numbers(i, i+1), p.singles.dst)
	}
	return true
}

// learnCounted learns the values of the terms of a tile of ofCountedSingles, and sets the others to
// those of which nothing is kept.
func (p *Panel) learnCounted(t *table.Tile) {
	s := p.singles
	s.others = s.others[:0]
	if len(t.ByteQ) == 0 { // no measure needs squares
		for i, more := range t.ByteS {
			if s.squares[more] == unkept {
				p.learnSingle(t, i)
			}
		}
		return
	}
	more := t.ByteS[:len(t.ByteQ)]
	for i, q := range t.ByteQ {
		if s.squares[more[i]] != int16(q) { // nor is it unkept
			p.learnSingle(t, i)
		}
	}
}

// learnSingle learns the values of terms such as term i of a tile of learnCounted, or adds it to the
// others.
func (p *Panel) learnSingle(t *table.Tile, i int) {
	s, more := p.singles, t.ByteS[i]
	if more < mostSingle && s.squares[more] == unkept {
		p.learnSingles(int(more)+1, t)
	}
	if kept := s.squares[more]; kept == unkept || len(t.ByteQ) > 0 && kept != int16(t.ByteQ[i]) {
		s.others = append(s.others, i)
	}
}
