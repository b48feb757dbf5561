package score

import "github.com/termsift/termsift/engine/table"

// This family compares a term with a target: whether documents have it, or how often, with the number
// of each document. All are functions of Pearson's coefficient r, of the numbers or of their ranks.

func ofTargets(o Options) []*definition {
	size := func(_ *Margins, a *association) float64 { return a.coefficient() }
	of := occurrences
	if o.Presence {
		of = presence
	}
	pearson := ofTarget("pearson", "Pearson's correlation with the target", "|r|, r = (NΣxy - ΣxΣy)/√((NΣx² - (Σx)²)(NΣy² - (Σy)²))",
		"Pearson 1895", of, signed(o, size)).tells(
		"how straight a line do count and number make?", "0 to 1, -1 to 1 with `--signed`; 0 where either is constant",
		"a single large count or number can make it", "pearson1895")
	pearson.UsesTokens, pearson.squares = !o.Presence, !o.Presence
	return []*definition{
		pearson,
		ofTarget("trend", "Cochran–Armitage trend test", "|r|·√N of presence; its square is χ² of the trend",
			"Cochran 1954; Armitage 1955", presence, signed(o, func(m *Margins, a *association) float64 { return a.share().Times(m.N).Root().High })).tells(
			"does the share of documents with the term rise with the number?", "0 to √N",
			"sees straight lines alone: the distances between the numbers count", "cochran1954", "armitage1955"),
		ofTarget("spearman", "Spearman's rank correlation with the target", "|r| of mid-ranks", "Spearman 1904", ranked, signed(o, size)).tells(
			"does the number rise where the count does, by any curve?", "0 to 1",
			"of rare terms nearly all counts tie", "spearman1904"),
	}
}

// A comparison says what of a term is compared with what of a target.
type comparison uint8

const (
	occurrences comparison = iota // values with numbers
	presence                      // presence with numbers
	ranked                        // presence with ranks of numbers
)

// ofTarget is a measure of a target, without class values.
func ofTarget(name, title, text, source string, of comparison, value func(m *Margins, a *association) float64) *definition {
	d := define(name, title, text, source, "")
	d.Default, d.Combinable, d.Target, d.Kind = "global", false, true, OfNumbers
	d.whole = func(p *Panel, t *table.Tile, dst []float64) {
		for i := range dst {
			a := p.margins.association(t, i, of)
			dst[i] = value(p.margins, &a)
		}
	}
	return d
}

// signed gives a size its sign, if that is asked for.
func signed(o Options, size func(m *Margins, a *association) float64) func(m *Margins, a *association) float64 {
	if !o.Signed {
		return size
	}
	return func(m *Margins, a *association) float64 {
		if v := size(m, a); a.gap.High < 0 {
			return -v
		} else {
			return v
		}
	}
}
