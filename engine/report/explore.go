package report

import (
	"embed"
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
	//go:embed explore*.js
	exploreFiles embed.FS
)

// exploreScripts are the files behind the formulas, in their order.
var exploreScripts = []string{"explore_bits.js", "explore_counts.js", "explore_plot.js", "explore_text.js", "explore_values.js", "explore_find.js", "explore_list.js", "explore_term.js", "explore_cards.js", "explore_save.js", "explore.js"}

// exploreScript returns the script of the page with the formulas of the measures.
func exploreScript(formulas string) string {
	script := exploreData + formulas
	for _, name := range exploreScripts {
		text, err := exploreFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		script += string(text)
	}
	return script
}

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
	// Evidence has the documents and lines of some terms. Texts says that it was looked for.
	Evidence []Evidence
	Texts    bool
	// Command is the command line that makes the page, "" if it is not known.
	Command string
	// Features is what a features file of terms of the page says of the corpus; nil if there is none.
	Features *ExploreFeatures
}

// ExploreFeatures are lines of a features file, as JSON.
type ExploreFeatures struct {
	Classes    string `json:"classes"`
	Provenance string `json:"provenance"`
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
	By     string // gzip, or bits: by a bitCoder
	Base64 string // of the packed bytes, without characters that HTML escapes
}

// WriteHTML writes the page. It loads nothing, like that of [Report.WriteHTML], but without scripts it
// shows no more than its head.
func (e *Explore) WriteHTML(w io.Writer) error {
	packed, err := e.pack()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	frame := newPageFrame(style+exploreStyle, script+exploreScript(e.Formulas))
	return execute(w, "explore", explorePage{e, frame, packed})
}
