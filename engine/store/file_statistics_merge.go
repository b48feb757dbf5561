package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/usage"
)

// This file adds up files of statistics as streams: of each file that is open there is one
// block in memory.

// mostOpenStatistics is the number of files that are merged at once. More are merged in
// passes, through temporary files.
const mostOpenStatistics = 256

// StatisticsMergeOptions say how files of statistics are merged.
type StatisticsMergeOptions struct {
	Meta json.RawMessage // the caller's description of the sum
	Dir  string          // of temporary files; "" is that of the system

	Temporary files.TemporarySystem // nil is the operating system
	most      int                   // files that are open at once; 0 is mostOpenStatistics
}

// MergeStatistics writes the file of the sum of n files, which open opens: the bytes that
// [WriteStatistics] gives of the sum of their statistics by [Add]. Sums of real values are
// rounded in the order of the files. It returns [ErrPruned] if terms were left out of one.
func MergeStatistics(ctx context.Context, w io.Writer, n int, open func(i int) (*StatisticsFile, error), o StatisticsMergeOptions) error {
	return mergeInPasses(ctx, w, n, open, o, (*statisticsMerge).sumHeads)
}

// mergeInPasses merges n files whose heads are put together in one way.
func mergeInPasses(ctx context.Context, w io.Writer, n int, open func(i int) (*StatisticsFile, error), o StatisticsMergeOptions, heads func(*statisticsMerge) error) (err error) {
	most := o.most
	if most == 0 {
		most = mostOpenStatistics
	}
	if w == nil || open == nil {
		return usage.Errorf("a nil writer or function was given")
	}
	if n <= most {
		return mergeOpenStatistics(ctx, w, n, open, o.Meta, heads)
	}
	passes := (n + most - 1) / most
	groups := make([]*StatisticsFile, passes)
	defer func() {
		for _, g := range groups {
			if g != nil {
				err = errors.Join(err, g.Close())
			}
		}
	}()
	for i := range groups {
		from, to := i*n/passes, (i+1)*n/passes
		groups[i], err = temporaryStatistics(o.Temporary, o.Dir, func(w io.Writer) error {
			return mergeOpenStatistics(ctx, w, to-from, func(i int) (*StatisticsFile, error) { return open(from + i) }, nil, heads)
		})
		if err != nil {
			return err
		}
	}
	return mergeInPasses(ctx, w, passes, func(i int) (*StatisticsFile, error) {
		g := groups[i]
		groups[i] = nil // the merging closes it
		return g, nil
	}, o, heads)
}

// mergeOpenStatistics merges n files at once.
func mergeOpenStatistics(ctx context.Context, w io.Writer, n int, open func(i int) (*StatisticsFile, error), meta []byte, heads func(*statisticsMerge) error) (err error) {
	m := &statisticsMerge{ctx: ctx}
	defer func() {
		for _, p := range m.parts {
			err = errors.Join(err, p.f.Close())
		}
	}()
	for i := range n {
		f, err := open(i)
		if err != nil {
			return err
		}
		m.parts = append(m.parts, &mergePart{f: f})
	}
	if err := heads(m); err != nil {
		return err
	}
	centred, err := m.centred()
	if err != nil {
		return err
	}
	_, err = m.run(w, meta, centred)
	return err
}

// A statisticsMerge merges open files.
type statisticsMerge struct {
	ctx   context.Context
	parts []*mergePart
	head  Statistics // margins and classes of the sum
	out   *statisticsWriter

	disjoint bool // no two parts may have a term

	keys   []uint64 // by part: the first bytes of its term; the largest number if it has ended
	losers []int32  // by node of the tournament: the part that lost there; of node 0 the winner
	name   []byte   // of the current term
	sum    cellSum
	same   []uint32 // the classes of the sum
}

// A mergePart is a file that is merged, at one of its terms.
type mergePart struct {
	f     *StatisticsFile
	class []uint32 // of the file -> of the sum
	alike bool     // classes have the same bytes in the sum

	reader blockReader
	names  nameReader
	term   int // in the block
	cell   int // the first of the term
	ended  bool
}

// sumHeads sets the margins and classes of the sum, and the classes of the parts in it.
func (m *statisticsMerge) sumHeads() (err error) {
	s := &m.head
	for _, p := range m.parts {
		if p.f.Pruned {
			return p.f.named(ErrPruned)
		}
		if m.head.Missing, err = addMissing(m.head.Missing, p.f.Missing); err != nil {
			return p.f.named(err)
		}
		s.Classes = append(s.Classes, p.f.Classes...)
	}
	slices.Sort(s.Classes)
	s.Classes = slices.Compact(s.Classes)
	s.ClassDocs, s.ClassTokens = make([]float64, len(s.Classes)), make([]float64, len(s.Classes))
	for _, p := range m.parts {
		o := s.operand(&Statistics{Cells: cells.Cells{Margins: p.f.Margins}, Classes: p.f.Classes}, 1)
		s.AddMargins(o)
		p.class = o.Classes
		p.alike = classWidth(len(s.Classes)) == classWidth(len(p.f.Classes))
		for i, class := range p.class {
			p.alike = p.alike && int(class) == i
		}
	}
	return nil
}

// centred reports whether the sum has what [cells.Centred] holds: that of centred files has,
// and that of counts whose squares are not exact. Where these may be, the files are merged
// once to see.
func (m *statisticsMerge) centred() (bool, error) {
	squares := 0.0
	for _, p := range m.parts {
		if p.f.centred {
			return true, nil
		}
		squares += p.f.mostSquares
	}
	if squares < mostExactSquares || len(m.parts) < 2 || m.disjoint {
		return false, nil
	}
	squares, err := m.run(io.Discard, nil, false)
	return squares >= mostExactSquares, err
}

// mostExactSquares is the sum of squares from which it may be inexact.
const mostExactSquares = 1 << 53

// run merges the files from their beginnings and returns an upper bound of the sums of
// squares.
func (m *statisticsMerge) run(w io.Writer, meta []byte, centred bool) (squares float64, err error) {
	m.out = newStatisticsWriter(w, centred)
	if err := m.out.head(&m.head, meta); err != nil {
		return 0, err
	}
	m.same = make([]uint32, len(m.head.Classes))
	for i := range m.same {
		m.same[i] = uint32(i)
	}
	m.sum.of = make([]cell, len(m.head.Classes))
	m.keys, m.losers = make([]uint64, len(m.parts)), make([]int32, len(m.parts))
	for i, p := range m.parts {
		p.reader, p.names, p.ended, p.term = blockReader{f: p.f}, nameReader{}, false, -1
		if err := m.advance(i); err != nil {
			return 0, err
		}
	}
	if len(m.parts) > 0 {
		m.losers[0] = m.play(1)
		for !m.parts[m.losers[0]].ended {
			if err := m.mergeTerm(); err != nil {
				return 0, err
			}
		}
	}
	err = m.out.end() // which writes the last block
	return m.out.squares(), err
}

// advance goes to the next term of part i.
func (m *statisticsMerge) advance(i int) error {
	p := m.parts[i]
	b := &p.reader.block
	if p.term >= 0 {
		p.cell += int(b.length[p.term])
	}
	if p.term++; p.term == b.terms || p.reader.read == 0 {
		if m.ctx.Err() != nil {
			return usage.Cause(m.ctx)
		}
		more, err := p.reader.next()
		if err != nil || !more {
			p.ended, m.keys[i] = true, math.MaxUint64
			return p.f.named(err)
		}
		p.term, p.cell = 0, 0
	}
	if !p.names.next(b, p.term) {
		return p.f.named(b.fail("the names are not in the order of their bytes"))
	}
	m.keys[i] = prefixOf(p.names.last)
	return nil
}

// named returns an error with the name of the file.
func (f *StatisticsFile) named(err error) error {
	if err == nil || f.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// prefixOf returns the first eight bytes of a name as one number.
func prefixOf(name []byte) uint64 {
	if len(name) >= 8 {
		return uint64(name[0])<<56 | uint64(name[1])<<48 | uint64(name[2])<<40 | uint64(name[3])<<32 |
			uint64(name[4])<<24 | uint64(name[5])<<16 | uint64(name[6])<<8 | uint64(name[7])
	}
	var p uint64
	for i, b := range name {
		p |= uint64(b) << (56 - 8*i)
	}
	return p
}

// before reports whether part i comes before part j: by the names of their terms, then by
// number.
func (m *statisticsMerge) before(i, j int32) bool {
	x, y := m.parts[i], m.parts[j]
	switch {
	case m.keys[i] != m.keys[j]:
		return m.keys[i] < m.keys[j]
	case x.ended || y.ended:
		return !x.ended || y.ended && i < j
	}
	if order := slices.Compare(x.names.last, y.names.last); order != 0 {
		return order < 0
	}
	return i < j
}

// play lets the parts below a node of the tournament play against each other, and returns
// the winner.
func (m *statisticsMerge) play(node int) int32 {
	n := len(m.parts)
	if node >= n {
		return int32(node - n)
	}
	x, y := m.play(2*node), m.play(2*node+1)
	if m.before(y, x) {
		x, y = y, x
	}
	m.losers[node] = y
	return x
}

// replay finds the winner after the last one has gone to its next term.
func (m *statisticsMerge) replay() {
	winner := m.losers[0]
	for node := (int(winner) + len(m.parts)) / 2; node > 0; node /= 2 {
		other := m.losers[node]
		if m.keys[other] < m.keys[winner] || m.keys[other] == m.keys[winner] && m.before(other, winner) {
			m.losers[node], winner = winner, other
		}
	}
	m.losers[0] = winner
}

// alone reports whether no other part has the winner's term. The next part is among those
// that have lost against the winner.
func (m *statisticsMerge) alone() bool {
	winner := m.losers[0]
	for node := (int(winner) + len(m.parts)) / 2; node > 0; node /= 2 {
		if other := m.losers[node]; m.keys[other] == m.keys[winner] && m.at(other, m.parts[winner].names.last) {
			return false
		}
	}
	return true
}

// at reports whether part i is at the term with this name.
func (m *statisticsMerge) at(i int32, name []byte) bool {
	p := m.parts[i]
	return !p.ended && string(p.names.last) == string(name)
}

// mergeTerm writes the term of the winner, and takes all parts that have it to their next.
func (m *statisticsMerge) mergeTerm() error {
	first := m.losers[0]
	if m.alone() && (!m.out.centred || m.parts[first].f.centred) {
		p := m.parts[first]
		m.out.block.name(p.names.last)
		p.copyTerm(m.out.block)
		if err := m.out.endTerm(); err != nil {
			return err
		}
		return m.advanceWinner()
	}
	if m.disjoint {
		return m.joinTerm()
	}
	m.name = append(m.name[:0], m.parts[first].names.last...)
	m.out.block.name(m.name)
	if m.out.centred {
		return m.addCentred()
	}
	df, cf, key := 0.0, 0.0, m.keys[first]
	for {
		i := m.losers[0]
		if m.keys[i] != key || !m.at(i, m.name) {
			break
		}
		p := m.parts[i]
		df, cf = df+float64(p.reader.block.df[p.term]), cf+p.reader.block.cf[p.term]
		p.addTo(&m.sum)
		if err := m.advanceWinner(); err != nil {
			return err
		}
	}
	if df > math.MaxUint32 {
		return tooFrequent(m.name)
	}
	b := m.out.block
	m.sum.sort()
	for _, class := range m.sum.met {
		c := &m.sum.of[class]
		b.class(class)
		b.cell(c.a, c.s, c.q)
		*c = cell{}
	}
	b.margins(df, cf, len(m.sum.met))
	m.sum.met = m.sum.met[:0]
	return m.out.endTerm()
}

func (m *statisticsMerge) advanceWinner() error {
	if err := m.advance(int(m.losers[0])); err != nil {
		return err
	}
	m.replay()
	return nil
}

// copyTerm completes a term of the result with the cells that the part alone has.
func (p *mergePart) copyTerm(to *blockBuilder) {
	b, width := &p.reader.block, classWidth(len(p.f.Classes))
	n := int(b.length[p.term])
	from, end := p.cell, p.cell+n
	if p.alike {
		to.classes = append(to.classes, b.classes[from*width:end*width]...)
	} else {
		for i := from; i < end; i++ {
			to.class(p.class[b.classOf(i, width)])
		}
	}
	docs, sums, squares := &b.columns[docNumbers], &b.columns[sumNumbers], &b.columns[squareNumbers]
	if narrow(docs.low[from:end]) && narrow(sums.low[from:end]) && narrow(squares.low[from:end]) {
		to.columns[docNumbers].AppendNarrow(docs.low[from:end])
		to.columns[sumNumbers].AppendNarrow(sums.low[from:end])
		to.columns[squareNumbers].AppendNarrow(squares.low[from:end])
	} else {
		for i := from; i < end; i++ {
			a := docs.at(i, 0)
			s := sums.at(i, a)
			to.cell(a, s, squares.at(i, s))
		}
	}
	df, length, tokens := b.columns[dfNumbers].low[p.term], b.columns[lengthNumbers].low[p.term], b.columns[tokenNumbers].low[p.term]
	if df != cells.Escape && length != cells.Escape && tokens != cells.Escape {
		to.columns[dfNumbers].AppendByte(df)
		to.columns[lengthNumbers].AppendByte(length)
		to.columns[tokenNumbers].AppendByte(tokens)
		to.cells += n
	} else {
		to.margins(float64(b.df[p.term]), b.cf[p.term], n)
	}
	if !to.centred {
		return
	}
	to.columns[lowTokenNumbers].Append(b.columns[lowTokenNumbers].at(p.term, 0), 0)
	for i := from; i < end; i++ {
		to.columns[lowSumNumbers].Append(b.columns[lowSumNumbers].at(i, 0), 0)
		to.columns[distanceNumbers].Append(b.columns[distanceNumbers].at(i, 0), 0)
	}
}

// addTo adds the cells of the part's term to a sum.
func (p *mergePart) addTo(sum *cellSum) {
	b, width := &p.reader.block, classWidth(len(p.f.Classes))
	docs, sums, squares := &b.columns[docNumbers], &b.columns[sumNumbers], &b.columns[squareNumbers]
	for i := p.cell; i < p.cell+int(b.length[p.term]); i++ {
		a := docs.at(i, 0)
		s := sums.at(i, a)
		sum.add(p.class[b.classOf(i, width)], cell{a: a, s: s, q: squares.at(i, s)})
	}
}

// addCentred completes the current term with the sum of all parts that have it, with what
// real values need beside their sums.
func (m *statisticsMerge) addCentred() error {
	sum, inSum, df := &cells.Cells{Centred: &cells.Centred{}}, -1, 0.0
	for m.at(m.losers[0], m.name) {
		p := m.parts[m.losers[0]]
		if df += float64(p.reader.block.df[p.term]); df > math.MaxUint32 {
			return tooFrequent(m.name)
		}
		next := &cells.Cells{}
		next.AppendSum(
			&cells.Operand{Cells: sum, Classes: m.same, Sign: 1}, &cells.Operand{Cells: p.cells(), Classes: p.class, Sign: 1}, inSum, 0)
		sum, inSum = next, 0
		if err := m.advanceWinner(); err != nil {
			return err
		}
	}
	m.out.block.cellsOf(sum, 0)
	return m.out.endTerm()
}

// cells returns the cells of the part's term.
func (p *mergePart) cells() *cells.Cells {
	b, width := &p.reader.block, classWidth(len(p.f.Classes))
	c, low, m2 := &cells.Cells{}, []float64{}, []float64{}
	for i := p.cell; i < p.cell+int(b.length[p.term]); i++ {
		a := b.columns[docNumbers].at(i, 0)
		s := b.columns[sumNumbers].at(i, a)
		c.Append(b.classOf(i, width), a, s, b.columns[squareNumbers].at(i, s))
		if p.f.centred {
			low, m2 = append(low, b.columns[lowSumNumbers].at(i, 0)), append(m2, b.columns[distanceNumbers].at(i, 0))
		}
	}
	df, cf := float64(b.df[p.term]), b.cf[p.term]
	if p.f.centred {
		c.EndCentredTerm(df, cf, b.columns[lowTokenNumbers].at(p.term, 0), low, m2)
	} else {
		c.EndTerm(df, cf)
	}
	return c
}
