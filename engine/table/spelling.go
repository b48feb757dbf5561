package table

import (
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
)

// This file finds the terms that people mean by names.

// Spelled returns the terms that people mean by names, in their order, where known reports
// whether a text is a term of a corpus of this analysis: a name that is a term as it stands, else
// what the analysis makes of all of it if that is a term, such as "run" of "Running" with stems. In a
// corpus of single words any other name stands for its words. Where terms are hashed, a name that is no column
// stands for that of its words.
func Spelled(o analysis.Options, names []string, known func(term string) bool) (terms []string) {
	a, phrases := speller(o)
	for _, name := range names {
		switch {
		case known(name):
			terms = append(terms, name)
		case known(termOf(o, a, name)) && (a == nil || a.Lost(name) == ""):
			terms = append(terms, termOf(o, a, name))
		case a != nil && !phrases && strings.Contains(strings.TrimSpace(name), " "):
			terms = append(terms, Spelled(o, strings.Fields(name), known)...)
		default:
			terms = append(terms, name)
		}
	}
	return terms
}

// speller returns an analyzer of names, nil if the analysis is none. phrases reports whether
// terms may be phrases.
func speller(o analysis.Options) (a *analysis.Analyzer, phrases bool) {
	phrases = o.NGrams != "" && o.NGrams != "1"
	if o.Tokens == "char" || o.Tokens == "char_wb" {
		return nil, phrases // a name is a term as it stands
	}
	o.NGrams, o.Headers, o.Markup, o.HashBits = "", "", "", 0
	a, err := analysis.New(o)
	if err != nil {
		return nil, phrases
	}
	return a, phrases
}

// termOf returns the term that a name would be, in an analysis with this speller.
func termOf(o analysis.Options, a *analysis.Analyzer, name string) string {
	if a != nil {
		name = spell(a, name)
	}
	if o.HashBits > 0 {
		return fmt.Sprint(o.ColumnOf([]byte(name)))
	}
	return name
}

// spell returns the words of a name as they are in terms, joined by single spaces.
func spell(a *analysis.Analyzer, name string) string {
	return strings.Join(a.Terms([]byte(name)), " ")
}

// whyUnknown says what terms the statistics have in place of one that is none.
func (t *Table) whyUnknown(term string) string {
	if bits := t.provenance.Analysis.HashBits; bits > 0 {
		return fmt.Sprintf("the terms are %d of 2^%d columns, by their numbers, and it is in none of them", t.Cells.Terms(), bits)
	}
	a, phrases := speller(t.provenance.Analysis)
	if a != nil && a.Options().Tokens != "zh-bigrams" {
		switch spelled := spell(a, term); {
		case spelled == "":
			return fmt.Sprintf("no term comes of it: tokens %s, stop words %s", a.Options().Tokens, a.Options().Stop)
		case a.Lost(term) != "":
			return a.CheckTyped(term).Error()
		case !phrases && strings.Contains(spelled, " "):
			return "terms are single words here: --ngrams 1-2 counts phrases of two as well"
		}
	}
	if t.provenance.Analysis.KeepCase {
		return fmt.Sprintf("the corpus has %d terms, in upper and lower case", t.Cells.Terms())
	}
	return fmt.Sprintf("the corpus has %d terms, in lower case", t.Cells.Terms())
}
