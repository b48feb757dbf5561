package table

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// Strata are how the documents of a table are divided by a control, the field that its provenance
// names. Who asks whether a term is more frequent in a class compares documents of the same
// stratum, so that what the control explains is not taken for the class.
//
// Files, and what adds up tables, have the pairs, in which a class is that of [document.InStratum].
// All else reads the table of the plain classes, whose counts are those of the pairs added up.
type Strata struct {
	// Pairs is the table of the pairs of a class and a stratum, and of all documents of a stratum.
	Pairs *Table
	// Names are the strata in the order of their bytes, Documents how many documents each has.
	Names     []string
	Documents []float64
	// Class and Stratum have the numbers of the class and the stratum of each class of Pairs. The
	// class is [AllClasses] where the pair has all documents of a stratum, and the stratum is -1
	// for the documents without a class.
	Class, Stratum []int32
}

// AllClasses is the number of no class: that of all documents of a stratum.
const AllClasses = -1

// Strata returns how the documents are divided by a control, or nil if there is none.
func (t *Table) Strata() *Strata { return t.strata }

// Stored returns the table that files hold, and that adds up: that of the pairs if there are
// strata, else t.
func (t *Table) Stored() *Table {
	if t.strata == nil {
		return t
	}
	return t.strata.Pairs
}

// OfClasses returns t as who ranks terms sees it: if its provenance names a control, the table of the
// plain classes, with its [Strata]; else t itself. It returns a [usage.ErrData] for a class that is
// no pair of a class and a stratum.
func (t *Table) OfClasses() (*Table, error) {
	if t.provenance.Control == "" || t.strata != nil {
		return t, nil
	}
	strata, classes, err := strataOf(t)
	if err != nil {
		return nil, err
	}
	out := &Table{
		ClassNames: classes, Names: t.Names, Weighting: t.Weighting, Pruned: t.Pruned, Missing: t.Missing,
		provenance: t.provenance, strata: strata,
	}
	out.Cells.Margins = strata.margins(len(classes))
	strata.addCells(&out.Cells, len(classes))
	return out, nil
}

// PairedClasses returns the classes, by bytes, of labels that are pairs of a class and a stratum of a control, and the
// number of each label's class, [AllClasses] for a label that has none. Another label is a [usage.ErrData].
func PairedClasses(labels []string, control string) (classes []string, of []int32, err error) {
	own, of := make([]string, len(labels)), make([]int32, len(labels))
	for i, label := range labels {
		class, _, ok := document.CutStratum(label)
		if !ok {
			return nil, nil, usage.NewError(usage.ErrData, fmt.Sprintf("the documents are divided by the control %q, but the label %q has no stratum: count them anew",
				control, usage.Cut(label)))
		}
		if own[i] = class; class != "" {
			classes = append(classes, class)
		}
	}
	classes = distinct(classes)
	for i, class := range own {
		of[i] = AllClasses
		if k, ok := slices.BinarySearch(classes, class); ok {
			of[i] = int32(k)
		}
	}
	return classes, of, nil
}

// strataOf returns the strata of a table of pairs, and the classes.
func strataOf(t *Table) (s *Strata, classes []string, err error) {
	classes, class, err := PairedClasses(t.ClassNames, t.provenance.Control)
	if err != nil {
		return nil, nil, err
	}
	s = &Strata{Pairs: t, Class: class, Stratum: make([]int32, len(t.ClassNames))}
	own := make([]string, len(t.ClassNames))
	for i, label := range t.ClassNames {
		if _, own[i], _ = document.CutStratum(label); own[i] != "" {
			s.Names = append(s.Names, own[i])
		}
	}
	s.Names = distinct(s.Names)
	s.Documents = make([]float64, len(s.Names))
	for i, stratum := range own {
		h, ok := slices.BinarySearch(s.Names, stratum)
		if !ok {
			s.Stratum[i] = -1
			continue
		}
		if s.Stratum[i] = int32(h); class[i] == AllClasses {
			s.Documents[h] = t.Cells.ClassDocs[i]
		}
	}
	return s, classes, nil
}

// distinct returns names in the order of their bytes, each once.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// margins returns the totals of the classes.
func (s *Strata) margins(classes int) Margins {
	from := &s.Pairs.Cells.Margins
	m := Margins{
		Documents: from.Documents, Labelled: from.Documents, Tokens: from.Tokens, LowTokens: from.LowTokens,
		ClassDocs: make([]float64, classes),
	}
	tokens := make([]Pair, classes)
	for i, k := range s.Class {
		switch {
		case k >= 0:
			m.ClassDocs[k] += from.ClassDocs[i]
			if from.ClassTokens != nil {
				tokens[k] = tokens[k].Plus(from.ClassSum(i))
			}
		case s.Stratum[i] < 0:
			m.Labelled -= from.ClassDocs[i]
		}
	}
	if from.ClassTokens == nil {
		return m
	}
	m.ClassTokens = make([]float64, classes)
	if from.LowClassTokens != nil {
		m.LowClassTokens = make([]float64, classes)
	}
	for k, sum := range tokens {
		m.ClassTokens[k] = sum.High
		if m.LowClassTokens != nil {
			m.LowClassTokens[k] = sum.Low
		}
	}
	return m
}

// addCells sets c, which has the margins, to the cells of the classes: those of their pairs added
// up.
func (s *Strata) addCells(c *Cells, classes int) {
	from := &s.Pairs.Cells
	c.Reserve(from.Terms(), from.Len())
	sum := pairSum{strata: s, cells: make([]pairedCell, classes)}
	sum.centred = from.Centred != nil
	sum.wide = !sum.centred && (from.LowQ != nil || from.mostSquares()*float64(len(s.Names)) >= mostExact)
	from.Tiles(&Tile{}, 0, from.Terms(), true, func(t *Tile) {
		for i := range t.DF {
			sum.appendTerm(c, t, i)
		}
	})
	c.DropExact()
}

// A pairSum adds up the cells of a term.
type pairSum struct {
	strata  *Strata
	centred bool // there is what [Centred] holds
	wide    bool // else what sums of squares lack is to be kept
	cells   []pairedCell
	met     []uint32 // the classes that have a cell

	lowS, m2, lowQ []float64 // of these
}

// A pairedCell is the sum of the cells of a class in some strata.
type pairedCell struct {
	moments
	squares Pair
	weight  float64
}

// appendTerm appends term i of a tile of pairs to c.
func (p *pairSum) appendTerm(c *Cells, t *Tile, i int) {
	from, to := t.Range(i)
	p.met = p.met[:0]
	for at := from; at < to; at++ {
		if k := p.strata.Class[t.Class[at]]; k >= 0 {
			p.add(uint32(k), t, at)
		}
	}
	slices.Sort(p.met)
	p.lowS, p.m2, p.lowQ = p.lowS[:0], p.m2[:0], p.lowQ[:0]
	for _, k := range p.met {
		sum := &p.cells[k]
		c.Append(k, sum.docs, sum.sum.High, sum.squares.High)
		p.lowS, p.m2, p.lowQ = append(p.lowS, sum.sum.Low), append(p.m2, sum.m2), append(p.lowQ, sum.squares.Low)
		if t.W != nil {
			c.W = append(c.W, sum.weight)
		}
		*sum = pairedCell{}
	}
	switch df := float64(t.DF[i]); {
	case p.centred:
		c.EndCentredTerm(df, t.CF[i], t.LowCF[i], p.lowS, p.m2)
	case p.wide:
		c.EndWideTerm(df, t.CF[i], p.lowQ)
	default:
		c.EndTerm(df, t.CF[i])
	}
}

// add adds a cell of a tile to those of a class.
func (p *pairSum) add(k uint32, t *Tile, at int) {
	sum := &p.cells[k]
	if sum.docs == 0 {
		p.met = append(p.met, k)
	}
	sum.squares = sum.squares.Plus(Pair{t.Q[at], t.lowQ(at)})
	if p.centred {
		sum.moments = sum.with(t.moments(at), 1)
	} else {
		sum.docs, sum.sum.High = sum.docs+t.A[at], sum.sum.High+t.S[at]
	}
	if t.W != nil {
		sum.weight += t.W[at]
	}
}
