package report

import "strconv"

// This file has what shows where terms occur: documents, and lines of text.

// Evidence shows where a term occurs in a corpus, whose name is Side.
type Evidence struct {
	Term, Side string
	// Documents are those with the most occurrences.
	Documents []EvidenceDocument
	// Lines are occurrences in their context.
	Lines []ContextLine
}

// An EvidenceDocument is a document with a term: TF of its Length tokens.
type EvidenceDocument struct {
	ID, Labels string
	TF, Length float64
}

// A ContextLine is an occurrence of a term in the text of a document.
type ContextLine struct {
	ID, Left, Match, Right string
}

// An evidencePlace is evidence that a link leads to.
type evidencePlace struct {
	Evidence
	ID      string
	Open    bool
	OnPaper bool // it is printed even if it is closed
}

// places returns the evidence with the places that links lead to, open where it is all of one term.
func places(all []Evidence) (places []evidencePlace) {
	for i, e := range all {
		places = append(places, evidencePlace{e, evidenceID(i), len(all) == 1, true})
	}
	return places
}

// evidenceID returns the place of the evidence of a number.
func evidenceID(i int) string { return "where-" + strconv.Itoa(i+1) }

// Occurrences tells how many tokens of the document are the term.
func (d EvidenceDocument) Occurrences() string {
	return tokensCell(d.TF).Text + " of " + tokensCell(d.Length).Text
}
