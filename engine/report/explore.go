package report

import (
	_ "embed"
	"fmt"
	"io"
)

var (
	//go:embed explore.html.tmpl
	exploreTemplate string
	//go:embed explore.css
	exploreStyle string
	//go:embed explore_data.js
	exploreData string
	//go:embed explore_plot.js
	explorePlot string
	//go:embed explore.js
	exploreScript string
)

// An Explore is a corpus to look at: its terms with their counts in every class. The page has all of
// them, packed, and draws, searches, sorts and scores them in the browser.
type Explore struct {
	// Title is the heading; "" is "Terms".
	Title string
	Facts []Fact
	// Notes are said at the head of the page: what was left out, and what to know of the values.
	Notes []string
	// Documents and Tokens are those of the corpus.
	Documents, Tokens uint64
	// Classes may be empty. With Sides they are two corpora that are held against each other.
	Classes []ExploreClass
	Sides   bool
	Terms   ExploreTerms
	// Of is the number of terms of the corpus, of which Terms are the best by Rank, a measure.
	Of   int
	Rank string
	// By is the measure of the p-values, and Test says how they were computed. Both are empty without
	// p-values.
	By, Test string
	// Formulas is the script that gives the page its measures.
	Formulas string
	// Evidence has the documents and lines of some terms.
	Evidence []Evidence
}

// An ExploreClass is a class, or one of two corpora.
type ExploreClass struct {
	Name              string
	Documents, Tokens uint64
}

// ExploreTerms are terms in the order of their bytes, as columns. A cell is a term in a class that has a
// document with it. Counts are below 2^53.
type ExploreTerms struct {
	Names []string
	DF    []uint64 // documents with the term
	CF    []uint64 // its occurrences
	// The cells of term i are the elements [Start[i], Start[i+1]) of the columns below, in ascending
	// order of their class.
	Start []int
	Class []uint32
	A     []uint64 // documents, at least 1
	S     []uint64 // occurrences, at least A
	Q     []uint64 // sums of the squared occurrences in a document; nil if they are not known
	// Log10P and CellLog10P are log10 of the p-values of terms and of cells; nil if there are none.
	Log10P, CellLog10P []float64
}

// An explorePage has what explore.html.tmpl shows.
type explorePage struct {
	*Explore
	pageFrame
	Packed []packedPart
}

// A packedPart is a part of the data of a page.
type packedPart struct {
	Name   string
	Base64 string // of the packed bytes, without characters that HTML escapes
}

// WriteHTML writes the page. It loads nothing, like that of [Report.WriteHTML], but without scripts it
// shows no more than its head.
func (e *Explore) WriteHTML(w io.Writer) error {
	packed, err := e.pack()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	frame := newPageFrame(style+exploreStyle, exploreData+e.Formulas+explorePlot+exploreScript)
	return execute(w, "explore", explorePage{e, frame, packed})
}
