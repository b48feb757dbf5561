package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	//go:embed explore.html
	exploreMain string
	//go:embed explore.css
	exploreStyle string
	//go:embed explore*.js
	exploreFiles embed.FS
)

// exploreScript returns the script of the page with the formulas of the measures.
func exploreScript(formulas string) string {
	text := script + formulas
	names, _ := fs.Glob(exploreFiles, "*") // the pattern is one
	for _, name := range names {
		file, _ := exploreFiles.ReadFile(name) // it is there
		text += string(file)
	}
	return text
}

// An Explore is a corpus to look at: its terms with their counts in every class. The page has all of
// them, packed, and draws, searches, sorts and scores them in the browser.
type Explore struct {
	// Title is the heading; "" is "Terms".
	Title string `json:"title"`
	Facts []Fact `json:"-"`
	// Notes are said at the head of the page: what was left out, and what to know of the values.
	Notes []string `json:"notes"`
	// Documents and Tokens are those of the corpus.
	Documents uint64 `json:"documents"`
	Tokens    uint64 `json:"tokens"`
	// Classes may be empty. With Sides they are two corpora that are held against each other.
	Classes []ExploreClass `json:"classes"`
	Sides   bool           `json:"sides"`
	Terms   ExploreTerms   `json:"-"`
	// Of is the number of terms of the corpus, of which Terms are the best by Rank, a measure.
	Of   int    `json:"of"`
	Rank string `json:"rank"`
	// By is the measure of the p-values, and Test says how they were computed. Both are empty without
	// p-values.
	By   string `json:"by,omitempty"`
	Test string `json:"test,omitempty"`
	// Formulas is the script that gives the page its measures.
	Formulas string `json:"-"`
	// Evidence has the documents and lines of some terms. Texts says that it was looked for.
	Evidence []Evidence `json:"-"`
	Texts    bool       `json:"texts"`
	// Command is the command line that makes the page, "" if it is not known.
	Command string `json:"command"`
	// Features is what a features file of terms of the page says of the corpus; nil if there is none.
	Features *ExploreFeatures `json:"features"`
}

// ExploreFeatures are lines of a features file, as JSON.
type ExploreFeatures struct {
	Classes    string `json:"classes"`
	Provenance string `json:"provenance"`
}

// An ExploreClass is a class, or one of two corpora.
type ExploreClass struct {
	Name      string `json:"name"`
	Documents uint64 `json:"documents"`
	Tokens    uint64 `json:"tokens"`
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

// Evidence shows where a term occurs.
type Evidence struct {
	Term string `json:"-"`
	// Documents are those with the most occurrences.
	Documents []EvidenceDocument `json:"documents"`
	// Lines are occurrences in their context.
	Lines []ContextLine `json:"lines"`
}

// An EvidenceDocument is a document with a term. Side is the name of its corpus.
type EvidenceDocument struct {
	Side   string `json:"side"`
	ID     string `json:"id"`
	Labels string `json:"labels"`
	TF     int    `json:"tf"`
	Length int    `json:"length"`
}

// A ContextLine is an occurrence of a term in a text. Side is the name of its corpus.
type ContextLine struct {
	Side  string `json:"side"`
	ID    string `json:"id"`
	Left  string `json:"left"`
	Match string `json:"match"`
	Right string `json:"right"`
}

// WriteHTML writes the page. It loads nothing, like that of [Report.WriteHTML], but without scripts it
// shows no more than its head.
func (e *Explore) WriteHTML(w io.Writer) error {
	var m markup
	text := exploreScript(e.Formulas) + "startPage();\n"
	m.open(visible(cmp.Or(e.Title, "Terms")), style+exploreStyle, text, "", ` class="explore"`, "Skip to the terms")
	m.add(`<details class="more about" open><summary>About these data</summary>`)
	m.facts(e.Facts)
	m.add("</details>")
	for _, note := range e.Notes {
		m.add(`<p class="note">%s</p>`, visibleText(note))
	}
	m.add("\n</header>\n%s", literal(exploreMain))
	parts, err := e.Parts()
	if err != nil {
		return err
	}
	m.parts(parts, gzip.DefaultCompression) // the best takes three times as long, and saves one byte of fifty
	return m.close(w, text)
}

// A Door is the page of terms without terms: its script gets them from an engine within the page.
type Door struct {
	Title    string
	Formulas string // as in [Explore]
	// Body is markup above the list of terms. Style and Script stand behind those of the list.
	Body, Style, Script string
	// Parts are what the script finds by name.
	Parts map[string][]byte
}

// WriteHTML writes the page. Its policy lets a browser run its own script, and the engine in a worker, and load nothing.
func (d *Door) WriteHTML(w io.Writer) error {
	var m markup
	text := exploreScript(d.Formulas) + d.Script
	m.open(d.Title, style+exploreStyle+d.Style, text, "connect-src 'none'; worker-src blob:; img-src data: blob:; script-src 'wasm-unsafe-eval'", ` class="explore door"`, "Skip to the files")
	m.add("</header>\n%s<template data-explorer>%s</template>\n", literal(d.Body), literal(exploreMain))
	m.parts(d.Parts, gzip.BestCompression)
	return m.close(w, text)
}

// The data of the page of terms is packed here, and explore_data.js unpacks it: both must agree.

// exploreHead is what the page is told besides columns.
type exploreHead struct {
	Explore
	Terms   int  `json:"terms"`
	Cells   int  `json:"cells"`
	Squares bool `json:"squares"`
	CellP   bool `json:"cell_p"`
}

// Parts returns the page's data by name, as its script reads them.
func (e *Explore) Parts() (parts map[string][]byte, err error) {
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	parts = map[string][]byte{"names": e.Terms.packNames(), "counts": e.Terms.packCounts(len(e.Classes))}
	if e.Terms.Log10P != nil {
		parts["p"] = e.Terms.packP()
	}
	for name, value := range map[string]any{"head": e.head(), "odd": e.Terms.oddNames(), "evidence": e.evidence()} {
		if parts[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// parts adds data as gzip packs them, in a form of base64 without characters that HTML escapes.
func (m *markup) parts(parts map[string][]byte, level int) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, level) // the level is one
		_, _ = w.Write(parts[name])                 // a buffer has no errors
		_ = w.Close()
		m.add("<script type=\"application/octet-stream\" data-part=\"%s\">%s</script>\n", name, literal(base64.RawURLEncoding.EncodeToString(packed.Bytes())))
	}
}

// mostExact is the largest number up to which a script counts exactly.
const mostExact = 1 << 53

// check returns an error for columns that do not fit together.
func (e *Explore) check() error {
	t := &e.Terms
	n := len(t.Names)
	if len(t.DF) != n || len(t.CF) != n || len(t.Start) != n+1 || t.Log10P != nil && len(t.Log10P) != n {
		return fmt.Errorf("columns of %d terms have other lengths", n)
	}
	cells := t.Start[n]
	if len(t.Class) != cells || len(t.A) != cells || len(t.S) != cells || t.Q != nil && len(t.Q) != cells || t.CellLog10P != nil && len(t.CellLog10P) != cells {
		return fmt.Errorf("columns of %d cells have other lengths", cells)
	}
	for i := range n {
		if i > 0 && t.Names[i-1] >= t.Names[i] {
			return fmt.Errorf("term %q follows %q, and terms are in the order of their bytes", t.Names[i], t.Names[i-1])
		}
		if t.DF[i] > mostExact || t.CF[i] > mostExact {
			return fmt.Errorf("the counts of term %q are beyond 2^53", t.Names[i])
		}
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			if int(t.Class[j]) >= len(e.Classes) || j > t.Start[i] && t.Class[j-1] >= t.Class[j] {
				return fmt.Errorf("the classes of term %q are not in order", t.Names[i])
			}
			if !t.isPossible(j) {
				return fmt.Errorf("the counts of term %q are those of no documents", t.Names[i])
			}
		}
	}
	return nil
}

// isPossible reports whether documents have the counts of a cell, and a script counts them exactly.
func (t *ExploreTerms) isPossible(j int) bool {
	a, s := t.A[j], t.S[j]
	switch {
	case a < 1, s < a, s > mostExact:
		return false
	case t.Q == nil:
		return true
	case float64(s)/float64(a)*float64(s) > mostExact:
		return false
	}
	q, least := t.Q[j], leastSquares(a, s)
	return q == least || q > least && q <= mostExact && (q-least)%2 == 0 && a > 1 && s > a
}

func (e *Explore) head() exploreHead {
	t := &e.Terms
	h := exploreHead{*e, len(t.Names), len(t.Class), t.Q != nil, t.CellLog10P != nil}
	h.Notes, h.Classes = append([]string{}, e.Notes...), []ExploreClass{}
	for _, c := range e.Classes {
		h.Classes = append(h.Classes, ExploreClass{visible(c.Name), c.Documents, c.Tokens})
	}
	return h
}

// packNames packs the terms as lines. The first has a character of each term for the number of those that it shares with
// the one before it, "0" for none. Those that follow are on a line each.
func (t *ExploreTerms) packNames() []byte {
	var counts, rests []byte
	var before []rune
	for _, name := range t.Names {
		letters, shared := []rune(name), 0
		if !isLine(name) {
			letters = nil
		}
		most := min(len(letters), len(before), 1000)
		for shared < most && letters[shared] == before[shared] && letters[shared] < 1<<16 { // a script counts others twice
			shared++
		}
		counts = utf8.AppendRune(counts, rune('0'+shared))
		rests = append(rests, "\n"+string(letters[shared:])...)
		before = letters
	}
	return append(counts, rests...)
}

func isLine(name string) bool { return utf8.ValidString(name) && !strings.Contains(name, "\n") }

// An oddName is a term that is not shown as it is. It has bytes where they are no line of UTF-8.
type oddName struct {
	Shown string `json:"shown"`
	Bytes []byte `json:"bytes,omitempty"`
}

// oddNames returns the odd terms by number.
func (t *ExploreTerms) oddNames() map[int]oddName {
	odd := map[int]oddName{}
	for i, name := range t.Names {
		of := oddName{Shown: visible(name)}
		if !isLine(name) {
			of.Bytes = []byte(name)
		}
		if of.Shown != name {
			odd[i] = of
		}
	}
	return odd
}

// leastSquares returns the least sum of squares of a whole numbers whose sum is s: they differ by 1 at most.
func leastSquares(a, s uint64) uint64 {
	each, more := s/a, s%a
	return more*(each+1)*(each+1) + (a-more)*each*each
}

// evidence returns the evidence of the terms that the page has, by number.
func (e *Explore) evidence() map[int]Evidence {
	all := map[int]Evidence{}
	for _, of := range e.Evidence {
		i, ok := slices.BinarySearch(e.Terms.Names, of.Term)
		if !ok {
			continue
		}
		p := Evidence{Documents: []EvidenceDocument{}, Lines: []ContextLine{}}
		for _, d := range of.Documents {
			p.Documents = append(p.Documents, EvidenceDocument{visibleText(d.Side), visible(d.ID), visibleText(d.Labels), d.TF, d.Length})
		}
		for _, l := range of.Lines {
			p.Lines = append(p.Lines, ContextLine{visibleText(l.Side), visible(l.ID), visibleText(l.Left), visibleText(l.Match), visibleText(l.Right)})
		}
		all[i] = p
	}
	return all
}

// Counts and p-values are packed here. explore_data.js unpacks them: the numbers and their order are the same
// in both.

// What the numbers say. Numbers that say the same stand together, where gzip finds what repeats.
const (
	ofClasses   = iota // classes that have the term
	ofGap              // classes between two that have it
	ofDocuments        // those of a cell beyond the first
	ofMore             // occurrences in a cell beyond one in each document
	ofSquares          // squares beyond the least that documents and occurrences allow
	ofDF               // df beyond the documents of the cells
	ofCF
	ofFirstP // a p-value of a cell
	ofNextP  // the same beside that of such counts in another class
	ofTermP
	kindsOfNumbers
)

// numbers are non-negative numbers below 2^53 in seven bits a byte, the lowest first, by what they say.
type numbers [kindsOfNumbers][]byte

func (n *numbers) add(of int, v uint64) { n[of] = binary.AppendUvarint(n[of], v) }

// addSigned adds a number twice as large, and one less if it is negative.
func (n *numbers) addSigned(of int, v int64) { n[of] = binary.AppendVarint(n[of], v) }

// packed returns the lengths of all kinds, and the numbers.
func (n *numbers) packed() (data []byte) {
	for _, of := range n {
		data = binary.AppendUvarint(data, uint64(len(of)))
	}
	for _, of := range n {
		data = append(data, of...)
	}
	return data
}

// packCounts packs the counts of terms in so many classes, term by term. A number that follows from those
// before is left out.
func (t *ExploreTerms) packCounts(classes int) []byte {
	var c numbers
	for i := range t.Names {
		df, cf, next := t.DF[i], t.CF[i], uint32(0)
		if classes > 0 {
			c.add(ofClasses, uint64(t.Start[i+1]-t.Start[i]))
		}
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			class, a, s := t.Class[j], t.A[j], t.S[j]
			c.add(ofGap, uint64(class-next))
			c.add(ofDocuments, a-1)
			c.add(ofMore, s-a)
			if t.Q != nil && a > 1 && s > a {
				c.add(ofSquares, (t.Q[j]-leastSquares(a, s))/2)
			}
			df, cf, next = df-a, cf-s, class+1
		}
		c.addSigned(ofDF, int64(df))
		c.addSigned(ofCF, int64(cf))
	}
	return c.packed()
}

// perDecade is how many steps a decade of p-values has in the page.
const perDecade = 100

// stepsOf returns a p-value, given by its log10, in steps from 1 down.
func stepsOf(log10 float64) int64 { return int64(math.Round(perDecade * min(math.Abs(log10), 1e12))) }

// cellCounts is what a p-value of a cell depends on.
type cellCounts struct {
	class           uint32
	a, s, q, df, cf uint64
}

// keyOfCell returns what the p-value of a cell may depend on: documents alone, occurrences alone, or all.
func (t *ExploreTerms) keyOfCell(kind, i, j int) (k cellCounts) {
	k.class = t.Class[j]
	if kind != cellOccurrences {
		k.a, k.df = t.A[j], t.DF[i]
	}
	if kind != cellDocuments {
		k.s, k.cf = t.S[j], t.CF[i]
	}
	if kind >= cellAll && t.Q != nil {
		k.q = t.Q[j]
	}
	return k
}

const (
	cellDocuments = iota
	cellOccurrences
	cellAll
	cellEach // p-values that the counts do not tell
)

// kindOfP returns what the p-values of cells depend on.
func (t *ExploreTerms) kindOfP() int {
	for kind := range cellEach {
		known, same := map[cellCounts]int64{}, true
		for i := 0; same && i < len(t.Names); i++ {
			for j := t.Start[i]; same && j < t.Start[i+1]; j++ {
				k, p := t.keyOfCell(kind, i, j), stepsOf(t.CellLog10P[j])
				before, met := known[k]
				same, known[k] = !met || before == p, p
			}
		}
		if same {
			return kind
		}
	}
	return cellEach
}

// packP packs the p-values. Those of a class with the same counts are the same, which is there once, and
// those of other classes are near it. That of a term is near the least of its cells.
func (t *ExploreTerms) packP() []byte {
	var c numbers
	kind, seen, near := cellEach, map[cellCounts]bool{}, map[cellCounts]int64{}
	if t.CellLog10P != nil {
		kind = t.kindOfP()
	}
	c.add(ofTermP, uint64(kind))
	for i := range t.Names {
		largest := int64(0)
		for j := t.Start[i]; t.CellLog10P != nil && j < t.Start[i+1]; j++ {
			p, k := stepsOf(t.CellLog10P[j]), t.keyOfCell(kind, i, j)
			largest = max(largest, p)
			if seen[k] {
				continue
			}
			seen[k] = kind != cellEach
			k.class = 0
			if before, known := near[k]; known {
				c.addSigned(ofNextP, p-before)
			} else {
				c.add(ofFirstP, uint64(p))
			}
			near[k] = p
		}
		c.addSigned(ofTermP, stepsOf(t.Log10P[i])-largest)
	}
	return c.packed()
}
