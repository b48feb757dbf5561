package report

import "strconv"

// This file has what shows where terms occur: documents, and lines of text.

// Evidence shows where a term occurs.
type Evidence struct {
	Term string
	// Documents are those with the most occurrences.
	Documents []EvidenceDocument
	// Lines are occurrences in their context.
	Lines []ContextLine
}

// An EvidenceDocument is a document with a term. Side is the name of its corpus.
type EvidenceDocument struct {
	Side, ID, Labels string
	TF, Length       int
}

// A ContextLine is an occurrence of a term in a text. Side is the name of its corpus.
type ContextLine struct {
	Side, ID, Left, Match, Right string
}

// An evidencePlace is evidence that a link leads to.
type evidencePlace struct {
	Evidence
	ID      string
	Side    string // the one corpus of all documents and lines, or ""
	Open    bool
	OnPaper bool // it is printed even if it is closed
}

// places returns the evidence with the places that links lead to, open where it is all of one term.
func places(all []Evidence) (places []evidencePlace) {
	for i, e := range all {
		places = append(places, evidencePlace{e, evidenceID(i), e.side(), len(all) == 1, true})
	}
	return places
}

// evidenceID returns the place of the evidence of a number.
func evidenceID(i int) string { return "where-" + strconv.Itoa(i+1) }

// side returns the corpus of all documents and lines, "" if there are several.
func (e Evidence) side() string {
	sides := map[string]bool{}
	name := ""
	for _, d := range e.Documents {
		name, sides[d.Side] = d.Side, true
	}
	for _, l := range e.Lines {
		name, sides[l.Side] = l.Side, true
	}
	if len(sides) > 1 {
		return ""
	}
	return name
}

// Occurrences tells how many tokens of the document are the term.
func (d EvidenceDocument) Occurrences() string { return Count(d.TF) + " of " + Count(d.Length) }
