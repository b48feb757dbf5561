package keyness

import "github.com/termsift/termsift/engine/score"

// This file takes measures of package score, whose two classes are the target and the reference.

// A panel computes one measure.
type panel struct {
	*score.Panel
	margins *score.Margins
	tokens  bool // the measure is one of tokens
}

func newPanel(name string, o score.Options, t *totals) panel {
	measure, info, _ := score.NewRegistry(o).Lookup(name)
	p := panel{margins: t.ofDocuments, tokens: info.UsesTokens}
	if p.tokens {
		p.margins = t.ofTokens
	}
	p.Panel = score.NewPanel([]score.Choice{{Measure: measure, Info: info, Combine: score.ByClass}}, p.margins)
	return p
}

// classTarget is the class of the target in the rows for package score.
const classTarget = 0

// byPanel returns the value of the target by a panel.
func (s *scorer) byPanel(p panel, t pairCounts) float64 {
	r := &s.row
	r.Margins, r.CF, r.DF = p.margins, t.a+t.b, 0
	r.Class, r.A, r.S, r.Q = r.Class[:0], r.A[:0], r.S[:0], r.Q[:0]
	cell := -1
	for class, v := range [...]float64{t.a, t.b} {
		if v == 0 {
			continue
		}
		if class == classTarget {
			cell = 0
		}
		documents := v
		if p.tokens {
			documents = 1
		}
		r.DF += documents
		r.Class, r.A, r.S, r.Q = append(r.Class, uint32(class)), append(r.A, documents), append(r.S, v), append(r.Q, v)
	}
	return p.Class(r, classTarget, cell)
}

// registered returns what computes a measure that package score knows by the same name.
func registered(m Measure) func(s *scorer, t pairCounts) float64 {
	return func(s *scorer, t pairCounts) float64 {
		p, ok := s.panels[m]
		if !ok {
			p = newPanel(string(m), score.Options{Smooth: s.Smooth, ZetaC: s.ZetaC}, s.totals)
			s.panels[m] = p
		}
		return s.byPanel(p, t)
	}
}
